"""Two lists side by side: which documents are shown, where they stand, and what is refused."""

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


def diagnosed(made: Case, measure: str = "nDCG@5", engine: str = "polars", **options: Any) -> RankingDiagnosis:
    ev = ir.evaluate(made.qrels_frame(""), made.run_frame(), measure, engine=engine, **options)
    return ev.diagnose("run1", "run0")


def sides(made: Case, topic: Any) -> tuple[dict[Any, int], dict[Any, int]]:
    """The ranks of the baseline's documents, and of the run's."""
    lists = [ranked(made.runs[run].get(topic, [])) for run in ("run0", "run1")]
    one, other = ({doc: rank for rank, doc in enumerate(order, 1)} for order in lists)
    return one, other


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", CASES)
def test_documents_of_both(kind: str, engine: str) -> None:
    made = CASES[kind]
    d = diagnosed(made, engine=engine)
    for topic in list(made.qrels)[:: 5 if engine == "polars" else 9]:
        before, after = sides(made, topic)
        expected = []
        for doc in before.keys() | after.keys():
            places = [ranks[doc] for ranks in (before, after) if doc in ranks]
            if min(places) <= 5:
                found_by = "both" if len(places) == 2 else "baseline" if doc in before else "system"
                row = (doc, made.qrels[topic].get(doc), before.get(doc), after.get(doc), found_by)
                expected.append((min(places), after.get(doc, 0), row))
        expected.sort(key=lambda entry: entry[:2])
        actual = d.documents(topic)
        assert actual.select("doc_id", "relevance", "rank_baseline", "rank", "found_by").rows() == [
            w[2] for w in expected
        ]
        total = d.topics().filter(pl.col("query_id") == topic)["difference"].item()
        assert actual["difference"].sum() == pytest.approx(total, abs=1e-12)
        # Everything behind the cutoff adds nothing; asked for by a depth it is there.
        deep = d.documents(topic, 1000)
        assert deep.height == len(before.keys() | after.keys())
        behind = deep.filter(pl.col("rank") > 5)["contribution"].to_list()
        assert behind == [0.0] * len(behind)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", CASES)
def test_documents_of_one(kind: str, engine: str) -> None:
    made = CASES[kind]
    d = diagnosed(made, engine=engine)
    for which, depth in (("system", None), ("baseline", 3)):
        expected = []
        for topic in sorted(made.qrels):
            before, after = sides(made, topic)
            mine, other = (after, before) if which == "system" else (before, after)
            expected += [
                (topic, doc, made.qrels[topic].get(doc), rank)
                for doc, rank in mine.items()
                if doc not in other and rank <= (depth or rank)
            ]
        assert d.only(which, depth).rows() == expected


@pytest.mark.parametrize("options", [{"ties": "doc_id"}, {"depth": 4}, {"missing": "skip"}, {"unjudged": "skip"}])
def test_conventions_hold(options: dict[str, Any]) -> None:
    d = diagnosed(CASES["text"], "AP", policy=options)
    topics = d.topics().drop_nulls("difference")
    assert topics.height > 10
    for topic, difference in topics.select("query_id", "difference").gather_every(5).iter_rows():
        assert d.documents(topic)["difference"].sum() == pytest.approx(difference, abs=1e-12)
    if "depth" in options:
        assert d.only("system")["rank"].max() == 4


def test_undefined_stays_undefined() -> None:
    made = Case({"q": {"a": 0.0}}, {"run0": {"q": [("a", 1.0)]}, "run1": {"q": [("b", 1.0)]}})
    actual = diagnosed(made, "AP", policy={"no_relevant": "null"}).documents("q")
    assert actual.select("doc_id", "contribution_baseline", "contribution", "difference").rows() == [
        ("a", None, 0.0, None),
        ("b", 0.0, None, None),
    ]


def test_lists_longer_than_what_is_cut() -> None:
    docs = [f"d{i:04}" for i in range(1500)]
    made = Case(
        {"q": {docs[0]: 1.0, docs[1200]: 1.0}},
        {"run0": {"q": [(d, -float(i)) for i, d in enumerate(docs)]}, "run1": {"q": [(docs[1200], 1.0)]}},
    )
    d = diagnosed(made, "AP")
    actual = d.documents("q")
    assert actual.height == 1001
    row = actual.filter(pl.col("doc_id") == docs[1200]).row(0, named=True)
    # Behind rank 1,000 of a measure without a cutoff nothing is known.
    assert (row["rank_baseline"], row["contribution_baseline"], row["contribution"]) == (1201, None, 0.5)
    assert diagnosed(made, "AP@3").documents("q")["contribution_baseline"].null_count() == 0


def test_statements_give_the_same_rows() -> None:
    made = CASES["text"]
    con = duckdb.connect()
    for name, frame in (("qrels", made.qrels_frame("")), ("run", made.run_frame())):
        con.from_arrow(frame.to_arrow()).create(name)
    d, topic = diagnosed(made), next(iter(made.qrels))
    for text, expected in (
        (d.documents.sql(topic), d.documents(topic)),
        (d.only.sql(), d.only()),
        (d.unjudged.sql(2), d.unjudged(2)),
    ):
        actual = con.sql(text).pl()
        assert actual.columns == expected.columns
        for name in expected.columns:
            assert actual[name].to_list() == pytest.approx(expected[name].to_list(), abs=1e-12, nan_ok=False), name
    in_duckdb = ir.evaluate("qrels", "run", "nDCG@5", con=con).diagnose("run1", "run0")
    assert isinstance(in_duckdb.documents.to_native(topic), duckdb.DuckDBPyRelation)
    assert in_duckdb.only("baseline").equals(d.only("baseline"))


def test_segments_by_columns_of_the_queries() -> None:
    made = CASES["text"]
    qid = pl.DataFrame({"qid": list(made.qrels)}).with_columns(half=pl.int_range(pl.len()) % 2)
    ev = ir.evaluate(made.qrels_frame(""), made.run_frame(), "AP", queries=qid)
    actual = ev.diagnose("run1", "run0").segments("half")
    assert sorted(actual["half"]) == [0, 1]
    assert actual["n"].sum() == len(made.qrels)


def test_refused() -> None:
    made = CASES["text"]
    d, topic = diagnosed(made, "AP"), next(iter(made.qrels))
    with pytest.raises(UnknownName, match="no judgments of a query 'nothing'"):
        d.documents("nothing")
    with pytest.raises(UnknownName, match="no such system"):
        ir.evaluate(made.qrels_frame(""), made.run_frame(), "AP").diagnose("run9", "run0").documents(topic)
    with pytest.raises(UnknownName, match="no list 'both'"):
        d.only("both")
    for wrong in (0, -1, 2.5, True):
        with pytest.raises(InvalidParameter, match="depth"):
            d.documents(topic, wrong)
    with pytest.raises(InvalidParameter, match="has no cutoff"):
        d.unjudged()
    with pytest.raises(InvalidParameter, match="at most 4096"):
        d.unjudged(5, assignments=10**6)
    for grades in ([1], [0, -1], ["a", "b"], [0, float("inf")]):
        with pytest.raises(InvalidParameter, match="grades"):
            d.unjudged(5, grades)  # type: ignore[arg-type]
    with pytest.raises(NotDefined, match="tie expectation"):
        diagnosed(made, "P@5", policy={"ties": "expectation"}).documents(topic)
    by_subtopic = ir.evaluate(made.qrels_frame(), made.run_frame(), "StRecall@5").diagnose("run1", "run0")
    with pytest.raises(NotDefined, match="by subtopic or assessor"):
        by_subtopic.unjudged(5)
    grouped = made.run_frame().with_columns(day=pl.lit(1))
    ev = ir.evaluate(made.qrels_frame(""), grouped, "AP", by="day", policy={"missing": "skip"})
    with pytest.raises(NotDefined, match="is a column of the run"):
        ev.diagnose("run1", "run0").documents(topic)
