"""Profile intervals: the values of one parameter at which the best of all others is not much less likely.

With p(θ) the maximum over all other parameters where this one is θ, the interval is every θ with 2 (max p − p(θ)) ≤ c,
c the quantile of χ² with one degree of freedom.  Each p(θ) is a maximum of its own (`ascent`), so that a bound takes
some hundred E-steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ireval_frames.clicks.models.declared import Estimate, Estimates, Mask
from ireval_frames.clicks.models.estimation.ascent import Peak, maximise_freely
from ireval_frames.clicks.models.estimation.iteration import Step
from ireval_frames.clicks.models.options import Options
from ireval_frames.kernels.progress import Progress

# A bound beyond it is 0 or 1.
MAX_LOGIT = 18.0
# How close a bound is found, in logits.
TOLERANCE = 1e-5
MAX_ITERATIONS = 60


def profiled(
    step: Step,
    peak: Peak,
    options: Options,
    frozen: Mapping[str, Mask],
    requested: Mapping[str, Mask],
    confidence: float,
) -> Estimates:
    """The estimates with the intervals of those that are wanted; none for those that are frozen or fixed.

    Args:
        step: one E-step over all data.
        peak: the maximum.
        options: the prior, and the parameters that are fixed.
        frozen: by parameter, the values that stay.
        requested: by parameter, the values whose intervals are computed.
        confidence: of the intervals.
    """
    from scipy import special

    limit = float(special.chdtri(1.0, 1.0 - confidence))
    out: Estimates = {}
    with Progress("intervals") as progress:
        for name, value in peak.values.items():
            low, high = np.full((2, value.size), np.nan)
            free = requested[name] & ~frozen.get(name, np.zeros_like(requested[name])) & (peak.counts[name][1] > 0)
            places = [] if name in options.fixed else np.flatnonzero(free & ~np.isnan(value)).tolist()
            progress.expect(len(places))
            for place in places:
                low[place], high[place] = _bounds(step, peak, options, frozen, (name, place), limit)
                progress.done(1)
            out[name] = Estimate(*peak.counts[name], value, low.reshape(value.shape), high.reshape(value.shape))
    return out


def _bounds(
    step: Step, peak: Peak, options: Options, frozen: Mapping[str, Mask], of: tuple[str, int], limit: float
) -> tuple[float, float]:
    """Both ends for one value."""
    name, place = of
    value, n = float(peak.values[name].flat[place]), float(peak.counts[name][1].flat[place])
    mask = frozen.get(name, np.zeros(peak.values[name].shape, dtype=np.bool_)).copy()
    mask.flat[place] = True
    stays = {**frozen, name: mask}
    ends = []
    for sign in (-1.0, 1.0):
        near = peak.values

        def beyond(logit: float) -> float:
            """By how much the root of the fall in likelihood exceeds that of the limit."""
            nonlocal near
            at = near[name].copy()
            at.flat[place] = _share(logit)
            constrained = maximise_freely(step, {**near, name: at}, options, stays)
            near = constrained.values
            return float(np.sqrt(max(0.0, 2.0 * (peak.objective - constrained.objective)))) - float(np.sqrt(limit))

        ends.append(_end(beyond, value, n, sign, limit))
    return ends[0], ends[1]


def _share(logit: float) -> float:
    return float(1.0 / (1.0 + np.exp(-logit)))


def _end(beyond: Callable[[float], float], value: float, n: float, sign: float, limit: float) -> float:
    """Where a function that is below 0 at a value gets 0, on one side of it; 0 or 1 where it stays below."""
    edge = 0.0 if sign < 0 else 1.0
    inside = float(np.clip(value, _share(-MAX_LOGIT), _share(MAX_LOGIT)))
    at, below = float(np.log(inside / (1.0 - inside))), -float(np.sqrt(limit))
    # About the size of the interval if nothing were hidden; at 0 and 1 the bound is about limit / 2n away.
    step = float(np.sqrt(limit / max(n * inside * (1.0 - inside), limit / 4.0)))
    for _ in range(MAX_ITERATIONS):
        if abs(at + sign * step) > MAX_LOGIT and at * sign > 0:
            return edge
        other = float(np.clip(at + sign * step, -MAX_LOGIT, MAX_LOGIT))
        above = beyond(other)
        if above >= 0.0:
            break
        if abs(other) >= MAX_LOGIT and other * sign > 0:
            return edge
        at, below, step = other, above, 1.5 * step
    return _share(_root(beyond, at, below, other, above))


def _root(of: Callable[[float], float], a: float, fa: float, b: float, fb: float) -> float:
    """Where a function gets 0 between two places (the Illinois method)."""
    for _ in range(MAX_ITERATIONS):
        if abs(b - a) <= TOLERANCE or fb == 0.0:
            break
        c = (a * fb - b * fa) / (fb - fa)
        fc = of(c)
        if (fc > 0.0) == (fb > 0.0):
            fa *= 0.5
        else:
            a, fa = b, fb
        b, fb = c, fc
        if abs(fc) <= TOLERANCE:
            break
    return b
