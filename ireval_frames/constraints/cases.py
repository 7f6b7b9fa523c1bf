"""A case of a formal constraint: one gold standard, and two outputs of which one must score higher."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

Kind = Literal["retrieval", "clustering", "filtering", "ordinal", "diversity"]


@dataclass(frozen=True)
class Case:
    """Two outputs over the same documents.

    Attributes:
        constraint: the constraint by which `better` must score higher.
        gold: by document its grade, its class, or the aspects that it is relevant to.
        better, worse: by document its rank, its cluster or its class; missing documents are not retrieved.
        setting: "closed" or "open", for clustering.
        gold_of_worse: the gold standard of the second output, where it has one of its own.
        equal: whether both outputs must have one value.
        weights: of the aspects.
    """

    constraint: str
    gold: Mapping[str, Any]
    better: Mapping[str, int | str]
    worse: Mapping[str, int | str]
    setting: str | None = None
    gold_of_worse: Mapping[str, Any] | None = None
    equal: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Compared:
    """A case with both values, signed so that higher is better; None is undefined."""

    case: Case
    better: float | None
    worse: float | None

    def outcome(self, tolerance: float) -> str:
        """`satisfied`, `ties` or `violated`; undefined values tie."""
        if self.better is None or self.worse is None:
            return "ties"
        same = abs(self.better - self.worse) <= tolerance
        if self.case.equal:
            return "satisfied" if same else "violated"
        if same:
            return "ties"
        return "satisfied" if self.better > self.worse else "violated"


Verdict = Callable[[Sequence[str]], tuple[str, int | None]]
"""From the outcomes of a constraint's cases, in their order, the verdict and the index of a case that shows it."""


def always(outcomes: Sequence[str]) -> tuple[str, int | None]:
    """It must hold in every case."""
    for outcome, verdict in (("violated", "VIOLATED"), ("ties", "TIES")):
        if outcome in outcomes:
            return verdict, outcomes.index(outcome)
    return "OK", None


def sometimes(outcomes: Sequence[str]) -> tuple[str, int | None]:
    """It must hold in some case."""
    if "satisfied" in outcomes:
        return "OK", None
    return ("TIES" if set(outcomes) == {"ties"} else "VIOLATED"), 0


def eventually(outcomes: Sequence[str]) -> tuple[str, int | None]:
    """It must hold from some size on: in the larger half of the cases."""
    verdict, first = always(outcomes[len(outcomes) // 2 :])
    return verdict, None if first is None else first + len(outcomes) // 2


def outputs_frame(cases: Sequence[Case], value: str) -> pl.DataFrame:
    """All outputs as one table: instance 2k is the better output of case k, 2k+1 the worse.

    Returns:
        instance item_id gold, and the column `value`: null for items missing in the output.
    """
    rows: dict[str, list[object]] = {"instance": [], "item_id": [], "gold": [], value: []}
    for k, case in enumerate(cases):
        for instance, output, gold in (
            (2 * k, case.better, case.gold),
            (2 * k + 1, case.worse, case.gold_of_worse or case.gold),
        ):
            rows["instance"] += [instance] * len(gold)
            rows["item_id"] += gold
            rows["gold"] += gold.values()
            rows[value] += [output.get(item) for item in gold]
    return pl.DataFrame(rows, schema_overrides={"instance": pl.Int64, "item_id": pl.String})
