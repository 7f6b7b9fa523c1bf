"""Spans of several annotators: those of each pair, as gold and predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.schema import grouping_column
from ireval_frames.columns.spans import GOLD_SPANS
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Computed, Source, is_missing_id, open_source
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, listed, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames, found_in

# The columns of the two annotators of a pair; the first one stands for the gold.
RATERS = ("rater_a", "rater_b")


@dataclass(frozen=True)
class SpansOfPairs(Computed):
    """The spans of each pair of annotators, from the one of the two that `side` names.

    Attributes:
        spans: a table of spans with a column of annotators.
        rater: that column.
        documents: a table of the documents that each annotator has annotated; None is all of them.
        names: the user's names of columns.
        side: one of `RATERS`.
    """

    spans: Any
    rater: str
    documents: Any
    names: Mapping[str, str]
    side: str

    def on(self, engine: Engine) -> Frame:
        """The table: that of the spans, and the columns `rater_a` and `rater_b`."""
        spans = self._opened(self.spans, "gold", engine)
        if self.documents is None:
            one, other = (self._distinct(engine, spans, {r: self._annotator(spans, "gold")}) for r in RATERS)
            pairs = engine.join(one, other, (), "inner")
            on: Sequence[str] = (self.side,)
        else:
            documents = self._opened(self.documents, "documents", engine)
            if "weight" in documents.columns:
                raise InvalidParameter(
                    "The documents of annotators have no weights, and their table has a column 'weight'.",
                    'Leave it out: documents.drop("weight")',
                )
            own = found_in(GOLD_SPANS, spans, ItemNames(self._known()))["doc_id"]
            columns = {own: col(self._document(documents))}
            one, other = (
                self._distinct(engine, documents, {**columns, r: self._annotator(documents, "documents")})
                for r in RATERS
            )
            pairs = engine.join(one, other, (own,), "inner")
            on = (own, self.side)
        pairs = pairs.filter(col(RATERS[0]) < col(RATERS[1]))
        return engine.join(spans.lazy().with_columns(**{self.side: self._annotator(spans, "gold")}), pairs, on, "inner")

    def checks(self, engine: Engine) -> Sequence[Check]:
        """Every span has an annotator, and there are several."""
        spans = self._opened(self.spans, "gold", engine)

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del rows
            return InvalidValue(
                f"{count:,} {'spans have' if count > 1 else 'span has'} no annotator: column {self.rater!r} is null.",
                rows_to_fix("frame", self.rater, ".is_null()"),
            )

        def alone(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"Column {self.rater!r} has one annotator, {rows['rater'][0]!r}, and two are compared.",
                "Add the spans of another one: pl.concat([spans, others])",
            )

        if self.side != RATERS[0]:
            return []
        annotators = self._distinct(engine, spans, {"rater": self._annotator(spans, "gold")})
        number = engine.group(
            annotators, (), [Aggregate("n", "count", lit(1.0)), Aggregate("rater", "any", col("rater"))]
        )
        return [Check(spans, is_missing_id(spans, self.rater), error), Check(number, col("n") == 1, alone)]

    def _opened(self, table: Any, name: str, engine: Engine) -> Frame:
        return open_source(Source(table, name, TABLE), engine)

    def _known(self) -> dict[str, str]:
        known = {c.name for c in GOLD_SPANS.columns}
        return {k: v for k, v in self.names.items() if k in known}

    def _document(self, documents: Frame) -> str:
        """The column of documents of a table of them."""
        names = [self.names.get("doc_id", "doc_id"), "doc_id", *GOLD_SPANS["doc_id"].aliases]
        match = next((name for name in names if name in documents.columns), None)
        if match is None:
            raise MissingColumn(
                f"The documents table has no column 'doc_id' (it has: {listed(documents.columns, 20)}).",
                f"It has a row for each document and annotator: doc_id, {self.rater}.",
            )
        return match

    def _annotator(self, frame: Frame, table: str) -> Expr:
        """The column of annotators.

        Raises:
            MissingColumn: there is none.
        """
        if self.rater not in frame.columns:
            raise MissingColumn(
                f"The {table} table has no column {self.rater!r} (it has: {listed(frame.columns, 20)}).",
                'Name the column of annotators: rater="their_name"',
            )
        out = grouping_column(table, frame, self.rater)
        return out.cast(pl.String) if isinstance(frame.dtype(self.rater), pl.Categorical | pl.Enum) else out

    def _distinct(self, engine: Engine, frame: Frame, columns: Mapping[str, Expr]) -> Frame:
        return engine.group(frame.lazy().select(**columns), tuple(columns), ())
