"""What is resampled: rows of equal items with their numbers and units; and tables of results by them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.displayed import read
from ireval_frames.errors import InvalidParameter, InvalidValue, rows_to_fix
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling.draws import Counts, Members
from ireval_frames.resampling.hashing import Whole

# The largest number of rows to evaluate at once: replicates are evaluated in as many parts as that needs.
MAX_ROWS = 2_000_000
REPLICATE = "replicate"
TYPES = {"method": pl.String, "status": pl.String, "n_resamples": pl.Int64, "n_resampled": pl.Int64}


class Population(ABC):
    """Rows of which measures have values, with multiplicities.

    Attributes:
        measures: the measures.
        groups: a row per group, under the user's names: [run_id, by …].
        members: the rows of each unit.
        units: the ids of the units, under the user's names; the rows if items are units.
        rows: the columns of each row, under internal names.
        clustered: whether units have several items, or values.
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
    def evaluate(self, replicate: Whole, row: Whole, count: Counts) -> pl.DataFrame:
        """The values of some replicates: `replicate`, `group`, `v0`, `v1` … of each measure.

        Args:
            replicate: the number of a replicate, of each of its rows.
            row: the row's number.
            count: its number of items in the replicate, not 0.
        """

    def values(self, counts: Iterator[Counts] | Counts) -> Counts:
        """The values with these numbers of items of each row: replicates × groups × measures; NaN is undefined."""
        parts = [self._values(counts)] if isinstance(counts, np.ndarray) else [self._values(c) for c in counts]
        return np.concatenate(parts) if parts else np.empty((0, self.n_groups, len(self.measures)))

    @property
    def n_groups(self) -> int:
        """The number of groups; one without columns of groups."""
        return self.groups.height if self.by else 1

    @property
    def n_at_once(self) -> int:
        """The number of replicates to evaluate at once."""
        return max(1, MAX_ROWS // max(1, self.rows.height))

    def _values(self, counts: Counts) -> Counts:
        n = len(self.measures)
        out = np.full((len(counts), self.n_groups, n), np.nan)
        for first in range(0, len(counts), self.n_at_once):
            some = counts[first : first + self.n_at_once]
            replicate, row = np.nonzero(some)
            if not len(row):
                continue
            results = self.evaluate(replicate, row, some[replicate, row])
            at = (results[REPLICATE].to_numpy() + first, results["group"].to_numpy())
            for i in range(n):
                out[*at, i] = results[f"v{i}"].cast(pl.Float64).fill_null(np.nan).to_numpy()
        return out

    def n_units(self) -> Whole:
        """The number of units of each group."""
        m, group = self.members, self.group_of_row[self.members.row]
        if m.unit is None:
            return np.bincount(group, weights=m.count, minlength=self.n_groups).astype(np.int64)
        pairs = group if m.single else np.unique(group * m.n_units + m.unit) // m.n_units
        return np.bincount(pairs, minlength=self.n_groups)


def sorted_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """The distinct rows in the same order on every engine: enums as text."""
    keys = [
        pl.col(c).cast(pl.String) if isinstance(t, pl.Categorical | pl.Enum) else pl.col(c)
        for c, t in frame.schema.items()
    ]
    return frame.unique().sort(keys)


def numbered(frame: pl.DataFrame, columns: Sequence[str], distinct: pl.DataFrame) -> Whole:
    """The number of each row among distinct rows of these columns."""
    if not columns:
        return np.zeros(frame.height, dtype=np.int64)
    index = distinct.select(columns).with_row_index("ireval_number")
    rows = frame.select(columns).join(index, on=list(columns), how="left", nulls_equal=True, maintain_order="left")
    return rows["ireval_number"].cast(pl.Int64).to_numpy()


def ranked(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, Whole]:
    """The distinct rows of some columns in their order, and the number of each row among them."""
    some = frame.select(columns)
    distinct = sorted_rows(some)
    if len(columns) == 1 and not isinstance(some.dtypes[0], pl.Categorical | pl.Enum):
        column = some.to_series()
        if not column.null_count() and distinct.height > column.len() // 2:
            # With many distinct values a rank is faster than a join.
            return distinct, column.rank("dense").cast(pl.Int64).to_numpy() - 1
    return distinct, numbered(frame, columns, distinct)


def refuse_null(frame: pl.DataFrame, names: Mapping[str, str], times: Whole | None = None) -> None:
    """Refuse rows with null ids of units: they would be drawn as one unit.

    Args:
        frame: a row per member.
        names: the columns that identify units → the user's names.
        times: the number of the user's rows that each is; by default 1.

    Raises:
        InvalidValue: one is null.
    """
    for column, user_name in names.items():
        ids = frame[column]
        null = (
            ids.is_null() | ids.is_nan().fill_null(value=False) if ids.dtype.is_float() else ids.is_null()
        ).to_numpy()
        if null.any():
            n = int(null.sum() if times is None else times[null].sum())
            conditions = (".is_null()", ".is_nan()") if ids.dtype.is_float() else (".is_null()",)
            raise InvalidValue(
                f"Column {user_name!r} identifies the units and is null in {n:,} rows, which would be one unit.",
                rows_to_fix("frame", user_name, *conditions),
            )


def strata_of(frame: pl.DataFrame, columns: Sequence[str], unit: Whole | None, names: Sequence[str]) -> Whole | None:
    """The stratum of each unit, or of each row if items are units.

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
            f"stratify={list(names)} splits units: rows of one unit are in several strata.",
            "Name columns that are constant in each unit, or resample smaller units.",
        )
    return out


def named_columns(frame: pl.DataFrame, names: dict[str, str], columns: Sequence[str]) -> pl.DataFrame:
    """Columns under the user's names."""
    return frame.select(pl.col(c).alias(names.get(c, c)) for c in columns)


def estimates(evaluation: Evaluation, population: Population) -> Counts:
    """The evaluation's values: groups × measures."""
    summary = evaluation.summary(wide=True)
    names = [str(m) for m in population.measures]
    out = np.full((population.n_groups, len(names)), np.nan)
    if population.by:
        # A group whose items are all left out has a row in the summary, but no items.
        summary = summary.join(population.groups, on=population.by, how="semi", nulls_equal=True)
    if summary.height:
        at = numbered(summary, population.by, population.groups)
        out[at] = summary.select(names).cast(pl.Float64).fill_null(np.nan).to_numpy()
    return out


def long(population: Population, rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> pl.DataFrame:
    """Rows with their groups and measures, the measures of a group one after another; NaN is null."""
    m = len(population.measures)
    index = np.arange(population.n_groups * m)
    values = pl.DataFrame(rows, schema={c: TYPES.get(c, pl.Float64) for c in columns}).with_columns(
        pl.selectors.float().fill_nan(None)
    )
    measures = pl.DataFrame({"measure": [str(x) for x in population.measures]})[index % m]
    parts = [population.groups[index // m]] if population.by else []
    return pl.concat([*parts, measures, values], how="horizontal")


def as_text(table: pl.DataFrame) -> str:
    """A table with all columns."""
    return read(table, tbl_cols=-1, tbl_width_chars=200)
