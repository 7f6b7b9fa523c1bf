"""Results that have intervals of their own as one page: experiments, interleaving, rankings valued by old clicks."""

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
# So many findings are said in words.
MOST_SENTENCES = 12


def of_estimates(result: Estimating | Analysis, title: str | None, command: str, figures: Figures) -> Page:
    """The findings in words, the table and its picture, and how it was made."""
    if isinstance(result, Analysis):
        said = [*_variants(result)]
        rows = result.table().select("metric", *result.groups, *_OF_VARIANTS)
        differences, called, rest = True, "An experiment", "analysis.table()"
    else:
        found = estimates_of(result)
        differences = "baseline" in found.frame.columns
        said = [*(_preferred(found) if differences else _valued(found))]
        rows = result.summary()
        called = "Interleaved rankings" if differences else "Rankings valued by clicks"
        rest = "result.summary()"
    figures.add("effects" if differences else "systems", result)
    drawn, notes = figures.taken()
    said = said or ["There is no row."]
    explained = Text("How it was made", lines(result.explain()))
    sections = (
        Section("asked", "What was found", tuple(map(plain, said[1:MOST_SENTENCES]))),
        Section("summary", "Summary", blocks=(table(rows, "All rows", rest=rest), *drawn), notes=notes),
        Section("conventions", "Conventions and origin", blocks=(origin({}, command), explained)),
    )
    shown = tuple(s for s in sections if s.said or s.blocks or s.notes)
    return Page(plain(title or called), plain(said[0]), shown)


def _variants(analysis: Analysis) -> Iterator[str]:
    """A sentence per metric, group and pair of variants."""
    rows = grouped(analysis.table(), analysis.groups, analysis.groups)
    for row in rows.iter_rows(named=True):
        where = f"Where {name(row['group']).text}: " if row["group"] else ""
        one, other = (name(row[c]).text for c in ("variant", "baseline"))
        values = f"{number(row['value'])} in {one} and {number(row['value_baseline'])} in {other}"
        said = f"{where}{name(row['metric']).text} is {values}"
        if row["difference"] is None or row["p_value"] is None:
            yield f"{said}, which is not tested ({row['status'].replace('_', ' ')})."
            continue
        over = f", {row['correction']} over {counted(row['family_size'], 'comparison')}"
        p = p_value(row["p_adjusted"])
        at = f"p {p if p.startswith('<') else '= ' + p} by {row['test']}{over}"
        ends = interval_of(row["ci_low"], row["ci_high"])
        sure = row["verdict"] in ("better", "worse")
        verdict = f"{one} is {row['verdict']}" if sure else "the difference is not significant"
        interval = f"{row['confidence'] * 100:g}% interval {ends}"
        yield f"{said}, a difference of {signed(row['difference'])} ({interval}; {at}): {verdict}."


def _valued(found: Estimates) -> Iterator[str]:
    """Which system has the highest value, by measure and group."""
    rows = grouped(found.frame, found.groups, found.groups)
    for (measure, group), of in rows.group_by("measure", "group", maintain_order=True):
        where = f"Where {name(group).text}: " if group else ""
        known = of.drop_nulls("value").sort("value", descending=True, maintain_order=True)
        if not known.height:
            yield f"{where}{name(measure).text} is undefined."
            continue
        best = known.row(0, named=True)
        of_all = f" has the highest of {counted(known.height, 'system')}," if known.height > 1 else " has"
        at = f"{number(best['value'])} ({found.bar} {interval_of(best['low'], best['high'])})"
        yield (
            f"{where}by {name(measure).text}, {name(best['system']).text}{of_all} {at}, "
            f"over {counted(int(best['n']), found.unit)}."
        )


def _preferred(found: Estimates) -> Iterator[str]:
    """Whom clicks prefer, by pair and group."""
    for row in grouped(found.frame, found.groups, found.groups).iter_rows(named=True):
        where = f"Where {name(row['group']).text}: " if row["group"] else ""
        one, other = (name(row[c]).text for c in ("system", "baseline"))
        over = f"over {counted(int(row['n']), found.unit)}"
        if row["value"] is None:
            yield f"{where}clicks tell nothing of {one} and {other}, {over}."
            continue
        said = f"{where}{name(row['measure']).text} of {one} over {other} is {signed(row['value'])}"
        ends = f"({found.bar} {interval_of(row['low'], row['high'])}) {over}"
        known = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
        better = one if row["value"] > 0 else other
        yield f"{said} {ends}: " + (f"clicks prefer {better}." if known else "the difference is not significant.")
