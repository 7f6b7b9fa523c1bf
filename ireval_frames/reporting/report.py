"""`ir.report`: an evaluation, a comparison or a store as one page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.values.sources import HasPerUnit, PerUnitValues
from ireval_frames.drawable import Estimating
from ireval_frames.errors import InvalidParameter, listed
from ireval_frames.escaping import plain
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.plots.comparison.intervals import means
from ireval_frames.plots.inputs import known_measures, values_of
from ireval_frames.plots.picture import altair
from ireval_frames.plots.words import counted, directed
from ireval_frames.reporting import stored
from ireval_frames.reporting.cells import name, table
from ireval_frames.reporting.conventions import conventions
from ireval_frames.reporting.estimated import of_estimates
from ireval_frames.reporting.families import of_family
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.findings import Found, sentences
from ireval_frames.reporting.page import Page, Section
from ireval_frames.reporting.rendering import rendered
from ireval_frames.reporting.resampled import resampled
from ireval_frames.reporting.systems import compared, every_value, summary, units
from ireval_frames.store import Store


def report(
    result: Any,
    path: str | os.PathLike[str] = "report.html",
    *,
    baseline: Any = None,
    title: str | None = None,
    command: str = "",
    interactive: bool = False,
) -> Path:
    """Write an evaluation, a comparison or a store as one HTML file to mail: it asks nothing of the network.

    Its first sentence says what was found, and how sure that is.  Every picture is followed by the table that it draws.
    Several systems are compared by paired t tests, corrected by Holm, each pair on the units that both have, unless a
    comparison is handed in that does it another way.  Single values of all items, as of a classifier, have intervals
    and differences by bootstrap over items.  The same input gives the same bytes.  There is no script on it,
    unless `interactive` asks for one.

    Args:
        result: an evaluation; a comparison, also one of a store or a table; the analysis of an experiment, an
            `Interleaving`, or rankings valued by clicks (`ir.clicks.counterfactual`, `ir.clicks.off_policy`); a store;
            or what was asked of one: `store.leaderboard()`, `store.history(measure)`, the answer to a query, any frame.
        path: the file, .html.
        baseline: of an evaluation of several systems: what the others are compared with; by default every two are.
        title: of the page.
        command: what was run, told under "Of what this was made".
        interactive: pictures tell the values under the mouse.  The page then holds Vega, 0.9 MB more, and its policy
            lets in that one script; where scripts are off, it is as without.

    Returns:
        the path.

    Raises:
        InvalidParameter: the result is none of these, a comparison has another baseline, the path does not end in
            .html, or the page would have more than five million bytes.
        EngineError: Jinja2 is not installed; or, for `interactive`, Altair or vl-convert.
        FileError: the file cannot be written.

    Source: sections and tables after the per-run reports of TREC.

    Example:
        >>> import tempfile, ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "P@1 RR")
        >>> page = ir.report(ev, tempfile.mkdtemp() + "/report.html").read_text("utf-8")
        >>> page[:15], "<script" in page
        ('<!doctype html>', False)
    """
    path = Path(path)
    if path.suffix not in (".html", ".htm"):
        raise InvalidParameter(f"{path.name!r} ends in {path.suffix!r}.", "A report is HTML: report.html")
    if interactive:
        altair()
    text = rendered(_page(result, baseline, title, command, Figures(live=interactive)))
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))
    return path


def _page(result: Any, baseline: Any, title: str | None, command: str, figures: Figures) -> Page:
    if isinstance(result, Store | pl.DataFrame | pl.LazyFrame | Estimating | Analysis):
        if baseline is not None:
            raise InvalidParameter(
                f"What was handed in names no systems to compare with {baseline!r}.",
                "Hand in a comparison: ir.report(store.compare(baseline, run, measure))",
            )
        if isinstance(result, Store):
            return stored.of_store(result, title, command, figures)
        if isinstance(result, Estimating | Analysis):
            return of_estimates(result, title, command, figures)
        return stored.of_frame(result.lazy().collect(), title, command)
    if not isinstance(result, HasPerUnit | Comparison):
        raise InvalidParameter(
            f"A {type(result).__name__} has no report.",
            "Hand in an evaluation, comparison, analysis of an experiment, Interleaving, rankings valued by clicks, "
            "a store, or a frame.",
        )
    return _of_units(_found(result, baseline), result, title, command, figures)


def _found(result: Any, baseline: Any) -> Found:
    """What is told of values per unit."""
    values = values_of(result)
    comparison = _comparison(result, values, baseline)
    confidence = 0.95 if comparison is None else comparison.options.confidence
    of_items = resampled(result, values, baseline, confidence)
    rows = means(values, known_measures(values), confidence)
    if of_items.ends is not None:
        keys = ["run_id", "group", "measure"]
        ends = rows.drop("low", "high").join(of_items.ends, on=keys, how="left", maintain_order="left")
        rows = ends.select(rows.columns)
    return Found(values, rows, comparison, confidence, of_items)


def _comparison(result: Any, values: PerUnitValues, baseline: Any) -> Comparison | None:
    """The comparison that was handed in, or that of an evaluation of several systems.

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
    made: Comparison = result.compare(baseline, missing="intersect")
    return made


def _of_units(found: Found, result: Any, title: str | None, command: str, figures: Figures) -> Page:
    evaluation = result if isinstance(result, Evaluation) else None
    said = sentences(found)
    rest = said[1:]
    sections = [
        Section(
            "asked",
            "What was asked",
            (*map(plain, found.values.overlap), *rest[:12]),
            (table(_measures(found, evaluation), "The measures", prose=("formula",)),),
        ),
        summary(found, evaluation, figures),
        compared(found, figures),
        units(found, evaluation, figures),
        *of_family(found, evaluation, figures),
        conventions(found, evaluation, command),
        every_value(found.values),
    ]
    names = found.means["measure"].unique(maintain_order=True).to_list()
    by = listed((name(m).text for m in names), limit=3)
    systems = counted(found.means["run_id"].n_unique(), "system")
    default = f"{systems} by {by}" if found.comparison is not None else by
    return Page(plain(title or default), plain(said[0]), tuple(s for s in sections if s is not None))


def _measures(found: Found, evaluation: Evaluation | None) -> pl.DataFrame:
    """The measures: direction, and where they are ours, how they are aggregated, and their formula."""
    names = found.means["measure"].unique(maintain_order=True)
    frame = pl.DataFrame({"measure": [directed(m, found.values) for m in names]})
    if evaluation is None:
        return frame
    known = {str(m): m for m in evaluation.measures}
    return frame.with_columns(
        aggregation=pl.Series([known[m].aggregation for m in names]),
        formula=pl.Series([known[m].definition.formula or "–" for m in names]),
    )
