"""Checks that families of documents share, and what policies about rows affect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import IrevalError
from ireval_frames.expr import Expr, col, lit
from ireval_frames.ratios import indicator


def some_occur(inputs: DocumentInputs, condition: Expr, error: Callable[[], IrevalError]) -> Check:
    """A row of either table meets a condition, if there are rows; else what the user named is not in the tables."""
    engine, met = inputs.engine, indicator(condition.fill_null(False))  # noqa: FBT003 - of a condition
    gold, predicted = (
        engine.group(
            inputs.rows[side], (), [Aggregate(f"n_{side}", "count", lit(1.0)), Aggregate(f"met_{side}", "sum", met)]
        )
        for side in SIDES
    )
    n, n_met = (col(f"{name}_gold").fill_null(0.0) + col(f"{name}_predicted").fill_null(0.0) for name in ("n", "met"))
    return Check(engine.join(gold, predicted, (), "inner"), (n > 0) & (n_met == 0), lambda *_: error())


def equal_rows(inputs: DocumentInputs, columns: Sequence[str], what: str) -> str:
    """How many rows of each table are equal to another one of their document in all columns that both have."""
    engine, more = inputs.engine, []
    for side in SIDES:
        counted = engine.group(inputs.rows[side], inputs.key_of(side, *columns), [Aggregate("n", "count", lit(1.0))])
        total = engine.numbers(engine.group(counted, (), [Aggregate("more", "sum", col("n") - 1.0)]))
        more.append(f"{int(total['more'] or 0):,} {side}")
    return f"{', '.join(more)} {what} more"
