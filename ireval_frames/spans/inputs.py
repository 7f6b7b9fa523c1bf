"""The user's tables of spans under our names, on one engine.

Offsets become integers from `start` to `end`, the end exclusive.  A span is identified in its document by `start`,
`end` and `type`; where spans have fragments also by `shape`, which names the set of these, and where equal spans count
several times by `copy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import polars as pl

from ireval_frames.columns.schema import UNTYPED, WHOLE
from ireval_frames.columns.spans import GOLD_SPANS, PREDICTED_SPANS
from ireval_frames.conventions.spans import SpanPolicy
from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, MissingColumn, listed
from ireval_frames.expr import Expr, coalesce, col, concat_str, lit, when
from ireval_frames.expr import len as length
from ireval_frames.items.class_types import class_type, named_by
from ireval_frames.items.inputs import ItemNames
from ireval_frames.spans import checks

# Where lines of spaCy, Prodigy and Doccano have the spans of their text.
ANNOTATIONS = {"ents", "spans", "label", "labels", "entities"}
# The column of annotators, as `ir.io.read_spans` calls it.
RATER = "rater_id"
# What Label Studio's tasks have.
TASKS = {"data", "annotations"}


class SpanInputs(DocumentInputs):
    """The spans of one evaluation.

    Args:
        tables: the user's, by the names of the arguments.
        names: the user's names of columns.
        engine: where the plan runs.
        policy: the conventions in force.
        inclusive: whether the user's ends are the last position of a span, not the one after it.
        fragments: whether rows of equal `span_id` are fragments of one span.

    Attributes:
        gold, predicted: a row per span.
        gold_pieces, predicted_pieces: of spans with fragments, a row per fragment, from `piece_start` to `piece_end`.
        span: the columns that identify a span in its document.
        type: the type in which types are compared; None if spans have none.
        inclusive: whether the user's ends are the last positions.
    """

    long: ClassVar[tuple[str, ...]] = (*SIDES, "gold_pieces", "predicted_pieces")
    sums_once = True
    gold_pieces: Frame | None = None
    predicted_pieces: Frame | None = None

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: ItemNames,
        engine: Engine,
        policy: SpanPolicy,
        *,
        inclusive: bool = False,
        fragments: bool = False,
    ) -> None:
        self.policy, self.inclusive, self.fragments = policy, inclusive, fragments
        try:
            super().__init__((GOLD_SPANS, PREDICTED_SPANS), tables, names, engine)
        except MissingColumn as error:
            columns = {*self.frame.columns} if hasattr(self, "frame") else set()
            if {"position", "gold"} <= columns:
                hint = "These are tags of tokens: ir.Spans.from_tags(tags), if one table has gold and predicted tags."
            elif "start" not in columns and (("text" in columns and columns & ANNOTATIONS) or columns >= TASKS):
                hint = "These are annotated texts: ir.Spans(ir.io.read_spans(gold), ir.io.read_spans(predicted))."
            else:
                raise
            raise MissingColumn(error.what, hint) from None
        self.span: tuple[str, ...] = ("start", "end", "type")
        self._rows_of_sides = [getattr(self, side) for side in SIDES]
        for side in SIDES:
            self._known_offsets(side)
        if fragments:
            self._join_fragments()
        for side in SIDES:
            setattr(self, side, self._distinct_spans(side))
        if policy.duplicates == "count":
            self.span = (*self.span, "copy")

    def row(self, side: str) -> dict[str, Expr]:
        """Where a span is, and its type."""
        columns = self.columns[side]
        end = self._offset(side, "end")
        of_type = lit(None, dtype=pl.String) if self.type is None else named_by(col(columns["type"]), self.type)
        out = {"start": self._offset(side, "start"), "end": end + 1 if self.inclusive else end, "type": of_type}
        if self.fragments:
            if "span_id" not in columns:
                raise MissingColumn(
                    f"The {side} table has no column 'span_id' (it has: {listed(self.frames[side].columns, 20)}).",
                    Hint("Name the column that joins fragments: ", Argument("fragment", "their_name")),
                )
            name = col(columns["span_id"])
            if self.frames[side].dtype(columns["span_id"]).is_float():
                name = when(~name.is_nan()).then(name)
            place = concat_str(*(out[c].cast(pl.String).fill_null("") for c in ("start", "end", "type")), separator=" ")
            out |= {"span_id": coalesce(name.cast(pl.String), place), "alone": name.is_null()}
        return out

    @cached_property
    def type(self) -> Any:
        """The type in which types of spans are compared; None if neither table has a column of types.

        Raises:
            MissingColumn: one table has types, the other has not.
        """
        columns = {side: self.columns[side].get("type") for side in SIDES}
        typed = {side: name for side, name in columns.items() if name is not None}
        if not typed:
            return None
        if len(typed) < len(SIDES):
            (side,) = (s for s in SIDES if s not in typed)
            raise MissingColumn(
                f"The {side} table has no column of types (it has: {listed(self.frames[side].columns, 20)}), and the "
                f"other one has {next(iter(typed.values()))!r}.",
                Hint("Name it: ", Argument("type", "their_name")),
            )
        return class_type({side: self.frames[side].dtype(name) for side, name in typed.items()}, typed)

    def _offset(self, side: str, column: str) -> Expr:
        """A column of positions, as integers.

        Raises:
            WrongType: it holds something else.
        """
        frame, name = self.frames[side], self.columns[side][column]
        dtype = frame.dtype(name)
        if dtype.is_integer() or dtype in UNTYPED:
            return col(name).cast(pl.Int64)
        value = self.number_of(side, column, WHOLE)
        self.checks.append(checks.position(frame.lazy().select(position=value), side, name))
        return value.cast(pl.Int64)

    def _known_offsets(self, side: str) -> None:
        """Refuse rows whose offsets or types are none."""
        rows, names = self.rows[side], self.columns[side]
        if side in self.valid:
            return
        self.checks += checks.offsets(rows, side, names, inclusive=self.inclusive)
        if self.type is None:
            return
        if self.policy.untyped == "skip":
            typed = ~col("type").is_null()
            self.rows[side] = rows.filter(typed)
            setattr(self, side, getattr(self, side).filter(typed))
        elif self.policy.untyped == "error":
            self.checks.append(checks.typed(rows, side, names["type"]))

    def _distinct_spans(self, side: str) -> Frame:
        """The spans of a side; what becomes of equal ones is the policy's."""
        frame: Frame = getattr(self, side)
        key = (*self.keys, "item_id", *self.span)
        if side in self.valid:
            return frame.with_columns(copy=lit(1)) if self.policy.duplicates == "count" else frame
        if self.policy.duplicates == "error":
            rows = (frame, key) if self.fragments else (self.rows[side], self.key_of(side, *self.span))
            rater = RATER if RATER in self.frames[side].columns else None
            self.checks.append(checks.once(rows[0], side, rows[1], rater))
        elif self.policy.duplicates == "count":
            # Of equal rows it is all the same which one is the first.
            copy = col("start").cum_count().over(*key, order_by="start")
            return frame.with_columns(copy=copy.cast(pl.Int64))
        elif not self.fragments:
            return self.distinct(frame)
        else:
            return self.engine.group(frame, key, [Aggregate("length", "any", col("length"))])
        return frame

    def affected(self) -> dict[str, int]:
        """The number of spans that each policy decides about."""
        counted = dict.fromkeys(("untyped", "duplicates"), 0)
        for rows in self._rows_of_sides:
            typed = rows.filter(~col("type").is_null())
            n, n_typed, n_distinct = (
                int(self.engine.collect(frame.select(n=length())).item())
                for frame in (rows, typed, self.distinct(typed))
            )
            counted["untyped"] += n - n_typed
            counted["duplicates"] += 0 if self.fragments else n_typed - n_distinct
        return counted

    # ---- fragments

    def _join_fragments(self) -> None:
        """Make one span of the rows of one `span_id`; rows without one are spans of their own."""
        engine, document = self.engine, (*self.keys, "item_id")
        owner = (*document, "span_id")
        parts = []
        for side in SIDES:
            frame: Frame = getattr(self, side)
            # Each row without an id is a span of its own, also one of several equal ones.
            turn = col("start").cum_count().over(*owner, order_by="start").cast(pl.String)
            of_row = (
                when(col("alone"))
                .then(concat_str(lit("at "), col("span_id"), lit(" "), turn))
                .otherwise(col("span_id"))
            )
            frame = frame.with_columns(span_id=of_row)
            fragments = engine.group(frame, (*owner, "type", "start", "end"), ())
            self.checks += checks.fragments(fragments, side, owner)
            parts.append(fragments.with_columns(side=lit(side)))
        rows = concat(parts)
        key = ("side", *owner, "type")
        text = concat_str(col("start").cast(pl.String), lit("-"), col("end").cast(pl.String))
        shapes = engine.set_ids(rows.with_columns(piece=text), key, "piece", "shape")
        spans = engine.group(
            rows,
            key,
            [
                Aggregate("start", "min", col("start")),
                Aggregate("end", "max", col("end")),
                Aggregate("length", "plain_sum", (col("end") - col("start")).cast(pl.Float64)),
            ],
        )
        spans = engine.compute_once(engine.join(spans, shapes, key, "inner"))
        self.span = (*self.span, "shape")
        for side in SIDES:
            own = spans.filter(col("side") == side)
            setattr(self, side, own.select(*document, *self.span, "length"))
            pieces = rows.filter(col("side") == side).rename({"start": "piece_start", "end": "piece_end"})
            joined = engine.join(own, pieces, key, "inner")
            columns = (*document, *self.span, "length", "piece_start", "piece_end")
            # Equal spans have the same fragments.
            setattr(self, f"{side}_pieces", self.distinct(joined.select(*columns)))
