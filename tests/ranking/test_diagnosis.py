"""Contributions and intervals of differences, against plain loops over cut lists and assignments of grades."""

from __future__ import annotations

import itertools
import math
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidValue
from tests.ranking.cases import Case, make_case
from tests.ranking.suite import VARIANTS, expected, judged_by

CASE = make_case(3, 14, 2)
QUERIES = [q for q in CASE.qrels if all(q in lists for lists in CASE.runs.values())]
# Sums, cascades, ratios, set measures, measures of unjudged documents, and other facets.
MEASURES = [
    "nDCG@10", "AP", "P@5", "RR", "ERR@10", "RBP", "SetF", "Bpref", "INST(max_rel=4)", "AP(judged_only=True)",
    "nDCG(subtopics='mean')",    "AP(assessors='mean')", "alpha_nDCG@5", "NumRet", "Unjudged@5",
]  # fmt: skip


def single_query(query: Any) -> Case:
    """The case with a single query."""
    return Case({query: CASE.qrels[query]}, {run: {query: lists[query]} for run, lists in CASE.runs.items()})


def cut(query: Any, qrels: Case, order: list[Any], measure: Measure) -> list[float | None]:
    """The measure's value for the list cut at every rank from 0."""
    ranked = [(doc, float(-position)) for position, doc in enumerate(order)]
    runs = {f"{depth}": {query: ranked[:depth]} if depth else {} for depth in range(len(order) + 1)}
    # Cut at 0, the run has no list for the query.
    values = expected(Case(qrels.qrels, runs), measure)
    return [values.get((str(measure), f"{depth}", query)) for depth in range(len(order) + 1)]


def contributions(values: list[float | None]) -> list[float | None]:
    """The contribution of every rank; null if no cut has a value."""
    if all(value is None for value in values):
        return [None] * (len(values) - 1)
    defined = [0.0 if value is None else value for value in values]
    return [after - before for before, after in itertools.pairwise(defined)]


def failures(measure: Measure, query: Any, engine: str) -> list[Any]:
    """Lists whose contributions differ from the loop's."""
    case, judgments = single_query(query), judged_by(measure)
    tables = case.qrels_frame(*judgments), case.run_frame()
    d = ir.evaluate(*tables, [measure], engine=engine, policy="overlap=allow").diagnose("run1", "run0")
    documents, out = d.documents(query, 1000), []
    for rank, column in (("rank_baseline", "contribution_baseline"), ("rank", "contribution")):
        ranked = documents.filter(pl.col(rank).is_not_null()).sort(rank)
        expected = contributions(cut(query, case, ranked["doc_id"].to_list(), measure))
        actual = ranked[column].to_list()
        if actual != pytest.approx(expected, rel=1e-10, abs=1e-10, nan_ok=False):
            out.append((str(measure), query, column, actual, expected))
    return out


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_contributions_are_differences_of_cut_lists(engine: str) -> None:
    failed = []
    for position, text in enumerate(MEASURES):
        measure = ir.Measure.parse(text, "ranking")
        assert any(measure.name == name for name in VARIANTS)
        failed += failures(measure, QUERIES[position % len(QUERIES)], engine)
    assert not failed


def ranked(documents: list[tuple[Any, float]]) -> list[Any]:
    """The documents by descending score and id."""
    return [doc for doc, _ in sorted(documents, key=lambda row: (row[1], row[0]), reverse=True)]


def judged_later(query: Any, measure: Measure, k: int, grades: list[float]) -> tuple[list[int], list[float]]:
    """Numbers of unjudged documents in the first k of the baseline, the run and either; all possible differences."""
    judged = CASE.qrels[query]
    lists = [ranked(CASE.runs[run].get(query, [])) for run in ("run0", "run1")]
    open_ = [[doc for doc in order[:k] if judged.get(doc, -1.0) < 0] for order in lists]
    either = list(dict.fromkeys(open_[0] + open_[1]))
    out = []
    for assigned in itertools.product(grades, repeat=len(either)):
        case = Case({query: judged | dict(zip(either, assigned, strict=True))}, single_query(query).runs)
        values = expected(case, measure)
        out.append(values[str(measure), "run1", query] - values[str(measure), "run0", query])
    return [len(open_[0]), len(open_[1]), len(either)], out


INTERVALS = [
    "P@3", "P(rel=2)@4", "nDCG@3", "nDCG(dcg='exp-log2')", "DCG@5", "R@3", "AP", "RR", "ERR@4", "RBP(p=0.5)", "F@3",
    "Success@2", "Bpref", "P(judged_only=True)@2", "nDCG(judged_only=True)@3", "Rprec", "Unjudged@3",
]  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("assignments", [81, 1])
def test_intervals_of_unjudged_documents(engine: str, assignments: int) -> None:
    queries = [t for t in QUERIES if len(CASE.runs["run0"][t]) < 40][:5]
    case = Case(
        {t: CASE.qrels[t] for t in queries}, {r: {t: lists[t] for t in queries} for r, lists in CASE.runs.items()}
    )
    texts = INTERVALS if engine == "polars" else INTERVALS[::4]
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), texts, engine=engine)
    grades = [0.0, 1.0, 3.0]
    exact = 0
    for measure in ev.measures:
        d = ev.diagnose("run1", "run0", measure)
        actual = {row["query_id"]: row for row in d.unjudged(2, grades, assignments=assignments).to_dicts()}
        current = dict(d.topics().select("query_id", "difference").iter_rows())
        assert actual.keys() == set(queries)
        for query, row in actual.items():
            counts, differences = judged_later(query, measure, 2, grades)
            counted = [row[c] for c in ("n_unjudged_baseline", "n_unjudged", "n_unjudged_either")]
            assert counted == counts, (str(measure), query)
            assert row["difference"] == pytest.approx(current[query], abs=1e-12)
            interval = (row["lowest"], row["highest"])
            if row["exact"]:
                exact += 1
                assert interval == pytest.approx((min(differences), max(differences)), abs=1e-9), (str(measure), query)
            elif None not in interval:
                case = (str(measure), query, interval, min(differences), max(differences))
                assert interval[0] <= min(differences) + 1e-9, case
                assert interval[1] >= max(differences) - 1e-9, case
            else:
                assert not all(map(math.isfinite, measure.range))
            levels = 2 if measure.name in ("AP", "R", "RR", "Success") and "judged" not in str(measure) else 3
            assert row["exact"] or levels ** counts[2] > assignments
    assert exact > len(texts)


def test_intervals_without_relevant_documents() -> None:
    """Values that are undefined without relevant documents are excluded."""
    case = Case({"q": {"a": 0.0}}, {"run0": {"q": [("x", 1.0)]}, "run1": {"q": [("y", 1.0)]}})
    for policy in ({"no_relevant": "null"}, {"no_relevant": "zero"}):
        ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), "P@1 AP", policy={"overlap": "allow"} | policy)
        for measure in ev.measures:
            row = ev.diagnose("run1", "run0", measure).unjudged(1).row(0, named=True)
            assert (row["lowest"], row["highest"], row["exact"]) == (-1.0, 1.0, True)


def test_grades_above_the_scale() -> None:
    case = Case({"q": {"a": 1.0}}, {"run0": {"q": [("x", 1.0)]}, "run1": {"q": [("a", 1.0)]}})
    d = ir.evaluate(case.qrels_frame(""), case.run_frame(), "ERR@5").diagnose("run1", "run0")
    with pytest.raises(InvalidValue, match="max_rel"):
        d.unjudged(3, grades=[0, 9])


def test_intervals_without_relevant_grades_or_lists() -> None:
    """Without relevant grades, values remain 0; lists that are not evaluated have no interval."""
    lists = {"q": [("x", 2.0), ("y", 1.0)]}
    case = Case({"q": {"a": 1.0}, "p": {"a": 1.0}}, {"run0": {"q": [("z", 1.0)], "p": [("z", 1.0)]}, "run1": lists})
    ev = ir.evaluate(
        case.qrels_frame(""), case.run_frame(), "R(rel=5)@3 nDCG@3 P@3 AP", policy="missing=skip,overlap=allow"
    )
    for measure in ev.measures:
        rows = ev.diagnose("run1", "run0", measure).unjudged(3, assignments=1).rows_by_key("query_id", named=True)
        (row,), (without_list,) = rows["q"], rows["p"]
        assert [without_list[c] for c in ("difference", "lowest", "highest", "exact")] == [None] * 4
        if measure.name == "R":
            assert [row[c] for c in ("difference", "lowest", "highest", "exact")] == [0.0, 0.0, 0.0, True]
