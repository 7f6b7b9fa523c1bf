"""What the values of a side were made of: conventions, versions, and a digest of the judgments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store.evaluations import Identified, canonical, identified

# The tables that tell what is right, each with the table beside which it stands alone: without that it holds the
# system's answers too.
TRUTHS = {"qrels": "run", "labels": "predictions", "clusters": "system"}
VERSIONS = ("ireval_frames", "engine", "polars", "python")


@dataclass(frozen=True)
class Truth:
    """The digest of a table of judgments or labels; digests of one kind, over the same columns, can be told apart."""

    name: str
    digest: str
    kind: str
    n_rows: int
    columns: str

    def comparable(self, other: Truth) -> bool:
        """Whether both digests are made alike."""
        return (self.name, self.kind, self.columns) == (other.name, other.kind, other.columns)


@dataclass(frozen=True)
class Terms:
    """Under which terms values were computed.

    Attributes:
        family: of the measures.
        policy: the family and its conventions; none where another tool computed the values.
        versions: of the package, the engine, Polars and Python.
        truth: the digest of the judgments; none where they stand in one table with the answers.
    """

    family: str
    policy: Mapping[str, Any] | None
    versions: Mapping[str, str] = field(default_factory=dict)
    truth: Truth | None = None


def truth_of(inputs: Iterable[Mapping[str, Any]]) -> Truth | None:
    """The digest of the judgments among those of all tables."""
    by_name = {row["name"]: row for row in inputs}
    for name, beside in TRUTHS.items():
        if name in by_name and beside in by_name:
            row = by_name[name]
            return Truth(name, row["digest"], row["digest_kind"], row["n_rows"], row["columns"])
    return None


def policy_of(family: str, policy: Mapping[str, Any]) -> dict[str, Any]:
    """Conventions as plain values, which are the same from an evaluation and from a store."""
    return {"family": family, **json.loads(canonical(dict(policy)))}


def known(evaluation: Evaluation, *, portable: bool = False) -> Identified | None:
    """What a store would say of an evaluation; None where it does not know its tables."""
    try:
        return identified(evaluation, portable=portable)
    except NotDefined:
        return None
