"""Documents of two lists: which are listed, their ranks, and errors."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName
from ireval_frames.ranking.diagnosis.result import RankingDiagnosis
from tests.ranking.cases import Case, make_case
from tests.ranking.test_diagnosis import ranked

ENGINES = ["polars", "duckdb"]
CASES = {"text": make_case(5, 28, 3), "integers": make_case(6, 28, 3, integers=True)}


def diagnosed(case: Case, measure: str = "nDCG@5", engine: str = "polars", **options: Any) -> RankingDiagnosis:
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), measure, engine=engine, **options)
    return ev.diagnose("run1", "run0")


def sides(case: Case, query: Any) -> tuple[dict[Any, int], dict[Any, int]]:
    """The ranks of the baseline's documents, and of the run's."""
    lists = [ranked(case.runs[run].get(query, [])) for run in ("run0", "run1")]
    first_ranks, second_ranks = ({doc: rank for rank, doc in enumerate(order, 1)} for order in lists)
    return first_ranks, second_ranks


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case_name", CASES)
def test_documents_of_both_lists(case_name: str, engine: str) -> None:
    case = CASES[case_name]
    d = diagnosed(case, engine=engine)
    for query in list(case.qrels)[:: 5 if engine == "polars" else 9]:
        before, after = sides(case, query)
        expected = []
        for doc in before.keys() | after.keys():
            doc_ranks = [ranks[doc] for ranks in (before, after) if doc in ranks]
            if min(doc_ranks) <= 5:
                found_by = "both" if len(doc_ranks) == 2 else "baseline" if doc in before else "system"
                row = (doc, case.qrels[query].get(doc), before.get(doc), after.get(doc), found_by)
                expected.append((min(doc_ranks), after.get(doc, 0), row))
        expected.sort(key=lambda entry: entry[:2])
        actual = d.documents(query)
        assert actual.select("doc_id", "relevance", "rank_baseline", "rank", "found_by").rows() == [
            entry[2] for entry in expected
        ]
        total = d.topics().filter(pl.col("query_id") == query)["difference"].item()
        assert actual["difference"].sum() == pytest.approx(total, abs=1e-12)
        # Documents beyond the cutoff contribute nothing; a larger depth includes them.
        deep = d.documents(query, 1000)
        assert deep.height == len(before.keys() | after.keys())
        beyond_cutoff = deep.filter(pl.col("rank") > 5)["contribution"].to_list()
        assert beyond_cutoff == [0.0] * len(beyond_cutoff)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case_name", CASES)
def test_documents_of_one_list(case_name: str, engine: str) -> None:
    case = CASES[case_name]
    d = diagnosed(case, engine=engine)
    for side, depth in (("system", None), ("baseline", 3)):
        expected = []
        for query in sorted(case.qrels):
            before, after = sides(case, query)
            own_ranks, second_ranks = (after, before) if side == "system" else (before, after)
            expected += [
                (query, doc, case.qrels[query].get(doc), rank)
                for doc, rank in own_ranks.items()
                if doc not in second_ranks and rank <= (depth or rank)
            ]
        assert d.only(side, depth).rows() == expected


@pytest.mark.parametrize("options", [{"ties": "doc_id"}, {"depth": 4}, {"missing": "skip"}, {"unjudged": "skip"}])
def test_policies(options: dict[str, Any]) -> None:
    d = diagnosed(CASES["text"], "AP", policy=options)
    queries = d.topics().drop_nulls("difference")
    assert queries.height > 10
    for query, difference in queries.select("query_id", "difference").gather_every(5).iter_rows():
        assert d.documents(query)["difference"].sum() == pytest.approx(difference, abs=1e-12)
    if "depth" in options:
        assert d.only("system")["rank"].max() == 4


def test_undefined_values() -> None:
    case = Case({"q": {"a": 0.0}}, {"run0": {"q": [("a", 1.0)]}, "run1": {"q": [("b", 1.0)]}})
    actual = diagnosed(case, "AP", policy={"no_relevant": "null"}).documents("q")
    assert actual.select("doc_id", "contribution_baseline", "contribution", "difference").rows() == [
        ("a", None, 0.0, None),
        ("b", 0.0, None, None),
    ]


def test_long_lists() -> None:
    docs = [f"d{i:04}" for i in range(1500)]
    case = Case(
        {"q": {docs[0]: 1.0, docs[1200]: 1.0}},
        {"run0": {"q": [(d, -float(i)) for i, d in enumerate(docs)]}, "run1": {"q": [(docs[1200], 1.0)]}},
    )
    d = diagnosed(case, "AP")
    actual = d.documents("q")
    assert actual.height == 1001
    row = actual.filter(pl.col("doc_id") == docs[1200]).row(0, named=True)
    # Contributions beyond rank 1,000 are not computed for a measure without a cutoff.
    assert (row["rank_baseline"], row["contribution_baseline"], row["contribution"]) == (1201, None, 0.5)
    assert diagnosed(case, "AP@3").documents("q")["contribution_baseline"].null_count() == 0


def test_sql_gives_the_same_rows() -> None:
    case = CASES["text"]
    con = duckdb.connect()
    for name, frame in (("qrels", case.qrels_frame("")), ("run", case.run_frame())):
        con.from_arrow(frame.to_arrow()).create(name)
    d, query = diagnosed(case), next(iter(case.qrels))
    for text, expected in (
        (d.documents.sql(query), d.documents(query)),
        (d.only.sql(), d.only()),
    ):
        actual = con.sql(text).pl()
        assert actual.columns == expected.columns
        for name in expected.columns:
            assert actual[name].to_list() == pytest.approx(expected[name].to_list(), abs=1e-12, nan_ok=False), name
    # Bounds are a step in Python.
    with pytest.raises(NotDefined, match="bounds of lists"):
        d.unjudged.sql(2)
    in_duckdb = ir.evaluate("qrels", "run", "nDCG@5", con=con).diagnose("run1", "run0")
    assert isinstance(in_duckdb.documents.to_native(query), duckdb.DuckDBPyRelation)
    assert in_duckdb.only("baseline").equals(d.only("baseline"))


def test_segments_by_columns_of_the_queries() -> None:
    case = CASES["text"]
    qid = pl.DataFrame({"qid": list(case.qrels)}).with_columns(half=pl.int_range(pl.len()) % 2)
    ev = ir.evaluate(case.qrels_frame(""), case.run_frame(), "AP", queries=qid)
    actual = ev.diagnose("run1", "run0").segments("half")
    assert sorted(actual["half"]) == [0, 1]
    assert actual["n"].sum() == len(case.qrels)


def test_errors() -> None:
    case = CASES["text"]
    d, query = diagnosed(case, "AP"), next(iter(case.qrels))
    with pytest.raises(UnknownName, match="no judgments of a query 'nothing'"):
        d.documents("nothing")
    with pytest.raises(UnknownName, match="no such system"):
        ir.evaluate(case.qrels_frame(""), case.run_frame(), "AP").diagnose("run9", "run0").documents(query)
    with pytest.raises(UnknownName, match="no list 'both'"):
        d.only("both")
    for depth in (0, -1, 2.5, True):
        with pytest.raises(InvalidParameter, match="depth"):
            d.documents(query, depth)
    with pytest.raises(InvalidParameter, match="has no cutoff"):
        d.unjudged()
    with pytest.raises(InvalidParameter, match="at most 4096"):
        d.unjudged(5, assignments=10**6)
    for grades in ([1], [0, -1], ["a", "b"], [0, float("inf")]):
        with pytest.raises(InvalidParameter, match="grades"):
            d.unjudged(5, grades)  # type: ignore[arg-type]
    with pytest.raises(NotDefined, match="tie expectation"):
        diagnosed(case, "P@5", policy={"ties": "expectation"}).documents(query)
    by_subtopic = ir.evaluate(case.qrels_frame(), case.run_frame(), "StRecall@5").diagnose("run1", "run0")
    with pytest.raises(NotDefined, match="by subtopic or assessor"):
        by_subtopic.unjudged(5)
    sampled, one = ir.examples.sampled()
    both = pl.concat([one.with_columns(run_id=pl.lit(name)) for name in "ab"])
    with pytest.raises(NotDefined, match="xinfAP estimates what was not judged from a sample"):
        ir.evaluate(sampled, both, "xinfAP").diagnose("a", "b").unjudged(3)
    grouped = case.run_frame().with_columns(day=pl.lit(1))
    ev = ir.evaluate(case.qrels_frame(""), grouped, "AP", by="day", policy={"missing": "skip"})
    with pytest.raises(NotDefined, match="is a column of the run"):
        ev.diagnose("run1", "run0").documents(query)
