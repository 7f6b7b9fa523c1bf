"""Expectation maximisation: steps from values to values until they change little."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ireval_frames.clicks.models.blocks import total
from ireval_frames.clicks.models.declared import Array, Estimates, Trace, Values
from ireval_frames.clicks.models.options import Options
from ireval_frames.kernels.progress import Progress

# From values to the expected counts under them, and the log-likelihood of the data under them.
Step = Callable[[Values], tuple[dict[str, tuple[Array, Array]], float]]


def maximised(
    step: Step, first: Values, options: Options, make: Callable[[Array, Array], Array]
) -> tuple[dict[str, Array], dict[str, tuple[Array, Array]], Trace]:
    """The values after the last step, the expected counts they were made of, and how it went.

    Args:
        step: one E-step over all data.
        first: where it begins.
        options: how often, and until when; parameters that are fixed keep their first values.
        make: values from hits and trials.
    """
    values: dict[str, Array] = {name: np.array(v, dtype=np.float64) for name, v in first.items()}
    likelihoods: list[float] = []
    objectives: list[float] = []
    changes: list[float] = []
    with Progress("iterations") as progress:
        progress.expect(options.iterations)
        while True:
            counts, likelihood = step(values)
            likelihoods.append(likelihood)
            objectives.append(
                likelihood + sum(_density(v, options.prior) for k, v in values.items() if k not in options.fixed)
            )
            if len(changes) == options.iterations or (changes and changes[-1] <= options.tolerance):
                break
            made = {k: values[k] if k in options.fixed else make(*counts[k]) for k in values}
            changes.append(max((_far(made[k], values[k]) for k in made), default=0.0))
            values = made
            progress.done(1)
    return (
        values,
        counts,
        Trace(tuple(likelihoods), tuple(objectives), tuple(changes), changes[-1] <= options.tolerance),
    )


def _far(one: Array, other: Array) -> float:
    return float(np.nanmax(np.abs(one - other), initial=0.0))


def _density(values: Array, prior: tuple[float, float]) -> float:
    """The logarithm of the density of Beta(a + 1, b + 1), whose mode (hits + a) / (n + a + b) is."""
    a, b = prior

    def block(of: Array) -> float:
        known = of[~np.isnan(of)]
        with np.errstate(divide="ignore"):
            return (a * float(np.log(known).sum()) if a else 0.0) + (b * float(np.log1p(-known).sum()) if b else 0.0)

    return total(block, values) if a or b else 0.0


def begun(shapes: dict[str, tuple[int, ...]], options: Options, start: Values | None) -> dict[str, Array]:
    """Where each parameter begins: its initial value, or that of a former fit where it has one.

    Values at 0 and 1 would stay there, so that those of a former fit are moved inside a bit.
    """
    out = {}
    for name, shape in shapes.items():
        made = np.full(shape, options.begins(name))
        if start is not None and name in start and name not in options.fixed:
            former = np.clip(start[name], 1e-6, 1.0 - 1e-6)
            made = np.where(np.isnan(former), made, former)
        out[name] = made
    return out


def finished(
    values: dict[str, Array], counts: dict[str, tuple[Array, Array]], trace: Trace, prior: tuple[float, float]
) -> tuple[Estimates, Trace]:
    """The estimates; where nothing was counted and no prior speaks, there is no value."""
    from ireval_frames.clicks.models.declared import Estimate

    out: Estimates = {}
    for name, value in values.items():
        hits, n = counts[name]
        out[name] = Estimate(hits, n, np.where(n + prior[0] + prior[1] > 0, value, np.nan))
    return out, trace
