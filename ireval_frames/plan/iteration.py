"""Iteration: a plan whose result is the input of the next one, as expectation maximisation needs it.

The state is a table that the engine computes and stores between iterations; every iteration is a plan of its own over
it, so the hundredth costs what the first did.  Only one number of each leaves the engine: how much the state changed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import col, max_horizontal, when
from ireval_frames.plan.planning import Plan
from ireval_frames.plan.tables import Table

Step = Callable[[Plan, Table], Table]


@dataclass(frozen=True)
class Iterated:
    """The result of an iteration.

    Attributes:
        state: the last state, which the engine stores until it is closed.
        changes: the largest change of a value in each iteration.
        converged: whether the last change was at most the tolerance.
    """

    state: Frame
    changes: tuple[float, ...]
    converged: bool

    @property
    def iterations(self) -> int:
        """The number of iterations."""
        return len(self.changes)


def iterate(
    engine: Engine,
    start: Frame | pl.DataFrame,
    keys: Sequence[str],
    step: Step,
    *,
    until: float = 1e-6,
    at_most: int = 100,
) -> Iterated:
    """Compute states from states until they change little.

    Run it in `engine.scope()`, which releases the states at its end, also after an error.

    Args:
        engine: where it runs.
        start: the first state; all columns but the keys are numbers.
        keys: what one row of a state is; every state has the same rows.
        step: gives a table with the columns of the state, in a plan, from the table of the state.
        until: the largest change of any value at which it ends.
        at_most: the largest number of iterations.

    Raises:
        InvalidParameter: `until` is negative, or `at_most` is not a whole number of at least 1.
    """
    if until < 0 or isinstance(at_most, bool) or not isinstance(at_most, int) or at_most < 1:
        raise InvalidParameter(
            f"until is {until!r} and at_most {at_most!r}; allowed: a tolerance from 0 on, and at least one iteration.",
            "Write until=1e-6, at_most=100.",
        )
    state = engine.materialise(engine.from_polars(start) if isinstance(start, pl.DataFrame) else start)
    changes: list[float] = []
    while len(changes) < at_most and (not changes or changes[-1] > until):
        plan = Plan(engine)
        frame = step(plan, plan.input("state", keys, state)).frame().select(*state.columns)
        following = engine.materialise(frame)
        changes.append(_change(engine, state, following, keys))
        engine.release(state)
        state = following
    return Iterated(state, tuple(changes), changes[-1] <= until)


def _change(engine: Engine, before: Frame, after: Frame, keys: Sequence[str]) -> float:
    """The largest change of a value of a row that both have; infinite where one has a value and the other none."""
    values = [c for c in before.columns if c not in keys]
    old = before.select(*keys, **{f"before_{c}": col(c) for c in values})
    both = engine.join(after, old, keys, "left")
    distances = [(col(c) - col(f"before_{c}")).abs() for c in values]
    changed = [
        when(col(c).is_null() & col(f"before_{c}").is_null()).then(0.0).otherwise(e.fill_null(float("inf")))
        for c, e in zip(values, distances, strict=True)
    ]
    largest = functools.reduce(max_horizontal, changed)
    return float(engine.collect(engine.group(both, (), [Aggregate("change", "max", largest)])).item() or 0.0)
