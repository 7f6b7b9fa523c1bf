"""Expectation maximisation: steps from values to values until they change little."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

from ireval_frames.clicks.models.counts.blocks import total
from ireval_frames.clicks.models.declared import Array, ClickModel, Data, Estimate, Estimates, Mask, Trace, Values
from ireval_frames.clicks.models.estimation.shares import share
from ireval_frames.clicks.models.options import Options
from ireval_frames.kernels.progress import Progress

# From values to the expected counts under them, and the log-likelihood of the data under them.
Counts = dict[str, tuple[Array, Array]]
Step = Callable[[Values], tuple[Counts, float]]


class Iterated(ClickModel[Data]):
    """A model that is fitted by iteration.

    Attributes:
        pairs_independent: no term of the likelihood has two pairs, whatever pages they share.
    """

    closed: ClassVar[bool] = False
    pairs_independent: ClassVar[bool] = False

    @abstractmethod
    def e_step(self, data: Data) -> tuple[Step, dict[str, tuple[int, ...]]]:
        """The E-step over data, and the shapes of the arrays of its parameters."""

    def scale(self, data: Data) -> dict[str, Mask]:
        """By parameter, the values that others are only known in proportion to."""
        del data
        return {}

    def fit(self, data: Data, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Expectation maximisation; every E-step is exact."""
        step, shapes = self.e_step(data)
        values, counts, trace = maximised(step, initial_values(shapes, options, start), options)
        return to_estimates(values, counts, options.prior), trace


def m_step(counts: Counts, prior: tuple[float, float]) -> dict[str, Array]:
    """The M-step: values from hits and trials, which rounding may leave a bit below the hits."""
    return {name: share(np.minimum(hits, n), n, prior) for name, (hits, n) in counts.items()}


def maximised(step: Step, first: Values, options: Options) -> tuple[dict[str, Array], Counts, Trace]:
    """The values after the last step, the expected counts they come from, and whether it converged.

    Args:
        step: one E-step over all data.
        first: where it begins.
        options: how often, and until when; parameters that are fixed keep their first values.
    """
    values: dict[str, Array] = {name: np.array(v, dtype=np.float64) for name, v in first.items()}
    likelihoods: list[float] = []
    objectives: list[float] = []
    changes: list[float] = []
    last_change: dict[str, Array] = {}
    with Progress("iterations") as progress:
        progress.expect(options.iterations)
        while True:
            counts, likelihood = step(values)
            likelihoods.append(likelihood)
            objectives.append(likelihood + density(values, options))
            if len(changes) == options.iterations or (changes and changes[-1] <= options.tolerance):
                break
            after = {k: values[k] if k in options.fixed else v for k, v in m_step(counts, options.prior).items()}
            # Values without data stay at their start and are NaN only in the end: NaN would spread.
            after = {k: np.where(np.isnan(v), values[k], v) for k, v in after.items()}
            last_change = {k: np.abs(after[k] - values[k]) for k in after}
            changes.append(max((float(np.nanmax(far, initial=0.0)) for far in last_change.values()), default=0.0))
            values = after
            progress.done(1)
    return (
        values,
        counts,
        Trace(tuple(likelihoods), tuple(objectives), tuple(changes), changes[-1] <= options.tolerance, last_change),
    )


def density(values: Mapping[str, Array], options: Options) -> float:
    """Σ of the logarithm of the density of Beta(a + 1, b + 1), whose mode (hits + a) / (n + a + b) is."""
    a, b = options.prior

    def block(of: Array) -> float:
        known = of[~np.isnan(of)]
        with np.errstate(divide="ignore"):
            return (a * float(np.log(known).sum()) if a else 0.0) + (b * float(np.log1p(-known).sum()) if b else 0.0)

    return sum(total(block, v) for k, v in values.items() if k not in options.fixed) if a or b else 0.0


def initial_values(shapes: dict[str, tuple[int, ...]], options: Options, start: Values | None) -> dict[str, Array]:
    """Where each parameter begins: its initial value, or that of a former fit where it has one.

    Values at 0 and 1 would stay there, so that those of a former fit are moved inside a bit.
    """
    out = {}
    for name, shape in shapes.items():
        m_step = np.full(shape, options.initial_value(name))
        if start is not None and name in start and name not in options.fixed:
            former = np.clip(start[name], 1e-6, 1.0 - 1e-6)
            m_step = np.where(np.isnan(former), m_step, former)
        out[name] = m_step
    return out


def to_estimates(values: Mapping[str, Array], counts: Counts, prior: tuple[float, float]) -> Estimates:
    """The estimates; where nothing was counted and no prior speaks, there is no value."""
    known = {name: counts[name][1] + sum(prior) > 0 for name in values}
    return {name: Estimate(*counts[name], np.where(known[name], v, np.nan)) for name, v in values.items()}
