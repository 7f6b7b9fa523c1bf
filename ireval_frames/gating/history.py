"""Earlier evaluations of a run in a store: the means that rules about history compare with."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import polars as pl

from ireval_frames.comparison.values.sources import SYSTEM, PerUnitValues
from ireval_frames.gating.cells import Cell, cells
from ireval_frames.gating.conditions import Conditions
from ireval_frames.gating.inputs import Side, as_text
from ireval_frames.gating.stored import Stored, conditions_of, rows_of
from ireval_frames.store import Store


@dataclass(frozen=True)
class Earlier:
    """An earlier evaluation: the mean of a cell's units in it, its id, and when it was added last."""

    mean: float
    id: str
    made_at: datetime


@dataclass(frozen=True)
class EarlierEvaluations:
    """The earlier evaluations of a cell in a store.

    Attributes:
        run: the run's name.
        evaluations: those with the same units, judgments and conventions, the newest first, without repetitions.
        left_out: the number of those that differ in any of these.
    """

    run: str
    evaluations: Sequence[Earlier]
    left_out: int


class History:
    """The evaluations of a store that are older than the candidate, by its runs.

    The history of a run is that of its name; if the store has no such run, that of the baseline's only run.

    Args:
        store: the store.
        candidate: the candidate; its own evaluation does not count.
        baseline: the baseline, if there is one.
        lower_is_better: the measures of which less is better.
        cluster: the column whose groups are compared by their means.
    """

    def __init__(
        self, store: Store, candidate: Side, baseline: Side | None, lower_is_better: Sequence[str], cluster: str | None
    ) -> None:
        self._store, self._candidate, self._side = store, as_text(candidate), candidate
        self._lower_is_better, self._cluster = lower_is_better, cluster
        self._candidate_id, self._conditions = candidate.evaluation_id, _conditions(candidate)
        self._systems, self._baselines = ([] if side is None else _systems(side) for side in (candidate, baseline))
        self._digests = _digests(candidate)
        self._cached: dict[tuple[str, str], pl.DataFrame] = {}
        self._cells: dict[tuple[str, str], dict[tuple[str, object], Cell]] = {}

    def find(self, cell: Cell, last: int, *, passed: bool = False) -> EarlierEvaluations:
        """The newest evaluations of a cell.

        Args:
            cell: the cell.
            last: the largest number of evaluations.
            passed: only those that passed a gate whose verdicts were stored.
        """
        run, evaluations, left_out = self._run(cell), list[Earlier](), 0
        # The same run counts once, and not if it is the candidate's.
        counted = {self._digests.get(self._candidate_name(cell), "")}
        rows = self._runs.filter(pl.col("run_id") == run, pl.col("evaluation_id") != (self._candidate_id or ""))
        for evaluation_id, when, digest in rows.select("evaluation_id", "made_at", "digest").iter_rows():
            if (passed and evaluation_id not in self._passed) or digest in counted:
                continue
            if not self._has(evaluation_id, cell.measure):
                continue
            mean = self._mean(evaluation_id, run, cell, last) if self._comparable(evaluation_id) else None
            if mean is None:
                left_out += 1
                continue
            counted.add(digest)
            evaluations.append(Earlier(mean, evaluation_id, when))
            if len(evaluations) == last:
                break
        return EarlierEvaluations(run, tuple(evaluations), left_out)

    def _candidate_name(self, cell: Cell) -> str:
        """The candidate's name, empty if it has none."""
        return cell.candidate if cell.candidate in self._systems else ""

    def _run(self, cell: Cell) -> str:
        """The name of the run whose history is read."""
        name, runs = self._candidate_name(cell), self._runs["run_id"].unique().to_list()
        return self._baselines[0] if name not in runs and len(self._baselines) == 1 else name

    @functools.cached_property
    def _runs(self) -> pl.DataFrame:
        """A row per evaluation and run, the newest first: evaluation_id run_id made_at digest."""
        last = (
            rows_of(self._store, "occasions")
            .group_by("evaluation_id", maintain_order=True)
            .agg(pl.col("made_at").max())
        )
        digest = pl.concat_str("digest_kind", "digest", separator=" ").fill_null(pl.col("evaluation_id"))
        runs = rows_of(self._store, "runs").select("evaluation_id", "run_id", digest.alias("digest"))
        return runs.join(last, on="evaluation_id").sort("made_at", "evaluation_id", descending=True)

    @functools.cached_property
    def _passed(self) -> frozenset[str]:
        """The candidates of gates all of whose rules passed."""
        rows = rows_of(self._store, "gates").filter(pl.col("exit_code") == 0)
        return frozenset(rows["candidate_id"].drop_nulls())

    @functools.cached_property
    def _tables(self) -> dict[str, pl.DataFrame]:
        """The store's tables about its evaluations."""
        ids = self._runs["evaluation_id"].unique().to_list()
        names = ("evaluations", "inputs", "measures")
        return {name: rows_of(self._store, name, ids) for name in names}

    @functools.cached_property
    def _stored_conditions(self) -> dict[str, Conditions]:
        """The conditions of all evaluations."""
        return conditions_of(self._tables["evaluations"], self._tables["inputs"])

    def _has(self, evaluation_id: str, measure: str) -> bool:
        """Whether an evaluation is of the candidate's family, and has a measure."""
        own, other = self._conditions, self._stored_conditions[evaluation_id]
        return (own is None or own.family == other.family) and (evaluation_id, measure) in self._measures

    @functools.cached_property
    def _measures(self) -> frozenset[tuple[str, str]]:
        return frozenset(self._tables["measures"].select("evaluation_id", "measure").iter_rows())

    def _comparable(self, evaluation_id: str) -> bool:
        """Whether an evaluation has the candidate's conventions and judgments; for a table, those of the newest one."""
        other = self._stored_conditions[evaluation_id]
        own = self._conditions = self._conditions or other
        if own.policy != other.policy:
            return False
        if own.judgments is None or other.judgments is None or own.judgments == other.judgments:
            return True
        return not own.judgments.comparable(other.judgments) and (
            self._side.judgment_digest(other.judgments) == other.judgments
        )

    def _mean(self, evaluation_id: str, run: str, cell: Cell, last: int) -> float | None:
        """The mean of the cell's units in another evaluation; None if it has other units, or not the measure."""
        key = (evaluation_id, cell.candidate)
        if key not in self._cells:
            rows = self._values(evaluation_id, run, last)
            stored = Stored(self._store, evaluation_id, evaluation_id, run, {**self._tables, "values": rows})
            candidate = _of_system(self._candidate.values, cell.candidate)
            pairs = cells(stored.values(candidate.by, ()), candidate, self._lower_is_better, self._cluster)
            self._cells[key] = {(c.measure, c.segment): c for c in pairs}
        earlier = self._cells[key].get((cell.measure, _as_text(cell.segment)))
        return None if earlier is None or earlier.reasons else float(earlier.before.mean())

    def _values(self, evaluation_id: str, run: str, last: int) -> pl.DataFrame:
        """The values of an evaluation; those of the ones before it, which are needed next, are read with them."""
        if (evaluation_id, run) not in self._cached:
            ids = self._runs.filter(pl.col("run_id") == run)["evaluation_id"].to_list()
            ids = [i for i in ids[ids.index(evaluation_id) :] if self._comparable(i)][:last]
            rows = rows_of(self._store, "values", ids).filter(pl.col("run_id") == run)
            parts = rows.partition_by("evaluation_id", as_dict=True)
            self._cached |= {(i, run): parts.get((i,), rows.clear()) for i in ids}
        return self._cached[evaluation_id, run]


def _systems(side: Side) -> list[str]:
    return side.values.all_rows[SYSTEM].cast(pl.String).unique().to_list()


def _digests(side: Side) -> dict[str, str]:
    """The digest of each run, with its kind."""
    rows = pl.DataFrame() if side.runs is None else side.runs
    return {row["run_id"]: f"{row['digest_kind']} {row['digest']}" for row in rows.iter_rows(named=True)}


def _conditions(candidate: Side) -> Conditions | None:
    """The candidate's conditions with the digest of its judgments."""
    conditions = candidate.conditions
    return None if conditions is None else replace(conditions, judgments=candidate.judgment_digest())


def _of_system(values: PerUnitValues, name: str) -> PerUnitValues:
    """The values of one system."""
    rows = values.all_rows
    if rows[SYSTEM].n_unique() > 1:
        rows = rows.filter(pl.col(SYSTEM).cast(pl.String) == name)
    return replace(values, frame=values.engine.from_polars(rows))


def _as_text(segment: tuple[object, ...] | None) -> tuple[str | None, ...] | None:
    return None if segment is None else tuple(None if v is None else str(v) for v in segment)
