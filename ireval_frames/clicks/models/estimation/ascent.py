"""The maximum of the likelihood where some values are frozen: steps of expectation maximisation, with leaps.

Steps of EM go one way ever more slowly.  From two of them, r = x₁ − x₀ and v = (x₂ − x₁) − r, a leap goes to
x₀ + 2 s r + s² v with s = |r| / |v|; it counts where it is no less likely than x₁ (SQUAREM; Varadhan & Roland,
Scandinavian Journal of Statistics 2008).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ireval_frames.clicks.models.declared import Array, Mask, Values
from ireval_frames.clicks.models.estimation.iteration import Counts, Step, density, m_step
from ireval_frames.clicks.models.options import Options

# What the maximum may lie above the value found: far below what intervals look for.
TOLERANCE = 1e-7
MAX_ITERATIONS = 3000
# Values that a leap takes out of 0 to 1 go so much of the way instead.
LEAP_SHARE = 0.9


@dataclass(frozen=True)
class Peak:
    """Where it ended.

    Attributes:
        values: by parameter.
        counts: the expected counts there.
        objective: the log-likelihood, with the logarithm of the prior's density.
        converged: whether it cannot be much higher elsewhere.
    """

    values: dict[str, Array]
    counts: Counts
    objective: float
    converged: bool = True


def evaluated(step: Step, values: Values, options: Options) -> Peak:
    """The expected counts and the objective at values."""
    counts, likelihood = step(values)
    return Peak(dict(values), counts, likelihood + density(values, options))


def maximise_freely(step: Step, start: Values, options: Options, frozen: Mapping[str, Mask]) -> Peak:
    """The maximum over all values that are not frozen, from a point near it.

    Args:
        step: one E-step over all data.
        start: where it begins.
        options: the prior, and the parameters that are fixed.
        frozen: by parameter, the values that stay.
    """
    here = evaluated(step, start, options)
    for _ in range(MAX_ITERATIONS):
        one = evaluated(step, _next(here, options, frozen), options)
        two = _next(one, options, frozen)
        leap, length = _leap(here.values, one.values, two)
        target = evaluated(step, leap, options)
        if not target.objective >= one.objective:
            target = evaluated(step, two, options)
        gain, here = one.objective - here.objective, target
        # A way that shrinks by 1 − 1/s a step has about s² times the gain of one step before it.
        if not gain * length * length > max(TOLERANCE, 1e-14 * abs(here.objective)):
            return here
    return replace(here, converged=False)


def _next(of: Peak, options: Options, frozen: Mapping[str, Mask]) -> dict[str, Array]:
    """The M-step; frozen, fixed and undefined values stay."""
    out = {}
    for name, value in m_step(of.counts, options.prior).items():
        before = of.values[name]
        stays = np.isnan(value) | frozen[name] if name in frozen else np.isnan(value)
        out[name] = before if name in options.fixed else np.where(stays, before, value)
    return out


def _leap(zero: Values, one: Values, two: Values) -> tuple[dict[str, Array], float]:
    """Where the leap goes, and s."""
    r = {k: one[k] - zero[k] for k in zero}
    v = {k: two[k] - one[k] - r[k] for k in zero}
    speed, bend = (float(np.sqrt(sum(np.nansum(x * x) for x in of.values()))) for of in (r, v))
    s = max(1.0, speed / bend) if bend > 0.0 else 1.0
    out = {}
    for k, to in two.items():
        leap = zero[k] + 2.0 * s * r[k] + s * s * v[k]
        leap = np.where(leap <= 0.0, to * (1.0 - LEAP_SHARE), leap)
        out[k] = np.where(leap >= 1.0, 1.0 - (1.0 - to) * (1.0 - LEAP_SHARE), leap)
    return out, s
