"""`ir.report`: an evaluation, a comparison or a store as one page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.browser import TablesPage, find_page, write_page
from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.values.sources import HasPerUnit, PerUnitValues
from ireval_frames.drawable import Estimating
from ireval_frames.errors import Argument, Hint, InvalidParameter, listed
from ireval_frames.escaping import plain
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.nuggets.steps import Chain
from ireval_frames.plots.comparison.intervals import means
from ireval_frames.plots.inputs import known_measures, values_of
from ireval_frames.plots.picture import altair
from ireval_frames.plots.words import counted, directed, unit_word
from ireval_frames.reporting import stored
from ireval_frames.reporting.cells import name, table
from ireval_frames.reporting.conventions import conventions
from ireval_frames.reporting.estimated import of_estimates
from ireval_frames.reporting.families import of_family
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.findings import Findings, of_one_value, sentences
from ireval_frames.reporting.generated import of_chain
from ireval_frames.reporting.page import Page, Section, Table
from ireval_frames.reporting.pool_bias import of_pool_bias
from ireval_frames.reporting.rendering import render
from ireval_frames.reporting.resampled import resampled
from ireval_frames.reporting.systems import as_aggregated, compared, every_value, of_all_units, summary, together, units
from ireval_frames.reporting.tradeoff import of_tradeoff
from ireval_frames.reusability.result import PoolBias
from ireval_frames.store import Store
from ireval_frames.store.page import write_store_page
from ireval_frames.tradeoffs.result import Tradeoff

# The page of a folder that queries its tables.
_SQL = "sql.html"


def report(
    result: Any,
    path: str | os.PathLike[str] = "report.html",
    *,
    baseline: Any = None,
    title: str | None = None,
    command: str = "",
    interactive: bool = False,
    page: str | os.PathLike[str] | None = None,
) -> Path:
    """Write an evaluation, a comparison or a store as one HTML file, which loads nothing from the network.

    Its first sentence is the main finding, with its certainty.  Every picture is followed by the table of its data.
    Several systems are compared by paired t tests, corrected by Holm, each pair on the units that both have; for other
    tests pass a comparison.  Single values of all items, as of a classifier, have intervals and differences by
    bootstrap over items.  Where no unit has a value by itself, as of the coverage of a catalogue, the page has the
    values of all units, and says what is not there.  The same input gives the same bytes.  The page has no script,
    unless it is `interactive`.

    Args:
        result: an evaluation; a comparison, also one of a store or a table; the analysis of an experiment, an
            `Interleaving`, or rankings evaluated by clicks (`ir.clicks.counterfactual`, `ir.clicks.off_policy`); a pool
            bias (`ir.pool_bias`); quality against cost (`ir.tradeoff`); the steps from retrieval to generated answers
            (`ir.nuggets.chain`); a store; or one of its frames: `store.leaderboard()`, `store.history(measure)`, the
            result of a query, any frame.
        path: the file, .html; if it is `interactive`, any other name is that of a folder, in which a second page
            queries the tables of the report in SQL, by DuckDB in the browser.  The folder needs a server, such as
            `python -m http.server`.
        baseline: of an evaluation of several systems: the one that the others are compared with; by default every pair
            is compared.
        title: of the page.
        command: the command line, shown under "Versions and command".
        interactive: pictures show the values under the mouse.  The page then includes Vega, 0.9 MB more, and its policy
            allows that one script; without scripts it looks as before.
        page: of a folder: where the page for the browser has been built; by default that of the package
            `ireval_frames_page`, or `build/page` of a checkout.

    Returns:
        the path.

    Raises:
        InvalidParameter: the result is none of these, a comparison has another baseline, the path does not end in
            .html, there is a built page but no folder, or the page would have more than five million bytes.
        EngineError: Jinja2 is not installed; or, for `interactive`, Altair or vl-convert; or, for a folder, the page
            for the browser.
        FileError: the file cannot be written, or the folder holds something else.

    Source: sections and tables after the per-run reports of TREC.

    Example:
        >>> import tempfile, ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "P@1 RR")
        >>> page = ir.report(ev, tempfile.mkdtemp() + "/report.html").read_text("utf-8")
        >>> page[:15], "<script" in page
        ('<!doctype html>', False)
    """
    path = Path(path)
    is_folder = interactive and (path.is_dir() or path.suffix not in (".html", ".htm"))
    if not is_folder and path.suffix not in (".html", ".htm"):
        raise InvalidParameter(
            f"{path.name!r} ends in {path.suffix!r}." if path.suffix else f"{path.name!r} does not end in .html.",
            Hint("A report is HTML: report.html; a folder needs ", Argument("interactive"), "."),
        )
    if page is not None and not is_folder:
        raise InvalidParameter(
            f"{path.name} is one file, which needs no built page.",
            Hint("For a folder write ", Argument("interactive"), " and a name that does not end in .html."),
        )
    if interactive:
        altair()
    if is_folder:
        find_page(page)
    content = _page(result, baseline, title, command, Figures(live=interactive))
    text = render(content, sql=_SQL if is_folder else "")
    if is_folder:
        files = {"index.html": text}
        if isinstance(result, Store):
            return write_store_page(result.path, path, content.title, page=page, name=_SQL, files=files)
        tables = TablesPage(content.title, "report", content.tables())
        return write_page(path, tables, page=page, name=_SQL, files=files)
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))
    return path


def _page(result: Any, baseline: Any, title: str | None, command: str, figures: Figures) -> Page:
    if isinstance(result, Store | pl.DataFrame | pl.LazyFrame | Estimating | Analysis | PoolBias | Tradeoff | Chain):
        if baseline is not None:
            raise InvalidParameter(
                f"A {type(result).__name__} names no systems to compare with {baseline!r}.",
                "Pass a comparison: ir.report(store.compare(baseline, run, measure))",
            )
        if isinstance(result, PoolBias):
            return of_pool_bias(result, title, command, figures)
        if isinstance(result, Tradeoff):
            return of_tradeoff(result, title, command, figures)
        if isinstance(result, Chain):
            return of_chain(result, title, command, figures)
        if isinstance(result, Store):
            return stored.of_store(result, title, command, figures)
        if isinstance(result, Estimating | Analysis):
            return of_estimates(result, title, command, figures)
        return stored.of_frame(result.lazy().collect(), title, command)
    if not isinstance(result, HasPerUnit | Comparison):
        tables = [n for n in ("table", "strengths", "agreement") if callable(getattr(result, n, None))]
        raise InvalidParameter(
            f"A {type(result).__name__} has no report.",
            f"Pass its table: ir.report(result.{tables[0]}())"
            if tables
            else "Pass an evaluation, comparison, analysis of an experiment, Interleaving, rankings evaluated by "
            "clicks, a pool bias, a tradeoff of quality and cost, a chain from retrieval to answers, a store, or a "
            "frame.",
        )
    if isinstance(result, Evaluation):
        values = values_of(result)
        if not values.all_rows["value"].count() and (rows := together(result, values)).height:
            return _of_all_units(rows, result, values, title, command, figures)
    return _of_units(_findings(result, baseline), result, title, command, figures)


def _findings(result: Any, baseline: Any) -> Findings:
    """The findings of values per unit."""
    values = values_of(result)
    comparison = _comparison(result, values, baseline)
    confidence = 0.95 if comparison is None else comparison.options.confidence
    intervals = resampled(result, values, baseline, confidence)
    rows = means(values, known_measures(values), confidence)
    if intervals.ends is not None:
        keys = ["run_id", "group", "measure"]
        ends = rows.drop("low", "high").join(intervals.ends, on=keys, how="left", maintain_order="left")
        rows = ends.select(rows.columns)
    elif comparison is None and isinstance(result, Evaluation):
        rows = as_aggregated(rows, result, values)
    return Findings(values, rows, comparison, confidence, intervals)


def _comparison(result: Any, values: PerUnitValues, baseline: Any) -> Comparison | None:
    """The comparison that was passed, or that of an evaluation of several systems.

    Raises:
        InvalidParameter: there is nothing that a baseline could be compared with, or there is another one.
    """
    if isinstance(result, Comparison):
        if baseline is not None and baseline != result.options.baseline:
            raise InvalidParameter(
                f"The comparison is not one with the baseline {baseline!r}.", f"ev.compare({baseline!r})"
            )
        return result
    if values.system is None or values.all_rows["system"].n_unique() < 2:
        if baseline is not None:
            raise InvalidParameter(
                f"There is one system, so none is compared with {baseline!r}.", "Leave baseline= out."
            )
        return None
    comparison: Comparison = result.compare(baseline, missing="intersect")
    return comparison


def _of_units(findings: Findings, result: Any, title: str | None, command: str, figures: Figures) -> Page:
    evaluation = result if isinstance(result, Evaluation) else None
    first, *others = sentences(findings)
    names = findings.means["measure"].unique(maintain_order=True).to_list()
    together: list[str] = []
    if evaluation is not None:
        together = of_all_units(evaluation, findings.values)["measure"].unique(maintain_order=True).to_list()
    undefined = (m for m in findings.values.measures if m not in (*names, *together))
    others = [*(f"{name(m).text} is undefined for every unit." for m in undefined), *others]
    measures = _measures(findings, evaluation, [*names, *together])
    sections = [
        summary(findings, evaluation, figures),
        Section("findings", "Findings", tuple(others[:12]), (measures,)),
        compared(findings, figures),
        units(findings, evaluation, figures),
        *of_family(findings, evaluation, figures),
        conventions(findings, evaluation, command),
        every_value(findings.values),
    ]
    by = listed((name(m).text for m in names), limit=3)
    systems = counted(findings.means["run_id"].n_unique(), "system")
    default = f"{systems} by {by}" if findings.comparison is not None else by
    return Page(plain(title or default), plain(first), tuple(s for s in sections if s is not None))


def _of_all_units(
    rows: pl.DataFrame, evaluation: Evaluation, values: PerUnitValues, title: str | None, command: str, figures: Figures
) -> Page:
    """The page of measures that no unit has by itself: their values, and why there is nothing else."""
    word = unit_word(values)
    none = rows.clear().with_columns(low=pl.lit(0.0), high=pl.lit(0.0), n_units=pl.lit(0, pl.Int64))
    findings = Findings(values, none, None, 0.95)
    names = rows["measure"].unique(maintain_order=True).to_list()
    first, *others = of_one_value(rows, values)
    shown = rows.drop([] if values.system else "run_id", [] if values.by else "group")
    note = (
        f"No {word} has a value of these measures by itself, so there are no values per {word}, no intervals of "
        f"means and no comparison. ir.resampling.bootstrap draws {word}s: it has intervals, and compares systems."
    )
    sections = [
        Section("summary", "Summary", (), (table(shown, f"Values of all {word}s together"),), (note,)),
        Section("findings", "Findings", tuple(others[:12]), (_measures(findings, evaluation, names),)),
        *of_family(findings, evaluation, figures),
        conventions(findings, evaluation, command),
    ]
    by = listed((name(m).text for m in names), limit=3)
    by = f"{counted(rows['run_id'].n_unique(), 'system')} by {by}" if values.system else by
    return Page(plain(title or by), plain(first), tuple(sections))


def _measures(findings: Findings, evaluation: Evaluation | None, names: Sequence[str]) -> Table:
    """The measures with their direction; of an evaluation also with aggregation and formula."""
    frame = pl.DataFrame(
        {"measure": names, "higher_is_better": [m not in findings.values.lower_is_better for m in names]},
        schema={"measure": pl.String, "higher_is_better": pl.Boolean},
    )
    if evaluation is not None:
        known = {str(m): m for m in evaluation.measures}
        frame = frame.with_columns(
            higher_is_better=pl.Series([known[m].definition.higher_is_better for m in names], dtype=pl.Boolean),
            aggregation=pl.Series([known[m].aggregation for m in names], dtype=pl.String),
            formula=pl.Series([known[m].definition.formula or "–" for m in names], dtype=pl.String),
        )
    shown = frame.drop("higher_is_better").with_columns(
        measure=pl.Series([directed(m, findings.values) for m in names], dtype=pl.String)
    )
    return replace(table(shown, "The measures", prose=("formula",)), frame=frame, name="measures")
