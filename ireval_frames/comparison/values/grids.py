"""Values of one measure in one group as a matrix: a row per unit, a column per system."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, PerUnitValues
from ireval_frames.errors import Argument, Code, DuplicateRows, Hint, InvalidValue, MismatchedTables, listed
from ireval_frames.stats.moments import moments_of
from ireval_frames.stats.sample import Array, Moments, Sample

ERROR, INTERSECT = "error", "intersect"


def framed(columns: Mapping[str, Any]) -> pl.DataFrame:
    """A frame of columns and of values that all its rows have; NaN becomes null."""
    values = {n: _series(v) if isinstance(v, np.ndarray) else v for n, v in columns.items()}
    height = next(len(v) for v in values.values() if isinstance(v, pl.Series))
    series = [
        (v if isinstance(v, pl.Series) else pl.select(pl.repeat(v, height)).to_series()).alias(n)
        for n, v in values.items()
    ]
    return pl.DataFrame(series).with_columns(pl.selectors.float().fill_nan(None))


def _series(column: np.ndarray) -> pl.Series:
    """A column; of few different words no text is made per row."""
    if column.dtype.kind != "U" or not len(column):
        return pl.Series(column)
    words, codes, left = [], np.zeros(len(column), dtype=np.uint32), np.arange(len(column))
    while left.size:
        words.append(str(column[left[0]]))
        left = left[column[left] != words[-1]]
        codes[left] = len(words)
    return pl.Series(words).gather(pl.Series(codes))


@dataclass(frozen=True, eq=False)
class Grid:
    """Values of one measure in one group.

    Attributes:
        measure: which.
        group: the values of the columns of by=.
        lower_is_better: whether less is better.
        systems: their ids, in order.
        units: a row per unit: its ids, in order.
        values: units × systems; NaN is no value.
        label: the class of each unit, where the table has one.
        replicates: units × systems × replicates, where a unit has several values of a system; `values` holds means.
        moments: of each system, where the engine computed only these; then there are no units.
        types: of the columns of by=.
    """

    measure: str
    group: tuple[Any, ...]
    lower_is_better: bool
    systems: pl.Series
    units: pl.DataFrame
    values: Array
    label: Array | None = None
    replicates: Array | None = None
    moments: Moments | None = None
    types: tuple[pl.DataType, ...] = ()

    @property
    def better(self) -> float:
        """1 where more is better, else −1."""
        return -1.0 if self.lower_is_better else 1.0

    def keys(self, by: Sequence[str]) -> dict[str, Any]:
        """The measure and the group, by the names of their columns."""
        return {"measure": self.measure, **dict(zip(by, self.group, strict=True))}

    def columns(self, by: Sequence[str]) -> dict[str, Any]:
        """As `keys`, in the types of the columns, which a group of null has too."""
        typed = zip(by, self.group, self.types, strict=True)
        return {"measure": pl.lit(self.measure), **{name: pl.lit(value, dtype=of) for name, value, of in typed}}

    def framed(self, by: Sequence[str], columns: Mapping[str, Any]) -> pl.DataFrame:
        """A frame of columns, with the measure and group first.

        Raises:
            InvalidParameter: a column of by= is called like one of them.
        """
        refuse_reserved(by, columns)
        return framed(self.columns(by) | dict(columns))

    @functools.cached_property
    def of_systems(self) -> Moments:
        """How many units each system has, and their mean and variance."""
        return moments_of(Sample(self.values, np.zeros((0, 2), dtype=np.int64), self.moments))

    @property
    def sizes(self) -> tuple[int, int]:
        """The fewest and the most units that systems have; of the same units, how many there are."""
        if self.moments is None:
            return len(self.units), len(self.units)
        return int(self.moments.n.min()), int(self.moments.n.max())

    def whole(self) -> Grid:
        """The units that all systems have."""
        mask = np.asarray(~np.isnan(self.values).any(axis=1))
        return self if mask.all() else self.of_units(mask)

    def of_units(self, mask: np.ndarray) -> Grid:
        """Some of the units."""
        return replace(
            self,
            units=self.units.filter(pl.Series(mask)),
            values=self.values[mask],
            label=None if self.label is None else self.label[mask],
            replicates=None if self.replicates is None else self.replicates[mask],
        )


def grids(values: PerUnitValues, missing: str | float) -> Iterator[Grid]:
    """The matrices of all measures and groups, measures in their order, groups and systems sorted.

    Args:
        values: where they come from.
        missing: of units that only some systems have: "error", "intersect", or a number in place of missing values.

    Raises:
        DuplicateRows: a system has several values for a unit.
        InvalidValue: a unit has several classes.
        MismatchedTables: systems have other units, and that is an error.
    """
    rows = values.rows
    groups = values.groups
    measures = measures_of(values, rows)
    place = pl.col(MEASURE).replace_strict({m: i for i, m in enumerate(measures)}, return_dtype=pl.Int64)
    for key, part in sorted_parts(rows.with_columns(_place=place), ["_place", *groups]):
        grid = _grid(values, part, measures[key[0]], key[1:])
        yield _settled(grid, missing, values)


def measures_of(values: PerUnitValues, rows: pl.DataFrame) -> list[str]:
    """The measures that have values: in the order of the request, or sorted."""
    known = rows[MEASURE].unique().to_list()
    return [m for m in values.measures if m in known] if values.measures else sorted(known)


def sorted_parts(rows: pl.DataFrame, keys: list[str]) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    """The rows of each group, groups in order; keys of null are a group too."""
    distinct = rows.select(keys).unique().sort(keys)
    if distinct.height == 1:
        yield distinct.row(0), rows
        return
    parts = rows.partition_by(keys, as_dict=True)
    for key in distinct.iter_rows():
        yield key, parts[key]


def _grid(values: PerUnitValues, part: pl.DataFrame, measure: str, group: tuple[Any, ...]) -> Grid:
    units, unit_codes = _coded(part, values.units)
    systems, system_codes = _coded(part, [SYSTEM])
    n, m = units.height, systems.height
    several = "replicate" in values.extra
    cells = unit_codes * m + system_codes
    if several:
        replicates, codes = _coded(part, ["replicate"])
        cells = cells * replicates.height + codes
        shape: tuple[int, ...] = (n, m, replicates.height)
    else:
        shape = (n, m)
    flat = np.full(int(np.prod(shape)), np.nan)
    flat[cells] = part[VALUE].to_numpy()
    filled = flat.reshape(shape)
    if np.count_nonzero(~np.isnan(flat)) < part.height:
        raise _twice(values, part, measure)
    label = None
    if "label" in values.extra:
        label = np.full(n, np.nan)
        classes = part["label"].cast(pl.Float64).to_numpy()
        label[unit_codes] = classes
        if not np.array_equal(label[unit_codes], classes, equal_nan=True):
            raise InvalidValue(
                f"A unit has several classes in {values.called('label')!r}; the systems score the same items.",
                "Give every unit one class, in the rows of all systems.",
            )
    means = _means(filled) if several else filled
    return Grid(
        measure,
        group,
        measure in values.lower_is_better,
        systems[SYSTEM],
        units,
        means,
        label,
        filled if several else None,
        types=tuple(part.select(values.groups).dtypes),
    )


def _means(cells: Array) -> Array:
    """The mean of each unit's values of a system; NaN where there is none."""
    present = ~np.isnan(cells)
    count = present.sum(axis=2)
    return np.where(count > 0, np.where(present, cells, 0.0).sum(axis=2) / np.maximum(count, 1), np.nan)


def _coded(part: pl.DataFrame, keys: list[str]) -> tuple[pl.DataFrame, np.ndarray]:
    """The distinct keys in order, and the place of each row's among them."""
    if not keys:
        return pl.DataFrame({"_all": [0]}), np.zeros(part.height, dtype=np.int64)
    distinct = part.select(keys).unique().sort(keys).with_row_index("_code")
    rows = part.lazy().select(keys).join(distinct.lazy(), on=keys, how="left", nulls_equal=True, maintain_order="left")
    codes = rows.select(pl.col("_code").cast(pl.Int64)).collect()["_code"].to_numpy()
    return distinct.drop("_code"), codes


def _twice(values: PerUnitValues, part: pl.DataFrame, measure: str) -> DuplicateRows:
    keys = [SYSTEM, *values.units, *(["replicate"] if "replicate" in values.extra else [])]
    row = part.group_by(keys).agg(n=pl.len()).filter(pl.col("n") > 1).sort(keys).row(0)
    names = [values.system or SYSTEM, *values.unit, *(n for o, n in values.extra.items() if o == "replicate")]
    cell = ", ".join(f"{name} {value!r}" for name, value in zip(names, row[:-1], strict=True))
    more = "" if "replicate" in values.extra else " If they are replicates, name their column: replicate=…"
    return DuplicateRows(
        f"There are {row[-1]} values of {measure} for {cell}.", f"Keep one of them, or group by another column.{more}"
    )


def _settled(grid: Grid, missing: str | float, values: PerUnitValues) -> Grid:
    """The matrix after the rule for units that only some systems have."""
    lacking = np.isnan(grid.values)
    if missing == INTERSECT or not lacking.any():
        return grid
    if missing != ERROR:
        return replace(grid, values=np.where(lacking, float(missing), grid.values))
    column = int(lacking.any(axis=0).argmax())
    without = grid.units.filter(pl.Series(lacking[:, column]))
    shown = [", ".join(map(str, row)) for row in without.head(5).iter_rows()]
    name = grid.systems[column]
    where = f" ({', '.join(f'{n} {v!r}' for n, v in zip(values.by, grid.group, strict=True))})" if grid.group else ""
    if len(grid.systems) > 1 and len(grid.units) > 1 and ((~lacking).sum(axis=1) == 1).all():
        raise MismatchedTables(
            f"No {' and '.join(values.unit)} has values of {grid.measure}{where} of two systems: each is in one "
            f"{values.system or SYSTEM}, as in an A/B test.",
            Hint(
                "A comparison is of the same units.  Of users or sessions that were assigned: ",
                Code(
                    'ir.Experiment(rows, variant="variant").analyze(…)',
                    "ireval experiment FILE, or ireval clicks experiment LOG",
                ),
                ".",
            ),
        )
    raise MismatchedTables(
        f"{values.system or SYSTEM} {name!r} has no value of {grid.measure}{where} for {without.height} of "
        f"{grid.units.height} units that others have: {listed(shown, 5, without.height)}.",
        Hint(
            "Compare the units that both have: ",
            Argument("missing", INTERSECT),
            "; or replace missing values: ",
            Argument("missing", 0.0),
        ),
    )
