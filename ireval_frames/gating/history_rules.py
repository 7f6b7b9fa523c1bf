"""Rules about history: a drop from earlier evaluations, and the prediction interval of the next mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from ireval_frames.gating.cells import Cell
from ireval_frames.gating.history import EarlierEvaluations
from ireval_frames.gating.rules import BEST, MEDIAN, PASSED, USUAL, Rule

# The number of earlier evaluations that a prediction interval needs.
LEAST = 3
Lookup = Callable[[Cell, Rule], EarlierEvaluations]


@dataclass(frozen=True)
class HistoryVerdict:
    """A mean compared with earlier ones.

    Attributes:
        verdict, reason: the verdict, and why.
        observed, limit: of a drop, how large it is and may be; of "as usual" the mean, and the end of the interval.
        reference: the earlier mean: the best, the median, that of the last one that passed, or the mean of all.
        name: the name of the reference.
    """

    verdict: str
    reason: str
    observed: float = math.nan
    limit: float = math.nan
    reference: float = math.nan
    name: str = "history"


def judge_history(rule: Rule, cell: Cell, past: EarlierEvaluations, confidence: float) -> HistoryVerdict:
    """The verdict of a rule about history."""
    if not past.evaluations:
        return HistoryVerdict("incomparable" if past.left_out else "undecided", _no_history(rule, past))
    return _usual(cell, past, confidence) if rule.kind == USUAL else _drop(rule, cell, past)


def _no_history(rule: Rule, past: EarlierEvaluations) -> str:
    what = f"earlier evaluation of {past.run!r}" + (" that passed a gate" if rule.earlier == PASSED else "")
    if past.left_out:
        return f"the store has no {what} with these judgments, conventions and units, {past.left_out} with others"
    return f"the store has no {what} yet"


def _drop(rule: Rule, cell: Cell, past: EarlierEvaluations) -> HistoryVerdict:
    means = np.array([evaluation.mean for evaluation in past.evaluations])
    source = ""
    if rule.earlier == MEDIAN:
        reference, name = float(np.median(means)), f"median of last {len(means)}"
    else:
        index = int((means.argmin() if cell.lower_is_better else means.argmax()) if rule.earlier == BEST else 0)
        evaluation = past.evaluations[index]
        reference, name = evaluation.mean, f"best of last {len(means)}" if rule.earlier == BEST else PASSED
        source = f", evaluation {evaluation.id} of {evaluation.made_at:%Y-%m-%d}"
    mean, tolerance = float(cell.after.mean()), cell.mean_tolerance
    drop = mean - reference if cell.lower_is_better else reference - mean
    limit = float(rule.limit or 0.0) * (abs(reference) if rule.relative else 1.0)
    reason = f"the mean is worse by {drop:.4f}" if drop > tolerance else "the mean is not worse"
    reason += f" than the {name} ({reference:.4f}{source}), at most {limit:.4g} is allowed"
    return HistoryVerdict("pass" if drop <= limit + tolerance else "fail", reason, drop, limit, reference, name)


def _usual(cell: Cell, past: EarlierEvaluations, confidence: float) -> HistoryVerdict:
    """Whether the mean lies above the lower end of the one-sided prediction interval of one more mean.

    mean − t(confidence; n − 1) · s · √(1 + 1/n); of equal means the interval is that mean.
    """
    means = np.array([evaluation.mean for evaluation in past.evaluations])
    n, centre, mean, tolerance = len(means), float(means.mean()), float(cell.after.mean()), cell.mean_tolerance
    name = f"mean of last {n}"
    if n < LEAST:
        reason = f"the store has {n} earlier evaluation{'s' if n > 1 else ''} like this; {LEAST} are needed"
        return HistoryVerdict("undecided", reason, mean, math.nan, centre, name)
    spread = 0.0 if np.ptp(means) <= tolerance else float(means.std(ddof=1))
    width = float(stdtrit(n - 1, confidence)) * spread * math.sqrt(1.0 + 1.0 / n)
    end = centre + width if cell.lower_is_better else centre - width
    passes = mean <= end + tolerance if cell.lower_is_better else mean >= end - tolerance
    reason = f"the mean is {mean:.4f}, usual is {'at most' if cell.lower_is_better else 'at least'} {end:.4f}"
    reason += f" (prediction interval of {n} earlier evaluations)"
    return HistoryVerdict("pass" if passes else "fail", reason, mean, end, centre, name)
