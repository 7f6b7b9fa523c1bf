"""The sections of single families: curves and coverage of rankings, confusions of labels, errors of spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import Any

import polars as pl

from ireval_frames.errors import IrevalError, listed
from ireval_frames.escaping import plain
from ireval_frames.plots.classes.confusion import KNOWN as CONFUSION
from ireval_frames.plots.classes.contingency import KNOWN as CONTINGENCY
from ireval_frames.plots.classes.errors import KNOWN as ERRORS
from ireval_frames.plots.inputs import curve_keys, series, table_of
from ireval_frames.plots.style import SERIES
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.findings import Findings
from ireval_frames.reporting.generated import of_citations, of_nuggets
from ireval_frames.reporting.page import Block, Section
from ireval_frames.reporting.systems import original, shown_pair
from ireval_frames.subject import request_of

# The largest number of systems that are shown one by one.
MOST_SYSTEMS = 4
# From this number of retrieved documents on the bounds of all lists take long.
MOST_DOCUMENTS = 1_000_000


def _ranking(findings: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """Documents whose ranks changed, curves, cutoffs, and judged shares."""
    sections = []
    measure = findings.means["measure"][0]
    pair = shown_pair(findings, measure)
    if pair is not None and not findings.values.by and findings.comparison is not None:
        one, other = (original(findings.values, p) for p in pair)
        diagnosis = evaluation.diagnose(one, other, measure)
        for query in _farthest(findings, measure, one, other):
            figures.add("rank_changes", diagnosis, query, top=10, beside=2)
        drawn, notes = figures.take()
        sentence = f"The documents of the queries in which {pair[0]} gains and loses most against {pair[1]}."
        sections.append(Section("documents", "Documents", (plain(sentence),), drawn, notes))
    coloured = _coloured(findings)
    figures.add("precision_recall", evaluation, highlight=coloured)
    cuts = [m[1] for name in findings.means["measure"].unique() if (m := re.fullmatch(r"(.+)@\d+", name))]
    if len(cuts) > len(set(cuts)):
        figures.add("cutoffs", evaluation, highlight=coloured)
    drawn, notes = figures.take()
    sections.append(Section("curves", "Curves", blocks=drawn, notes=notes))
    figures.add("judged", evaluation, highlight=coloured)
    if evaluation.coverage()["documents_retrieved"].sum() <= MOST_DOCUMENTS:
        figures.add("bounds", evaluation)
    else:
        figures.notes.append("The picture bounds is left out of large runs: ir.plots.bounds(evaluation) draws it.")
    drawn, notes = figures.take()
    sentence = (
        "Systems with fewer judged documents may be better than their values: the policy sets what an unjudged "
        "document counts."
    )
    return [*sections, Section("coverage", "Coverage", (sentence,), drawn, notes)]


def _coloured(findings: Findings) -> tuple[str, ...]:
    """Of many systems those that curves have in colour: the best by the first measure, and the baseline."""
    runs = findings.ordered()["run_id"].unique(maintain_order=True).to_list()
    if findings.values.by or findings.comparison is None or len(runs) <= len(SERIES):
        return ()
    baseline = findings.comparison.options.baseline
    others = [run for run in runs if run != str(baseline)]
    return (*others[: len(SERIES) - (baseline is not None)], *([] if baseline is None else [str(baseline)]))


def _farthest(findings: Findings, measure: str, one: Any, other: Any) -> list[Any]:
    """The units with the largest gain and the largest loss of a system against another one."""
    rows = findings.values.all_rows.filter(pl.col("measure") == measure).drop_nulls("value")
    sides = [rows.filter(pl.col("system") == s).select("unit_0", "value") for s in (one, other)]
    both = sides[0].join(sides[1], on="unit_0").with_columns(_gain=pl.col("value") - pl.col("value_right"))
    units = both.sort("_gain", "unit_0", descending=[True, False])["unit_0"]
    return list(dict.fromkeys([units[0], units[-1]])) if len(units) else []


def _labels(findings: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """The classes one by one, the confusions, and curves of scores."""
    tables: list[Block] = []
    notes: list[str] = []
    options = evaluation._options()  # noqa: SLF001 - not part of the public interface
    inputs = request_of(evaluation).inputs(evaluation.engine)
    if inputs.predicted:
        try:
            classes = evaluation.subject.report(**options)
            tables.append(table(classes, "Precision, recall and F1 of each class", rest="labels.report()"))
        except IrevalError as error:
            notes.append(plain(f"There is no table of classes: {error.what}"))
        notes += _each(findings, evaluation, figures, "confusion", CONFUSION, per_unit=False)
    else:
        notes.append("There is no table of classes and no confusion: there are no predictions.")
    if inputs.scored:
        figures.add("curve", evaluation, "roc")
        figures.add("curve", evaluation, "precision-recall")
        figures.add("reliability", evaluation)
    else:
        notes.append("There are no curves: there are no scores or probabilities.")
    drawn, noted = figures.take()
    return [Section("classes", "Classes", blocks=(*tables, *drawn), notes=(*notes, *noted))]


def _clusters(findings: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """The classes in each cluster."""
    left_out = _each(findings, evaluation, figures, "contingency", CONTINGENCY, per_unit=False)
    drawn, notes = figures.take()
    return [Section("clusters", "Classes and clusters", blocks=drawn, notes=(*left_out, *notes))]


def _spans(findings: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """The types one by one, their errors, and the confusions."""
    options = evaluation._options()  # noqa: SLF001 - not part of the public interface
    tables: list[Block] = [
        table(evaluation.subject.report(**options), "Precision, recall and F1 of each type", rest="spans.report()")
    ]
    notes = _each(findings, evaluation, figures, "errors", ERRORS)
    if request_of(evaluation).inputs(evaluation.engine).type is not None:
        notes += _each(findings, evaluation, figures, "confusion", CONFUSION)
    drawn, noted = figures.take()
    wrong = evaluation.subject.errors(**options).filter(pl.col("error") != "correct")
    shown = table(wrong, "What is wrong, by document and position", rest="spans.errors()")
    return [Section("errors", "Types and errors", blocks=(*tables, *drawn, shown), notes=(*notes, *noted))]


def _points(_: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """How well points lie in their clusters."""
    figures.add("silhouettes", evaluation)
    drawn, notes = figures.take()
    return [Section("points", "Silhouettes", blocks=drawn, notes=notes)]


def _recommendations(_: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """What is recommended by popularity, and the features of it, beside what users used before."""
    inputs = request_of(evaluation).inputs(evaluation.engine)
    if inputs.train is None:
        missing = "There is no picture of popularity: what users used before is not known."
        return [Section("popularity", "Popularity and features", notes=(missing,))]
    figures.add("popularity", evaluation)
    drawn, notes = figures.take()
    tables: list[Block] = []
    if inputs.features is not None:
        shares = evaluation.subject.features(**evaluation._options())  # noqa: SLF001 - not part of the public interface
        tables.append(table(shares, "Shares of items with each feature, before and in lists", rest="recs.features()"))
    return [Section("popularity", "Popularity and features", blocks=(*drawn, *tables), notes=notes)]


def _exposure(_: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """What each group gets, where there are groups."""
    if request_of(evaluation).user_tables["groups"] is None:
        return []
    figures.add("exposure", evaluation)
    drawn, notes = figures.take()
    return [Section("exposure", "Attention by group", blocks=drawn, notes=notes)]


def _each(
    findings: Findings, evaluation: Any, figures: Figures, name: str, known: Container[str], **options: Any
) -> list[str]:
    """Draw the tables of counts of each system or group, of many only the best; return a note about the others.

    Args:
        findings: the order of the systems.
        evaluation: of labels or clusters.
        figures: the pictures.
        name: of the picture, and of the table.
        known: the columns of the table that do not identify systems.
        options: of the table and the picture.
    """
    try:
        rows = table_of(evaluation, name, table_name=name, **options)
    except IrevalError as error:
        return [plain(f"The picture {name} is not here: {error.what}")]
    if not curve_keys(rows, known):
        figures.add(name, evaluation, **options)
        return []
    names = series(rows, known)["run_id"].unique().sort().to_list()
    best = list(findings.ordered()["run_id"].unique(maintain_order=True))
    runs = sorted(names, key=lambda run: best.index(run) if run in best else len(best))
    for run in runs[:MOST_SYSTEMS]:
        figures.add(name, evaluation, run=run, beside=min(2, len(runs)), **options)
    rest = listed(map(repr, runs[MOST_SYSTEMS:]), 3)
    return [plain(f"The picture {name} is not here of {rest}: ir.plots.{name}(…, run=…) draws them.")] if rest else []


_OF: Mapping[str, Callable[[Findings, Any, Figures], list[Section]]] = {
    "ranking": _ranking,
    "labels": _labels,
    "clusters": _clusters,
    "points": _points,
    "spans": _spans,
    "recommendations": _recommendations,
    "exposure": _exposure,
    "nuggets": lambda _, evaluation, __: of_nuggets(evaluation),
    "citations": lambda _, evaluation, __: of_citations(evaluation),
}


def of_family(findings: Findings, evaluation: Any, figures: Figures) -> list[Section]:
    """The sections of the family of an evaluation."""
    sections = _OF.get(getattr(evaluation, "family", ""))
    return [s for s in sections(findings, evaluation, figures) if s.blocks or s.notes] if sections else []
