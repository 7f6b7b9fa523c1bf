"""Rules about history: a drop from earlier evaluations, and whether a mean is as usual."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from ireval_frames.gating.cells import Cell
from ireval_frames.gating.history import Past
from ireval_frames.gating.rules import BEST, MEDIAN, PASSED, USUAL, Rule

# Earlier evaluations that a prediction interval needs.
LEAST = 3
Look = Callable[[Cell, Rule], Past]


@dataclass(frozen=True)
class Held:
    """What a mean is held against.

    Attributes:
        verdict, reason: what came of it.
        observed, limit: of a drop, how large it is and may be; of "as usual" the mean, and the end of the interval.
        reference: the earlier mean: the best, the median, that of the last one that passed, or the mean of all.
        name: what the reference is called.
    """

    verdict: str
    reason: str
    observed: float = math.nan
    limit: float = math.nan
    reference: float = math.nan
    name: str = "history"


def held(rule: Rule, cell: Cell, past: Past, confidence: float) -> Held:
    """A rule about history and what came of it."""
    if not past.found:
        return Held("incomparable" if past.left_out else "undecided", _nothing(rule, past))
    return _usual(cell, past, confidence) if rule.kind == USUAL else _drop(rule, cell, past)


def _nothing(rule: Rule, past: Past) -> str:
    what = f"earlier evaluation of {past.run!r}" + (" that passed a gate" if rule.earlier == PASSED else "")
    if past.left_out:
        return f"the store has no {what} with these judgments, conventions and units, {past.left_out} with others"
    return f"the store has no {what} yet"


def _drop(rule: Rule, cell: Cell, past: Past) -> Held:
    means = np.array([one.mean for one in past.found])
    told = ""
    if rule.earlier == MEDIAN:
        reference, name = float(np.median(means)), f"median of last {len(means)}"
    else:
        place = int((means.argmin() if cell.falling else means.argmax()) if rule.earlier == BEST else 0)
        one = past.found[place]
        reference, name = one.mean, f"best of last {len(means)}" if rule.earlier == BEST else PASSED
        told = f", evaluation {one.id} of {one.made_at:%Y-%m-%d}"
    mean = float(cell.after.mean())
    drop = mean - reference if cell.falling else reference - mean
    limit = float(rule.limit or 0.0) * (abs(reference) if rule.relative else 1.0)
    reason = f"the mean is worse by {drop:.4f}" if drop > cell.off_mean else "the mean is not worse"
    reason += f" than the {name} ({reference:.4f}{told}), at most {limit:.4g} is allowed"
    return Held("pass" if drop <= limit + cell.off_mean else "fail", reason, drop, limit, reference, name)


def _usual(cell: Cell, past: Past, confidence: float) -> Held:
    """Whether the mean lies above the lower end of the one-sided prediction interval of one more mean.

    mean − t(confidence; n − 1) · s · √(1 + 1/n); means that are all the same leave no room.
    """
    means = np.array([one.mean for one in past.found])
    n, centre, mean = len(means), float(means.mean()), float(cell.after.mean())
    name = f"mean of last {n}"
    if n < LEAST:
        reason = f"the store has {n} earlier evaluation{'s' if n > 1 else ''} like this; {LEAST} are needed"
        return Held("undecided", reason, mean, math.nan, centre, name)
    spread = 0.0 if np.ptp(means) <= cell.off_mean else float(means.std(ddof=1))
    room = float(stdtrit(n - 1, confidence)) * spread * math.sqrt(1.0 + 1.0 / n)
    end = centre + room if cell.falling else centre - room
    good = mean <= end + cell.off_mean if cell.falling else mean >= end - cell.off_mean
    reason = f"the mean is {mean:.4f}, usual is {'at most' if cell.falling else 'at least'} {end:.4f}"
    reason += f" (prediction interval of {n} earlier evaluations)"
    return Held("pass" if good else "fail", reason, mean, end, centre, name)
