"""Why two runs differ on a topic: contributions and intervals against plain loops over cut lists and assignments."""

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

MADE = make_case(3, 14, 2)
TOPICS = [q for q in MADE.qrels if all(q in lists for lists in MADE.runs.values())]
# A measure of each kind: sums, cascades, ratios, windows of the list, what looks at unjudged documents, other facets.
MEASURES = [
    "nDCG@10", "AP", "P@5", "RR", "ERR@10", "RBP", "SetF", "Bpref", "INST(max_rel=4)", "AP(judged_only=True)",
    "nDCG(subtopics='mean')",    "AP(assessors='mean')", "alpha_nDCG@5", "NumRet", "Unjudged@5",
]  # fmt: skip


def alone(topic: Any) -> Case:
    """One topic of the case."""
    return Case({topic: MADE.qrels[topic]}, {run: {topic: lists[topic]} for run, lists in MADE.runs.items()})


def cut(topic: Any, qrels: Case, order: list[Any], measure: Measure) -> list[float | None]:
    """The measure's value of the list cut after every rank, from none on."""
    ranked = [(doc, float(-place)) for place, doc in enumerate(order)]
    runs = {f"{depth}": {topic: ranked[:depth]} if depth else {} for depth in range(len(order) + 1)}
    # A list elsewhere, so that the run is one that answers nothing here.
    values = expected(Case(qrels.qrels, runs), measure)
    return [values.get((str(measure), f"{depth}", topic)) for depth in range(len(order) + 1)]


def contributions(values: list[float | None]) -> list[float | None]:
    """What every rank adds; nothing is known where no cut has a value."""
    if all(value is None for value in values):
        return [None] * (len(values) - 1)
    known = [0.0 if value is None else value for value in values]
    return [after - before for before, after in itertools.pairwise(known)]


def wrong(measure: Measure, topic: Any, engine: str) -> list[Any]:
    """The lists whose contributions are not those of the loop."""
    one, way = alone(topic), judged_by(measure)
    tables = one.qrels_frame(*way), one.run_frame()
    d = ir.evaluate(*tables, [measure], engine=engine, policy="overlap=allow").diagnose("run1", "run0")
    found, out = d.documents(topic, 1000), []
    for rank, column in (("rank_baseline", "contribution_baseline"), ("rank", "contribution")):
        ranked = found.filter(pl.col(rank).is_not_null()).sort(rank)
        expected = contributions(cut(topic, one, ranked["doc_id"].to_list(), measure))
        got = ranked[column].to_list()
        if got != pytest.approx(expected, rel=1e-10, abs=1e-10, nan_ok=False):
            out.append((str(measure), topic, column, got, expected))
    return out


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_contributions_are_differences_of_cut_lists(engine: str) -> None:
    broken = []
    for place, text in enumerate(MEASURES):
        measure = ir.Measure.parse(text, "ranking")
        assert any(measure.name == name for name in VARIANTS)
        broken += wrong(measure, TOPICS[place % len(TOPICS)], engine)
    assert not broken


def ranked(found: list[tuple[Any, float]]) -> list[Any]:
    """The documents by falling score, ties by falling id."""
    return [doc for doc, _ in sorted(found, key=lambda row: (row[1], row[0]), reverse=True)]


def judged_later(topic: Any, measure: Measure, k: int, grades: list[float]) -> tuple[list[int], list[float]]:
    """How many of the first k are not judged, in the baseline, the run and either; all differences that can be."""
    judged = MADE.qrels[topic]
    lists = [ranked(MADE.runs[run].get(topic, [])) for run in ("run0", "run1")]
    open_ = [[doc for doc in order[:k] if judged.get(doc, -1.0) < 0] for order in lists]
    either = list(dict.fromkeys(open_[0] + open_[1]))
    out = []
    for given in itertools.product(grades, repeat=len(either)):
        case = Case({topic: judged | dict(zip(either, given, strict=True))}, alone(topic).runs)
        values = expected(case, measure)
        out.append(values[str(measure), "run1", topic] - values[str(measure), "run0", topic])
    return [len(open_[0]), len(open_[1]), len(either)], out


INTERVALS = [
    "P@3", "P(rel=2)@4", "nDCG@3", "nDCG(dcg='exp-log2')", "DCG@5", "R@3", "AP", "RR", "ERR@4", "RBP(p=0.5)", "F@3",
    "Success@2", "Bpref", "P(judged_only=True)@2", "nDCG(judged_only=True)@3", "Rprec", "Unjudged@3",
]  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("assignments", [81, 1])
def test_intervals_of_what_is_not_judged(engine: str, assignments: int) -> None:
    some = [t for t in TOPICS if len(MADE.runs["run0"][t]) < 40][:5]
    case = Case({t: MADE.qrels[t] for t in some}, {r: {t: lists[t] for t in some} for r, lists in MADE.runs.items()})
    texts = INTERVALS if engine == "polars" else INTERVALS[::4]
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), texts, engine=engine)
    grades = [0.0, 1.0, 3.0]
    exact = 0
    for measure in ev.measures:
        d = ev.diagnose("run1", "run0", measure)
        actual = {row["query_id"]: row for row in d.unjudged(2, grades, assignments=assignments).to_dicts()}
        now = dict(d.topics().select("query_id", "difference").iter_rows())
        assert actual.keys() == set(some)
        for topic, row in actual.items():
            counts, differences = judged_later(topic, measure, 2, grades)
            told = [row[c] for c in ("n_unjudged_baseline", "n_unjudged", "n_unjudged_either")]
            assert told == counts, (str(measure), topic)
            assert row["difference"] == pytest.approx(now[topic], abs=1e-12)
            interval = (row["lowest"], row["highest"])
            if row["exact"]:
                exact += 1
                assert interval == pytest.approx((min(differences), max(differences)), abs=1e-9), (str(measure), topic)
            elif None not in interval:
                case = (str(measure), topic, interval, min(differences), max(differences))
                assert interval[0] <= min(differences) + 1e-9, case
                assert interval[1] >= max(differences) - 1e-9, case
            else:
                assert not all(map(math.isfinite, measure.range))
            levels = 2 if measure.name in ("AP", "R", "RR", "Success") and "judged" not in str(measure) else 3
            assert row["exact"] or levels ** counts[2] > assignments
    assert exact > len(texts)


def test_judging_where_nothing_is_relevant() -> None:
    """What is undefined without relevant documents is left out."""
    made = Case({"q": {"a": 0.0}}, {"run0": {"q": [("x", 1.0)]}, "run1": {"q": [("y", 1.0)]}})
    for policy in ({"no_relevant": "null"}, {"no_relevant": "zero"}):
        ev = ir.evaluate(made.qrels_frame(""), made.run_frame(), "P@1 AP", policy={"overlap": "allow"} | policy)
        for measure in ev.measures:
            row = ev.diagnose("run1", "run0", measure).unjudged(1).row(0, named=True)
            assert (row["lowest"], row["highest"], row["exact"]) == (-1.0, 1.0, True)


def test_grades_that_the_measure_refuses() -> None:
    made = Case({"q": {"a": 1.0}}, {"run0": {"q": [("x", 1.0)]}, "run1": {"q": [("a", 1.0)]}})
    d = ir.evaluate(made.qrels_frame(""), made.run_frame(), "ERR@5").diagnose("run1", "run0")
    with pytest.raises(InvalidValue, match="max_rel"):
        d.unjudged(3, grades=[0, 9])


def test_intervals_without_anything_to_find_or_without_a_list() -> None:
    """No grade is relevant: the values stay 0.  A list that is not evaluated has no value, so no interval."""
    lists = {"q": [("x", 2.0), ("y", 1.0)]}
    made = Case({"q": {"a": 1.0}, "p": {"a": 1.0}}, {"run0": {"q": [("z", 1.0)], "p": [("z", 1.0)]}, "run1": lists})
    ev = ir.evaluate(
        made.qrels_frame(""), made.run_frame(), "R(rel=5)@3 nDCG@3 P@3 AP", policy="missing=skip,overlap=allow"
    )
    for measure in ev.measures:
        rows = ev.diagnose("run1", "run0", measure).unjudged(3, assignments=1).rows_by_key("query_id", named=True)
        (row,), (lacking,) = rows["q"], rows["p"]
        assert [lacking[c] for c in ("difference", "lowest", "highest", "exact")] == [None] * 4
        if measure.name == "R":
            assert [row[c] for c in ("difference", "lowest", "highest", "exact")] == [0.0, 0.0, 0.0, True]
