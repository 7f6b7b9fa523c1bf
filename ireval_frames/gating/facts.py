"""A verdict as plain values, of which all tables and texts are made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.escaping import plain
from ireval_frames.gating.cells import Cell, largest_first
from ireval_frames.gating.tested import GateOptions
from ireval_frames.gating.verdicts import Verdict

# How many of the worst units are told.
WORST = 3
COLUMNS = {
    "rule": pl.String, "kind": pl.String, "measure": pl.String, "baseline": pl.String, "candidate": pl.String,
    "verdict": pl.String, "passed": pl.Boolean, "reason": pl.String, "observed": pl.Float64, "limit": pl.Float64,
    "n": pl.Int64, "n_undefined": pl.Int64, "wins": pl.Int64, "ties": pl.Int64, "losses": pl.Int64,
    "mean_baseline": pl.Float64, "mean": pl.Float64, "difference": pl.Float64, "ci_low": pl.Float64,
    "ci_high": pl.Float64, "confidence": pl.Float64, "smallest_margin": pl.Float64, "test": pl.String,
    "p_value": pl.Float64, "p_adjusted": pl.Float64, "status": pl.String, "lower_is_better": pl.Boolean,
}  # fmt: skip


@dataclass(frozen=True)
class Fact:
    """A rule and what came of it.

    Attributes:
        values: what COLUMNS names; None is undefined.
        segment: the columns that make it and their values; none for all units.
        worst: up to three units that lose most: their ids, the baseline's and the candidate's value, the difference.
    """

    values: dict[str, Any]
    segment: dict[str, Any] | None
    worst: tuple[dict[str, Any], ...]

    @property
    def where(self) -> str:
        """The segment in words; empty for all units."""
        return ", ".join(f"{plain(n)}={plain(v)}" for n, v in (self.segment or {}).items())

    @property
    def title(self) -> str:
        """The rule, the measure where the rule names none, and the segment, on one line."""
        rule, measure = plain(self.values["rule"]), plain(self.values["measure"])
        about = "" if measure in rule else f" ({measure})"
        return rule + about + (f" [{self.where}]" if self.segment is not None else "")

    @property
    def verdict(self) -> str:
        """The verdict; of one that is undecided also what it counts."""
        verdict = str(self.values["verdict"])
        return f"undecided, {'passes' if self.values['passed'] else 'fails'}" if verdict == "undecided" else verdict

    @property
    def failed(self) -> bool:
        """Whether it failed, which what cannot be compared did not."""
        return not self.values["passed"] and self.values["verdict"] != "incomparable"


def fact(verdict: Verdict, margin: float | None, options: GateOptions, by: Sequence[str], unit: Sequence[str]) -> Fact:
    """The facts of a verdict.

    Args:
        verdict: which.
        margin: the smallest margin that its units could have shown.
        options: how it was tested.
        by: the user's names of the columns of segments.
        unit: those of units.
    """
    cell, found = verdict.cell, verdict.found
    there = not np.isnan(cell.before).any() and len(cell.before) > 0
    # A rule about history is held against earlier means, and not unit by unit.
    there = there and verdict.past is None
    loss = cell.loss
    values: dict[str, Any] = {
        "rule": str(verdict.rule),
        "kind": verdict.rule.kind,
        "measure": cell.measure,
        "baseline": cell.baseline if there or not len(cell.after) else None,
        "candidate": cell.candidate,
        "verdict": verdict.verdict,
        "passed": verdict.passed,
        "reason": verdict.reason,
        "observed": verdict.observed,
        "limit": verdict.limit,
        "n": len(cell.after),
        "n_undefined": cell.n_undefined,
        "wins": int((loss < 0).sum()) if there else None,
        "ties": int((loss == 0).sum()) if there else None,
        "losses": int((loss > 0).sum()) if there else None,
        "mean_baseline": float(cell.before.mean()) if there else None,
        "mean": float(cell.after.mean()) if len(cell.after) else None,
        "difference": _settled(float(cell.difference.mean()), cell.off_loss) if there else None,
        "ci_low": found.low,
        "ci_high": found.high,
        "confidence": options.confidence,
        "smallest_margin": margin if verdict.past is None else None,
        "test": found.test or None,
        "p_value": found.p_value,
        "p_adjusted": verdict.p_adjusted,
        "status": found.status,
        "lower_is_better": cell.falling,
    }
    if (past := verdict.past) is not None:
        reference = {"baseline": past.name, "mean_baseline": past.reference}
        values |= {
            **reference,
            "difference": _settled(values["mean"] - past.reference, cell.off_mean) if len(cell.after) else None,
        }
    values = {n: None if isinstance(v, float) and math.isnan(v) else v for n, v in values.items()}
    segment = None if cell.segment is None else dict(zip(by, cell.segment, strict=True))
    names = unit if cell.segment is None and len(unit) == cell.units.width else [*by, *unit][-cell.units.width :]
    return Fact(values, segment, tuple(_worst(cell, names)) if there else ())


def _settled(difference: float, off: float) -> float:
    """The difference; none where it is of the last digits alone."""
    return 0.0 if abs(difference) <= off else difference


def _worst(cell: Cell, names: Sequence[str]) -> list[dict[str, Any]]:
    loss = cell.loss
    order = largest_first(loss)[:WORST]
    return [
        {
            "unit": dict(zip(names, cell.units.row(int(i)), strict=False)),
            "baseline": float(cell.before[i]),
            "candidate": float(cell.after[i]),
            "difference": float(cell.difference[i]),
        }
        for i in order
        if loss[i] > 0
    ]
