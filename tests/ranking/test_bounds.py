"""Bounds of values and of differences, against all gradings of small random lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined
from ireval_frames.ranking.bounds import bounded
from tests.oracles import bounds as oracle
from tests.ranking.bounds_cases import EXACT, OF_ONE_GAIN, OPEN, random_case, value_of
from tests.ranking.cases import Case

ALWAYS_EXACT = {str(Measure.parse(text, "ranking")) for text in EXACT}
BINARY, GRADED = (0.0, 1.0), (0.0, 1.0, 2.0, 3.0)


def exact_of_one_gain(measure: Measure, grades: Sequence[float]) -> bool:
    """Whether it is one of the measures that have exact bounds where documents have one gain."""
    return len({*grades} - {0.0}) == 1 and str(measure) in {str(Measure.parse(t, "ranking")) for t in OF_ONE_GAIN}


def differing(
    case: Case,
    texts: Sequence[str],
    grades: Sequence[float],
    *,
    engine: str = "polars",
    outside: int = 0,
    policy: dict[str, Any] | None = None,
    **options: Any,
) -> list[Any]:
    """Lists whose bounds are not those of all gradings, or, where they are not exact, do not enclose them."""
    tables = case.qrels_frame(""), case.run_frame("run0")
    ev = ir.evaluate(*tables, texts, engine=engine, policy={"overlap": "allow"} | (policy or {}))
    out, measures = [], {str(m): m for m in ev.measures}
    for row in ev.bounds(unretrieved=outside, assignments=1, grades=grades).iter_rows(named=True):
        query, measure = row["query_id"], measures[row["measure"]]
        judgments, order = case.qrels[query], [doc for doc, _ in case.runs["run0"][query]]
        documents = [*oracle.unjudged(order, judgments), *(f"outside{i}" for i in range(outside))]

        def value(graded: oracle.Judgments, m: Measure = measure, q: Any = query) -> float | None:
            return value_of(case, m, "run0", q, graded, **options)

        ends = oracle.extremes(value, judgments, documents, grades)
        out += wrong(row, ends, (row["low"], row["high"]), measure)
        out += [(row, ends)] if not row["exact"] and ends and exact_of_one_gain(measure, grades) else []
        if row["n_unjudged"] != len(documents) - outside:
            out.append((row, documents))
    return out


def wrong(
    row: Any, ends: tuple[float, float] | None, actual: tuple[Any, Any], measure: Measure, *, always_exact: bool = True
) -> list[Any]:
    """The row, if it does not say what all gradings give."""
    low, high = actual
    if ends is None:
        return [] if (low, high, row["exact"]) == (None, None, None) else [(row, ends)]
    if row["exact"]:
        return [] if actual == pytest.approx(ends, rel=1e-12, abs=1e-12) else [(row, ends)]
    if row["exact"] is None or (always_exact and str(measure) in ALWAYS_EXACT):
        return [(row, ends)]
    encloses = (low is None or low <= ends[0] + 1e-12) and (high is None or high >= ends[1] - 1e-12)
    return [] if encloses else [(row, ends)]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("grades", [BINARY, GRADED], ids=["binary", "graded"])
def test_bounds_are_those_of_all_gradings(grades: Sequence[float], engine: str) -> None:
    n, texts = (10, EXACT) if engine == "polars" else (4, EXACT[::3])
    case = random_case(len(grades), n, 5 if grades == BINARY else 3, grades)
    assert not differing(case, [*texts, *OF_ONE_GAIN], grades, engine=engine)


# Of these only one end is known where no document is judged relevant.
MONOTONE = ("P(measurement", "SetP", "ERR", "SDCG", "INSQ", "TBG", "UMeasure", "NERR")
# These have no bounds where documents outside of the list may be relevant.
NOT_OUTSIDE = ("BEP", "Bpref", "AUC(unretrieved=True)")


def test_bounds_without_values_where_nothing_is_relevant() -> None:
    texts = [text for text in EXACT if not text.startswith(MONOTONE)]
    case, policy = random_case(7, 10, 4, BINARY), {"no_relevant": "null"}
    assert not differing(case, texts, BINARY, policy=policy, no_relevant="null")
    case = random_case(8, 6, 3, GRADED)
    assert not differing(case, texts[::2], GRADED, policy=policy, no_relevant="null")


def test_bounds_with_documents_outside_of_the_list() -> None:
    texts = [text for text in EXACT if text not in NOT_OUTSIDE]
    assert not differing(random_case(9, 6, 4, BINARY), texts, BINARY, outside=2)
    assert not differing(random_case(10, 4, 2, GRADED), texts[::2], GRADED, outside=2)


@pytest.mark.parametrize("grades", [(1.0, 2.0), (0.0, 2.5), (0.0, 0.5, 1.0)])
def test_bounds_with_other_grades(grades: Sequence[float]) -> None:
    assert not differing(random_case(11, 6, 3, grades), EXACT[::2], grades)


@pytest.mark.parametrize("policy", [{"unjudged": "skip"}, {"interpolation": "exact"}, {"depth": 4}])
def test_bounds_with_policies(policy: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of all gradings, tried by the engine as for a measure of which nothing is known."""
    texts = EXACT[::2] if "depth" in policy else [t for t in EXACT if t.startswith(("I", "AP", "R", "nDCG", "A"))]
    case = random_case(12, 6, 3, BINARY)
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame("run0"), texts, policy={"overlap": "allow"} | policy)
    known = ev.bounds(grades=BINARY)
    monkeypatch.setattr(bounded, "form_of", lambda *_: None)
    tried = ev.bounds(grades=BINARY, assignments=64)
    assert_frame_equal(known, tried, abs_tol=1e-12, rel_tol=1e-12)


@pytest.mark.external
@pytest.mark.parametrize("text", [*EXACT, *OF_ONE_GAIN, *OPEN])
def test_bounds_of_3000_lists(text: str) -> None:
    for seed, grades, most in ((1, BINARY, 8), (2, GRADED, 4)):
        assert not differing(random_case(seed, 1500, most, grades), [text], grades)


def differing_differences(texts: Sequence[str], grades: Sequence[float], most: int, lists: int = 8) -> list[Any]:
    """Queries where the bounds of a difference are not those of all gradings, or do not enclose them."""
    case = random_case(13, lists, most, grades, runs=2)
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), texts, policy="overlap=allow")
    out, order = [], {q: {doc for run in case.runs.values() for doc, _ in run[q]} for q in case.qrels}
    for measure in ev.measures:
        d = ev.diagnose("run1", "run0", measure)
        for row in d.unjudged(10, grades, assignments=1).iter_rows(named=True):
            query = row["query_id"]
            documents = oracle.unjudged(sorted(order[query]), case.qrels[query])

            def value(graded: oracle.Judgments, m: Measure = measure, q: Any = query) -> float | None:
                before, after = (value_of(case, m, run, q, graded) for run in ("run0", "run1"))
                return None if before is None or after is None else after - before

            ends = oracle.extremes(value, case.qrels[query], documents, grades)
            exact = row["exact"] or measure.name not in EXACT_DIFFERENCES
            out += [] if exact else [(row, ends)]
            if ends is not None or row["exact"]:
                out += wrong(row, ends, (row["lowest"], row["highest"]), measure, always_exact=False)
    return out


# Measures whose differences have exact bounds without trying gradings, too.
EXACT_DIFFERENCES = ("RR", "Success", "P", "R", "SetR", "F", "CG", "DCG", "nDCG", "nCG", "RBP", "Rprec")


def test_differences_are_those_of_all_gradings() -> None:
    assert not differing_differences(["P@3", "nDCG@4", "Rprec", "RR"], BINARY, 4)
    assert not differing_differences(["nDCG", "F@3", "AP", "QMeasure"], GRADED, 2)


@pytest.mark.external
@pytest.mark.parametrize("text", [*EXACT, *OF_ONE_GAIN, *OPEN])
def test_differences_of_many_lists(text: str) -> None:
    if "measurement" not in text:
        assert not differing_differences([text], BINARY, 4, lists=300)
        assert not differing_differences([text], GRADED, 2, lists=300)


def test_where_the_usual_bounds_are_wrong() -> None:
    """The list relevant, ?, not, ? of a query with another relevant document that was not retrieved."""
    case = Case({"q": {"a": 1.0, "c": 0.0, "e": 1.0}}, {"run0": {"q": [("a", 4), ("b", 3), ("c", 2), ("d", 1)]}})
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame("run0"), "AP nDCG@4 Rprec R@4")
    expected = [(0.5, 0.6875), (0.613147, 0.804810), (1 / 3, 0.75), (0.5, 0.75)]
    for row, ends in zip(ev.bounds().rows(named=True), expected, strict=True):
        assert (row["low"], row["high"]) == pytest.approx(ends, abs=1e-6)
        assert row["exact"]


def test_grades_above_a_scale_and_other_errors() -> None:
    case = random_case(14, 3, 2, BINARY)
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), "RBP(max_rel=2) ERR", policy="overlap=allow")
    with pytest.raises(InvalidValue, match=r"RBP\(max_rel=2\) takes grades up to 2"):
        ev.bounds(grades=[0, 3])
    for options in ({"k": 0}, {"unretrieved": -1}, {"grades": "01"}, {"assignments": 5000}):
        with pytest.raises(InvalidParameter, match=next(iter(options))):
            ev.bounds(**options)
    with pytest.raises(NotDefined, match="tie expectation"):
        ir.evaluate(case.qrels_frame(""), case.run_frame(), "AP", policy="ties=expectation,overlap=allow").bounds()
    with pytest.raises(NotDefined, match="bounds of lists"):
        ev.bounds.sql()


def test_bounds_of_runs_and_groups() -> None:
    """Of each run by its own list; a summary is of its queries, and unknown where one is."""
    case = random_case(15, 6, 3, BINARY, runs=2)
    topics = pl.DataFrame({"query_id": list(case.qrels)}).with_columns(half=pl.int_range(pl.len()) % 2)
    tables = case.qrels_frame(""), case.run_frame()
    ev = ir.evaluate(*tables, "AP NumRelRet G", queries=topics, by="half", policy="overlap=allow")
    rows, summary = ev.bounds(assignments=1), ev.bounds(summary=True, assignments=1)
    assert rows.columns == ["run_id", "half", "query_id", "measure", "value", "low", "high", "exact", "n_unjudged"]
    for run in case.runs:
        alone = ir.evaluate(tables[0], case.run_frame(run), "AP NumRelRet G", policy="overlap=allow")
        own = rows.filter(pl.col("run_id") == run).drop("run_id", "half")
        own = own.sort("query_id", maintain_order=True)
        assert_frame_equal(own, alone.bounds(assignments=1), abs_tol=1e-12)
    for row in summary.rows(named=True):
        own = rows.filter(*(pl.col(c) == row[c] for c in ("run_id", "half", "measure")))
        aggregate = pl.Series.sum if row["measure"] == "NumRelRet" else pl.Series.mean
        for column in ("value", "low", "high"):
            assert row[column] == pytest.approx(aggregate(own[column]))
        assert row["exact"] == own["exact"].all()
        assert (row["n_units"], row["n_unjudged"]) == (own.height, own["n_unjudged"].sum())


def test_ends_that_are_not_known() -> None:
    """A measure without a range has none, and nor has its summary; without open documents the value is the bound."""
    with catalog.restored():

        @ir.measure("ranking", "Twice", relevant=None, range=(0.0, float("inf")))
        def twice(q: Any) -> Any:
            """Twice the number of relevant documents."""
            return 2.0 * q.sum(q.relevant(1.0))

    qrels = pl.DataFrame({"query_id": ["p", "q"], "doc_id": ["a", "a"], "relevance": [1, 1]})
    run = pl.DataFrame({"query_id": ["p", "q", "q"], "doc_id": ["a", "a", "b"], "score": [2.0, 2.0, 1.0]})
    ev = ir.evaluate(qrels, run, [twice])
    columns = ("low", "high", "exact")
    assert ev.bounds(assignments=1).select(columns).rows() == [(2.0, 2.0, True), (0.0, None, False)]
    assert ev.bounds(assignments=2).select(columns).rows() == [(2.0, 2.0, True), (2.0, 4.0, True)]
    assert ev.bounds(summary=True, assignments=1).select(columns).rows() == [(1.0, None, False)]
