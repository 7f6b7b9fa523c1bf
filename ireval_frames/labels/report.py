"""The confusion table as a frame, and the classification report that is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.kernels.contingency import cross_table
from ireval_frames.labels.result import LabelEvaluation
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table
from ireval_frames.policy import LabelPolicy
from ireval_frames.subject import Subject

Labels = Subject[LabelPolicy, LabelEvaluation]

Normalize = Literal["label", "prediction", "all"]
AVERAGES = ("micro", "macro", "weighted")
MEASURES = ("Precision", "Recall", "F1")


def confusion(tables: LabelTables, normalize: Normalize | None = None) -> tuple[Table, dict[str, nw.Expr]]:
    """[keys] label prediction count [share], the cells that occur; the keys under their aliases."""
    if tables.multi:
        raise NotDefined(
            "Items with sets of labels have no confusion table.",
            Hint("Ask for ", Argument("per_class", written="per_class()"), " of measures of one class."),
        )
    sides = {side: nw.col(side) for side in ("label", "prediction")}
    return cross_table(tables.cells, tables.keys, sides, tables.cell_weight, normalize)


def order_of_cells(tables: LabelTables) -> list[pl.Expr]:
    """By the keys, then by the classes in their own order."""
    return [*map(pl.col, tables.keys), *(e for side in ("label", "prediction") for e in tables.inputs.order(side))]


def report(cells: pl.DataFrame, labels: Labels, keys: Sequence[str], order: Sequence[pl.Expr]) -> pl.DataFrame:
    """[keys] class_id precision recall f1 support: a row per class, then the averages.

    Args:
        cells: the confusion tables.
        labels: the cells as labels, weighted by their counts, a group per confusion table: one pass over the items
            serves all that follows.
        keys: what tells the confusion tables apart.
        order: that of the classes.
    """
    support = cells.group_by(*keys, pl.col("label").alias("class_id")).agg(support=pl.col("count").sum())
    return _assembled(
        labels.evaluate(_asked("macro")).per_class(),
        support,
        labels.evaluate([m for a in AVERAGES for m in _asked(a)]).wide(),
        AVERAGES,
        order,
    )


def report_of_sets(labels: Labels, order: Sequence[pl.Expr]) -> pl.DataFrame:
    """The same of items with sets of labels, in groups and without units, with the average over the items besides."""
    averages = (*AVERAGES, "item")
    classes = labels.evaluate([*_asked("macro"), "Support"]).per_class()
    support = classes.filter(pl.col("measure") == "Support").drop("measure").rename({"value": "support"})
    wide = labels.evaluate([m for a in averages for m in _asked(a)]).wide()
    return _assembled(classes.filter(pl.col("measure") != "Support"), support, wide, averages, order)


def _asked(average: str) -> list[str]:
    return [f"{m}(average={average!r})" for m in MEASURES]


def _assembled(
    long: pl.DataFrame, support: pl.DataFrame, wide: pl.DataFrame, averages: Sequence[str], order: Sequence[pl.Expr]
) -> pl.DataFrame:
    """The classes in their own order, then the averages.

    Args:
        long: the values per class.
        support: the weight of the items of every class.
        wide: the averages, a column each.
        averages: their names.
        order: that of the classes.
    """
    keys = [c for c in long.columns if c not in ("class_id", "measure", "value")]
    asked = _asked("macro")
    classes = long.pivot(on="measure", index=[*keys, "class_id"], values="value", on_columns=asked).rename(
        dict(zip(asked, MEASURES, strict=True))
    )
    support = support.with_columns(pl.col("class_id").cast(classes.schema["class_id"])).drop_nulls("class_id")
    rows = classes.join(support, on=[*keys, "class_id"], how="left", nulls_equal=True).with_columns(
        pl.col("support").fill_null(0.0)
    )
    rows = rows.sort(*keys, *order).with_columns(pl.col("class_id").cast(pl.String))
    totals = support.group_by(keys).agg(pl.col("support").sum()) if keys else support.select(pl.col("support").sum())
    below = [
        wide.select(
            *keys, pl.lit(f"{a} average").alias("class_id"), *(pl.col(f"{m}(average={a!r})").alias(m) for m in MEASURES)
        )
        for a in averages
    ]
    summed = pl.concat(below)
    summed = summed.join(totals, on=keys, how="left", nulls_equal=True) if keys else summed.join(totals, how="cross")
    both = pl.concat([rows.select(summed.columns), summed])
    ordered = both.sort(keys, maintain_order=True) if keys else both
    return ordered.rename({m: m.lower() for m in MEASURES})
