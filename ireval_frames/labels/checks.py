"""What the tables of an evaluation of labels must not hold, and the errors that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames import expr
from ireval_frames.conventions.items import LabelPolicy
from ireval_frames.engines.base import SHOWN, Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, InvalidValue, IrevalWarning, MismatchedTables, listed, warn
from ireval_frames.expr import col, lit
from ireval_frames.items.checks import unique_items, weights
from ireval_frames.labels.tables import LabelTables

# Larger sums of weights could overflow when multiplied by parameters of measures.
MAX_WEIGHT = 1e200


def checks(tables: LabelTables, policy: LabelPolicy) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    return [lambda: run_checks(tables.plan.engine, declared(tables, policy)), tables.plan.check]


def declared(tables: LabelTables, policy: LabelPolicy) -> Iterator[Check]:
    """The checks of the inputs."""
    yield from tables.inputs.checks
    if tables.weighted:
        yield weights(
            tables.inputs.items, "labels", tables.inputs.user_columns["weight"], joined=tables.inputs.tables == 2
        )
        yield _sum_of_weights(tables)
    if policy.unlabelled == "error":
        yield Check(tables.inputs.unlabelled, lit(value=True), _without_label)
    if "item_id" in tables.inputs.columns:
        line = "Give every item one row, with all its labels." if tables.multi else "Give every item an id of its own."
        yield unique_items(tables.inputs.items, tables.keys, "labels", line)
    if tables.inputs.probabilities is not None:
        # SQL text can refuse rows, but not warn of them.
        warns = policy.missing == "empty" and not tables.plan.engine.writes_sql
        yield _common_classes(tables, tables.inputs.probabilities, warns=warns)


def _sum_of_weights(tables: LabelTables) -> Check:
    name = tables.inputs.user_columns["weight"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"The weights of the labels table add up to {rows['total'][0]:g}; the largest sum is {MAX_WEIGHT:g}.",
            f"Divide them: frame.with_columns(pl.col({name!r}) / 1e200)",
        )

    total = tables.plan.engine.group(tables.inputs.items, (), [Aggregate("total", "sum", col("weight"))])
    return Check(total, col("total") > MAX_WEIGHT, error)


def _common_classes(tables: LabelTables, probabilities: Frame, *, warns: bool) -> Check:
    """Some labels are classes that have probabilities; classes may be spelt differently.

    Args:
        tables: the tables.
        probabilities: the probabilities of classes.
        warns: whether classes without probabilities, whose items are left out, give a warning.
    """
    engine, inputs, class_id = tables.plan.engine, tables.inputs, col("class_id")
    label_classes = inputs.distinct(inputs.labels().select("class_id").filter(~class_id.is_null()))
    if inputs.probability_classes:
        columns = pl.DataFrame({"class_id": inputs.probability_classes})
        classes = engine.from_polars(columns).select(class_id=col("class_id").cast(inputs.class_type))
    else:
        classes = inputs.distinct(probabilities.select("class_id"))
    joined = engine.join(label_classes, classes.with_columns(known=lit(1.0)), ("class_id",), "left")
    sums = [Aggregate("common", "sum", col("known")), Aggregate("n_labels", "count", lit(1.0))]
    n_classes = engine.group(classes, (), [Aggregate("n_classes", "count", lit(1.0))])
    counts = engine.join(engine.group(joined, (), sums), n_classes, (), "inner")

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables | None:
        del count
        if warns and rows["common"][0]:
            _warn_of_classes(tables, engine.collect(joined.filter(col("known").is_null()))["class_id"])
            return None
        labels, others = (
            listed(map(repr, engine.collect(frame.sort("class_id").head(SHOWN))["class_id"].sort()), 5)
            for frame in (label_classes, classes)
        )
        return MismatchedTables(
            f"No label is a class that has probabilities: labels are {labels}, probabilities are of {others}.",
            Hint("Name the classes as the labels do: ", Argument("probabilities", {"cat": "p_cat", "dog": "p_dog"})),
        )

    common = col("common").fill_null(0.0)
    bad = common < col("n_labels") if warns and not tables.multi else common == 0.0
    return Check(counts, (col("n_labels") > 0) & (col("n_classes") > 0) & bad, error)


def _warn_of_classes(tables: LabelTables, classes: pl.Series) -> None:
    """Warn of labels that have no probability, whose items are left out."""
    labels = tables.inputs.labels().filter(~col("class_id").is_null())
    counts = tables.plan.engine.collect(
        tables.plan.engine.group(labels, ("class_id",), [Aggregate("n", "count", lit(1.0))])
    )
    left_out, n = counts.filter(pl.col("class_id").is_in(classes.implode()))["n"].sum(), counts["n"].sum()
    warn(
        f"No probabilities are of the class {listed(map(repr, classes.sort()), 5)}, the label of {left_out:,.0f} of "
        f"{n:,.0f} items: measures of probabilities leave these out.  Name every class in probabilities=.",
        IrevalWarning,
    )


def _without_label(rows: pl.DataFrame, count: int) -> MismatchedTables:
    del rows
    return MismatchedTables(
        f"{count} items have no label.", Hint("Leave them out: ", Argument("policy", "unlabelled=skip"), ".")
    )


def unlabelled(tables: LabelTables) -> int:
    """The number of items without a label."""
    return int(tables.plan.engine.collect(tables.inputs.unlabelled.select(n=expr.len())).item())
