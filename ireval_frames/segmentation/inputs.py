"""Segmentations under our names: a row per document with its length, and the boundaries of both sides.

A boundary is the number of positions before it.  Tables have positions with their segments, of which the boundaries are
computed, or boundaries alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.columns.schema import grouping_column
from ireval_frames.columns.segmentation import GOLD, GOLD_OF_ONE, LENGTH, PREDICTED, PREDICTED_OF_ONE
from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, listed
from ireval_frames.expr import Expr, coalesce, col, lit
from ireval_frames.items.class_types import named_by, side_type
from ireval_frames.items.inputs import ItemNames, found_in
from ireval_frames.segmentation import checks

# The columns of segments.
SEGMENTS = {"gold": "gold_segment", "predicted": "segment"}
# The columns of the two annotators of a pair.
RATERS = ("rater_a", "rater_b")


class SegmentationInputs(DocumentInputs):
    """The canonical frames of one evaluation.

    Attributes:
        items: a row per document, with its `length` if that is known.
        gold, predicted: a row per `boundary`.
        in_one: whether one table has both sides.
    """

    of_documents = (LENGTH,)

    def __init__(
        self, tables: Mapping[str, Any], names: ItemNames, engine: Engine, *, rater: str | None = None
    ) -> None:
        self.in_one, self._rater, self._names = tables["predicted"] is None, rater, names
        if self.in_one:
            tables = {**tables, "predicted": tables["gold"]}
        one = self.in_one and rater is None
        super().__init__((GOLD_OF_ONE, PREDICTED_OF_ONE) if one else (GOLD, PREDICTED), tables, names, engine)
        if self.in_one and not (one and "run_id" in self.columns["predicted"]):
            self.sides = {}
        for side in SIDES:
            # Rows of the gold are in no run.
            rows, name, columns = self.rows[side], "segments" if self.in_one else side, self.columns[side]
            document = [k for k in self.document_keys if k in rows.columns]
            if side == "gold" or not one or "run_id" in columns:
                # Else they are the same rows.
                self.checks += checks.of_positions(
                    rows, document, name, columns["position"], whole=not self.has_segments(side)
                )
            if self.has_segments(side):
                column = columns[SEGMENTS[side]]
                is_float = self.frames[side].dtype(column).is_float()
                self.checks.append(checks.of_segments(rows, name, column, is_float=is_float))
        self._know_lengths()
        for side in SIDES:
            setattr(self, side, self._boundaries(side))

    def opened(self, source: Any, table: str) -> Frame:
        """A table of the user: of several runs the gold's rows once, of several annotators the rows of each pair."""
        if not self.in_one or table == "documents":
            return super().opened(source, table)
        first, frame = table != "predicted", super().opened(source, "segments")
        if self._rater is not None:
            return self._paired(frame, self._rater, RATERS[0 if first else 1])
        if first and "run_id" in found_in(PREDICTED_OF_ONE, frame, self._named(PREDICTED_OF_ONE)):
            columns = found_in(GOLD_OF_ONE, frame, self._named(GOLD_OF_ONE)).values()
            return self.distinct(frame.lazy().select(*dict.fromkeys([*columns, *self.by_names.values()])))
        return frame

    def row(self, side: str) -> dict[str, Expr]:
        """Its position; of positions also the segment."""
        position = {"position": self.number_of(side, "position")}
        if not self.has_segments(side):
            return position
        name = self.columns[side][SEGMENTS[side]]
        return {**position, "segment": named_by(col(name), side_type(self.frames[side].dtype(name), name))}

    @property
    def document_keys(self) -> tuple[str, ...]:
        """The columns that identify a document."""
        return (*self.keys, "item_id")

    def has_segments(self, side: str) -> bool:
        """Whether the rows of a side are positions with their segments."""
        return SEGMENTS[side] in self.columns[side]

    def need_lengths(self, measure: str) -> None:
        """Refuse a measure of positions.

        Raises:
            MissingColumn: only boundaries are known.
        """
        if "length" not in self.items.columns:
            raise MissingColumn(
                f"{measure} needs the number of positions of each document, and the tables have boundaries only.",
                Hint(
                    "Name a table of documents with a column 'length': ",
                    Argument("documents", "documents.csv"),
                    "; where rows are positions, the columns of their segments: ",
                    Argument("gold", "their_name"),
                    ", ",
                    Argument("predicted", "their_name"),
                    ".",
                ),
            )

    # ---- within

    def _named(self, schema: Any) -> ItemNames:
        known = {c.name for c in schema.columns}
        return ItemNames({k: v for k, v in self._names.columns.items() if k in known})

    def _paired(self, frame: Frame, rater: str, side: str) -> Frame:
        """The rows of each pair of annotators of a document, from the one of the two that is this side.

        Raises:
            MissingColumn: the table has no column of annotators, or no segments.
            InvalidParameter: it has a column that results have.
        """
        columns = found_in(GOLD, frame, self._named(GOLD))
        for name, known in ((rater, rater in frame.columns), ("segment", "gold_segment" in columns)):
            if not known:
                raise MissingColumn(
                    f"The segments table has no column {name!r} (it has: {listed(frame.columns, 20)}).",
                    "A table of several annotators has a row for each position of a document and annotator: "
                    'Segmentation(segments, rater="rater_id", gold="segment")',
                )
        for name in RATERS:
            if name in frame.columns:
                raise InvalidParameter(
                    f"The segments table has a column {name!r}, as the result will have.",
                    f'Rename it: segments.rename({{"{name}": "rater_id"}})',
                )
        document = (columns["doc_id"], *(n for n in self.by_names.values() if n not in RATERS))
        annotator = grouping_column("segments", frame, rater)
        if isinstance(frame.dtype(rater), pl.Categorical | pl.Enum):
            annotator = annotator.cast(pl.String)
        rows = frame.lazy().with_columns(**{side: annotator})
        one, other = (self.distinct(frame.lazy().select(*document, **{r: annotator})) for r in RATERS)
        pairs = self.engine.join(one, other, document, "inner").filter(col(RATERS[0]) < col(RATERS[1]))
        if side == RATERS[0]:
            self.checks += checks.of_raters(self.engine, frame, rater, pairs)
        return self.engine.join(rows, pairs, (*document, side), "inner")

    def _know_lengths(self) -> None:
        """Give documents their length: that of the table of documents, or the number of their rows."""
        document, documents = self.document_keys, self.items
        lengths = ["length"] if "length" in documents.columns else []
        if lengths:
            self.checks.append(checks.of_named_lengths(documents, self._documents[1]["length"]))
        segmented = [side for side in SIDES if self.has_segments(side)]
        several = self._runs is not None
        if self.in_one and self._rater is None and not several:
            segmented = segmented[:1]
        for side in segmented:
            number = Aggregate(f"{side}_length", "count", lit(1.0))
            counted = self.engine.group(getattr(self, side), document, [number])
            documents = self.engine.join(documents, counted, document, "left")
            lengths.append(number.name)
        if not lengths:
            return
        if self.in_one and self._rater is None and several:
            lengths.remove("predicted_length")
            self.checks.append(checks.of_runs(documents))
        raters = [alias for name in RATERS for alias, by in self.by_names.items() if by == name] if self._rater else []
        self.checks += checks.of_lengths(documents, lengths, raters)
        if len(segmented) > 1 and "predicted_length" in lengths:
            self.checks.append(
                checks.same_positions(self.engine, self.gold, self.predicted, documents, document, raters)
            )
        others = (c for c in self.items.columns if c != "length")
        self.items = documents.select(*others, length=coalesce(*lengths))

    def _boundaries(self, side: str) -> Frame:
        """The boundaries of a side."""
        rows: Frame = getattr(self, side)
        document = self.document_keys
        if self.has_segments(side):
            position = col("position").cum_count().over(*document, order_by="position").cast(pl.Float64)
            before = col("segment").shift(1).over(*document, order_by="position")
            numbered = rows.with_columns(boundary=position - 1.0, before=before)
            return numbered.filter(col("segment") != col("before")).select(*document, "boundary")
        boundaries = rows.select(*document, boundary=col("position")).filter(col("boundary") > 0.0)
        if "length" not in self.items.columns:
            return boundaries
        boundaries = self.engine.join(boundaries, self.items.select(*document, "length"), document, "left")
        self.checks.append(checks.of_boundaries(boundaries, side))
        # The end of a document may be listed like those of segments.
        inside = col("length").is_null() | (col("boundary") < col("length"))
        return boundaries.filter(inside).select(*document, "boundary")
