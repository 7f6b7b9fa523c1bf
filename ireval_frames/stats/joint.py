"""All systems at once over the units that all of them have: their differences against one common spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.rounding import no_residuals
from ireval_frames.stats.sample import Array, Outcome, Sample, Words


@dataclass(frozen=True, eq=False)
class Joint:
    """The two-way table units × systems without its gaps.

    Attributes:
        sample: the units that all systems have.
        difference: system − baseline of the means, an element per pair.
        error: V_E, the mean square of the residuals of units and systems; NaN for fewer than two units.
        df: its degrees of freedom, (systems − 1)(units − 1).
        status: of each pair; "identical", "one_unit", "no_units", "constant_shift" where V_E is 0, or "ok".
    """

    sample: Sample
    difference: Array
    error: float
    df: float
    status: Words

    @property
    def units(self) -> int:
        """How many units."""
        return len(self.sample.values)

    @property
    def systems(self) -> int:
        """How many systems."""
        return int(self.sample.values.shape[1])

    @property
    def se(self) -> float:
        """The standard error of one system's mean beside the unit's: √(V_E / n)."""
        return float(np.sqrt(self.error / self.units)) if self.units else np.nan

    @property
    def varies(self) -> bool:
        """Whether there is a spread to divide by."""
        return bool(self.se > 0)


def complete(values: Array) -> Array:
    """The units that all systems have."""
    return values[~np.isnan(values).any(axis=1)]


def residuals(values: Array) -> Array:
    """The residuals of units and systems, for a table without gaps."""
    by_unit = values - values.mean(axis=1, keepdims=True)
    return np.asarray(by_unit - by_unit.mean(axis=0))


def jointly(sample: Sample) -> Joint:
    """The sample's units that all systems have, and their common spread."""
    values = complete(sample.values)
    common = Sample(values, sample.pairs)
    d = difference_moments(common)
    n, m = values.shape
    status = np.where(d.status == "constant_shift", "ok", d.status).astype(d.status.dtype)
    if n < 2:
        return Joint(common, d.mean, np.nan, np.nan, status)
    df = float((n - 1) * (m - 1))
    left = residuals(values)
    error = float(np.square(left).sum()) / df
    if no_residuals(values, left):
        error = 0.0
        status[status == "ok"] = "constant_shift"
    return Joint(common, d.mean, error, df, status)


def untested(joint: Joint) -> Outcome:
    """The outcome where there is no spread to divide by."""
    return outcome_of(joint, joint.difference, joint.difference, 0.0, joint.df)


def outcome_of(joint: Joint, statistic: Array, p: Array, width: Array | float, df: float) -> Outcome:
    """The outcome of a test by one spread, with difference ± width as interval; what is undefined is left out."""
    out = Outcome.empty(len(statistic))
    out.status = joint.status
    ok, same, shifted = (joint.status == word for word in ("ok", "identical", "constant_shift"))
    out.statistic = np.where(ok, statistic, np.where(shifted, np.copysign(np.inf, joint.difference), np.nan))
    out.p_value = np.where(ok, p, np.nan)
    out.df = np.where(ok | same | shifted, df, np.nan)
    out.ci_low = np.where(ok, joint.difference - width, np.where(shifted, joint.difference, np.nan))
    out.ci_high = np.where(ok, joint.difference + width, np.where(shifted, joint.difference, np.nan))
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.p_value[same] = 1.0
    return out
