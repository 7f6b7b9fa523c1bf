"""Intervals and differences of single values, such as the accuracy of a classifier, by resampling items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.drawable import Estimates, Estimating
from ireval_frames.errors import IrevalError
from ireval_frames.escaping import plain
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.systems import tables_of
from ireval_frames.plots.inputs import grouped, text
from ireval_frames.plots.verdicts import significant
from ireval_frames.resampling.bootstrapping import bootstrap
from ireval_frames.stats.corrections import corrected

# Families whose items are resampled, and the number of rows above which it takes too long.
_FAMILIES = ("labels", "clusters")
MOST_ROWS = 10_000
# Why there are no intervals of a single value of other families.
_NONE = {
    "points": "copies of a point have the same place, so resampled points would look better clustered",
    "organization": "copies of a document belong together, so resampled documents would agree too well; "
    "with unit= there are values per unit, and intervals of their mean",
    "clicks": "ir.resampling.bootstrap has to know whether pages or users were sampled",
}
REPLICATES = 1_000


@dataclass(frozen=True, eq=False)
class Drawn(Estimating):
    """The values of several systems with these intervals, for their picture."""

    estimates: Estimates
    explained: str

    def _estimates(self) -> Estimates:
        return self.estimates

    def summary(self) -> pl.DataFrame:
        """The values with their intervals."""
        return self.estimates.frame

    def explain(self) -> str:
        """How they were computed."""
        return self.explained


@dataclass(frozen=True, eq=False)
class Resampled:
    """Intervals and differences by resampling items.

    Attributes:
        ends: run_id, group, measure, low, high.
        table: the pairs of systems, with columns of a comparison's table; None for a single system.
        explained: how it was computed.
        over: the kind of the intervals.
        note: why there are no intervals.
        drawn: the values of several systems as they are drawn.
    """

    ends: pl.DataFrame | None = None
    table: pl.DataFrame | None = None
    explained: str = ""
    note: str = ""
    over: str = "by bootstrap over items"
    drawn: Drawn | None = None


def resampled(result: Any, values: PerUnitValues, baseline: Any, confidence: float) -> Resampled:
    """Intervals of an evaluation in which all items are one unit; empty for any other result.

    Systems are compared over the same draws, p-values corrected by Holm within a measure, as in a comparison.
    """
    if not isinstance(result, Evaluation) or values.unit:
        return Resampled()
    if result.family == "ratings":
        return _rating_intervals(result, values, confidence)
    if result.family not in _FAMILIES:
        why = _NONE.get(result.family, "")
        return Resampled(note=f"There are no intervals: {why}." if why else "")
    rows = sum(result.engine.collect(frame).height for frame in tables_of(result).values())
    if rows > MOST_ROWS:
        return Resampled(note=f"No intervals: resampling {rows:,} rows takes long; see ir.resampling.bootstrap.")
    try:
        result_of_bootstrap = bootstrap(
            result.subject,
            result.measures,
            by=values.by,
            policy=result.provenance["policy"],
            confidence=confidence,
            n_resamples=REPLICATES,
        )
        rows_of_groups = grouped(result_of_bootstrap.table(), values.by, values.by)
        ends = rows_of_groups.with_columns(run_id=text(values.system) if values.system else pl.lit("run"))
        ends = ends.select("run_id", "group", "measure", low="ci_low", high="ci_high")
        explained = result_of_bootstrap.explain().partition("\n\n")[0]
        if values.system is None or values.all_rows["system"].n_unique() < 2:
            return Resampled(ends, explained=explained)
        pairs = _as_comparison(result_of_bootstrap.compare(baseline), values, confidence)
        frame = rows_of_groups.select(
            *values.by, "measure", "value", low="ci_low", high="ci_high", n="n_resampled", system=text(values.system)
        )
        bar = f"{confidence * 100:g}% interval by bootstrap"
        shown = Drawn(Estimates(frame, tuple(values.by), "item", bar, values.lower_is_better), explained)
        return Resampled(ends, pairs, f"{explained}\np-values corrected by Holm within a measure", drawn=shown)
    except IrevalError as error:
        return Resampled(note=plain(f"There are no intervals: {error.what}"))


def _rating_intervals(evaluation: Any, values: PerUnitValues, confidence: float) -> Resampled:
    """The intervals of measures of ratings, which need no resampling."""
    try:
        rows = grouped(evaluation.intervals(confidence=confidence), values.by, values.by)
    except IrevalError as error:
        return Resampled(note=plain(f"There are no intervals: {error.what}"))
    run = text(values.system) if values.system else pl.lit("run")
    ends = rows.select(run.alias("run_id"), "group", "measure", low="ci_low", high="ci_high")
    explained = "intervals by the delta method: units are sampled, raters are fixed"
    return Resampled(ends, explained=explained, over="over units")


def _as_comparison(pairs: pl.DataFrame, values: PerUnitValues, confidence: float) -> pl.DataFrame:
    """The pairs with the columns of a comparison."""
    pairs = pairs.with_columns(
        test=pl.lit("bootstrap"),
        correction=pl.lit("holm"),
        alternative=pl.lit("two-sided"),
        confidence=pl.lit(confidence),
        estimate=pl.col("difference"),
        n=pl.col("n_resampled"),
        mean="value",
        mean_baseline="value_baseline",
    )
    families = pairs.partition_by("measure", *values.by, maintain_order=True)
    parts = []
    for family in families:
        p = family["p_value"].to_numpy().astype(np.float64)
        size = pl.lit(int(np.count_nonzero(~np.isnan(p))), pl.Int64)
        adjusted = pl.Series(corrected(p)).fill_nan(None)
        parts.append(family.with_columns(p_adjusted=adjusted, family_size=size))
    rows = pl.concat(parts).with_columns(significant=pl.col("p_adjusted") <= 1.0 - confidence)
    rows = grouped(rows, values.by, values.by).with_columns(text("system"), text("baseline"))
    return rows.with_columns(significant(values))
