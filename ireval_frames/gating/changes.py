"""What is not the same on both sides beside the values: conventions, versions and judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import listed
from ireval_frames.gating.sides import Side
from ireval_frames.gating.terms import Truth
from ireval_frames.ranking import Rankings
from ireval_frames.ranking.inputs.facets import FACETS, reads
from ireval_frames.ranking.inputs.frames import Inputs
from ireval_frames.subject import request_of

GRADE = "relevance"
WAYS = ("added", "removed", "changed")


@dataclass(frozen=True, eq=False)
class Changes:
    """What differs.

    Attributes:
        policy: the conventions that differ: the baseline's value and the candidate's.
        judgments: the judgments that differ, a row each: the ids, relevance_baseline, relevance_candidate (null where
            a side has none); none where judgments were not compared.
        looked: whether conventions and judgments were known of both sides.
        compared: whether there is a baseline.
        versions: of what else computed the values, where they differ; that alone is no reason not to compare.
        digests: how the judgments differ, where only their digests are known.
    """

    policy: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    judgments: pl.DataFrame | None = None
    looked: tuple[bool, bool] = (False, False)
    compared: bool = True
    versions: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    digests: str = ""

    def reasons(self) -> Iterator[str]:
        """Why the two sides cannot be compared."""
        for name, (before, after) in self.policy.items():
            yield f"{name} is {before} in the baseline, {after} in the candidate"
        if self.judgments is not None and self.judgments.height:
            counts = [f"{n} {what}" for what, n in zip(WAYS, counted(self.judgments), strict=True) if n]
            yield f"other judgments: {listed(counts)}"
        if self.digests:
            yield f"other judgments: {self.digests}"


def counted(judgments: pl.DataFrame) -> tuple[int, int, int]:
    """How many judgments were added, removed, and given another grade."""
    before, after = judgments[f"{GRADE}_baseline"].is_null(), judgments[f"{GRADE}_candidate"].is_null()
    return int((before & ~after).sum()), int((after & ~before).sum()), int((~before & ~after).sum())


def changes(baseline: Side | None, candidate: Side) -> Changes:
    """What differs between two sides."""
    if baseline is None:
        return Changes(compared=False)
    mine, theirs = baseline.terms, candidate.terms
    if mine is None or theirs is None:
        return Changes()
    found = Changes()
    if mine.policy is not None and theirs.policy is not None:
        versions = _other(mine.versions, theirs.versions)
        found = Changes(_other(mine.policy, theirs.policy), looked=(True, False), versions=versions)
    subjects = [_rankings(side) for side in (baseline, candidate)]
    both = [subject for subject in subjects if subject is not None]
    if len(both) < 2:
        return _by_digests(found, baseline, candidate)
    one, other = (request_of(subject).given["qrels"] for subject, _ in both)
    if one is other or (isinstance(one, str) and one == other):
        return replace(found, looked=(found.looked[0], True))
    frames = [_judgments(subject, measures) for subject, measures in both]
    return replace(found, judgments=_differing(*frames), looked=(found.looked[0], True))


def _other(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What is not the same in both, or in one of them only."""
    names = dict.fromkeys([*mine, *theirs])
    return {n: (mine.get(n), theirs.get(n)) for n in names if mine.get(n) != theirs.get(n)}


def _by_digests(found: Changes, baseline: Side, candidate: Side) -> Changes:
    """The judgments compared by their digests, and by themselves where both sides have them."""
    mine = baseline.truth()
    theirs = candidate.truth(mine)
    if mine is not None and theirs is not None and not mine.comparable(theirs):
        mine = baseline.truth(theirs)
    if mine is None or theirs is None:
        return found
    if mine.comparable(theirs) and mine.digest == theirs.digest:
        return replace(found, looked=(found.looked[0], True))
    if mine.name == "qrels":
        frames = [_of_side(side, truth) for side, truth in ((baseline, mine), (candidate, theirs))]
        there = [frame for frame in frames if frame is not None]
        if len(there) == 2:
            return replace(found, judgments=_differing(*there), looked=(found.looked[0], True))
    if not mine.comparable(theirs) and (mine.columns != theirs.columns or mine.n_rows == theirs.n_rows):
        # Digests of several kinds, or of other columns, tell nothing.
        return found
    told = [f"{truth.n_rows} rows, digest {truth.digest[:12]}" for truth in (mine, theirs)]
    return replace(
        found, digests=f"{told[0]} in the baseline, {told[1]} in the candidate", looked=(found.looked[0], True)
    )


def _of_side(side: Side, truth: Truth) -> pl.DataFrame | None:
    """The judgments of a side, as they were evaluated or kept."""
    if (subject := _rankings(side)) is not None:
        return _judgments(*subject)
    frame = None if side.stored is None else side.stored.judgments(truth.digest)
    return None if frame is None else _as_text(frame)


def _rankings(side: Side) -> tuple[Rankings, tuple[Measure, ...]] | None:
    """What was evaluated, and by which measures; none of other families and of tables."""
    subject = None if side.evaluation is None else side.evaluation.subject
    return (subject, side.evaluation.measures) if side.evaluation and isinstance(subject, Rankings) else None


def _judgments(subject: Rankings, measures: tuple[Measure, ...]) -> pl.DataFrame:
    """The judgments as they were evaluated, the ids as text."""
    inputs = Inputs(request_of(subject).given, subject.names, subject.policy, (), subject.engine, reads(measures))
    with subject.engine.errors():
        return _as_text(subject.engine.collect(inputs.qrels))


def _as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Judgments with their ids as text."""
    ids = [c for c in ("query_id", *FACETS, "doc_id") if c in frame.columns]
    return frame.select(pl.col(ids).cast(pl.String), pl.col(GRADE).cast(pl.Float64))


def _differing(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The rows that one side lacks, or that have another grade."""
    keys = [c for c in before.columns if c in after.columns and c != GRADE]
    sides = [
        frame.select(*keys, pl.col(GRADE).alias(f"{GRADE}_{name}"), pl.lit(value=True).alias(f"_{name}"))
        for name, frame in (("baseline", before), ("candidate", after))
    ]
    both = sides[0].join(sides[1], on=keys, how="full", nulls_equal=True, coalesce=True)
    other = pl.col(f"{GRADE}_baseline").ne_missing(pl.col(f"{GRADE}_candidate"))
    return both.filter(other).drop("_baseline", "_candidate").sort(keys)
