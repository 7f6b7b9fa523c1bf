"""Scores over folds: each fold's, their mean and spread, and the score of all rows pooled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from ireval_frames.measure import Measure


def scores(subject: Any, measures: str | Measure | Iterable[str | Measure], *, fold: str = "fold") -> pl.DataFrame:
    """The mean and the spread of the folds' scores beside the pooled score.

    The two differ for measures that are no means over items, such as F and AUC.  Folds in which a measure is undefined
    are left out of the mean, and counted.

    Args:
        subject: what to evaluate, such as `ir.Labels(frame)`; its table has the fold column.
        measures: as in `evaluate`.
        fold: the fold column.

    Returns:
        [run_id, by …] measure mean std min max n_folds n_undefined pooled.  The scores of the single folds are
        `subject.evaluate(measures, by="fold").summary()`.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = ir.examples.labels().with_columns(fold=pl.col("item_id") % 2)
        >>> ir.splits.scores(ir.Labels(frame), "F1(average='macro')").select("mean", "pooled").row(0)
        (0.611111111111111, 0.611111111111111)
    """
    by = list(subject.by)
    each = subject.evaluate(measures, by=[*by, fold]).summary()
    groups = [c for c in each.columns if c not in (fold, "measure", "value", "n_units", "n_undefined")]
    value = pl.col("value")
    counts = {"n_folds": pl.len().cast(pl.Int64), "n_undefined": value.null_count().cast(pl.Int64)}
    over = each.group_by(*groups, "measure", maintain_order=True).agg(mean=value.mean(), std=value.std(), min=value.min(), max=value.max(), **counts)
    pooled = subject.evaluate(measures, by=by).summary().select(*groups, "measure", pooled="value")
    joined: pl.DataFrame = pooled.join(over, on=[*groups, "measure"], how="left", nulls_equal=True, maintain_order="left")
    return joined.select(*over.columns, "pooled")
