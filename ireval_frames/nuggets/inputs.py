"""The user's tables of nuggets under our names: the nuggets of queries, their labels for answers, and the answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import polars as pl

from ireval_frames import io
from ireval_frames.columns.nuggets import ANSWERS, ASSIGNMENTS, NUGGETS
from ireval_frames.columns.schema import UNTYPED, grouping_column, number, wrong_type
from ireval_frames.documents.inputs import DocumentInputs
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, MismatchedTables, MissingColumn
from ireval_frames.expr import Expr, col
from ireval_frames.items.inputs import ItemNames, found_in, same_kinds

# What is no space, as Python's `str.isspace` has it.
_SPACES = r"[\x{9}-\x{D}\x{1C}-\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]+"


class NuggetInputs(DocumentInputs):
    """The queries of one evaluation, with their nuggets.

    Attributes:
        items: a row per query.
        gold: a row per nugget: keys, `item_id`, `nugget_id`, and `importance` and `nugget_weight` if the user has them.
        predicted: a row per nugget that is labelled for an answer: keys, `item_id`, `nugget_id`, `label`, and `judge`
            if there are several.
        answers: a row per answer: keys, `item_id`, and `length` if it is known; None where the user has no such table.
    """

    ids, item_word = "queries", "query"
    document = "query_id"
    documents_of_gold = True
    table_names: ClassVar[Mapping[str, str]] = {"gold": NUGGETS.name, "predicted": ASSIGNMENTS.name}
    long = ("gold", "predicted", "answers")
    answers: Frame | None = None

    @property
    def columns_of_answers(self) -> Mapping[str, str]:
        """The user's names of the columns of answers by ours."""
        return {} if self._given is None else self._given[1]

    def __init__(self, tables: Mapping[str, Any], names: ItemNames, engine: Engine) -> None:
        self._of_answers = {k: v for k, v in names.columns.items() if k in {c.name for c in ANSWERS.columns}}
        ours = {c.name for schema in (NUGGETS, ASSIGNMENTS) for c in schema.columns}
        more = {"length", "answer"} - ours if tables["answers"] is not None else set()
        columns = {k: v for k, v in names.columns.items() if k not in more}
        super().__init__((NUGGETS, ASSIGNMENTS), tables, ItemNames(columns, names.by), engine)
        if self._given is not None:
            rows, known = self._answer_rows(*self._given), self.items.select(*self.keys, "item_id")
            self.answers = engine.join(known, rows, (*(k for k in self.keys if k == "run_id"), "item_id"), "inner")

    def row(self, side: str) -> dict[str, Expr]:
        """What a row says: the nugget with its importance and weight, or its label.

        Raises:
            WrongType: importance or a label is no text, or a weight no number.
        """
        columns, table = self.columns[side], self.schemas[side].name
        out = {"nugget_id": grouping_column(table, self.frames[side], columns["nugget_id"])}
        if "judge" in columns:
            out["judge"] = grouping_column(table, self.frames[side], columns["judge"])
        for name in ("importance", "label"):
            if name in columns:
                out[name] = self._text(table, columns[name], self.frames[side].dtype(columns[name]))
        if "nugget_weight" in columns:
            out["nugget_weight"] = self.number_of(side, "nugget_weight")
        return out

    # ---- within

    @staticmethod
    def _text(table: str, name: str, dtype: Any) -> Expr:
        if dtype != pl.String and dtype not in UNTYPED and not isinstance(dtype, pl.Categorical | pl.Enum):
            raise wrong_type(table, name, dtype, "text", "String")
        return col(name) if dtype == pl.String else col(name).cast(pl.String)

    def _in_one_type(self, ids: Mapping[str, str], by: tuple[str, ...], documents: Any) -> None:
        super()._in_one_type(ids, by, documents)
        nuggets = {self.columns["gold"]["nugget_id"]: self.columns["predicted"]["nugget_id"]}
        gold, predicted = same_kinds(
            {NUGGETS.name: self.frames["gold"], ASSIGNMENTS.name: self.frames["predicted"]}, nuggets
        )
        self._given: tuple[Frame, dict[str, str]] | None = None
        if (table := self._tables["answers"]) is not None:
            frame = self.opened(table, "answers")
            columns = found_in(ANSWERS, frame, ItemNames(self._of_answers))
            self._refuse_other_runs(columns)
            joined = {self.columns["predicted"][c]: columns[c] for c in ("run_id", "query_id") if c in columns}
            self.know_items(frame, columns["query_id"], "answers")
            predicted, frame = same_kinds({ASSIGNMENTS.name: predicted, "answers": frame}, joined)
            # The ids of the third table may have changed those of the second.
            gold, predicted = same_kinds(
                {NUGGETS.name: gold, ASSIGNMENTS.name: predicted}, {ids["gold"]: ids["predicted"]}
            )
            self._given = frame, columns
        self.frames, self.frame = {"gold": gold, "predicted": predicted}, gold

    def _refuse_other_runs(self, columns: Mapping[str, str]) -> None:
        """Refuse answers of runs beside assignments of none, and the reverse.

        Raises:
            MismatchedTables: one table has a column of runs.
        """
        has = {"assignments": "run_id" in self.columns["predicted"], "answers": "run_id" in columns}
        if len(set(has.values())) > 1:
            one, other = sorted(has, key=lambda name: has[name], reverse=True)
            raise MismatchedTables(
                f"The {one} table has a column of runs, and the {other} table has none.",
                f'Say whose rows they are: {other}.with_columns(run_id=pl.lit("my_run"))',
            )

    def _systems(self) -> Frame:
        """A row per run of either table."""
        systems = super()._systems()
        if self._given is None:
            return systems
        frame, columns = self._given
        return self.distinct(concat([systems, frame.lazy().select(run_id=col(columns["run_id"]))]))

    def _answer_rows(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """The answers with their lengths.

        Raises:
            WrongType: lengths are no numbers, or texts no text.
        """
        keys = {"run_id": "run_id"} if "run_id" in columns else {}
        named = {ours: col(columns[ours]) for ours in keys}
        item = grouping_column("answers", frame, columns["query_id"])
        length: dict[str, Expr] = {}
        if "length" in columns:
            text = io.is_text_table(self._tables["answers"]) and not self.engine.names_table(self._tables["answers"])
            length = {"length": number("answers", columns["length"], frame.dtype(columns["length"]), text=text)}
        elif "answer" in columns:
            answer = self._text("answers", columns["answer"], frame.dtype(columns["answer"]))
            characters = answer.fill_null("").str.replace_all(_SPACES, "").str.len_chars()
            length = {"length": characters.cast(pl.Float64)}
        return frame.lazy().select(**named, item_id=item, **length)

    def require(self, side: str, column: str, measure: str) -> None:
        """A column that only some measures read.

        Raises:
            MissingColumn: the table has it not.
        """
        if column in self.columns[side]:
            return
        own, instead = {
            "importance": ("importance", "without one, all nuggets count alike: NuggetRecall"),
            "nugget_weight": ("weight", "or compute it from votes: nuggets = ir.nuggets.pyramid(nuggets)"),
        }[column]
        raise MissingColumn(
            f"{measure} needs a column {own!r} of the nuggets table (it has: {', '.join(self.frames[side].columns)}).",
            Hint("Name it: ", Argument(own, "their_name"), f"; {instead}."),
        )
