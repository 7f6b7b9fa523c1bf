"""Verdicts as plain loops from the definitions of the rules; tests by SciPy, or by counting all signs."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

import scipy.stats

LEVEL = 0.05


def p_two_sided(d: Sequence[float]) -> float:
    """The paired t test from 30 units on, else all signs; constant differences are certain."""
    if max(map(abs, d)) < 1e-12:
        return 1.0
    if max(d) - min(d) < 1e-12:
        return 0.0
    if len(d) >= 30:
        return float(scipy.stats.ttest_1samp(d, 0.0).pvalue)
    return share_of_signs(d, lambda s, t: abs(s) >= abs(t) - 1e-12)


def share_of_signs(d: Sequence[float], extreme: object) -> float:
    total, hits, n = sum(d), 0, 0
    for signs in itertools.product((1, -1), repeat=len(d)):
        n += 1
        hits += extreme(sum(s * x for s, x in zip(signs, d, strict=True)), total)  # type: ignore[operator]
    return hits / n


def below(loss: Sequence[float], margin: float) -> bool:
    """Whether a loss below the margin is shown at the level, one-sided."""
    if max(loss) - min(loss) < 1e-12:
        return statistics.fmean(loss) < margin - 1e-12
    return p_below(loss, margin) <= LEVEL


def p_below(loss: Sequence[float], margin: float) -> float:
    """The one-sided p-value of a loss equal to the margin."""
    shifted = [margin - x for x in loss]
    if len(loss) >= 30:
        return float(scipy.stats.ttest_1samp(shifted, 0.0, alternative="greater").pvalue)
    return share_of_signs(shifted, lambda s, t: s >= t - 1e-12)


def above(loss: Sequence[float], margin: float) -> bool:
    """Whether a loss above the margin is shown."""
    if max(loss) - min(loss) < 1e-12:
        return statistics.fmean(loss) >= margin - 1e-12
    shifted = [x - margin for x in loss]
    if len(loss) >= 30:
        return bool(scipy.stats.ttest_1samp(shifted, 0.0, alternative="greater").pvalue < LEVEL)
    return share_of_signs(shifted, lambda s, t: s >= t - 1e-12) <= LEVEL


def non_inferior(loss: Sequence[float], margin: float) -> str:
    if below(loss, margin):
        return "pass"
    return "fail" if above(loss, margin) else "undecided"


def holm(p: Sequence[float]) -> list[float]:
    order, out, top = sorted(range(len(p)), key=lambda i: p[i]), [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        top = max(top, min(1.0, p[i] * (len(p) - rank)))
        out[i] = top
    return out


def point(kind: str, before: Sequence[float], after: Sequence[float], limit: float, *, falling: bool) -> str:
    """The rules without a test."""
    loss = [(a - b) if falling else (b - a) for b, a in zip(before, after, strict=True)]
    passes = {
        "floor": statistics.fmean(after) >= limit - 1e-12,
        "ceiling": statistics.fmean(after) <= limit + 1e-12,
        "drop": statistics.fmean(loss) <= limit + 1e-12,
        "share": statistics.fmean(loss) <= limit * abs(statistics.fmean(before)) + 1e-12,
        "same within": max(map(abs, loss)) <= limit + 1e-12,
        "worst": sum(x > 0.1 + 1e-12 for x in loss) <= limit,
    }[kind]
    return "pass" if passes else "fail"
