"""Values that have intervals of their own, as the pictures of systems and of differences draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.drawable import Estimates
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.inputs import grouped, text
from ireval_frames.plots.verdicts import BETTER, NEITHER, WORSE, directions, gain, turn
from ireval_frames.plots.words import counted

if TYPE_CHECKING:
    from ireval_frames.experiments.analysis import Analysis


def systems_of(estimates: Estimates, measures: Any, confidence: float | None, top: int) -> Drawing:
    """The systems, the best first.

    Raises:
        InvalidParameter: the values are differences, or have intervals already.
        UnknownName: there is no such measure.
    """
    if "baseline" in estimates.frame.columns:
        raise InvalidParameter("These are differences, and no values of systems.", "Write ir.plots.effects(result).")
    if confidence is not None:
        raise InvalidParameter(
            f"The values have their intervals, a {estimates.bar}.",
            "Leave confidence= out, and set it where they are computed.",
        )
    names, rows = _rows(estimates, measures)
    place = gain(estimates, "value").rank("ordinal", descending=True).over("measure", "group")
    ordered = rows.sort("run_id").with_columns(_place=place).sort(turn("measure", names), "group", "_place")
    columns = ("run_id", "group", "measure", "value", "low", "high")
    frame = ordered.filter(pl.col("_place") <= top).select(*columns, n_units="n")
    left = rows["run_id"].n_unique() - frame["run_id"].n_unique()
    subtitle = [f"over {_units(rows, estimates.unit)}; bar: {estimates.bar}"]
    subtitle += [f"the best {top}; {counted(left, 'other system')} left out"] if left else []
    title = f"{counted(frame['run_id'].n_unique(), 'system')} by {', '.join(names)}"
    more = {"directions": directions(names, estimates)}
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("top", 20))


def effects_of(estimates: Estimates, measures: Any, margin: float | None, top: int) -> Drawing:
    """The differences; one is better or worse where its interval does not hold 0.

    Raises:
        InvalidParameter: the values are no differences.
        UnknownName: there is no such measure.
    """
    if "baseline" not in estimates.frame.columns:
        raise InvalidParameter("These are values of systems, and no differences.", "Write ir.plots.systems(result).")
    names, rows = _rows(estimates, measures)
    low, high = pl.col("low"), pl.col("high")
    verdict = pl.when(low > 0).then(pl.lit(BETTER)).when(high < 0).then(pl.lit(WORSE)).otherwise(pl.lit(NEITHER))
    pair = pl.format("{} − {}", "run_id", text("baseline"))
    rows = rows.rename({"value": "difference"}).with_columns(verdict=verdict, pair=pair)
    shown = rows.sort(pl.col("difference").abs(), descending=True, nulls_last=True).head(top)
    frame = shown.sort(turn("measure", names), "group", -pl.col("difference"), "pair", nulls_last=True).select(
        "measure", "group", "pair", text("baseline"), "difference", "low", "high", "verdict", "n", system="run_id",
        p_adjusted=pl.lit(None, pl.Float64),
    )  # fmt: skip
    order = (
        "measure",
        "group",
        "pair",
        "system",
        "baseline",
        "difference",
        "low",
        "high",
        "p_adjusted",
        "verdict",
        "n",
    )
    subtitle = [f"over {_units(rows, estimates.unit)}; bar: {estimates.bar}, not corrected"]
    subtitle += [f"grey: differences within ± {margin:g}"] if margin is not None else []
    subtitle += [f"the {top} largest differences of {rows.height:,}"] if rows.height > top else []
    more = {"margin": margin, "directions": dict.fromkeys(names, " ▲")}
    return Drawing(frame.select(order), "Differences of every pair", tuple(subtitle), more=more, fewer=("top", 30))


def _rows(estimates: Estimates, measures: Any) -> tuple[list[str], pl.DataFrame]:
    """The measures named, and their rows with run_id and group as text."""
    known = estimates.frame["measure"].unique(maintain_order=True).to_list()
    several = isinstance(measures, Sequence) and not isinstance(measures, str)
    names = known if measures is None else [str(m) for m in measures] if several else [str(measures)]
    for name in names:
        if name not in known:
            raise UnknownName(f"There is no measure {name!r}.", nearest(name, known))
    rows = grouped(estimates.frame.drop_nulls("value"), estimates.groups, estimates.groups)
    return names, rows.filter(pl.col("measure").is_in(names)).with_columns(text("system").alias("run_id"))


def _units(rows: pl.DataFrame, unit: str) -> str:
    sizes = rows["n"].cast(pl.Int64).unique().sort().to_list()
    return counted(sizes[0], unit) if len(sizes) == 1 else f"{sizes[0]:,} to {counted(sizes[-1], unit)}"


_VERDICTS = {"better": BETTER, "worse": WORSE}


def variants_of(analysis: Analysis, metrics: Any, margin: float | None, top: int) -> Drawing:
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
        text("system"), text("baseline"), verdict=pl.col("verdict").replace_strict(_VERDICTS, default=NEITHER)
    ).with_columns(pair=pl.format("{} − {}", "system", "baseline"))
    shown = rows.sort(pl.col("difference").abs(), descending=True).head(top)
    frame = shown.sort(turn("measure", names), "group", "pair", nulls_last=True).select(
        "measure", "group", "pair", "system", "baseline", "difference", low="ci_low", high="ci_high",
        p_adjusted="p_adjusted", verdict="verdict", n="n",
    )  # fmt: skip
    options = analysis.options
    one = rows["baseline"].unique().to_list()
    title = f"Differences to {one[0]}" if len(one) == 1 else "Differences of every pair"
    subtitle = [f"bar: {options.confidence * 100:g}% interval; p corrected by {options.correction}"]
    subtitle += [f"grey: differences within ± {margin:g}"] if margin is not None else []
    arrows = {m.label: " ▼" if m.less_is_better else " ▲" for m in analysis.metrics}
    return Drawing(frame, title, tuple(subtitle), more={"margin": margin, "directions": arrows}, fewer=("top", 30))
