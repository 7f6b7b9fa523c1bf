"""A case of a formal constraint: one gold standard, and two outputs of which one must score higher."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

Kind = Literal["retrieval", "clustering", "filtering"]


@dataclass(frozen=True)
class Case:
    """Two outputs over the same documents.

    Attributes:
        constraint: the constraint by which `better` must score higher.
        gold: by document its grade, or its class.
        better, worse: by document its rank or its cluster; missing documents are not retrieved.
        setting: "closed" or "open", for clustering.
    """

    constraint: str
    gold: Mapping[str, int | str]
    better: Mapping[str, int | str]
    worse: Mapping[str, int | str]
    setting: str | None = None


@dataclass(frozen=True)
class Compared:
    """A case with both values, signed so that higher is better; None is undefined."""

    case: Case
    better: float | None
    worse: float | None

    def outcome(self, tolerance: float) -> str:
        """`satisfied`, `ties` or `violated`; undefined values tie."""
        if self.better is None or self.worse is None or abs(self.better - self.worse) <= tolerance:
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
        for instance, output in ((2 * k, case.better), (2 * k + 1, case.worse)):
            rows["instance"] += [instance] * len(case.gold)
            rows["item_id"] += case.gold
            rows["gold"] += case.gold.values()
            rows[value] += [output.get(item) for item in case.gold]
    return pl.DataFrame(rows, schema_overrides={"instance": pl.Int64, "item_id": pl.String})
