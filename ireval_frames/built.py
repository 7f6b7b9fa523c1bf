"""A plan with what was asked of it, and the tables that results are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import polars as pl

from ireval_frames.coverage import Overlap
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.checking import Check, hold
from ireval_frames.engines.frame import stacked
from ireval_frames.errors import EngineError, FailingMeasure, InvalidValue, UnknownName
from ireval_frames.expr import Expr, col, lit
from ireval_frames.names import columns_named
from ireval_frames.plan import Plan, Table
from ireval_frames.results import Ready
from ireval_frames.summaries import summarised

SUMMARY = ("measure", "value", "n_units", "n_undefined")


@dataclass(frozen=True)
class Built:
    """A plan with what was asked of it.

    Attributes:
        unit: a row per unit.
        measures, finals: their names, and their values as expressions over the units.
        by: aliases of the `by` columns, and the user's names.
        checks: what is looked at before anything is given.
        counts: how much each policy touched.
        notes: what the reader should know.
        names: aliases of further key columns, and the user's names.
        ways: how ranks are found, in words.
        sums: of a table, its columns, and those of groups: the sums of the hashes of its rows, where reading it for the
            measures gives them too.
        every: a table whose keys are those of all groups of units, also of those without a unit; by default the units.
        overlap: what the tables of the evaluation have in common, where there are two; asked for before the plan runs.
        parts: plans of parts of the units, where one after another takes less memory than all at once; none by default.
    """

    plan: Plan
    unit: Table
    measures: Sequence[str]
    finals: Sequence[Expr]
    by: Mapping[str, str]
    checks: Sequence[Callable[[], None]]
    counts: Callable[[], Mapping[str, str]]
    notes: Sequence[str]
    names: Mapping[str, str] = field(default_factory=dict)
    ways: Callable[[], Sequence[str]] = list
    every: Table | None = None
    overlap: Callable[[], Overlap | None] = lambda: None
    parts: Callable[[], Sequence[Built]] = list
    sums: Callable[[str, Sequence[str], Sequence[str]], pl.DataFrame | None] = lambda *_: None

    @property
    def all_checks(self) -> Sequence[Callable[[], None]]:
        """The checks, and that the tables have something in common, which an evaluation sees on its way."""
        return (*self.checks, self._meets)

    def _meets(self) -> None:
        if overlap := self.overlap():
            overlap.check(self.groups, self.every)

    @property
    def groups(self) -> list[str]:
        """The columns that summaries are grouped by, under their aliases."""
        return [k for k in self.unit.keys if k == "run_id"] + list(self.by)

    def coarser(self, over: str | Sequence[str]) -> list[str]:
        """The aliases of columns of units that are summarised first.

        Raises:
            UnknownName: units have no such column.
        """
        alias = {self.named.get(k, k): k for k in self.keys}
        out = columns_named(over, "over")
        for name in out:
            if name not in alias:
                raise UnknownName(
                    f"over={name!r} is no column of the units (they have: {', '.join(alias) or 'none'}).",
                    "Name a column of by= or unit=.",
                )
        return [alias[name] for name in out]

    @property
    def keys(self) -> list[str]:
        """The columns that tell units apart, groups first, under their aliases."""
        return [*self.groups, *(k for k in self.unit.keys if k not in self.groups)]

    @property
    def named(self) -> dict[str, str]:
        """The user's names of the key columns that have aliases."""
        return {**self.by, **self.names}

    def values(self) -> dict[str, Expr]:
        """The measures' values, `m0`, `m1` …, as columns of the units."""
        columns = {}
        for i, (measure, final) in enumerate(zip(self.measures, self.finals, strict=True)):
            with self.plan.asked_by(measure):
                columns[f"m{i}"] = self.unit.column(final)
        return columns

    def ready(self, more: Mapping[str, Expr] | None = None) -> Ready:
        """Keys and values per unit, and further columns of the units."""
        values = {n: e.cast(pl.Float64) for n, e in self.values().items()}
        values |= {n: self.unit.column(e) for n, e in (more or {}).items()}
        frame = self.unit.frame().select(*self.keys, **values)
        return Ready(self.plan, frame, tuple(self.keys), frame.columns, self.checks)


class Build(Protocol):
    """A subject's way to make the plan of an evaluation on an engine.

    Attributes:
        by: the columns that group units.
        policy: the conventions in force.
    """

    by: tuple[str, ...]
    policy: Any

    def __call__(self, engine: Engine, measures: Sequence[Measure], *, ordered: bool = False) -> Built:
        """Make the plan."""

    def file(self, name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file as that table, and its columns."""

    def coverage(self, engine: Engine) -> Ready:
        """A row per group: how much the two tables have in common.

        Raises:
            NotDefined: there is one table.
        """

    def count_measures(self) -> dict[str, Measure]:
        """The measures that count what a unit holds, by the column they get."""


@contextmanager
def own_measures_named(engine: Engine, measures: Sequence[Measure], build: Build) -> Iterator[None]:
    """The engine's errors inside as ours; what a measure of one's own causes is told as that measure's.

    Raises:
        FailingMeasure: the engine cannot compute what the function of a measure of one's own gives.
    """
    try:
        with engine.errors():
            yield
    except (EngineError, InvalidValue) as error:
        for measure in measures:
            if measure.definition.is_own and (said := _refused(engine, measure, build)):
                raise measure.failing(f"gives what cannot be computed. {said.removesuffix('.')}") from error
        raise


def _refused(engine: Engine, measure: Measure, build: Build) -> str:
    """What the engine says of a measure alone that it does not say without any."""
    said = []
    for asked in ([measure], []):
        try:
            with engine.errors():
                engine.collect(build(engine, asked).ready().frame)
        except (EngineError, InvalidValue) as error:
            said.append(error.what)
    return said[0] if len(said) == 1 else ""


def finite(built: Built, measures: Sequence[Measure]) -> Built:
    """With a look at the values of measures of one's own: they are finite, or undefined."""
    own = {f"m{i}": m for i, m in enumerate(measures) if m.definition.is_own}
    if not own:
        return built

    def error(measure: Measure) -> Callable[[pl.DataFrame, int], FailingMeasure]:
        def made(rows: pl.DataFrame, count: int) -> FailingMeasure:
            where = ", ".join(f"{built.named.get(k, k)} {rows[k][0]!r}" for k in built.keys)
            value, units = rows["value"][0], f"{count} units" if count > 1 else "a unit"
            told = where and f", {'the first of them' if count > 1 else 'that is'} {where}"
            return measure.failing(
                f"gives {value} for {units}{told}",
                hint="A value is finite, or null where it is undefined: when(below != 0).then(above / below)",
            )

        return made

    def check() -> None:
        values, keys = built.values(), {k: col(k) for k in built.keys}
        rows = [built.unit.frame().select(**keys, value=values[name].cast(pl.Float64)) for name in own]
        bad = ~col("value").is_finite()
        hold(built.plan.engine, [Check(r, bad, error(m), tuple(keys)) for r, m in zip(rows, own.values(), strict=True)])

    return replace(
        built, checks=[*built.checks, check], parts=lambda: [finite(part, measures) for part in built.parts()]
    )


def per_unit(
    built: Built, measures: Sequence[Measure], *, wide: bool = False, said: Sequence[Mapping[str, Expr]] = ()
) -> Ready:
    """Values per unit, a row or a column for each measure.

    `said` tells the rows of a measure in other words than its name: the level of recall, say.
    """
    ready, named = built.ready(), built.named
    keys = {named.get(k, k): col(k) for k in built.keys}
    units = built.plan.engine.stage(ready.frame, "per_unit")
    if wide:
        values = {str(m): col(f"m{i}") for i, m in enumerate(measures)}
        return Ready(built.plan, units.select(**keys, **values), tuple(keys), (*keys, *values), built.all_checks)
    said = said or [{"measure": lit(str(m))} for m in measures]
    parts = [units.select(**keys, **words, value=col(f"m{i}"), ireval_place=lit(i)) for i, words in enumerate(said)]
    return Ready(built.plan, stacked(parts), (*keys, "ireval_place"), (*keys, *said[0], "value"), built.all_checks)


def summary(
    built: Built,
    measures: Sequence[Measure],
    *,
    wide: bool = False,
    over: Sequence[str] = (),
    said: Sequence[Mapping[str, Expr]] = (),
) -> Ready:
    """The values of every group of units, a row or a column for each measure.

    `over` as in `summarised`, `said` as in `per_unit`.
    """
    named, groups = built.named, [k for k in built.groups if k not in over]
    values = list(built.values().values())
    table = summarised(built.plan, built.unit, values, measures, groups, over, every=built.every)
    keys = {named.get(k, k): col(k) for k in groups}
    # Few rows, which every measure reads: what they are made of is read once then.
    rows = built.plan.engine.shared(table.frame())
    if wide:
        shown = {str(m): col(f"v{i}") for i, m in enumerate(measures)}
        return Ready(built.plan, rows.select(**keys, **shown), tuple(keys), (*keys, *shown), built.all_checks)
    said = said or [{"measure": lit(str(m))} for m in measures]
    parts = [
        rows.select(
            **keys,
            **words,
            value=col(f"v{i}"),
            n_units=col("n_units"),
            n_undefined=col(f"u{i}"),
            ireval_place=lit(i),
        )
        for i, words in enumerate(said)
    ]
    columns = (*keys, *said[0], *SUMMARY[1:])
    return Ready(built.plan, stacked(parts), (*keys, "ireval_place"), columns, built.all_checks)
