"""The user's tables of mentions under our names, on one engine.

A row per mention, with its span as `start` and `end` (exclusive), or its `mention_id`; `gold_cluster` or
`predicted_cluster`; and its `head` where mentions are matched by heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import polars as pl

from ireval_frames.columns.coreference import MENTIONS, PREDICTED_MENTIONS
from ireval_frames.columns.schema import WHOLE, grouping_column
from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, MissingColumn, listed, rows_to_fix
from ireval_frames.expr import Expr, col
from ireval_frames.items.class_types import named_by, side_type
from ireval_frames.items.inputs import ItemNames, same_kinds

Offsets = Literal["exclusive", "inclusive"]
CLUSTERS = {"gold": "gold_cluster", "predicted": "predicted_cluster"}
SPAN = ("start", "end")
# Floats hold all whole numbers up to here.
LARGEST = 2.0**53
BEHIND = 2**63 - 1


class CoreferenceInputs(DocumentInputs):
    """The mentions of one evaluation.

    Attributes:
        mention: the columns that identify a mention of a document: its span, or its id.
        inclusive: whether the user's ends are the last positions.
        types: the types of the clusters of both sides.
    """

    def __init__(
        self, tables: Mapping[str, Any], names: ItemNames, engine: Engine, policy: CoreferencePolicy, offsets: Offsets
    ) -> None:
        if offsets not in ("exclusive", "inclusive"):
            raise InvalidParameter(
                f"offsets is {offsets!r}; the end of a span is exclusive or inclusive.",
                Hint("Write ", Argument("offsets", "inclusive", option=("inclusive", True)), "."),
            )
        self._match, self.inclusive = policy.match, offsets == "inclusive"
        self._named = names.columns
        self.mention: tuple[str, ...] = SPAN
        self.types: dict[str, Any] = {}
        super().__init__((MENTIONS, PREDICTED_MENTIONS), tables, names, engine)

    def _in_one_type(self, ids: Mapping[str, str], by: tuple[str, ...], documents: Any) -> None:
        """The columns that tables are joined by, in one type; those of mentions, too."""
        super()._in_one_type(ids, by, documents)
        self.mention = self._identity()
        if self.mention != SPAN:
            one, other = (columns["mention_id"] for columns in self._both)
            gold, predicted = same_kinds(self.frames, {one: other})
            self.frames = {"gold": gold, "predicted": predicted}
            self.frame = gold

    @property
    def _both(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        return self.columns["gold"], self.columns["predicted"]

    def _identity(self) -> tuple[str, ...]:
        """The columns that identify a mention.

        Raises:
            MissingColumn: a table has neither spans nor ids of mentions.
        """
        if all("mention_id" in columns for columns in self._both) and (
            "mention_id" in self._named or not all(c in columns for columns in self._both for c in SPAN)
        ):
            return ("mention_id",)
        for side in SIDES:
            for column in SPAN:
                if column not in self.columns[side]:
                    raise MissingColumn(
                        f"The {side} table has no column {column!r} (it has: "
                        f"{listed(self.frames[side].columns, 20)}), and mentions are compared by their spans.",
                        Hint(
                            "Name it: ", Argument(column, "their_name"), "; or, if mentions have ids, write ",
                            Argument("mention", "their_name"), ".",
                        ),
                    )  # fmt: skip
        return SPAN

    def row(self, side: str) -> dict[str, Expr]:
        """The span or id of a mention, its cluster, and its head where that is read."""
        frame, cluster = self.frames[side], self.columns[side]["cluster_id"]
        dtype = self.types[side] = side_type(frame.dtype(cluster), cluster)
        entity = named_by(col(cluster), dtype)
        self.checks.append(Check(frame, entity.is_null(), _no_cluster(side, cluster)))
        out = self._span(side) if self.mention == SPAN else {"mention_id": self._id(side)}
        if self._match == "head" or (self._match == "partial" and side == "gold"):
            out["head"] = self._head(side)
        return {**out, CLUSTERS[side]: entity}

    def _id(self, side: str) -> Expr:
        frame, name = self.frames[side], self.columns[side]["mention_id"]
        if self._match != "exact":
            raise MissingColumn(
                f"match={self._match} compares spans, and the mentions have ids instead.",
                Hint("Name their columns, or write ", Argument("policy", "match=exact"), "."),
            )
        self.checks.append(Check(frame, col(name).is_null(), _no_mention(side, name)))
        return grouping_column(side, frame, name)

    def _span(self, side: str) -> dict[str, Expr]:
        """Start and end, the end exclusive."""
        start, end = (self._position(side, column) for column in SPAN)
        names = {column: self.columns[side][column] for column in SPAN}
        self.checks.append(Check(self.frames[side], end < start, _backwards(side, names)))
        # Rows are cast after the checks: what is no whole number has no cast.
        start, end = start.cast(pl.Int64), end.cast(pl.Int64)
        return {"start": start, "end": end + 1 if self.inclusive else end}

    def _head(self, side: str) -> Expr:
        if "head" not in self.columns[side]:
            raise MissingColumn(
                f"The {side} table has no column 'head' (it has: {listed(self.frames[side].columns, 20)}), which "
                f"match={self._match} reads.",
                Hint("Name it: ", Argument("head", "their_name"), "."),
            )
        return self._position(side, "head").cast(pl.Int64)

    def _position(self, side: str, column: str) -> Expr:
        """A column of whole numbers."""
        frame, name = self.frames[side], self.columns[side][column]
        if frame.dtype(name).is_integer():
            # The position behind the last one is a whole number of 64 bits, too.
            bad = col(name).is_null() | (col(name) >= BEHIND)
            self.checks.append(Check(frame, bad, _no_position(side, name)))
            return col(name)
        value = self.number_of(side, column, WHOLE)
        bad = value.is_null() | ~value.is_finite() | (value != value.floor()) | (value.abs() > LARGEST)
        self.checks.append(Check(frame, bad, _no_position(side, name)))
        return value


def _no_cluster(side: str, column: str) -> Any:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        none, test = ("null", ".is_null()") if rows[column][0] is None else ("NaN", ".is_nan()")
        return InvalidValue(
            f"{count:,} row{'s' * (count > 1)} of the {side} table {'have' if count > 1 else 'has'} no entity: column "
            f"{column!r} is {none}.",
            rows_to_fix(side, column, test),
        )

    return error


def _no_mention(side: str, column: str) -> Any:
    def error(_: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"{count:,} row{'s' * (count > 1)} of the {side} table {'have' if count > 1 else 'has'} no mention: column "
            f"{column!r} is null.",
            rows_to_fix(side, column, ".is_null()"),
        )

    return error


def _no_position(side: str, column: str) -> Any:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        more = f", and {count - 1:,} other rows hold such" if count > 1 else ""
        value, test = rows[column][0], ".is_null()"
        # Text of a file is a number, or has failed already.
        number = None if value is None else float(value)
        largest = BEHIND - 1 if isinstance(value, int) else int(LARGEST)
        if number is not None:
            test = f".abs() > {largest}" if number % 1 == 0 else " % 1 != 0"
        return InvalidValue(
            f"Column {column!r} of the {side} table holds {value}{more}; it must hold whole numbers"
            f"{f' up to {largest}' if test.startswith('.abs') else ''}.",
            rows_to_fix(side, column, test),
        )

    return error


def _backwards(side: str, names: Mapping[str, str]) -> Any:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        start, end = names["start"], names["end"]
        more = f", and of {count - 1:,} other mentions" if count > 1 else ""
        return InvalidValue(
            f"The end of a mention of the {side} table is before its start: {start} {rows[start][0]}, {end} "
            f"{rows[end][0]}{more}.",
            f'Leave them out: {side}.filter(pl.col("{end}") >= pl.col("{start}"))',
        )

    return error
