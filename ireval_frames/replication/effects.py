"""Effects of an original and its replica: differences between systems, their ratio, and relative improvements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.rows import pairs_of
from ireval_frames.replication.matching import Match
from ireval_frames.replication.options import ReproductionOptions
from ireval_frames.stats.means.ratio_of_means import Estimate, difference_of_ratios, is_zero, ratio_of_means
from ireval_frames.stats.sample import Array

COLUMNS = (
    "baseline", "system", "design", "n_original", "n_replica", "effect_original", "effect_replica", "effect_ratio",
    "ratio_low", "ratio_high", "ratio_status", "relative_original", "relative_replica", "relative_difference",
    "relative_low", "relative_high", "relative_status", "confidence",
)  # fmt: skip
ESTIMATES = {
    "ratio": ("effect_ratio", "ratio_low", "ratio_high", "ratio_status"),
    "relative": ("relative_difference", "relative_low", "relative_high", "relative_status"),
}


def table(matches: Iterable[Match], options: ReproductionOptions, by: Sequence[str], system: str) -> pl.DataFrame:
    """A row per measure, group and pair of systems."""
    return pl.concat([_of_match(match, options, by, system) for match in matches], how="vertical_relaxed")


def _of_match(match: Match, options: ReproductionOptions, by: Sequence[str], system: str) -> pl.DataFrame:
    pairs = pairs_of(match.originals, options.baseline, system)
    rows = [_of_pair(match, int(one), int(other), options.confidence) for one, other in pairs]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    names = {side: match.grid.systems.gather(pairs[:, i]) for i, side in enumerate(("baseline", "system"))}
    named_columns = names | columns | {"design": match.design, "confidence": options.confidence}
    return match.grid.framed(by, named_columns).select("measure", *by, *COLUMNS)


def _of_pair(match: Match, baseline: int, system: int, confidence: float) -> dict[str, Any]:
    """The effect of the system in both, over the units with all values."""
    (b, b2), (s, s2) = match.of_system(baseline), match.of_system(system)
    complete, complete2 = ~(np.isnan(b) | np.isnan(s)), ~(np.isnan(b2) | np.isnan(s2))
    if match.paired:
        complete = complete2 = complete & complete2
    b, s, b2, s2 = b[complete], s[complete], b2[complete2], s2[complete2]
    largest = float(max(np.abs(b).max(initial=0.0), np.abs(s).max(initial=0.0)))
    ratio = ratio_of_means(s - b, s2 - b2, paired=match.paired, confidence=confidence, largest=largest)
    relative = difference_of_ratios((b, s), (b2, s2), paired=match.paired, confidence=confidence)
    return {
        "n_original": len(b),
        "n_replica": len(b2),
        "effect_original": _mean(s - b),
        "effect_replica": _mean(s2 - b2),
        **_columns("ratio", ratio),
        "relative_original": _relative(b, s),
        "relative_replica": _relative(b2, s2),
        **_columns("relative", relative),
    }


def _columns(name: str, estimate: Estimate) -> dict[str, Any]:
    return dict(zip(ESTIMATES[name], (estimate.value, estimate.low, estimate.high, estimate.status), strict=True))


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _relative(baseline: Array, system: Array) -> float:
    """The relative improvement: (ARP − ARP of the baseline) / ARP of the baseline."""
    if not len(baseline) or is_zero(baseline):
        return float("nan")
    return float((system - baseline).mean() / baseline.mean())
