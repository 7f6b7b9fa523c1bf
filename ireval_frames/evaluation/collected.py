"""The cache of an evaluation: the rows of its plan, each collected once, when they are first read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan
from ireval_frames.results import TableQuery

Sums = Mapping[str, Expr]


class CollectedRows:
    """The rows of an evaluation, under the aliases of its plan.

    Args:
        planned: the plan of the evaluation.
        guard: makes a context in which queries run, whose errors are ours.

    Attributes:
        overlap: what the tables have in common, a row per group; None where there is one table, or nothing was read.
        overlap_messages: the sentences about it.
    """

    def __init__(self, planned: PlannedEvaluation, guard: Callable[[], AbstractContextManager[None]]) -> None:
        self._planned, self._guard = planned, guard
        self._lock = threading.RLock()
        self._rows: dict[Hashable, pl.DataFrame] = {}
        self._checked = False
        self.overlap: pl.DataFrame | None = None
        self.overlap_messages: tuple[str, ...] = ()

    def get(self, key: Hashable, collect: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        """The rows of that key, collected if they are not cached."""
        with self._lock:
            if key not in self._rows:
                self._rows[key] = collect()
            return self._rows[key]

    def collect_together(
        self, keys: Iterable[Hashable], collect: Callable[[], Mapping[Hashable, pl.DataFrame]]
    ) -> None:
        """Collect the rows of several keys at once, if none of them is cached."""
        with self._lock:
            if not {*keys} & self._rows.keys():
                self._rows.update(collect())

    def units(self) -> pl.DataFrame:
        """Keys and `m0`, `m1` … per unit, sorted by the keys."""
        return self.get("units", lambda: self.of_units(self._planned))

    def of_units(self, planned: PlannedEvaluation) -> pl.DataFrame:
        """The values per unit of a plan; of a plan in parts, part by part."""
        with self._guard():
            rows, sums = self._run(planned.parts() or [planned], PlannedEvaluation.units)
            rows = rows.sort(planned.keys)
            if sums:
                self._report_overlap(planned, _overlap_by_group(planned, rows, sums))
            self._count_overlap(planned)
        return rows.drop(sums)

    def summary(self, over: Sequence[str] = ()) -> pl.DataFrame:
        """The groups, `n_units`, and `v0`, `u0` … of each measure."""
        return self.get(("summary", *over), lambda: self._summary(over))

    def _summary(self, over: Sequence[str]) -> pl.DataFrame:
        planned = self._planned
        groups = [k for k in planned.groups if k not in over]
        with self._guard():
            if planned.value is None and ("units" in self._rows or planned.parts()):
                planned = _of_values(planned, self.units())
            rows, sums = self._run([planned], lambda part, more: part.summary(over, more))
            if sums:
                self._report_overlap(planned, rows.select(*groups, *sums))
            self._count_overlap(planned)
        rows = rows.drop(sums)
        return rows.sort(groups) if groups else rows

    def _run(
        self, parts: Sequence[PlannedEvaluation], query: Callable[[PlannedEvaluation, Sums], TableQuery]
    ) -> tuple[pl.DataFrame, Sums]:
        """The rows of the query of each part, and the first time the sums about the overlap."""
        frames: list[pl.DataFrame] = []
        sums: Sums = {}
        for part in parts:
            # All columns are requested before the data are checked, so that the plan is built once.
            sums = self._overlap_sums(part)
            frame = query(part, sums).frame
            self._check(part)
            frames.append(_collect(part.plan.engine, frame))
        return frames[0] if len(frames) == 1 else pl.concat(frames), sums

    def _check(self, planned: PlannedEvaluation) -> None:
        """Check the data, once for the plan that all results share."""
        if planned is self._planned and self._checked:
            return
        for check in planned.checks:
            check()
        self._checked = self._checked or planned is self._planned

    # ---- what the tables have in common

    def _overlap_sums(self, planned: PlannedEvaluation) -> Sums:
        """What is counted per unit with the first result."""
        overlap = planned.overlap() if self.overlap is None else None
        return {} if overlap is None or overlap.units is not planned.unit else overlap.columns()

    def _report_overlap(self, planned: PlannedEvaluation, by_group: pl.DataFrame) -> None:
        """Warn once of how little the tables have in common."""
        overlap = planned.overlap()
        if overlap is not None and self.overlap is None:
            self.overlap_messages = tuple(
                overlap.report(by_group, [c for c in by_group.columns if c in planned.groups])
            )
            self.overlap = by_group

    def _count_overlap(self, planned: PlannedEvaluation) -> None:
        """What the tables have in common by a query of its own, where the plan leaves out units that are counted."""
        overlap = planned.overlap() if self.overlap is None else None
        if overlap is not None and overlap.units is not planned.unit:
            self._report_overlap(planned, overlap.counts(planned.groups, planned.every))


def _collect(engine: Engine, frame: Frame) -> pl.DataFrame:
    """The rows; a summary of all units, which holds numbers only, in the fastest way."""
    if engine.in_process or frame.columns[0] != "n_units":
        return engine.collect(frame)
    types = {name: pl.Float64 if name.startswith("v") else pl.Int64 for name in frame.columns}
    return pl.DataFrame({name: [value] for name, value in engine.numbers(frame).items()}, schema=types)


def _of_values(planned: PlannedEvaluation, units: pl.DataFrame) -> PlannedEvaluation:
    """A plan over values per unit that are collected."""
    plan = Plan(PolarsEngine())
    every = planned.every
    if every is not None:
        groups = planned.plan.engine.collect(every.frame().select(*every.keys).unique())
        every = plan.input("every", every.keys, plan.engine.from_polars(groups))
    plan.unit = plan.input("units", planned.keys, plan.engine.from_polars(units))
    finals = [col(f"m{i}") for i in range(len(planned.measures))]
    return PlannedEvaluation(plan, plan.unit, planned.measures, finals, planned.by, names=planned.names, every=every)


def _overlap_by_group(planned: PlannedEvaluation, units: pl.DataFrame, sums: Sums) -> pl.DataFrame:
    """The sums over the units of each group, also of those without a unit."""
    groups, totals = planned.groups, [pl.col(c).sum() for c in sums]
    if not groups:
        return units.select(totals)
    by_group = units.group_by(groups, maintain_order=True).agg(totals)
    if planned.every is None:
        return by_group
    every = planned.plan.engine.collect(planned.every.frame().select(*groups).unique())
    return every.join(by_group, on=groups, how="left", nulls_equal=True).fill_null(0)
