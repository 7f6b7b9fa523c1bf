"""The frame that is split: opened on its engine, and given back in its own kind."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import io
from ireval_frames.engines.base import Engine
from ireval_frames.engines.sources import Source, names_of, open_engine, opened
from ireval_frames.errors import DuplicateRows, InvalidParameter, InvalidValue, MissingColumn, WrongType, listed

HASH, ROW = "ireval_hash", "ireval_row"
# Whole numbers beyond this do not fit the engines' integers.
LARGEST = 2**62


class Split:
    """A frame to be split, and the columns that matter.

    Args:
        frame: any table.
        columns: the columns that the split reads.
        result: the columns that it adds.
        con: a DuckDB connection; strings are then names of its tables.
    """

    def __init__(self, frame: Any, columns: Sequence[str], result: Sequence[str], con: Any = None) -> None:
        self.given = frame
        self.engine: Engine = open_engine(frame, None, con)
        found = opened(Source(frame, "items", io.scan_table), self.engine)
        names, schema = names_of(found), found.collect_schema()
        for column in columns:
            if not isinstance(column, str):
                raise InvalidParameter(
                    f"{column!r} is no name of a column.", "Name one column; make one of several with pl.concat_str."
                )
            if column not in names:
                raise MissingColumn(
                    f"The frame has no column {column!r} (it has: {listed(names, 20)}).",
                    "Name the column of the items' ids, or of the groups.",
                )
            if isinstance(schema[column], nw.List | nw.Array | nw.Struct):
                raise WrongType(
                    f"Column {column!r} is {schema[column]}; ids, groups, classes and times are single values.",
                    "Name another column, or make one of it.",
                )
        # DuckDB tells names apart without case.
        taken = {n.lower(): n for n in names} if self.engine.name == "duckdb" else {n: n for n in names}
        for column in result:
            if (column.lower() if self.engine.name == "duckdb" else column) in taken:
                line = (
                    "Drop or rename it first."
                    if column == "repeat"
                    else f'Name the new one otherwise: name="{column}_2"'
                )
                raise InvalidParameter(f"The frame has a column {column!r} already.", line)
        if reserved := [n for n in names if n.lower().startswith("ireval_")]:
            raise InvalidParameter(f"The frame has a column {reserved[0]!r}; such names are ours.", "Rename it first.")
        self.columns, self.frame = names, found.lazy()
        # Joins and windows give rows back in any order; frames of this process keep theirs.
        self.ordered = self.engine.name == "polars"
        if self.ordered:
            self.frame = self.engine.number(self.frame, ROW)

    def hashed(self, column: str, seed: int) -> nw.LazyFrame:
        """The frame with the hash of a column; rows where it is null have one hash in common."""
        rows = self.engine.hashed(self.frame, column, whole(seed, "seed"), HASH)
        return rows.with_columns(
            nw.col(HASH).fill_null(
                int.from_bytes(hashlib.md5(f"{seed}:".encode(), usedforsecurity=False).digest()[8:], "little") >> 1
            )
        )

    def collect(self, frame: nw.LazyFrame) -> pl.DataFrame:
        """The rows as a Polars frame."""
        with self.engine.errors():
            return self.engine.collect(frame)

    def back(self, frame: nw.LazyFrame, *added: str) -> Any:
        """The rows with the columns that were added, in the kind that was given.

        An eager frame stays eager, a lazy frame or a relation lazy.
        """
        frame = (frame.sort(ROW) if self.ordered else frame).select(*self.columns, *added)
        native = frame.to_native()
        return (
            self.collect(frame)
            if isinstance(native, pl.LazyFrame) and not isinstance(self.given, pl.LazyFrame)
            else native
        )

    def needs_unique(self, column: str) -> None:
        """Refuse ids that are null or stand twice.

        Raises:
            DuplicateRows: an id stands twice.
            InvalidValue: an id is null.
        """
        counted = self.frame.group_by(column).agg(n=nw.len())
        bad = self.collect(counted.filter((nw.col("n") > 1) | nw.col(column).is_null()).head(5))
        if bad.filter(pl.col(column).is_null()).height:
            raise InvalidValue(f"Column {column!r} holds nulls; every row needs an id.", "Drop or mend these rows.")
        if bad.height:
            raise DuplicateRows(
                f"Column {column!r} holds {bad[column][0]!r} {bad['n'][0]} times, so it does not tell the rows apart.",
                f'If rows of one id belong together, say so: group="{column}"',
            )


def whole(value: Any, name: str, low: int | None = None) -> int:
    """A whole number of at least `low`, if that is given, and of at most 64 bits.

    Raises:
        InvalidParameter: it is something else.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or (low is not None and value < low)
        or abs(value) >= LARGEST
    ):
        least = "" if low is None else f" of at least {low}"
        raise InvalidParameter(f"{name} is {value!r}; it must be a whole number{least}.", f"Write {name}={low or 0}.")
    return value
