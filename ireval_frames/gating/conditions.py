"""What the values of a side were computed with: conventions, versions, and a digest of the judgments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store.evaluations import Identified, canonical, identify

# Tables of judgments, each with the table of answers that comes with it; a table without that one also holds answers.
JUDGMENTS = {"qrels": "run", "labels": "predictions", "clusters": "system"}
VERSIONS = ("ireval_frames", "engine", "polars", "python")


@dataclass(frozen=True)
class JudgmentDigest:
    """The digest of a table of judgments or labels."""

    name: str
    digest: str
    kind: str
    n_rows: int
    columns: str

    def comparable(self, other: JudgmentDigest) -> bool:
        """Whether both digests were computed the same way, of the same columns."""
        return (self.name, self.kind, self.columns) == (other.name, other.kind, other.columns)


@dataclass(frozen=True)
class Conditions:
    """The conditions under which values were computed.

    Attributes:
        family: of the measures.
        policy: the family and its conventions; None where another tool computed the values.
        versions: of the package, the engine, Polars and Python.
        judgments: their digest; None where judgments and answers are one table.
    """

    family: str
    policy: Mapping[str, Any] | None
    versions: Mapping[str, str] = field(default_factory=dict)
    judgments: JudgmentDigest | None = None


def judgment_digest(inputs: Iterable[Mapping[str, Any]]) -> JudgmentDigest | None:
    """The digest of the judgments among those of all tables."""
    by_name = {row["name"]: row for row in inputs}
    for name, answers in JUDGMENTS.items():
        if name in by_name and answers in by_name:
            row = by_name[name]
            return JudgmentDigest(name, row["digest"], row["digest_kind"], row["n_rows"], row["columns"])
    return None


def policy_values(family: str, policy: Mapping[str, Any]) -> dict[str, Any]:
    """Conventions as plain values, the same from an evaluation and from a store."""
    return {"family": family, **json.loads(canonical(dict(policy)))}


def identity_of(evaluation: Evaluation, *, portable: bool = False) -> Identified | None:
    """The id and digests that a store would give an evaluation; None where its tables are not known."""
    try:
        return identify(evaluation, portable=portable)
    except NotDefined:
        return None
