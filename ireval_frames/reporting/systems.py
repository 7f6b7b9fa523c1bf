"""The sections of all results with values per unit: means, comparison, units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import polars as pl

from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.text.tables import MOST_PAIRS
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.escaping import plain
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.systems import planned_of
from ireval_frames.plots.inputs import grouped, system_text, unit_text
from ireval_frames.plots.verdicts import gain, turn
from ireval_frames.plots.words import counted, unit_word
from ireval_frames.reporting.cells import name, table, without_constant
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.findings import Findings
from ireval_frames.reporting.overview import overview
from ireval_frames.reporting.page import Block, Folded, Section

# The columns of pairs of a comparison on the page.
_OF_PAIRS = (
    "measure", "group", "system", "baseline", "test", "n", "difference", "estimate", "ci_low", "ci_high",
    "wins/ties/losses", "p_adjusted", "verdict", "status",
)  # fmt: skip
MOST_UNITS, MOST_MATRICES = 2_000, 2
# The picture of more units than these combines several into a column, or the page would be large.
MOST_NARROW, MOST_COLUMNS = 200, 50


def summary(findings: Findings, evaluation: Any, figures: Figures) -> Section:
    """Every system's value, with the interval of its mean and its verdict, after what must be known of all values."""
    rows = findings.ordered()
    undefined = _undefined(findings.values)
    rows = rows.join(undefined, on=["run_id", "group", "measure"], how="left", maintain_order="left")
    if isinstance(evaluation, Evaluation):
        rows = as_aggregated(rows, evaluation, findings.values)
    if findings.comparison is not None:
        rows = rows.with_columns(pl.Series("verdict", _verdicts(findings), dtype=pl.String))
    rows = findings.ordered(rows)
    systems_by_measures = overview(findings, rows)
    if not findings.values.by:
        rows = rows.drop("group")
    complete = rows
    if findings.values.system is None:
        rows = rows.drop("run_id")
    several = int(cast("int", findings.means["n_units"].max() or 0)) > 1
    has_intervals = several or findings.resampled.ends is not None
    rows = rows if has_intervals else rows.drop("low", "high")
    if findings.values.system is not None and several:
        figures.add("systems", evaluation or findings.comparison, confidence=findings.confidence)
    elif findings.resampled.drawn is not None:
        figures.add("systems", findings.resampled.drawn)
    drawn, notes = figures.take()
    ends = f"; low and high: the {findings.interval}" if has_intervals else ""
    notes = (*notes, findings.resampled.note) if findings.resampled.note else notes
    caption = f"Values, the best first{ends}"
    blocks: list[Block] = [
        *([systems_by_measures] if systems_by_measures else []),
        *drawn,
        replace(table(rows, caption, prose=("verdict",)), frame=complete),
    ]
    if isinstance(evaluation, Evaluation) and (together := of_all_units(evaluation, findings.values)).height:
        what = f"Values of all {unit_word(findings.values)}s together, of measures that none has by itself"
        blocks.append(table(together, what))
    of_means = () if findings.comparison is None else findings.values.pooled
    sentences = tuple(map(plain, (*findings.values.notes, *of_means)))
    return Section("summary", "Summary", sentences, tuple(blocks), notes)


def of_all_units(evaluation: Evaluation, values: PerUnitValues) -> pl.DataFrame:
    """The rows of the summary of pooled measures that have a value of all units together, and of none by itself."""
    alone = values.all_rows.drop_nulls("value")["measure"].unique()
    pooled = [str(m) for m in evaluation.measures if m.aggregation == "pooled" and str(m) not in alone]
    if not pooled:
        return pl.DataFrame(schema={"measure": pl.String})
    return evaluation.summary().filter(pl.col("measure").is_in(pooled), pl.col("value").is_not_null())


def together(evaluation: Evaluation, values: PerUnitValues) -> pl.DataFrame:
    """The values of all units together (`of_all_units`) as rows of the page: run_id, group, measure, value."""
    rows = of_all_units(evaluation, values)
    if not rows.height:
        return rows
    return _of_page(rows, evaluation, values).select("run_id", "group", "measure", "value")


def _of_page(rows: pl.DataFrame, evaluation: Evaluation, values: PerUnitValues) -> pl.DataFrame:
    """Rows of a summary with their system and their group as text."""
    by = [planned_of(evaluation).named.get(g, g) for g in planned_of(evaluation).groups if g != "run_id"]
    ids = rows.rename({values.system: "system"}) if values.system else rows
    groups = [n for n in by if n in ids.columns]
    return grouped(ids, groups, groups).with_columns(system_text(values))


def as_aggregated(rows: pl.DataFrame, evaluation: Evaluation, values: PerUnitValues) -> pl.DataFrame:
    """The values as each measure aggregates them; only means have intervals."""
    means = [str(m) for m in evaluation.measures if m.aggregation == "mean"]
    ids = _of_page(evaluation.summary(), evaluation, values).select("run_id", "group", "measure", _value="value")
    rows = rows.join(ids, on=["run_id", "group", "measure"], how="left", maintain_order="left")
    is_mean = pl.col("measure").is_in(means)
    return rows.with_columns(
        pl.col("_value").alias("value"), *(pl.when(is_mean).then(n).alias(n) for n in ("low", "high"))
    ).drop("_value")


def _undefined(values: PerUnitValues) -> pl.DataFrame:
    """The number of units without a value, per system, group and measure."""
    rows = values.all_rows.with_columns(system_text(values))
    rows = grouped(rows, values.groups, values.by)
    return rows.group_by("run_id", "group", "measure", maintain_order=True).agg(
        n_undefined=pl.col("value").null_count().cast(pl.Int64)
    )


def _verdicts(findings: Findings) -> list[str | None]:
    """The verdict of every system in `ordered` against the baseline, or the best."""
    comparison = findings.comparison
    baseline = None if comparison is None else comparison.options.baseline
    reversed_verdicts = {"better": "worse", "worse": "better"}
    verdicts: list[str | None] = []
    for (measure, group), rows in findings.ordered().group_by("measure", "group", maintain_order=True):
        known = rows.drop_nulls("value")["run_id"].to_list()
        base = str(baseline) if baseline is not None else next(iter(known), None)
        pairs = findings.against(str(measure), str(group), base) if base is not None else {}
        other = "the baseline" if baseline is not None else "the best"
        for run in rows["run_id"]:
            row = pairs.get(run)
            if run == base:
                verdicts.append(other if baseline is not None else "best mean")
            elif row is None or row["significant"] is None:
                verdicts.append(None)
            else:
                verdict = reversed_verdicts.get(row["verdict"])
                verdicts.append(f"{verdict} than {other}" if verdict else f"not significantly different from {other}")
    return verdicts


def compared(findings: Findings, figures: Figures) -> Section | None:
    """The pairs: differences with their intervals, and which system is better."""
    if findings.comparison is None:
        return None
    rows = findings.resampled.table
    if rows is None:
        every_pair = findings.comparison.options.baseline is None
        n = findings.means["run_id"].n_unique()
        # Of more pairs the differences are in colours, a picture per measure.
        if not every_pair or n * (n - 1) // 2 <= MOST_PAIRS:
            figures.add("effects", findings.comparison)
        if every_pair and n > 2 and not findings.values.by:
            names = findings.means["measure"].unique(maintain_order=True).head(MOST_MATRICES)
            for measure in names:
                figures.add("matrix", findings.comparison, measure, beside=len(names))
        keys = ["measure", "group", "test", "system", "baseline"]
        rows = grouped(findings.comparison.table(), findings.values.by, findings.values.by)
        rows = rows.with_columns(pl.col("system", "baseline").cast(pl.String))
        rows = rows.join(findings.pairs.select(*keys, "verdict"), on=keys, how="left", maintain_order="left")
    counts = [c for c in ("wins", "ties", "losses") if c in rows.columns]
    if counts:
        texts = [pl.col(c).cast(pl.String).fill_null("–") for c in counts]
        rows = rows.with_columns(pl.concat_str(texts, separator="/").alias("wins/ties/losses"))
    columns = [c for c in _OF_PAIRS if c in rows.columns and (c != "group" or findings.values.by)]
    same = (rows["estimate"] - rows["difference"]).abs().max()
    if same is None or cast("float", same) <= 1e-12:
        columns.remove("estimate")
    if (rows["status"] == "ok").all():
        columns.remove("status")
    order = turn("measure", findings.means["measure"].unique(maintain_order=True).to_list())
    size = pl.col("difference").abs()
    rows = rows.sort(order, size, descending=[False, True], nulls_last=True, maintain_order=True)
    shown = rows.select(columns)
    complete = rows.drop("wins/ties/losses", *(() if findings.values.by else ("group",)), strict=False)
    shown, same_everywhere = without_constant(shown, ("test", "n"))
    drawn, notes = figures.take()
    caption = "Pairs of systems, the largest differences of each measure first; difference: system − baseline"
    pairs = table(shown, caption + same_everywhere, rest="comparison.table()")
    # The page for the browser compares by itself, into `comparison`.
    pairs = replace(pairs, frame=complete, name="pairs")
    return Section("comparison", "Comparison", blocks=(*drawn, pairs), notes=notes)


def units(findings: Findings, evaluation: Any, figures: Figures) -> Section | None:
    """The units by the first measure: the hardest, the largest gains and losses."""
    values = findings.values
    word = unit_word(values)
    measure = findings.means["measure"][0]
    rows = values.all_rows.filter(pl.col("measure") == measure).drop_nulls("value")
    rows = rows.select("measure", "value", unit_text([*values.groups, *values.units]), system_text(values))
    if rows["unit"].n_unique() < 2:
        return None
    result = evaluation or findings.comparison
    mean, spread = (
        in_order(pl.col("value").mean()).alias("mean"),
        (pl.col("value").max() - pl.col("value").min()).alias("range"),
    )
    by_unit = rows.group_by("measure", "unit", maintain_order=True).agg(
        mean, spread, n_systems=pl.col("run_id").n_unique().cast(pl.Int64)
    )
    hard = by_unit.sort(gain(values, "mean"), "unit").select(pl.col("unit").alias(word), "mean", "range", "n_systems")
    figures.add("units", result, measure, **({"bins": MOST_COLUMNS} if by_unit.height > MOST_NARROW else {}))
    pair = shown_pair(findings, measure)
    if pair is not None and findings.comparison is not None and not values.by:
        figures.add("differences", _with(findings.comparison, pair[1]), measure, system=pair[0], baseline=pair[1])
    elif rows["run_id"].n_unique() == 1:
        figures.add("distribution", result, measure)
    drawn, notes = figures.take()
    caption = f"By {measure}, the mean over systems, the hardest first"
    hardest = replace(table(hard, caption, rest="ev.per_unit()"), name="hardest")
    title = {"query": "Queries"}.get(word, "Units")
    blocks = (*drawn, Folded(f"The hardest of {counted(hard.height, word)}", hardest))
    return Section("units", title, (f"Shown by {measure}.",), blocks, notes)


def _with(comparison: Comparison, baseline: str) -> Comparison:
    """The comparison with a baseline, so that there are no more pairs than systems."""
    if comparison.options.baseline is not None:
        return comparison
    return Comparison(comparison.values, replace(comparison.options, baseline=original(comparison.values, baseline)))


def original(values: PerUnitValues, system: str) -> Any:
    """The id of a system in the type of its table."""
    ids = values.all_rows["system"].unique()
    return ids.filter(ids.cast(pl.String) == system)[0]


def shown_pair(findings: Findings, measure: str) -> tuple[str, str] | None:
    """The pair that is shown unit by unit: the best and the baseline, or the best and the next."""
    if findings.comparison is None:
        return None
    rows = findings.ordered().filter(pl.col("measure") == measure).drop_nulls("value")
    known = rows["run_id"].unique(maintain_order=True).to_list()
    baseline = findings.comparison.options.baseline
    if baseline is None:
        return (known[0], known[1]) if len(known) > 1 else None
    others = [n for n in known if n != str(baseline)]
    return (others[0], str(baseline)) if others else None


def every_value(values: PerUnitValues) -> Section:
    """The values per unit, up to a number of rows."""
    rows = grouped(values.all_rows, values.groups, values.by).with_columns(system_text(values))
    count = rows.height
    rows = rows.select("run_id", "group", unit_text(values.units), "measure", "value")
    single = rows.rename({"unit": "unit_id"}).drop([] if values.by else "group")
    names = rows["measure"].unique(maintain_order=True).to_list()
    # A column per measure, by its position: a measure may have the name of another column.
    columns = {f"_{i}": m for i, m in enumerate(names)}
    wide = rows.group_by("unit", "group", "run_id", maintain_order=True).agg(
        pl.col("value").filter(pl.col("measure") == m).first().alias(c) for c, m in columns.items()
    )
    rows = wide.sort("unit", "group", "run_id")
    rows = rows if values.system else rows.drop("run_id")
    rows = rows if values.by else rows.drop("group")
    values_table = table(rows, "Values per unit", most=MOST_UNITS, rest="ev.per_unit()")
    header = tuple(name(columns[c]).text if c in columns else c for c in rows.columns)
    folded = Folded(counted(count, "value"), replace(values_table, header=header, frame=single, name="results"))
    return Section("values", "All values", blocks=(folded,))
