"""The confusion table as a frame, and the classification report that is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars as pl

from ireval_frames.contingency import shares
from ireval_frames.errors import NotDefined

if TYPE_CHECKING:
    from ireval_frames.labels.subject import Labels

Normalize = Literal["label", "prediction", "all"]
AVERAGES = ("micro", "macro", "weighted")
MEASURES = ("Precision", "Recall", "F1")


def confusion(subject: Labels, normalize: Normalize | None) -> pl.DataFrame:
    """[run_id, by …] [unit] label prediction count [share], the cells that occur."""
    tables = subject.build().checked()
    if tables.multi:
        raise NotDefined("Items with sets of labels have no confusion table.", "Ask for per_class() of measures of one class.")
    n = tables.cell_weight
    frame = tables.cells.frame().select(*tables.keys, "label", "prediction", count=n)
    cells = tables.plan.engine.collect(frame).sort([*tables.keys, "label", "prediction"])
    return shares(cells, tables.keys, normalize, ("label", "prediction")).rename(tables.inputs.names)


def report(subject: Labels) -> pl.DataFrame:
    """[run_id, by …] [unit] class_id precision recall f1 support: a row per class, then the averages."""
    from ireval_frames.labels.subject import Labels

    cells = confusion(subject, None)
    keys = [c for c in cells.columns if c not in ("label", "prediction", "count")]
    by = [k for k in keys if k != "run_id"]
    # The cells are a table of labels again, weighted: one pass over the items serves all that follows.
    small = Labels(cells, weight="count", by=by, policy=subject.policy)
    macro = [f"{m}(average='macro')" for m in MEASURES]
    long = small.evaluate(macro).per_class()
    classes = long.pivot(on="measure", index=[*keys, "class_id"], values="value", on_columns=macro).rename(dict(zip(macro, MEASURES, strict=True)))
    support = cells.group_by(*keys, pl.col("label").alias("class_id")).agg(support=pl.col("count").sum())
    support = support.with_columns(pl.col("class_id").cast(classes.schema["class_id"])).drop_nulls("class_id")
    rows = classes.join(support, on=[*keys, "class_id"], how="left", nulls_equal=True).with_columns(pl.col("support").fill_null(0.0))
    rows = rows.with_columns(pl.col("class_id").cast(pl.String))
    averages = [f"{m}(average={a!r})" for a in AVERAGES for m in MEASURES]
    wide = small.evaluate(averages).wide()
    totals = support.group_by(keys).agg(pl.col("support").sum()) if keys else support.select(pl.col("support").sum())
    below = [
        wide.select(*keys, pl.lit(f"{a} average").alias("class_id"), *(pl.col(f"{m}(average={a!r})").alias(m) for m in MEASURES)) for a in AVERAGES
    ]
    summed = pl.concat(below)
    summed = summed.join(totals, on=keys, how="left", nulls_equal=True) if keys else summed.join(totals, how="cross")
    both = pl.concat([rows.select(summed.columns).sort([*keys, "class_id"]), summed])
    order = both.sort(keys, maintain_order=True) if keys else both
    return order.rename({m: m.lower() for m in MEASURES})
