"""User models defined by users: a continuation function, registered as a measure."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.errors import InvalidParameter, InvalidValue
from ireval_frames.expr import Expr, lit
from ireval_frames.parameters import REQUIRED, Parameter, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.rank_grid import RankGrid
from ireval_frames.ranking.cwl.readers import DEPTH, MEASUREMENT, RESIDUAL, grid_reader
from ireval_frames.ranking.cwl.scales import MIN_REL, OPTIONAL_MAX_REL, any_gain, graded, require_span
from ireval_frames.ranking.parameters import JUDGED_ONLY, REL

Continuation = Callable[..., "Expr | float"]
SHARED = {
    "rel": REL,
    "min_rel": MIN_REL,
    "max_rel": OPTIONAL_MAX_REL,
    "measurement": MEASUREMENT,
    "residual": RESIDUAL,
    "max_depth": DEPTH,
    "judged_only": JUDGED_ONLY,
}
# Rounding may take sums and products of doubles out of 0 to 1 by this much.
SLACK = 1e-9
_own: set[str] = set()


def user_model(
    name: str,
    continuation: Continuation | None = None,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    source: str = "",
) -> Any:
    """Register a C/W/L measure by its continuation function: the probability of continuing from each rank to the next.

    The function gets the ranks of a list with `rank`, `gain`, `total_gain` (this rank included), `cost` and
    `total_cost` as columns, and returns an expression of them.  Its further arguments become parameters of the measure,
    numbers with these defaults.  The measure also takes `rel` (binary gains), or `min_rel` and `max_rel` (gains from 0
    to 1 on that scale), `measurement`, `residual`, `max_depth` and `judged_only`, as the others of the family do.

    Every list has a row per rank down to `max_depth`, 1000 by default, where the reader stops.

    Args:
        name: the measure's name; a user model of this name is replaced.
        continuation: the function; without it this is a decorator for one.
        parameters: declarations of its further arguments that are no plain numbers.
        source: the paper or tool.

    Returns:
        The measure; without a function, a decorator that returns it.

    Raises:
        InvalidParameter: the name is not an identifier or exists, or a default is not a number.
        InvalidValue: with the first result, where the function leaves 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> tired = ir.ranking.user_model("Tired", lambda ranks, p=0.9: p / (1 + ranks.total_gain))
        >>> ev = ir.evaluate(*ir.examples.ranking(), "Tired Tired(p=0.5,measurement='ED')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6914, 1.325]
    """
    if continuation is None:
        return lambda function: user_model(name, function, parameters=parameters, source=source)
    own = _parameters(name, continuation, dict(parameters or {}))

    def measure(
        q: Query,
        *,
        rel: float,
        min_rel: float,
        max_rel: float | None,
        measurement: str,
        residual: bool,
        max_depth: int,
        **values: Any,
    ) -> Expr:
        def continue_(grid: RankGrid) -> Expr:
            result = continuation(grid, **values)
            chance = grid.column(result if isinstance(result, Expr) else lit(float(result)), "continuation")
            _probability(q, grid, chance)
            return chance

        return grid_reader(q, graded(q, rel, min_rel, max_rel), continue_, max_depth, measurement, residual=residual)

    functools.update_wrapper(measure, continuation, assigned=(), updated=())
    measure.__doc__ = (
        inspect.getdoc(continuation) or f"The rate of gain of the readers of {name}, a user-defined model."
    )
    declared = catalog.measure(
        "ranking",
        name,
        parameters={**own, **SHARED},
        relevant=any_gain,
        formula="Σ W_i g_i with a user-defined continuation function",
        source=source or "yours",
        check=require_span,
        replace=name in _own,
    )(measure)
    _own.add(name)
    return declared


def _parameters(name: str, continuation: Continuation, declared: dict[str, Parameter]) -> dict[str, Parameter]:
    """The function's arguments after the first."""
    _, *arguments = inspect.signature(continuation).parameters.values()
    parameters = {}
    for argument in arguments:
        if argument.name in {*SHARED, *catalog.shared("ranking"), "aggregation"}:
            raise InvalidParameter(
                f"{name} has an argument {argument.name!r}, which all user models have.",
                "Give it another name.",
            )
        default = REQUIRED if argument.default is inspect.Parameter.empty else argument.default
        if argument.name not in declared and (
            isinstance(default, bool) or (default is not REQUIRED and not isinstance(default, int | float))
        ):
            raise InvalidParameter(
                f"{argument.name} of {name} is {default!r} by default, which is not a number.",
                f"Declare it: parameters={{{argument.name!r}: …}}, with ir.parameters.",
            )
        if argument.name in declared:
            parameters[argument.name] = declared.pop(argument.name)
        else:
            parameters[argument.name] = number(
                default if default is REQUIRED else float(default), f"an argument of {name}"
            )
    if declared:
        raise InvalidParameter(
            f"{name} declares parameters that its function does not take: {', '.join(declared)}.", "Leave them out."
        )
    return parameters


def _probability(q: Query, grid: RankGrid, chance: Expr) -> None:
    """Refuse a continuation function that leaves 0 to 1."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.sort("rank").row(0, named=True)
        return InvalidValue(
            f"The continuation function of {q.measure} gives {row[chance.name]!r} at rank "
            f"{row['rank']} of query_id"
            f" {row['query_id']!r} ({count} ranks in all); a probability is between 0 and 1.",
            "Keep it there, say with expression.clip(0, 1).",
        )

    q.tables.plan.require(grid.table, chance.is_null() | ~(chance >= -SLACK) | ~(chance <= 1.0 + SLACK), error)
