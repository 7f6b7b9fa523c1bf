"""What the tables of an evaluation of labels must not hold, and the errors that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames import expr
from ireval_frames.conventions.items import LabelPolicy
from ireval_frames.engines.base import SHOWN, Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, InvalidValue, MismatchedTables, listed
from ireval_frames.expr import col, lit
from ireval_frames.items.checks import once_each, weights
from ireval_frames.labels.tables import LabelTables

# Sums of weights beyond this overflow where they are multiplied by the parameters of measures.
LARGEST = 1e200


def checks(tables: LabelTables, policy: LabelPolicy) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    return [lambda: run_checks(tables.plan.engine, declared(tables, policy)), tables.plan.check]


def declared(tables: LabelTables, policy: LabelPolicy) -> Iterator[Check]:
    """What is looked at before the plan is."""
    yield from tables.inputs.checks
    if tables.weighted:
        yield weights(tables.inputs.items, "labels", joined=tables.inputs.tables == 2)
        yield _sum_of_weights(tables)
    if tables.inputs.probabilities is not None:
        yield _some_have_probabilities(tables, tables.inputs.probabilities)
    if policy.unlabelled == "error":
        yield Check(tables.inputs.unlabelled, lit(value=True), _without_label)
    if "item_id" in tables.inputs.columns:
        line = "Give every item one row, with all its labels." if tables.multi else "Give every item an id of its own."
        yield once_each(tables.inputs.items, tables.keys, "labels", line)


def _sum_of_weights(tables: LabelTables) -> Check:
    name = tables.inputs.found["weight"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"The weights of the labels table add up to {rows['total'][0]:g}; sums of up to {LARGEST:g} are allowed.",
            f"Divide them: frame.with_columns(pl.col({name!r}) / 1e200)",
        )

    total = tables.plan.engine.group(tables.inputs.items, (), [Aggregate("total", "sum", col("weight"))])
    return Check(total, col("total") > LARGEST, error)


def _some_have_probabilities(tables: LabelTables, probabilities: Frame) -> Check:
    """The classes of some labels have probabilities: classes may be spelt in two ways."""
    engine, inputs, of = tables.plan.engine, tables.inputs, col("class_id")
    labels = inputs.items.select(class_id=col("label").cast(inputs.class_type)) if inputs.gold is None else inputs.gold
    ours = inputs.distinct(labels.select("class_id").filter(~of.is_null()))
    if inputs.probability_classes:
        columns = pl.DataFrame({"class_id": inputs.probability_classes})
        theirs = engine.from_polars(columns).select(class_id=col("class_id").cast(inputs.class_type))
    else:
        theirs = inputs.distinct(probabilities.select("class_id"))
    met = engine.join(ours, theirs.with_columns(there=lit(1.0)), ("class_id",), "left")
    sums = [Aggregate("met", "sum", col("there")), Aggregate("n", "count", lit(1.0))]
    n = engine.join(
        engine.group(met, (), sums), engine.group(theirs, (), [Aggregate("theirs", "count", lit(1.0))]), (), "inner"
    )

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        del rows, count
        here, there = (
            listed(map(repr, engine.collect(frame.sort("class_id").head(SHOWN))["class_id"].sort()), 5)
            for frame in (ours, theirs)
        )
        return MismatchedTables(
            f"No label is a class that has probabilities: labels are {here}, probabilities are of {there}.",
            Hint("Name the classes as the labels do: ", Argument("probabilities", {"cat": "p_cat", "dog": "p_dog"})),
        )

    return Check(n, (col("n") > 0) & (col("theirs") > 0) & (col("met").fill_null(0.0) == 0.0), error)


def _without_label(rows: pl.DataFrame, count: int) -> MismatchedTables:
    del rows
    return MismatchedTables(
        f"{count} items have no label.", Hint("Leave them out: ", Argument("policy", "unlabelled=skip"), ".")
    )


def unlabelled(tables: LabelTables) -> int:
    """How many items have no label."""
    return int(tables.plan.engine.collect(tables.inputs.unlabelled.select(n=expr.len())).item())
