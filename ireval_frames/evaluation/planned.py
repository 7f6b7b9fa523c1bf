"""The plan of an evaluation, and the tables of its results: a row or a column per measure.

Each shape of a table is written once for queries and once for collected rows, from the same columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.declaration import POOLED, Measure
from ireval_frames.engines.frame import concat
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import FailingMeasure, UnknownName
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.evaluation.summaries import summarised
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Plan, Table
from ireval_frames.results import TableQuery

SUMMARY = ("measure", "value", "n_units", "n_undefined")


PLACE = "ireval_place"


class Shape(Protocol):
    """The shape in which a table is shown."""

    def of_query(self, query: TableQuery) -> TableQuery:
        """The query of the table in this shape."""

    def of_rows(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Its collected rows in this shape."""


@dataclass(frozen=True)
class Wide:
    """A row for each row.

    Attributes:
        keys, values: the names of the columns → those of the table.
    """

    keys: Mapping[str, str]
    values: Mapping[str, str]

    def of_query(self, query: TableQuery) -> TableQuery:
        """The query with these columns."""
        columns = {name: col(c) for name, c in {**self.keys, **self.values}.items()}
        return replace(query, frame=query.frame.select(**columns), order=tuple(self.keys), columns=tuple(columns))

    def of_rows(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows with these columns."""
        return rows.select(pl.col(c).alias(name) for name, c in {**self.keys, **self.values}.items())


@dataclass(frozen=True)
class Long:
    """A row for each row and measure, the measures of a row one after another.

    Attributes:
        keys: the names of the key columns → those of the table.
        labels: columns that are not in the table, with a value for each measure: its name.
        values: further columns → those of the table, for each measure.
    """

    keys: Mapping[str, str]
    labels: Mapping[str, Sequence[Any]]
    values: Mapping[str, Sequence[str]]

    def of_query(self, query: TableQuery) -> TableQuery:
        """The query, the measures stacked."""
        keys = {name: col(c) for name, c in self.keys.items()}
        parts = [
            query.frame.select(
                **keys,
                **{name: lit(value) for name, value in zip(self.labels, labels, strict=True)},
                **{name: col(c) for name, c in zip(self.values, columns, strict=True)},
                **{PLACE: lit(place)},
            )
            for place, (labels, columns) in enumerate(
                zip(zip(*self.labels.values(), strict=True), zip(*self.values.values(), strict=True), strict=True)
            )
        ]
        columns = (*keys, *self.labels, *self.values)
        return replace(query, frame=concat(parts), order=(*keys, PLACE), columns=columns)

    def of_rows(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows, the measures between them."""
        n, height = len(next(iter(self.values.values()))), rows.height
        if height == 1 and not self.keys:
            # From its values, one row is built faster than from columns.
            (one,) = rows.iter_rows(named=True)
            types = {name: rows.schema[columns[0]] for name, columns in self.values.items()}
            values = {name: [one[c] for c in columns] for name, columns in self.values.items()}
            return pl.DataFrame({**self.labels, **values}, schema_overrides=types)
        place = pl.int_range(n * height, eager=True)
        row, measure = place // n, place % n
        out = {name: rows[c].gather(row) for name, c in self.keys.items()}
        out |= {name: pl.Series(labels).gather(measure) for name, labels in self.labels.items()}
        for name, columns in self.values.items():
            out[name] = (
                rows[columns[0]].gather(row)
                if len({*columns}) == 1
                else pl.concat([rows[c] for c in columns]).gather(measure * height + row)
            )
        return pl.DataFrame(out)


@dataclass(frozen=True)
class PlannedEvaluation:
    """The plan of an evaluation on one engine.

    Attributes:
        unit: a row per unit.
        measures, finals: the measures, and their values as expressions over the units.
        value: gives the value of a measure at the plan's current unit, where measures may be pooled over units; it is
            called when values are read, and there are no finals.
        weight: the weight of a unit in means and sums, if units have weights.
        by: aliases of the `by` columns, and the user's names.
        checks: raise the errors of the data, before a result is collected.
        counts: how much each policy affected.
        notes: what the reader should know.
        names: aliases of further key columns, and the user's names.
        ways: how ranks are computed, in words.
        sums: from the name of a table, its columns, and the columns of groups, the sums of the hashes of its rows,
            where reading the table for the measures gives them too.
        every: a table with the keys of all groups, also of groups without a unit; by default the units.
        overlap: what the two tables of the evaluation have in common, if there are two; called before the plan runs.
        parts: plans of parts of the units, which are run one after another to save memory; none by default.
    """

    plan: Plan
    unit: Table
    measures: Sequence[Measure]
    finals: Sequence[Expr]
    by: Mapping[str, str] = field(default_factory=dict)
    checks: Sequence[Callable[[], None]] = ()
    counts: Callable[[], Mapping[str, str]] = dict
    notes: Sequence[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    ways: Callable[[], Sequence[str]] = list
    every: Table | None = None
    overlap: Callable[[], Overlap | None] = lambda: None
    parts: Callable[[], Sequence[PlannedEvaluation]] = list
    sums: Callable[[str, Sequence[str], Sequence[str]], pl.DataFrame | None] = lambda *_: None
    value: Callable[[Measure], Expr] | None = None
    weight: Expr | None = None

    @property
    def all_checks(self) -> Sequence[Callable[[], None]]:
        """The checks, and that the tables have something in common, which an evaluation counts on its way."""
        return (*self.checks, self._check_overlap)

    def _check_overlap(self) -> None:
        if overlap := self.overlap():
            overlap.check(self.groups, self.every)

    @cached_property
    def groups(self) -> list[str]:
        """The columns that summaries are grouped by, under their aliases."""
        return [k for k in self.unit.keys if k == "run_id"] + list(self.by)

    def coarser(self, over: str | Sequence[str]) -> list[str]:
        """The aliases of columns of units that are summarised first.

        Raises:
            UnknownName: units have no such column.
        """
        alias = {name: key for key, name in zip(self.keys, self.named_keys, strict=True)}
        out = columns_named(over, "over")
        for name in out:
            if name not in alias:
                raise UnknownName(
                    f"over={name!r} is not a column of the units (they have: {', '.join(alias) or 'none'}).",
                    "Name a column of by= or unit=.",
                )
        return [alias[name] for name in out]

    @cached_property
    def keys(self) -> list[str]:
        """The columns that identify units, groups first, under their aliases."""
        return [*self.groups, *(k for k in self.unit.keys if k not in self.groups)]

    @cached_property
    def named(self) -> dict[str, str]:
        """The user's names of the key columns that have aliases."""
        return {**self.by, **self.names}

    @cached_property
    def named_keys(self) -> dict[str, str]:
        """The user's names of all key columns → their aliases."""
        named = self.named
        return {named.get(k, k): k for k in self.keys}

    # ---- tables, under the aliases

    def values(self) -> dict[str, Expr]:
        """The measures' values, `m0`, `m1` …, as columns of the units."""
        return {f"m{i}": self._value(i) for i in range(len(self.measures))}

    def _value(self, i: int) -> Expr:
        measure = self.measures[i]
        with self.plan.requesting(str(measure)):
            return self.unit.column(self.finals[i] if self.value is None else self.value(measure))

    def units(self, more: Mapping[str, Expr] | None = None) -> TableQuery:
        """Keys and values per unit, and further columns of the units."""
        values = {n: e.cast(pl.Float64) for n, e in self.values().items()}
        values |= {n: self.unit.column(e) for n, e in (more or {}).items()}
        frame = self.unit.frame().select(*self.keys, **values)
        return TableQuery(self.plan, frame, tuple(self.keys), tuple(frame.columns), self.all_checks)

    def summary(self, over: Sequence[str] = (), more: Mapping[str, Expr] | None = None) -> TableQuery:
        """The groups, `n_units`, and of each measure its value and how many are undefined, `v0`, `u0` ….

        Args:
            over: columns of coarser units, as in `summarised`.
            more: further expressions over the units, which are summed.
        """
        groups = [k for k in self.groups if k not in over]
        frame = self.summarised(groups, over, every=self.every, sums=more).frame()
        return TableQuery(self.plan, frame, tuple(groups), tuple(frame.columns), self.all_checks)

    def summarised(
        self,
        groups: Sequence[str],
        over: Sequence[str] = (),
        *,
        every: Table | None = None,
        sums: Mapping[str, Expr] | None = None,
    ) -> Table:
        """The table of `summary`, a row per group."""
        values = [None if m.aggregation == POOLED else self._value(i) for i, m in enumerate(self.measures)]
        return summarised(
            self.plan,
            self.unit,
            values,
            self.measures,
            groups,
            over,
            every=every,
            sums=sums,
            pooled=self.value,
            weight=self.weight,
        )

    # ---- results, under the user's names

    def shape_of_units(self, *, wide: bool = False, labels: Mapping[str, Sequence[Any]] | None = None) -> Shape:
        """The shape of values per unit; `labels` name the rows of a measure instead of `measure`."""
        texts = list(map(str, self.measures))
        columns = [f"m{i}" for i in range(len(texts))]
        if wide:
            return Wide(self.named_keys, dict(zip(texts, columns, strict=True)))
        return Long(self.named_keys, labels or {"measure": texts}, {"value": columns})

    def shape_of_summary(
        self, *, wide: bool = False, over: Sequence[str] = (), labels: Mapping[str, Sequence[Any]] | None = None
    ) -> Shape:
        """The shape of a summary; `labels` name the rows of a measure instead of `measure`."""
        texts, keys = list(map(str, self.measures)), {n: k for n, k in self.named_keys.items() if k in self.groups}
        keys = {n: k for n, k in keys.items() if k not in over}
        values, undefined = ([f"{c}{i}" for i in range(len(texts))] for c in "vu")
        if wide:
            return Wide(keys, dict(zip(texts, values, strict=True)))
        columns = {"value": values, "n_units": ["n_units"] * len(texts), "n_undefined": undefined}
        return Long(keys, labels or {"measure": texts}, columns)

    def unit_results(self, *, wide: bool = False, labels: Mapping[str, Sequence[Any]] | None = None) -> TableQuery:
        """Values per unit, a row or a column for each measure."""
        query = self.units()
        query = replace(query, frame=self.plan.engine.stage(query.frame, "per_unit"))
        return self.shape_of_units(wide=wide, labels=labels).of_query(query)

    def summary_results(
        self, *, wide: bool = False, over: Sequence[str] = (), labels: Mapping[str, Sequence[Any]] | None = None
    ) -> TableQuery:
        """The values of every group of units, a row or a column for each measure."""
        query = self.summary(over)
        # Few rows, which every measure reads: their sources are read once then.
        query = replace(query, frame=self.plan.engine.shared(query.frame))
        return self.shape_of_summary(wide=wide, over=over, labels=labels).of_query(query)


def with_finite_values(planned: PlannedEvaluation) -> PlannedEvaluation:
    """The plan, and a check that the values of measures of one's own are finite, or undefined."""
    own = {f"m{i}": m for i, m in enumerate(planned.measures) if m.definition.is_own}
    if not own:
        return planned

    def error(measure: Measure) -> Callable[[pl.DataFrame, int], FailingMeasure]:
        def failing(rows: pl.DataFrame, count: int) -> FailingMeasure:
            where = ", ".join(f"{planned.named.get(k, k)} {rows[k][0]!r}" for k in planned.keys)
            value, units = rows["value"][0], f"{count} units" if count > 1 else "a unit"
            which = where and f", {'the first of them' if count > 1 else 'that is'} {where}"
            return measure.failing(
                f"gives {value} for {units}{which}",
                hint="A value is finite, or null where it is undefined: when(below != 0).then(above / below)",
            )

        return failing

    def check() -> None:
        values, keys = planned.values(), {k: col(k) for k in planned.keys}
        rows = [planned.unit.frame().select(**keys, value=values[name].cast(pl.Float64)) for name in own]
        bad = ~col("value").is_finite()
        run_checks(
            planned.plan.engine, [Check(r, bad, error(m), tuple(keys)) for r, m in zip(rows, own.values(), strict=True)]
        )

    return replace(
        planned, checks=[*planned.checks, check], parts=lambda: [with_finite_values(part) for part in planned.parts()]
    )
