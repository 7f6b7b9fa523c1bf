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
from ireval_frames.gating.options import GateOptions
from ireval_frames.gating.verdicts import Verdict

# How many of the worst units are reported.
WORST = 3
COLUMNS = {
    "rule": pl.String, "kind": pl.String, "measure": pl.String, "baseline": pl.String, "candidate": pl.String,
    "verdict": pl.String, "passed": pl.Boolean, "reason": pl.String, "observed": pl.Float64, "limit": pl.Float64,
    "n": pl.Int64, "n_undefined": pl.Int64, "wins": pl.Int64, "ties": pl.Int64, "losses": pl.Int64,
    "mean_baseline": pl.Float64, "mean": pl.Float64, "difference": pl.Float64, "ci_low": pl.Float64,
    "ci_high": pl.Float64, "confidence": pl.Float64, "detectable_difference": pl.Float64, "test": pl.String,
    "p_value": pl.Float64, "p_adjusted": pl.Float64, "status": pl.String, "lower_is_better": pl.Boolean,
}  # fmt: skip


@dataclass(frozen=True)
class RuleResult:
    """A rule and its verdict.

    Attributes:
        values: the columns of COLUMNS; None is undefined.
        segment: its columns and their values; None for all units.
        worst: up to three units with the largest losses: ids, the baseline's and the candidate's value, the difference.
    """

    values: dict[str, Any]
    segment: dict[str, Any] | None
    worst: tuple[dict[str, Any], ...]

    @property
    def where(self) -> str:
        """The segment in words; empty for all units."""
        return ", ".join(f"{plain(n)}={plain(v)}" for n, v in (self.segment or {}).items())

    @property
    def measure(self) -> str:
        """The measure, where the rule does not name it; else empty."""
        return "" if plain(self.values["measure"]) in plain(self.values["rule"]) else str(self.values["measure"])

    @property
    def title(self) -> str:
        """The rule, the measure where the rule names none, and the segment, on one line."""
        measure = f" ({plain(self.measure)})" if self.measure else ""
        return plain(self.values["rule"]) + measure + (f" [{self.where}]" if self.segment is not None else "")

    @property
    def verdict(self) -> str:
        """The verdict; of an undecided one also whether it passes."""
        verdict = str(self.values["verdict"])
        return f"undecided, {'passes' if self.values['passed'] else 'fails'}" if verdict == "undecided" else verdict

    @property
    def failed(self) -> bool:
        """Whether it failed; what is incomparable did not."""
        return not self.values["passed"] and self.values["verdict"] != "incomparable"


def rule_result(
    verdict: Verdict, detectable: float | None, options: GateOptions, by: Sequence[str], unit: Sequence[str]
) -> RuleResult:
    """A verdict as plain values.

    Args:
        verdict: the verdict.
        detectable: the detectable difference of its units.
        options: how it was tested.
        by: the user's names of the columns of segments.
        unit: those of units.
    """
    cell, outcome, history = verdict.cell, verdict.outcome, verdict.history
    # A rule about history compares with earlier means, not unit by unit.
    paired = not np.isnan(cell.before).any() and len(cell.before) > 0 and history is None
    loss = cell.loss
    values: dict[str, Any] = {
        "rule": str(verdict.rule),
        "kind": verdict.rule.kind,
        "measure": cell.measure,
        "baseline": cell.baseline if paired or not len(cell.after) else None,
        "candidate": cell.candidate,
        "verdict": verdict.verdict,
        "passed": verdict.passed,
        "reason": verdict.reason,
        "observed": verdict.observed,
        "limit": verdict.limit,
        "n": len(cell.after),
        "n_undefined": cell.n_undefined,
        "wins": int((loss < 0).sum()) if paired else None,
        "ties": int((loss == 0).sum()) if paired else None,
        "losses": int((loss > 0).sum()) if paired else None,
        "mean_baseline": float(cell.before.mean()) if paired else None,
        "mean": float(cell.after.mean()) if len(cell.after) else None,
        "difference": _without_rounding(float(cell.difference.mean()), cell.loss_tolerance) if paired else None,
        "ci_low": outcome.low,
        "ci_high": outcome.high,
        "confidence": options.confidence,
        "detectable_difference": detectable if history is None else None,
        "test": outcome.test or None,
        "p_value": outcome.p_value,
        "p_adjusted": verdict.p_adjusted,
        "status": outcome.status,
        "lower_is_better": cell.lower_is_better,
    }
    if history is not None:
        change = values["mean"] - history.reference if len(cell.after) else None
        values |= {
            "baseline": history.name,
            "mean_baseline": history.reference,
            "difference": None if change is None else _without_rounding(change, cell.mean_tolerance),
        }
    values = {n: None if isinstance(v, float) and math.isnan(v) else v for n, v in values.items()}
    segment = None if cell.segment is None else dict(zip(by, cell.segment, strict=True))
    names = unit if cell.segment is None and len(unit) == cell.units.width else [*by, *unit][-cell.units.width :]
    return RuleResult(values, segment, tuple(_worst(cell, names)) if paired else ())


def _without_rounding(difference: float, tolerance: float) -> float:
    """The difference; 0 where it is due to rounding."""
    return 0.0 if abs(difference) <= tolerance else difference


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
