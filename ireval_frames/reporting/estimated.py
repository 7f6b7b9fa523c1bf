"""Results with intervals of their own as one page: experiments, interleaving, counterfactual evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from ireval_frames.comparison.text.tables import interval_of, number, p_value, signed
from ireval_frames.drawable import Estimates, Estimating, estimates_of
from ireval_frames.escaping import plain
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.plots.inputs import grouped
from ireval_frames.plots.words import counted
from ireval_frames.reporting.cells import name, table
from ireval_frames.reporting.conventions import lines, origin
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.page import Page, Section, Text

# Columns of an analysis that fit on paper.
_OF_VARIANTS = (
    "baseline", "variant", "n_baseline", "n", "value_baseline", "value", "difference", "ci_low", "ci_high", "relative",
    "p_adjusted", "verdict", "status",
)  # fmt: skip
# The largest number of findings in words.
MOST_SENTENCES = 12


def of_estimates(result: Estimating | Analysis, title: str | None, command: str, figures: Figures) -> Page:
    """The findings in words, the table and its picture, and how it was computed."""
    if isinstance(result, Analysis):
        sentences = [*_variants(result)]
        rows = result.table().select("metric", *result.groups, *_OF_VARIANTS)
        differences, default, rest = True, "An experiment", "analysis.table()"
    else:
        estimates = estimates_of(result)
        differences = "baseline" in estimates.frame.columns
        sentences = [*(_preferences(estimates) if differences else _best_systems(estimates))]
        rows = result.summary()
        default = "Interleaved rankings" if differences else "Rankings evaluated by clicks"
        rest = "result.summary()"
    figures.add("effects" if differences else "systems", result)
    drawn, notes = figures.take()
    sentences = sentences or ["There is no row."]
    explained = Text("How it was computed", lines(result.explain()))
    sections = (
        Section("findings", "Findings", tuple(map(plain, sentences[1:MOST_SENTENCES]))),
        Section("summary", "Summary", blocks=(table(rows, "All rows", rest=rest), *drawn), notes=notes),
        Section("conventions", "Conventions and origin", blocks=(origin({}, command), explained)),
    )
    shown = tuple(s for s in sections if s.sentences or s.blocks or s.notes)
    return Page(plain(title or default), plain(sentences[0]), shown)


def _variants(analysis: Analysis) -> Iterator[str]:
    """A sentence per metric, group and pair of variants."""
    rows = grouped(analysis.table(), analysis.groups, analysis.groups)
    for row in rows.iter_rows(named=True):
        where = f"Where {name(row['group']).text}: " if row["group"] else ""
        one, other = (name(row[c]).text for c in ("variant", "baseline"))
        values = f"{number(row['value'])} in {one} and {number(row['value_baseline'])} in {other}"
        start = f"{where}{name(row['metric']).text} is {values}"
        if row["difference"] is None or row["p_value"] is None:
            yield f"{start}, which is not tested ({row['status'].replace('_', ' ')})."
            continue
        over = f", {row['correction']} over {counted(row['family_size'], 'comparison')}"
        p = p_value(row["p_adjusted"])
        at = f"p {p if p.startswith('<') else '= ' + p} by {row['test']}{over}"
        ends = interval_of(row["ci_low"], row["ci_high"])
        significant = row["verdict"] in ("better", "worse")
        verdict = f"{one} is {row['verdict']}" if significant else "the difference is not significant"
        interval = f"{row['confidence'] * 100:g}% interval {ends}"
        yield f"{start}, a difference of {signed(row['difference'])} ({interval}; {at}): {verdict}."


def _best_systems(estimates: Estimates) -> Iterator[str]:
    """The system with the highest value, by measure and group."""
    rows = grouped(estimates.frame, estimates.groups, estimates.groups)
    for (measure, group), part in rows.group_by("measure", "group", maintain_order=True):
        where = f"Where {name(group).text}: " if group else ""
        known = part.drop_nulls("value").sort("value", descending=True, maintain_order=True)
        if not known.height:
            yield f"{where}{name(measure).text} is undefined."
            continue
        best = known.row(0, named=True)
        of_all = f" has the highest of {counted(known.height, 'system')}," if known.height > 1 else " has"
        at = f"{number(best['value'])} ({estimates.bar} {interval_of(best['low'], best['high'])})"
        yield (
            f"{where}by {name(measure).text}, {name(best['system']).text}{of_all} {at}, "
            f"over {counted(int(best['n']), estimates.unit)}."
        )


def _preferences(estimates: Estimates) -> Iterator[str]:
    """The system that clicks prefer, by pair and group."""
    for row in grouped(estimates.frame, estimates.groups, estimates.groups).iter_rows(named=True):
        where = f"Where {name(row['group']).text}: " if row["group"] else ""
        one, other = (name(row[c]).text for c in ("system", "baseline"))
        over = f"over {counted(int(row['n']), estimates.unit)}"
        if row["value"] is None:
            yield f"{where}clicks do not compare {one} and {other}, {over}."
            continue
        start = f"{where}{name(row['measure']).text} of {one} over {other} is {signed(row['value'])}"
        ends = f"({estimates.bar} {interval_of(row['low'], row['high'])}) {over}"
        significant = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
        better = one if row["value"] > 0 else other
        end = f"clicks prefer {better}." if significant else "the difference is not significant."
        yield f"{start} {ends}: {end}"
