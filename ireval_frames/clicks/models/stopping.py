"""Iterations that stopped before they were done: what of a model they concern, and the warning that says so."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.declared import PAIR, ClickModel, Codes, Estimates, Trace
from ireval_frames.clicks.models.options import Options
from ireval_frames.errors import ConvergenceWarning, warn


def groups_of(model: ClickModel[Any], keys: Keys, name: str, size: int) -> Codes:
    """The number of the group of each value of a parameter, flat."""
    (parameter,) = (p for p in model.parameters if p.name == name)
    if parameter.keys == PAIR:
        return keys.of_pair
    if parameter.keys[:2] == PAIR:
        return keys.of_pair[keys.places // max(1, keys.longest)]
    return np.repeat(np.arange(keys.n_groups), size // max(1, keys.n_groups))


def marked(model: ClickModel[Any], keys: Keys, estimates: Estimates, trace: Trace, options: Options) -> Estimates:
    """The estimates, with words for those that are fixed, at 0 or 1, or of a group whose iteration stopped early.

    With a tolerance of 0 a number of steps was asked for, and nobody is warned.
    """
    if trace.moved is None:
        return estimates
    still = np.zeros(keys.n_groups, dtype=np.bool_)
    for name, far in trace.moved.items():
        still[groups_of(model, keys, name, far.size)[far.ravel() > options.tolerance]] = True
    out = {}
    for name, e in estimates.items():
        odd = np.full(e.value.size, "", dtype="U13")
        value = e.value.ravel()
        odd[(value <= 0.0) | (value >= 1.0)] = "unbounded"
        odd[still[groups_of(model, keys, name, e.value.size)]] = "not_converged"
        if name in options.fixed:
            odd[:] = "fixed"
        out[name] = dataclasses.replace(e, odd=odd.reshape(e.value.shape))
    if still.any() and options.tolerance > 0:
        of = f" in {still.sum()} of {len(still)} groups" if len(still) > 1 else ""
        warn(
            f"{model.name} stopped after {len(trace.changes)} iterations{of}, the last of which changed a value by "
            f"{trace.changes[-1]:.2g}, more than the tolerance {options.tolerance:g}. Allow more iterations "
            f"({10 * options.iterations}), or a larger tolerance.",
            ConvergenceWarning,
        )
    return out
