"""Differences of systems in units of the spread that all of them have in common."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.effects.standardized import Estimate, interval_of_t
from ireval_frames.stats.joint import jointly
from ireval_frames.stats.registry import effect_size
from ireval_frames.stats.sample import Options, Sample


@effect_size("d_hsd", design="all", source="Sakai, SIGIR Forum 2014")
def d_hsd(sample: Sample, options: Options) -> Estimate:
    """Mean difference over the residual standard deviation of the two-way table units × systems: d̄ / √V_E.

    The interval turns the noncentral t round, of d̄ / √(2·V_E / n) with (m − 1)(n − 1) degrees of freedom, times √(2/n).
    0 for identical systems, ±∞ without interval where V_E is 0, undefined for fewer than two units.

    Source: Sakai, SIGIR Forum 2014 (ES of Tukey's HSD).

    Example:
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> [x.round(3).tolist() for x in d_hsd(Sample(values, np.array([[0, 1]])), Options())]
        [[3.273], [0.954], [5.505]]
    """
    joint = jointly(sample)
    same, ok = joint.status == "identical", joint.status == "ok"
    shifted = joint.status == "constant_shift"
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(ok, joint.difference / np.sqrt(joint.error), np.nan)
        scale = np.sqrt(2.0 / joint.units) if joint.units else np.nan
        ends = interval_of_t(value / scale, np.full(len(value), joint.df), options.confidence)
    value[same], value[shifted] = 0.0, np.copysign(np.inf, joint.difference[shifted])
    low, high = (np.where(same, 0.0, np.where(ok, x * scale, np.nan)) for x in ends)
    return value, low, high
