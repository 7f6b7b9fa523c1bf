"""What only one family has: curves and coverage of rankings, confusions of labels, tables of clusters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ireval_frames.errors import IrevalError
from ireval_frames.escaping import plain
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.findings import Found
from ireval_frames.reporting.page import Block, Section
from ireval_frames.reporting.systems import original, shown_pair

# So many systems are shown one by one.
MOST_SYSTEMS = 4


def _ranking(found: Found, evaluation: Any, figures: Figures) -> list[Section]:
    """Where documents moved, curves, cutoffs, and what was judged."""
    sections = []
    measure = found.means["measure"][0]
    pair = shown_pair(found, measure)
    if pair is not None and not found.values.by and found.comparison is not None:
        one, other = (original(found.values, p) for p in pair)
        diagnosis = evaluation.diagnose(one, other, measure)
        for query in _farthest(found, measure, one, other):
            figures.add("moved", diagnosis, query, top=10)
        drawn, notes = figures.taken()
        said = f"The documents of the queries in which {pair[0]} differs most from {pair[1]}, up and down."
        sections.append(Section("documents", "Documents", (plain(said),), drawn, notes))
    figures.add("precision_recall", evaluation)
    cuts = [m[1] for name in found.means["measure"].unique() if (m := re.fullmatch(r"(.+)@\d+", name))]
    if len(cuts) > len(set(cuts)):
        figures.add("cutoffs", evaluation)
    drawn, notes = figures.taken()
    sections.append(Section("curves", "Curves", blocks=drawn, notes=notes))
    figures.add("judged", evaluation)
    drawn, notes = figures.taken()
    said = (
        "Systems of which less was judged may be better than they look: an unjudged document counts as the policy says."
    )
    return [*sections, Section("coverage", "Coverage", (said,), drawn, notes)]


def _farthest(found: Found, measure: str, one: Any, other: Any) -> list[Any]:
    """The units with the largest gain and the largest loss of a system against another one."""
    rows = found.values.all_rows.filter(pl.col("measure") == measure).drop_nulls("value")
    sides = [rows.filter(pl.col("system") == s).select("unit_0", "value") for s in (one, other)]
    both = sides[0].join(sides[1], on="unit_0").with_columns(_gain=pl.col("value") - pl.col("value_right"))
    units = both.sort("_gain", "unit_0", descending=[True, False])["unit_0"]
    return list(dict.fromkeys([units[0], units[-1]])) if len(units) else []


def _labels(found: Found, evaluation: Any, figures: Figures) -> list[Section]:
    """The classes one by one, the confusions, and curves of scores."""
    tables: list[Block] = []
    notes: list[str] = []
    there = _columns(evaluation)
    if "prediction" in there:
        try:
            classes = evaluation.subject.report()
            tables.append(table(classes, "Precision, recall and F1 of each class", rest="labels.report()"))
        except IrevalError as error:
            notes.append(plain(f"There is no table of classes: {error.what}"))
        runs = _runs(found)
        for run in runs[:MOST_SYSTEMS]:
            figures.add("confusion", evaluation, **({} if run is None else {"run": run}))
        if len(runs) > MOST_SYSTEMS:
            notes.append(f"The confusions of {len(runs) - MOST_SYSTEMS} other systems are not shown.")
    if "score" in there:
        figures.add("curve", evaluation, "roc")
        figures.add("curve", evaluation, "precision-recall")
        figures.add("reliability", evaluation)
    drawn, noted = figures.taken()
    return [Section("classes", "Classes", blocks=(*tables, *drawn), notes=(*notes, *noted))]


def _clusters(found: Found, evaluation: Any, figures: Figures) -> list[Section]:
    """Which classes are in which clusters."""
    for run in _runs(found)[:MOST_SYSTEMS]:
        figures.add("contingency", evaluation, **({} if run is None else {"run": run}))
    drawn, notes = figures.taken()
    return [Section("clusters", "Classes and clusters", blocks=drawn, notes=notes)]


def _points(_: Found, evaluation: Any, figures: Figures) -> list[Section]:
    """How well points lie in their clusters."""
    figures.add("silhouettes", evaluation)
    drawn, notes = figures.taken()
    return [Section("points", "Silhouettes", blocks=drawn, notes=notes)]


def _runs(found: Found) -> list[str | None]:
    if found.values.system is None and not found.values.by:
        return [None]
    if found.values.by:
        return []
    return list(found.ordered()["run_id"].unique(maintain_order=True))


def _columns(evaluation: Any) -> set[str]:
    """Which tables and columns of labels there are, under our names."""
    return {c for frame in evaluation.tables().values() for c in frame.columns}


_OF: Mapping[str, Callable[[Found, Any, Figures], list[Section]]] = {
    "ranking": _ranking,
    "labels": _labels,
    "clusters": _clusters,
    "points": _points,
}


def of_family(found: Found, evaluation: Any, figures: Figures) -> list[Section]:
    """The sections that only the family of an evaluation has."""
    made = _OF.get(getattr(evaluation, "family", ""))
    return [s for s in made(found, evaluation, figures) if s.blocks or s.notes] if made else []
