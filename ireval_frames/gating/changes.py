"""What differs between the sides besides the values: conventions, versions and judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import listed
from ireval_frames.gating.conditions import JudgmentDigest
from ireval_frames.gating.inputs import Side
from ireval_frames.ranking import Rankings
from ireval_frames.ranking.inputs.facets import FACETS, reads
from ireval_frames.ranking.inputs.frames import Inputs
from ireval_frames.subject import request_of

GRADE = "relevance"
KINDS = ("added", "removed", "changed")


@dataclass(frozen=True, eq=False)
class Changes:
    """What differs.

    Attributes:
        policy: the conventions that differ: the baseline's value and the candidate's.
        judgments: the judgments that differ, a row each: the ids, relevance_baseline, relevance_candidate (null where
            a side has none); None where judgments were not compared.
        policy_known: whether the conventions of both sides are known.
        judgments_known: whether the judgments of both sides are known.
        compared: whether there is a baseline.
        versions: those of the package, engine and libraries that differ; they do not prevent a comparison.
        digests: how the judgments differ, where only their digests are known.
    """

    policy: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    judgments: pl.DataFrame | None = None
    policy_known: bool = False
    judgments_known: bool = False
    compared: bool = True
    versions: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    digests: str = ""

    def reasons(self) -> Iterator[str]:
        """Why the two sides cannot be compared."""
        for name, (before, after) in self.policy.items():
            yield f"{name} is {before} in the baseline, {after} in the candidate"
        if self.judgments is not None and self.judgments.height:
            counts = [f"{n} {kind}" for kind, n in zip(KINDS, counts_by_kind(self.judgments), strict=True) if n]
            yield f"other judgments: {listed(counts)}"
        if self.digests:
            yield f"other judgments: {self.digests}"


def counts_by_kind(judgments: pl.DataFrame) -> tuple[int, int, int]:
    """The numbers of judgments that were added, removed, and given another grade."""
    before, after = judgments[f"{GRADE}_baseline"].is_null(), judgments[f"{GRADE}_candidate"].is_null()
    return int((before & ~after).sum()), int((after & ~before).sum()), int((~before & ~after).sum())


def changes(baseline: Side | None, candidate: Side) -> Changes:
    """What differs between two sides."""
    if baseline is None:
        return Changes(compared=False)
    before, after = baseline.conditions, candidate.conditions
    if before is None or after is None:
        return Changes()
    result = Changes()
    if before.policy is not None and after.policy is not None:
        versions = _differing_values(before.versions, after.versions)
        result = Changes(_differing_values(before.policy, after.policy), policy_known=True, versions=versions)
    subjects = [subject for side in (baseline, candidate) if (subject := _rankings(side)) is not None]
    if len(subjects) < 2:
        return _with_digests(result, baseline, candidate)
    one, other = (request_of(subject).user_tables["qrels"] for subject, _ in subjects)
    if one is other or (isinstance(one, str) and one == other):
        return replace(result, judgments_known=True)
    frames = [_judgments(subject, measures) for subject, measures in subjects]
    return replace(result, judgments=_differing_judgments(*frames), judgments_known=True)


def _differing_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The entries that differ, or that only one of them has."""
    names = dict.fromkeys([*before, *after])
    return {n: (before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)}


def _with_digests(result: Changes, baseline: Side, candidate: Side) -> Changes:
    """The judgments compared by their digests, and row by row where both sides have them."""
    before = baseline.judgment_digest()
    after = candidate.judgment_digest(before)
    if before is not None and after is not None and not before.comparable(after):
        before = baseline.judgment_digest(after)
    if before is None or after is None:
        return result
    if before.comparable(after) and before.digest == after.digest:
        return replace(result, judgments_known=True)
    if before.name == "qrels":
        pairs = ((baseline, before), (candidate, after))
        frames = [frame for side, digest in pairs if (frame := _judgments_of_side(side, digest)) is not None]
        if len(frames) == 2:
            return replace(result, judgments=_differing_judgments(*frames), judgments_known=True)
    if not before.comparable(after) and (before.columns != after.columns or before.n_rows == after.n_rows):
        # Digests of different kinds, or of different columns, cannot be compared.
        return result
    texts = [f"{digest.n_rows} rows, digest {digest.digest[:12]}" for digest in (before, after)]
    return replace(result, digests=f"{texts[0]} in the baseline, {texts[1]} in the candidate", judgments_known=True)


def _judgments_of_side(side: Side, digest: JudgmentDigest) -> pl.DataFrame | None:
    """The judgments of a side, as they were evaluated or stored."""
    if (subject := _rankings(side)) is not None:
        return _judgments(*subject)
    frame = None if side.stored is None else side.stored.judgments(digest.digest)
    return None if frame is None else _as_text(frame)


def _rankings(side: Side) -> tuple[Rankings, tuple[Measure, ...]] | None:
    """The rankings of a side and their measures; None for other families and for tables."""
    subject = None if side.evaluation is None else side.evaluation.subject
    return (subject, side.evaluation.measures) if side.evaluation and isinstance(subject, Rankings) else None


def _judgments(subject: Rankings, measures: tuple[Measure, ...]) -> pl.DataFrame:
    """The judgments as they were evaluated, the ids as text."""
    inputs = Inputs(request_of(subject).user_tables, subject.names, subject.policy, (), subject.engine, reads(measures))
    with subject.engine.errors():
        return _as_text(subject.engine.collect(inputs.qrels))


def _as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Judgments with their ids as text."""
    ids = [c for c in ("query_id", *FACETS, "doc_id") if c in frame.columns]
    return frame.select(pl.col(ids).cast(pl.String), pl.col(GRADE).cast(pl.Float64))


def _differing_judgments(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The rows that one side lacks, or that have another grade."""
    keys = [c for c in before.columns if c in after.columns and c != GRADE]
    sides = [
        frame.select(*keys, pl.col(GRADE).alias(f"{GRADE}_{name}"), pl.lit(value=True).alias(f"_{name}"))
        for name, frame in (("baseline", before), ("candidate", after))
    ]
    both = sides[0].join(sides[1], on=keys, how="full", nulls_equal=True, coalesce=True)
    differ = pl.col(f"{GRADE}_baseline").ne_missing(pl.col(f"{GRADE}_candidate"))
    return both.filter(differ).drop("_baseline", "_candidate").sort(keys)
