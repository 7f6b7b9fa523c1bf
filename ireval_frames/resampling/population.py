"""What is resampled: rows that look alike to the measures, how many items each stands for, and whose they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, InvalidValue, rows_to_fix
from ireval_frames.resampling.draws import Counts, Members
from ireval_frames.resampling.hashing import Whole

# Rows that are evaluated at once: replicates go through in so many pieces as that takes.
AT_ONCE = 2_000_000
REPLICATE = "replicate"


class Population(ABC):
    """Rows of which measures have values, with multiplicities.

    Attributes:
        measures: what is asked.
        groups: a row per group, under the user's names: [run_id, by …].
        members: which rows belong to which unit.
        units: the ids of the units, under the user's names; the rows, where items are units.
        rows: what a row is, under our names.
        clustered: whether units hold several items, or values.
        group_of_row: the group of each row.
    """

    measures: Sequence[Measure]
    groups: pl.DataFrame
    members: Members
    units: pl.DataFrame
    rows: pl.DataFrame
    clustered: bool
    group_of_row: Whole

    @property
    def by(self) -> list[str]:
        """The columns of the groups."""
        return self.groups.columns

    @abstractmethod
    def evaluated(self, replicate: Whole, row: Whole, count: Counts) -> pl.DataFrame:
        """The values of some replicates: `replicate`, `group`, `v0`, `v1` … of each measure.

        Args:
            replicate: the number of a replicate, of each of its rows.
            row: the row's number.
            count: how many items it stands for there, not 0.
        """

    def values(self, counts: Iterator[Counts] | Counts) -> Counts:
        """The measures' values where rows stand for so many items, replicates × groups × measures; NaN is undefined."""
        parts = [self._values(counts)] if isinstance(counts, np.ndarray) else [self._values(c) for c in counts]
        return np.concatenate(parts) if parts else np.empty((0, self.n_groups, len(self.measures)))

    @property
    def n_groups(self) -> int:
        """How many groups there are; one where nothing groups."""
        return self.groups.height if self.by else 1

    @property
    def pieces(self) -> int:
        """How many replicates are evaluated at once."""
        return max(1, AT_ONCE // max(1, self.rows.height))

    def _values(self, counts: Counts) -> Counts:
        n = len(self.measures)
        out = np.full((len(counts), self.n_groups, n), np.nan)
        for first in range(0, len(counts), self.pieces):
            some = counts[first : first + self.pieces]
            replicate, row = np.nonzero(some)
            if not len(row):
                continue
            found = self.evaluated(replicate, row, some[replicate, row])
            at = (found[REPLICATE].to_numpy() + first, found["group"].to_numpy())
            for i in range(n):
                out[*at, i] = found[f"v{i}"].cast(pl.Float64).fill_null(np.nan).to_numpy()
        return out

    def n_units(self) -> Whole:
        """How many units each group has."""
        m, group = self.members, self.group_of_row[self.members.row]
        if m.unit is None:
            return np.bincount(group, weights=m.count, minlength=self.n_groups).astype(np.int64)
        pairs = group if m.single else np.unique(group * m.n_units + m.unit) // m.n_units
        return np.bincount(pairs, minlength=self.n_groups)


def sorted_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """The distinct rows in an order that is the same on every engine: text and enums by their letters."""
    words = [
        pl.col(c).cast(pl.String) if isinstance(t, pl.Categorical | pl.Enum) else pl.col(c)
        for c, t in frame.schema.items()
    ]
    return frame.unique().sort(words)


def numbered(frame: pl.DataFrame, columns: Sequence[str], distinct: pl.DataFrame) -> Whole:
    """The number of each row among distinct rows of these columns."""
    if not columns:
        return np.zeros(frame.height, dtype=np.int64)
    index = distinct.select(columns).with_row_index("ireval_number")
    found = frame.select(columns).join(index, on=list(columns), how="left", nulls_equal=True, maintain_order="left")
    return found["ireval_number"].cast(pl.Int64).to_numpy()


def ranked(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, Whole]:
    """The distinct rows of some columns in their order, and the number of each row among them."""
    some = frame.select(columns)
    distinct = sorted_rows(some)
    if len(columns) == 1 and not isinstance(some.dtypes[0], pl.Categorical | pl.Enum):
        column = some.to_series()
        if not column.null_count() and distinct.height > column.len() // 2:
            # Of many distinct values ranks take less than looking each up.
            return distinct, column.rank("dense").cast(pl.Int64).to_numpy() - 1
    return distinct, numbered(frame, columns, distinct)


def refuse_null(frame: pl.DataFrame, names: Mapping[str, str], times: Whole | None = None) -> None:
    """Refuse rows of which it is not known what they are drawn with: those that are null would be drawn together.

    Args:
        frame: a row per member.
        names: the columns that tell apart what is drawn → the user's names.
        times: how many rows of the user's each is; one, if none is said.

    Raises:
        InvalidValue: one is null.
    """
    for column, theirs in names.items():
        ids = frame[column]
        null = (
            ids.is_null() | ids.is_nan().fill_null(value=False) if ids.dtype.is_float() else ids.is_null()
        ).to_numpy()
        if null.any():
            n = int(null.sum() if times is None else times[null].sum())
            wrong = (".is_null()", ".is_nan()") if ids.dtype.is_float() else (".is_null()",)
            raise InvalidValue(
                f"Column {theirs!r} tells apart what is drawn, and is null in {n:,} rows; they would be drawn as one.",
                rows_to_fix("frame", theirs, *wrong),
            )


def strata_of(frame: pl.DataFrame, columns: Sequence[str], unit: Whole | None, names: Sequence[str]) -> Whole | None:
    """The stratum of each unit, or of each row of the frame where items are units.

    Raises:
        InvalidParameter: the rows of a unit are in two strata.
    """
    if not columns:
        return None
    stratum = numbered(frame, columns, sorted_rows(frame.select(columns)))
    if unit is None:
        return stratum
    out = np.full(int(unit.max(initial=-1)) + 1, -1, dtype=np.int64)
    out[unit] = stratum
    if (out[unit] != stratum).any():
        raise InvalidParameter(
            f"stratify={list(names)} splits what is resampled: rows of one unit are in several strata.",
            "Name columns that are the same in all rows of a unit, or resample smaller units.",
        )
    return out


def chosen(frame: pl.DataFrame, names: dict[str, str], columns: Sequence[str]) -> pl.DataFrame:
    """Columns under the user's names."""
    return frame.select(pl.col(c).alias(names.get(c, c)) for c in columns)
