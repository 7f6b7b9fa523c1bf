"""The counts that propensities are estimated from: by position, and by two positions of the same results, per group."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames.clicks.checks import check, known
from ireval_frames.clicks.counterfactual_evaluation.tables import PAIR
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.clicks.subject import Impressions
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.expr import col, lit


@dataclass(frozen=True)
class PairCounts:
    """Counts of results that were shown at two positions.

    Attributes:
        pairs: group, position, other, clicked, unclicked: Σ ctr and Σ (1 − ctr) at `position` of the queries and
            documents that were shown at `other`, too.
        shown: how many results were shown at each position.
    """

    pairs: pl.DataFrame
    shown: dict[int, int]


def _checked(log: Impressions, *columns: str, by: tuple[str, ...] = ()) -> tuple[ClickInputs, Frame]:
    """The shown results under our names, the data checked, with a weight."""
    inputs = log.inputs(by)
    inputs.needs(*columns)
    check(inputs)
    with inputs.engine.errors():
        run_checks(inputs.engine, [known(inputs, c) for c in columns if c != "doc_id"])
    weight = col("weight") if "weight" in inputs.impressions.columns else lit(1.0)
    read = [*(f"by_{i}" for i in range(len(by))), *dict.fromkeys((*columns, "position"))]
    rows = inputs.impressions.select(*read, n=weight, clicks=weight * col("click").cast(pl.Float64))
    return inputs, rows


def _grouped(inputs: ClickInputs, rows: Frame, cluster: str, groups: int, seed: int) -> Frame:
    """With the group of each row: the portable hash of its cluster, modulo the number of groups."""
    engine = inputs.engine
    clusters = engine.hashed(rows.select(cluster).unique(), cluster, seed, "hash")
    dealt = clusters.select(cluster, group=col("hash") % groups)
    return engine.join(rows, dealt, (cluster,), "left")


def pair_counts(log: Impressions, cluster: str, groups: int, seed: int) -> PairCounts:
    """The counts of every two positions."""
    inputs, rows = _checked(log, *PAIR)
    engine = inputs.engine
    sums = [Aggregate(c, "sum", col(c)) for c in ("n", "clicks")]
    with engine.scope():
        cells = engine.materialise(engine.group(rows, (*PAIR, "position"), sums).filter(col("n") > 0))
        shown = engine.collect(engine.group(cells, ("position",), [Aggregate("n", "sum", col("n"))]))
        other = cells.select(*PAIR, other=col("position"))
        both = engine.join(cells, other, PAIR, "inner").filter(col("position") != col("other"))
        rate = col("clicks") / col("n")
        with_rate = _grouped(inputs, both, cluster, groups, seed).with_columns(rate=rate, miss=1.0 - rate)
        pairs = engine.group(
            with_rate,
            ("group", "position", "other"),
            [Aggregate("clicked", "sum", col("rate")), Aggregate("unclicked", "sum", col("miss"))],
        )
        counts = engine.collect(pairs).sort("group", "position", "other")
    return PairCounts(counts, {int(k): int(n) for k, n in shown.select("position", "n").iter_rows()})


def position_counts(log: Impressions, cluster: str, groups: int, seed: int) -> pl.DataFrame:
    """Clicks and results by group and position."""
    inputs, rows = _checked(log, cluster)
    return _counted(inputs, rows.with_columns(experiment=lit(0)), cluster, groups, seed)


def swap_counts(log: Impressions, swap: str, cluster: str, groups: int, seed: int, *, reference: int) -> pl.DataFrame:
    """The same of the pages that may have swapped the reference and another position, at these two."""
    inputs, rows = _checked(log, cluster, by=(swap,))
    partner = col("by_0").cast(pl.Int64)
    swappable = (col("position") == partner) | (col("position") == reference)
    swapped = rows.filter(~col("by_0").is_null()).filter(swappable).with_columns(experiment=partner)
    return _counted(inputs, swapped, cluster, groups, seed)


def _counted(inputs: ClickInputs, rows: Frame, cluster: str, groups: int, seed: int) -> pl.DataFrame:
    engine = inputs.engine
    sums = [Aggregate(c, "sum", col(c)) for c in ("n", "clicks")]
    cells = engine.group(rows, (cluster, "experiment", "position"), sums)
    dealt = _grouped(inputs, cells, cluster, groups, seed)
    return engine.collect(engine.group(dealt, ("group", "experiment", "position"), sums)).sort("group", "position")
