"""Earlier evaluations of a run in a store: the means that rules about history look at."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import polars as pl

from ireval_frames.comparison.values.sources import SYSTEM, Values
from ireval_frames.gating.cells import Cell, cells
from ireval_frames.gating.sides import Side, as_text
from ireval_frames.gating.stored import Stored, rows_of, terms_of_rows
from ireval_frames.gating.terms import Terms
from ireval_frames.store import Store


@dataclass(frozen=True)
class Earlier:
    """An earlier evaluation: the mean of a cell's units in it, its id, and when it was added last."""

    mean: float
    id: str
    made_at: datetime


@dataclass(frozen=True)
class Past:
    """What a store has of a cell.

    Attributes:
        run: the run's name.
        found: evaluations of the same units, judgments and conventions, the newest first; the same one counts once.
        left_out: how many were looked at that have others.
    """

    run: str
    found: Sequence[Earlier]
    left_out: int


class History:
    """The evaluations of a store that are older than the candidate, by its runs.

    The history of a run is that of its name; where the store has none of it, that of the baseline's one run.

    Args:
        store: the store.
        candidate: the candidate; its own evaluation does not count.
        baseline: the baseline, if there is one.
        falling: the measures of which less is better.
        cluster: the column whose groups are compared by their means.
    """

    def __init__(
        self, store: Store, candidate: Side, baseline: Side | None, falling: Sequence[str], cluster: str | None
    ) -> None:
        self._store, self._candidate, self._falling, self._cluster = store, as_text(candidate), falling, cluster
        self._own, self._side, self._terms = candidate.evaluation_id, candidate, _terms(candidate)
        self._systems, self._others = ([] if side is None else _systems(side) for side in (candidate, baseline))
        self._digests = _digests(candidate)
        self._kept: dict[tuple[str, str], pl.DataFrame] = {}
        self._cells: dict[tuple[str, str], dict[tuple[str, object], Cell]] = {}

    def of(self, cell: Cell, last: int, *, passed: bool = False) -> Past:
        """The newest evaluations of a cell.

        Args:
            cell: which.
            last: how many at most.
            passed: only those that passed a gate whose verdicts were kept.
        """
        run, found, left_out = self._run(cell), list[Earlier](), 0
        # The same run counts once, and not if it is the candidate's.
        seen = {self._digests.get(self._named(cell), "")}
        rows = self._runs.filter(pl.col("run_id") == run, pl.col("evaluation_id") != (self._own or ""))
        for evaluation_id, when, digest in rows.select("evaluation_id", "made_at", "digest").iter_rows():
            if (passed and evaluation_id not in self._passed) or digest in seen:
                continue
            if not self._has(evaluation_id, cell.measure):
                continue
            mean = self._mean(evaluation_id, run, cell, last) if self._alike(evaluation_id) else None
            if mean is None:
                left_out += 1
                continue
            seen.add(digest)
            found.append(Earlier(mean, evaluation_id, when))
            if len(found) == last:
                break
        return Past(run, tuple(found), left_out)

    def _named(self, cell: Cell) -> str:
        """The candidate's name, empty where it has none."""
        return cell.candidate if cell.candidate in self._systems else ""

    def _run(self, cell: Cell) -> str:
        """The name whose history is looked at."""
        named, there = self._named(cell), self._runs["run_id"].unique().to_list()
        return self._others[0] if named not in there and len(self._others) == 1 else named

    @functools.cached_property
    def _runs(self) -> pl.DataFrame:
        """A row per evaluation and run, the newest first: evaluation_id run_id made_at digest."""
        last = rows_of(self._store, "occasions").group_by("evaluation_id").agg(pl.col("made_at").max())
        digest = pl.concat_str("digest_kind", "digest", separator=" ").fill_null(pl.col("evaluation_id"))
        runs = rows_of(self._store, "runs").select("evaluation_id", "run_id", digest.alias("digest"))
        return runs.join(last, on="evaluation_id").sort("made_at", "evaluation_id", descending=True)

    @functools.cached_property
    def _passed(self) -> frozenset[str]:
        """The candidates of gates all of whose rules passed."""
        rows = rows_of(self._store, "gates").filter(pl.col("exit_code") == 0)
        return frozenset(rows["candidate_id"].drop_nulls())

    @functools.cached_property
    def _read(self) -> dict[str, pl.DataFrame]:
        """What the store says of its evaluations."""
        ids = self._runs["evaluation_id"].unique().to_list()
        names = ("evaluations", "inputs", "measures")
        return {name: rows_of(self._store, name, ids) for name in names}

    @functools.cached_property
    def _known(self) -> dict[str, Terms]:
        """The terms of all evaluations."""
        return terms_of_rows(self._read["evaluations"], self._read["inputs"])

    def _has(self, evaluation_id: str, measure: str) -> bool:
        """Whether an evaluation is of the candidate's family, and has a measure."""
        mine, theirs = self._terms, self._known[evaluation_id]
        same = mine is None or mine.family == theirs.family
        return same and (evaluation_id, measure) in self._measured

    @functools.cached_property
    def _measured(self) -> frozenset[tuple[str, str]]:
        return frozenset(self._read["measures"].select("evaluation_id", "measure").iter_rows())

    def _alike(self, evaluation_id: str) -> bool:
        """Whether an evaluation has the candidate's conventions and judgments; of a table, those of the newest one."""
        terms = self._known[evaluation_id]
        mine = self._terms = self._terms or terms
        if mine.policy != terms.policy:
            return False
        if mine.truth is None or terms.truth is None or mine.truth == terms.truth:
            return True
        other = self._side.truth(terms.truth) if not mine.truth.comparable(terms.truth) else None
        return other == terms.truth

    def _mean(self, evaluation_id: str, run: str, cell: Cell, last: int) -> float | None:
        """The mean of the cell's units in another evaluation; none where it has others, or not the measure."""
        key = (evaluation_id, cell.candidate)
        if key not in self._cells:
            rows = self._values(evaluation_id, run, last)
            one = Stored(self._store, evaluation_id, evaluation_id, run, {**self._read, "values": rows})
            candidate = _only(self._candidate.values, cell.candidate)
            pairs = cells(one.values(candidate.by, ()), candidate, self._falling, self._cluster)
            self._cells[key] = {(c.measure, c.segment): c for c in pairs}
        found = self._cells[key].get((cell.measure, _as_text(cell.segment)))
        return None if found is None or found.reasons else float(found.before.mean())

    def _values(self, evaluation_id: str, run: str, last: int) -> pl.DataFrame:
        """The values of an evaluation; those of the ones before it are read with them, as they are asked for next."""
        if (evaluation_id, run) not in self._kept:
            ids = self._runs.filter(pl.col("run_id") == run)["evaluation_id"].to_list()
            ids = [i for i in ids[ids.index(evaluation_id) :] if self._alike(i)][:last]
            rows = rows_of(self._store, "values", ids).filter(pl.col("run_id") == run)
            parts = rows.partition_by("evaluation_id", as_dict=True)
            self._kept |= {(i, run): parts.get((i,), rows.clear()) for i in ids}
        return self._kept[evaluation_id, run]


def _systems(side: Side) -> list[str]:
    return side.values.all_rows[SYSTEM].cast(pl.String).unique().to_list()


def _digests(side: Side) -> dict[str, str]:
    """The digest of each run, with its kind."""
    rows = pl.DataFrame() if side.runs is None else side.runs
    return {row["run_id"]: f"{row['digest_kind']} {row['digest']}" for row in rows.iter_rows(named=True)}


def _terms(candidate: Side) -> Terms | None:
    """The candidate's terms with the digest of its judgments."""
    return None if candidate.terms is None else replace(candidate.terms, truth=candidate.truth())


def _only(values: Values, name: str) -> Values:
    """The values of one system."""
    rows = values.all_rows
    if rows[SYSTEM].n_unique() > 1:
        rows = rows.filter(pl.col(SYSTEM).cast(pl.String) == name)
    return replace(values, frame=values.engine.from_polars(rows))


def _as_text(segment: tuple[object, ...] | None) -> tuple[str | None, ...] | None:
    return None if segment is None else tuple(None if v is None else str(v) for v in segment)
