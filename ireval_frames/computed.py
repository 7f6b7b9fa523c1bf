"""The values of an evaluation per unit, and their summary: computed when first looked at, once."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from ireval_frames.built import Build, Built, finite, own_measures_named
from ireval_frames.comparable import Comparable
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.polars import PolarsEngine
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan
from ireval_frames.shapes import one_row
from ireval_frames.summaries import summarised


class Computed(Comparable):
    """Asked measures over units: what is known of them, and the plan that tells it."""

    def __init__(
        self,
        measures: Sequence[Measure],
        build: Build,
        engine: Engine,
        *,
        family: str,
        policy: Sequence[tuple[str, Any, str, str]],
        ordered: bool = False,
    ) -> None:
        """With `ordered`, sums are added row by row as a plain loop adds them.

        The last bits then are those of a loop in the order of the ranks, which decides the last printed digit now and
        then.
        """
        self.measures = tuple(measures)
        self._build, self._engine, self._family, self._policy = build, engine, family, policy
        self._ordered = ordered
        self._lock = threading.RLock()
        self._collected: dict[Any, pl.DataFrame] = {}
        self._checked = False
        # What the tables have in common, a row per group, and what was said of it.
        self._met: pl.DataFrame | None = None
        self._said: tuple[str, ...] = ()
        with engine.errors():
            self._built = self._made(engine, self.measures)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled are the tables and what was asked of them; the results are computed anew."""
        made = functools.partial(type(self), family=self._family, policy=self._policy, ordered=self._ordered)
        return made, (self.measures, self._build, self._engine)

    @property
    def _labels(self) -> dict[str, str]:
        return {f"m{i}": str(m) for i, m in enumerate(self.measures)}

    def _built_on(self, engine: Engine) -> Built:
        return self._built if engine is self._engine else self._made(engine, self.measures)

    def _made(self, engine: Engine, measures: Sequence[Measure]) -> Built:
        """The plan of these measures."""
        return finite(self._build(engine, measures, ordered=self._ordered), measures)

    def _units(self) -> pl.DataFrame:
        """Keys and `m0`, `m1` … per unit, under the aliases, sorted by the keys."""
        return self._once("units", lambda: self._rows(self._built))

    def _once(self, name: Any, make: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        with self._lock:
            if name not in self._collected:
                self._collected[name] = make()
            return self._collected[name]

    def _rows(self, built: Built) -> pl.DataFrame:
        parts = built.parts() or [built]
        engine = built.plan.engine
        with own_measures_named(engine, self.measures, self._build):
            frames = []
            for part in parts:
                met = self._counted_overlap(part)
                ready = part.ready(met)
                self._check(part)
                frames.append(engine.collect(ready.frame))
            rows = pl.concat(frames).sort(built.keys)
            if met:
                sums = [pl.col(c).sum() for c in met]
                found = rows.group_by(built.groups).agg(sums) if built.groups else rows.select(sums)
                every = self._every_group(built, built.groups)
                if every is not None:
                    found = every.join(found, on=built.groups, how="left", nulls_equal=True).fill_null(0)
                self._tell_overlap(built, found)
            self._look_for_overlap(built)
        return rows.drop(met)

    def _counted_overlap(self, built: Built) -> dict[str, Expr]:
        """What is counted of each unit on the way to the first result."""
        overlap = built.overlap() if self._met is None else None
        return {} if overlap is None or overlap.units is not built.unit else overlap.columns()

    def _tell_overlap(self, built: Built, found: pl.DataFrame) -> None:
        """Say once what little the tables have in common."""
        overlap = built.overlap()
        if overlap is not None and self._met is None:
            self._said = tuple(overlap.tell(found, [name for name in found.columns if name in built.groups]))
            self._met = found

    def _look_for_overlap(self, built: Built) -> None:
        """What the tables have in common in a look of its own, where units are left out that tell of it."""
        overlap = built.overlap() if self._met is None else None
        if overlap is not None and overlap.units is not built.unit:
            self._tell_overlap(built, overlap.found(built.groups, built.every))

    def _every_group(self, built: Built, groups: Sequence[str]) -> pl.DataFrame | None:
        """The groups of units, also those without a unit; None where all have some."""
        return None if built.every is None else built.plan.engine.collect(built.every.frame().select(*groups).unique())

    def _check(self, built: Built) -> None:
        """Look at the data, once of the plan that all results share."""
        if built is self._built and self._checked:
            return
        for check in built.checks:
            check()
        self._checked = self._checked or built is self._built

    def _summarise(self, over: Sequence[str]) -> pl.DataFrame:
        """The groups, under their aliases, `n_units`, and `v0`, `u0` … of each measure."""
        built = self._built
        groups = [k for k in built.groups if k not in over]
        with own_measures_named(self._engine, self.measures, self._build):
            if "units" in self._collected or built.parts():
                # The values are there: they are summarised as the engine would.
                plan = Plan(PolarsEngine())
                units = plan.input("units", built.keys, plan.engine.from_polars(self._units()))
                values = [col(n) for n in self._labels]
                rows = self._every_group(built, groups)
                every = None if rows is None else plan.input("every", groups, plan.engine.from_polars(rows))
                table = summarised(plan, units, values, self.measures, groups, over, every=every)
                frame = plan.engine.collect(table.frame())
            else:
                values = list(built.values().values())
                # All is asked before the first look at the data, so that the plan is built once.
                met = self._counted_overlap(built)
                table = summarised(
                    built.plan, built.unit, values, self.measures, groups, over, every=built.every, sums=met
                )
                self._check(built)
                frame = self._engine.collect(table.frame()) if groups else one_row(self._engine, table.frame())
                if met:
                    self._tell_overlap(built, frame.select(*groups, *met))
                    frame = frame.drop(met)
                self._look_for_overlap(built)
        return frame.sort(groups) if groups else frame

    def _counted(self, frame: pl.DataFrame) -> pl.DataFrame:
        measures = self._build.count_measures()
        if not measures:
            return frame
        built = self._build(self._engine, list(measures.values()))
        counted = self._once("counts", lambda: self._rows(built))
        counted = counted.rename({f"m{i}": name for i, name in enumerate(measures)})
        counted = counted.with_columns(pl.col(n).cast(pl.Int64) for n in measures)
        if not built.keys:
            # All rows are one unit.
            return frame.join(counted, how="cross", maintain_order="left")
        return frame.join(counted, on=built.keys, how="left", nulls_equal=True, maintain_order="left")
