"""Rows of gold and predictions that are equal by some of their columns, their counts, and ratios of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames import per
from ireval_frames.columns.schema import UNTYPED
from ireval_frames.documents.context import DocumentContext
from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import class_type
from ireval_frames.kernels.means import sums_of_defined
from ireval_frames.parameters import Parameter, choice
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

AVERAGE: Parameter = choice(
    "micro", "macro", "weighted", what="counts of all types, the mean over types, or by their number in the gold"
)


@dataclass(frozen=True)
class Counts:
    """Numbers of a unit, or of a type of it.

    Attributes:
        gold: of the gold.
        predicted: of the predictions.
        correct: of the gold that the predictions have.
        correct_predicted: of the predictions that the gold has; where one matches one, the same number.
    """

    gold: per.Counted
    predicted: per.Counted
    correct: per.Counted
    correct_predicted: per.Counted


@dataclass(frozen=True)
class Compared:
    """What gold and predictions have, a row each.

    Attributes:
        table: the rows.
        kind: the column of their types, if they have types.
        counts: the numbers of each row, as expressions of the table.
    """

    table: Table
    kind: str | None
    counts: Counts


def united(
    name: str,
    keys: Sequence[str],
    sides: Mapping[str, Table],
    columns: Mapping[str, Mapping[str, Expr]],
    flags: Mapping[str, Mapping[str, Expr]] | None = None,
    where: Expr | None = None,
) -> tuple[Table, Table]:
    """The rows of both sides, and the table of a row per distinct columns of them.

    Args:
        name: what the table is called.
        keys: the columns of documents.
        sides: the tables of gold and of predictions.
        columns: by side, what must be equal.
        flags: by side, further columns of the rows.
        where: the rows that count.
    """
    plan, names = sides["gold"].plan, (*keys, *columns["gold"])
    parts = [
        (
            sides[side],
            {k: col(k) for k in keys}
            | dict(columns[side])
            | {f"in_{s}": lit(1.0 if s == side else 0.0) for s in SIDES}
            | dict((flags or {}).get(side, {})),
        )
        for side in SIDES
    ]
    rows = plan.concat(f"{name}_of_sides", names, *parts, where=where)
    return rows, plan.grouped(name, rows, *names)


def equal_rows(rows: Table, table: Table, kind: str | None, *, repeated: bool) -> Compared:
    """The counts of rows that are equal in all columns of a table; `repeated` counts each row of the predictions."""
    gold, predicted = (rows.sum(col(f"in_{side}"), into=table) for side in SIDES)
    in_gold, in_predicted = indicator(gold > 0), indicator(predicted > 0)
    correct = table.column(in_gold * in_predicted, "correct")
    number = predicted if repeated else table.column(in_predicted, "predicted")
    return Compared(table, kind, Counts(table.column(in_gold, "gold"), number, correct, correct))


def summed(c: DocumentContext[Any], compared: Compared, into: Table | None = None) -> Counts:
    """The counts of the current unit, or of the rows of a table of types."""
    n = compared.counts
    gold, predicted, correct = (c.sum(compared.table, e, into) for e in (n.gold, n.predicted, n.correct))
    one_to_one = n.correct is n.correct_predicted
    return Counts(gold, predicted, correct, correct if one_to_one else c.sum(compared.table, n.correct_predicted, into))


def averaged(c: DocumentContext[Any], compared: Compared, value: Callable[[Counts], Expr], average: str) -> Expr:
    """A value of the counts of all types, or the mean of the values of types that have one."""
    if average == "micro" or compared.kind is None:
        return value(summed(c, compared))
    types = c.per(f"types_of_{compared.table.name}", compared.table, compared.kind)
    n = summed(c, compared, types)
    weight = n.gold if average == "weighted" else None
    return c.ratio(*sums_of_defined(types, types.column(value(n)), weight, into=c.unit))


def f_value(c: DocumentContext[Any], n: Counts, beta: float) -> Expr:
    """(1+β²)·P·R / (β²·P + R): 0 where nothing is correct, undefined without gold and predictions."""
    b = beta * beta
    if n.correct is n.correct_predicted:
        return c.ratio((1.0 + b) * n.correct, b * n.gold + n.predicted)
    precision, recall = ratio(n.correct_predicted, n.predicted), ratio(n.correct, n.gold)
    both = (n.correct > 0) & (n.correct_predicted > 0)
    value = when(both).then(ratio((1.0 + b) * precision * recall, b * precision + recall)).otherwise(0.0)
    return when(b * n.gold + n.predicted > 0).then(value).otherwise(c.undefined)


def equal_sets(c: DocumentContext[Any], compared: Compared) -> Expr:
    """The share of documents in which gold and predictions are equal."""
    n, documents = compared.counts, c.tables.documents
    different = compared.table.sum(n.gold + n.predicted - 2.0 * n.correct, into=documents)
    return c.ratio(c.over_documents(indicator(different == 0)), c.num_documents)


def type_of_both(inputs: DocumentInputs, *columns: str) -> Any:
    """The type in which columns of classes are compared, of both sides and with each other.

    Raises:
        WrongType: one holds no classes.
        MismatchedTables: one holds text, another numbers.
    """
    names = {f"{side}.{c}": (side, inputs.columns[side].get(c, c)) for side in SIDES for c in columns}
    types = {key: inputs.frames[side].dtype(name) for key, (side, name) in names.items()}
    known = {key: dtype for key, dtype in types.items() if dtype not in UNTYPED}
    if not known:
        return pl.String
    return class_type(known, {key: n for key, (_, n) in names.items()}, {key: side for key, (side, _) in names.items()})
