"""A user's table of tags as tables of spans and of documents, on whatever engine opens it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import canonical, number
from ireval_frames.columns.tags import TAGS
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.inputs.frames import refuse_to_pickle
from ireval_frames.engines.opening import Computed, Source, open_source
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import ReadingWarning, warn
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io.reading import TABLE
from ireval_frames.items.class_types import is_list
from ireval_frames.items.inputs import ItemNames, found_in
from ireval_frames.spans import tags_checks
from ireval_frames.spans.tags import OUTSIDE, Reading, accepted, as_written, placed, runs_of_tags

# The columns of tokens under our names.
DOC, SENTENCE, POSITION = "item_id", "sentence_id", "position"
BEFORE = "position_before"


class TagTable:
    """A table of tags, as the user passed it.

    Args:
        table: the table.
        columns: the user's names of columns: ours → the user's.
        systems: the user's names of several columns of predicted tags.
        by: columns of documents.
        how: how tags are read.
    """

    def __init__(
        self, table: Any, columns: Mapping[str, str], systems: Sequence[str], by: Sequence[str], how: Reading
    ) -> None:
        self.table, self.columns, self.systems, self.by, self.how = table, columns, tuple(systems), tuple(by), how
        self._opened: WeakKeyDictionary[Engine, OpenedTags] = WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        """Without what engines have opened.

        Raises:
            EngineError: the table is one of a connection or a session.
        """
        refuse_to_pickle({TAGS.name: self.table})
        return {k: v for k, v in self.__dict__.items() if k != "_opened"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _opened=WeakKeyDictionary())

    def on(self, engine: Engine) -> OpenedTags:
        """The table on an engine, opened once."""
        if engine not in self._opened:
            self._opened[engine] = OpenedTags(self, engine)
        return self._opened[engine]


class OpenedTags:
    """A table of tags on an engine.

    Attributes:
        columns: the user's name of each of our columns.
        sides: the column of tokens with the tags of each side → the user's name of it.
        tokens: a row per token: `item_id`, `sentence_id` if there are sentences, `position` and the sides.
    """

    def __init__(self, tags: TagTable, engine: Engine) -> None:
        self.engine, self.how, self.systems, self.by = engine, tags.how, tags.systems, tags.by
        self.frame = open_source(Source(tags.table, TAGS.name, TABLE), engine)
        self._is_text = io.is_text_table(tags.table) and not engine.names_table(tags.table)
        tags_checks.has_documents(self.frame, tags.columns)
        first = {"predicted": tags.systems[0]} if tags.systems else {}
        self.columns = found_in(TAGS, self.frame, ItemNames({**tags.columns, **first}, tags.by))
        predicted = tags.systems or (self.columns["predicted"],)
        tags_checks.columns_exist(self.frame, predicted)
        self.sides = {"gold": self.columns["gold"], **{f"predicted_{i}": c for i, c in enumerate(predicted)}}
        self.lists = [s for s, c in self.sides.items() if is_list(self.frame, c)]
        tags_checks.types_of_tags(self.frame, self.sides, self.lists)
        self.sequence = (DOC, *((SENTENCE,) if "sentence_id" in self.columns else ()))

    @cached_property
    def rows(self) -> Frame:
        """The user's rows under our names; tags may be lists."""
        ids = {"doc_id": self.columns["doc_id"]}
        if SENTENCE in self.sequence:
            ids["sentence_id"] = self.columns["sentence_id"]
        of_ids = {e.output_name: e.without_alias() for e in canonical(TAGS, self.frame, ids)}
        columns = {DOC: of_ids.pop("doc_id"), **of_ids}
        if not self.lists:
            columns[POSITION] = self._position()
        return self.frame.lazy().select(**columns, **{s: self._tag(c) for s, c in self.sides.items()})

    @cached_property
    def tokens(self) -> Frame:
        """A row per token."""
        if not self.lists:
            return self.rows
        rows = self.rows.explode_lists(self.lists, POSITION)
        # Lists without a tag have no token.
        return rows.filter(~col(POSITION).is_null()).with_columns(**{POSITION: col(POSITION).cast(pl.Int64) - 1})

    @cached_property
    def near(self) -> Frame:
        """The tokens with their places, and the position of the token before each."""
        return placed(self.engine, self.tokens, self.sequence, POSITION, {BEFORE: POSITION})

    def runs(self, side: str) -> Frame:
        """The runs of tokens of one side, with the tag of the first."""
        out = self._runs.get(side)
        if out is None:
            of_side = runs_of_tags(self.engine, self.near, self.sequence, POSITION, side, self.how)
            out = self._runs[side] = self.engine.compute_once(self.engine.shared(of_side))
        return out

    @cached_property
    def _runs(self) -> dict[str, Frame]:
        return {}

    def spans(self, side: str) -> Frame:
        """The spans of one side, under the user's name of documents."""
        runs, offset = self.runs(side).filter(accepted(self.how)), None
        if SENTENCE in self.sequence:
            runs, offset = self.engine.join(runs, self._sentences, self.sequence, "inner"), col("offset")
        ends = {end: col(end) if offset is None else col(end) + offset for end in ("start", "end")}
        return runs.select(**{self.columns["doc_id"]: col(DOC)}, **ends, type=col("type"))

    @cached_property
    def _sentences(self) -> Frame:
        """A row per sentence, and what makes its positions those of the document."""
        ends = [Aggregate("low", "min", col(POSITION)), Aggregate("high", "max", col(POSITION))]
        length = col("high") - col("low") + 1
        sentences = self.engine.group(self.tokens, self.sequence, ends).with_columns(length=length)
        so_far = col("length").cum_sum().over(DOC, order_by=SENTENCE)
        offsets = sentences.with_columns(so_far=so_far).select(
            *self.sequence, offset=(col("so_far") - col("length") - col("low")).cast(pl.Int64)
        )
        return self.engine.shared(offsets)

    @property
    def gold(self) -> Frame:
        """The gold spans."""
        return self.spans("gold")

    @property
    def predicted(self) -> Frame:
        """The predicted spans; of several columns, each is a system."""
        sides = [s for s in self.sides if s != "gold"]
        if not self.systems:
            return self.spans(sides[0])
        return concat([self.spans(s).with_columns(run_id=lit(self.sides[s])) for s in sides])

    @property
    def documents(self) -> Frame:
        """The documents, with the columns that group them."""
        if not self.by and not self.lists:
            # The first token of each sequence.
            documents = self.near.filter(col(BEFORE).is_null()).select(**{self.columns["doc_id"]: col(DOC)})
            return documents.unique() if SENTENCE in self.sequence else documents
        columns = {self.columns["doc_id"]: canonical(TAGS, self.frame, {"doc_id": self.columns["doc_id"]})[0]}
        return self.frame.lazy().select(**columns, **{c: c for c in self.by}).unique()

    @cached_property
    def repairs(self) -> Mapping[str, tuple[int, int, int]]:
        """For the user's column of each side: the number of spans, how many a repair made, how many runs it dropped."""
        written, kept = as_written(), accepted(self.how)
        tables = [(self.runs(side), (kept, kept & ~written, ~kept)) for side in self.sides]
        counts = tags_checks.counted(self.engine, tables)
        numbers = zip(counts[::3], counts[1::3], counts[2::3], strict=True)
        return dict(zip(self.sides.values(), numbers, strict=True))

    def checks(self) -> Iterator[Check]:
        """What the table must not hold."""
        names = {**self.columns, **self.sides}
        if self.lists:
            yield tags_checks.lengths(self.rows, self.lists, names)
        yield tags_checks.missing(self.tokens, (*self.sequence, POSITION, *self.sides), names)
        for side in self.sides:
            yield tags_checks.of_scheme(self.engine, self.tokens.filter(col(side) != OUTSIDE), side, names, self.how)
        has_systems = "run_id" in self.frame.columns
        yield tags_checks.twice(
            self.near, self.sequence, BEFORE, POSITION, names, lists=bool(self.lists), has_systems=has_systems
        )
        if self.by:
            yield tags_checks.one_group(self.documents, self.columns["doc_id"], self.by)
        if self.how.repair == "error":
            for side in self.sides:
                yield tags_checks.as_the_scheme(self.runs(side), side, names, self.how, DOC)

    # ---- columns

    def _position(self) -> Expr:
        column = self.columns.get("position")
        if column is None:
            raise tags_checks.no_position(self.frame)
        dtype = self.frame.dtype(column)
        if self._is_text and dtype == pl.String:
            return number(TAGS.name, column, dtype, text=True).cast(pl.Int64)
        return canonical(TAGS, self.frame, {"position": column})[0].without_alias()

    def _tag(self, column: str) -> Expr:
        dtype = self.frame.dtype(column)
        inner = getattr(dtype, "inner", dtype)
        if inner == pl.String and not isinstance(dtype, pl.Array):
            return col(column)
        return col(column).cast(pl.String if inner is dtype else pl.List(pl.String))


def tags_of(tables: Mapping[str, Any]) -> TagTable | None:
    """The table of tags that a subject's tables are computed from, if they are."""
    gold = tables["gold"]
    return gold.tags if isinstance(gold, TagsAs) else None


def repair_message(tables: Mapping[str, Any], engine: Engine) -> str:
    """What a repair made of tags, in words; empty where there was none, or no scheme is named."""
    tags = tags_of(tables)
    if tags is None or not tags.how.scheme.is_known:
        return ""
    parts = []
    for column, (spans, made, dropped) in tags.on(engine).repairs.items():
        if made:
            parts.append(f"{made:,} of {spans:,} spans of column {column!r} {'are' if made > 1 else 'is'} made of them")
        if dropped:
            parts.append(f"{dropped:,} run{'s' * (dropped > 1)} of column {column!r} {'are' if dropped > 1 else 'is'} "
                         f"dropped, beside {spans:,} spans")  # fmt: skip
    if not parts:
        return ""
    return f"Tags are not as {tags.how.scheme.name} writes them; repair={tags.how.repair!r}: {'; '.join(parts)}."


def warn_of_repairs(tables: Mapping[str, Any], engine: Engine) -> None:
    """Warn where a repair made or dropped spans."""
    # Statements that run later have no rows yet.
    if not engine.enforces(()) and (message := repair_message(tables, engine)):
        warn(message, ReadingWarning)


@dataclass(frozen=True)
class TagsAs(Computed):
    """A table that is computed from tags: "gold", "predicted" or "documents"."""

    tags: TagTable
    table: str

    CHECKED: ClassVar[str] = "gold"
    valid = True

    @property
    def systems(self) -> tuple[str, ...]:  # type: ignore[override]  # of the predicted table
        """The systems of the predicted table."""
        return self.tags.systems if self.table == "predicted" else ()

    def on(self, engine: Engine) -> Frame:
        """The table."""
        frame: Frame = getattr(self.tags.on(engine), self.table)
        return frame

    def checks(self, engine: Engine) -> Sequence[Check]:
        """What the table of tags must not hold, once for all tables that are made of it."""
        return list(self.tags.on(engine).checks()) if self.table == self.CHECKED else ()
