"""Variants of an experiment against their baselines, as the forest plot draws them."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import UnknownName, nearest
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.inputs import grouped, text
from ireval_frames.plots.verdicts import BETTER, NEITHER, WORSE, turn

VERDICTS = {"better": BETTER, "worse": WORSE}


def variants(analysis: Analysis, metrics: Any, margin: float | None, top: int) -> Drawing:
    """The rows of an analysis.

    Raises:
        UnknownName: a metric was not analysed.
    """
    table = analysis.table()
    known = table["metric"].unique(maintain_order=True).to_list()
    names = known if metrics is None else [metrics] if isinstance(metrics, str) else list(metrics)
    for name in names:
        if name not in known:
            raise UnknownName(f"There is no metric {name!r}.", nearest(str(name), known))
    rows = grouped(table.rename({"metric": "measure", "variant": "system"}), analysis.groups, analysis.groups)
    rows = rows.filter(pl.col("measure").is_in(names) & pl.col("difference").is_not_null())
    rows = rows.with_columns(
        text("system"), text("baseline"), verdict=pl.col("verdict").replace_strict(VERDICTS, default=NEITHER)
    ).with_columns(pair=pl.format("{} − {}", "system", "baseline"))
    kept = rows.sort(pl.col("difference").abs(), descending=True).head(top)
    frame = kept.sort(turn("measure", names), "group", "pair", nulls_last=True).select(
        "measure", "group", "pair", "system", "baseline", "difference", low="ci_low", high="ci_high",
        p_adjusted="p_adjusted", verdict="verdict", n="n",
    )  # fmt: skip
    options = analysis.options
    one = rows["baseline"].unique().to_list()
    title = f"Differences to {one[0]}" if len(one) == 1 else "Differences of every pair"
    subtitle = [f"bar: {options.confidence:.0%} interval; p corrected by {options.correction}"]
    subtitle += [f"grey: differences within ± {margin:g}"] if margin is not None else []
    arrows = {m.label: " ▼" if m.less_is_better else " ▲" for m in analysis.metrics}
    return Drawing(frame, title, tuple(subtitle), more={"margin": margin, "directions": arrows}, fewer=("top", 30))
