"""Judgments by subtopic and assessor, with ordinary measures and with means over either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidValue, MalformedFile, MissingColumn, NotDefined
from tests.contract.kit import ENGINES, assert_same, values
from tests.ranking.cases import make_case
from tests.ranking.suite import CASES

engines = pytest.mark.parametrize("engine", ENGINES)

QRELS = pl.DataFrame(
    {
        "query_id": ["1", "1", "1", "1", "2", "2"],
        "subtopic_id": ["a", "b", "a", "b", "a", "b"],
        "doc_id": ["x", "x", "y", "z", "x", "y"],
        "relevance": [1, 3, 1, 0, 0, 2],
    }
)
BY_ASSESSOR = QRELS.rename({"subtopic_id": "assessor_id"})
RUN = pl.DataFrame(
    {"query_id": ["1", "1", "1", "2", "2"], "doc_id": ["y", "u", "x", "x", "y"], "score": [3.0, 2.0, 1.0, 2.0, 1.0]}
)
# List of query 1: y u x; relevant to a: x y, to b: x. List of query 2: x y; relevant to b: y.
FOR_A, FOR_B, OF_2 = (1 + 2 / 3) / 2, 1 / 3, 1 / 2


def per_query(qrels: Any, measure: Any, run: Any = RUN, **options: Any) -> list[float]:
    return ir.evaluate(qrels, run, measure, **options).per_unit()["value"].to_list()


@engines
def test_plain_measures_take_the_largest_grade(engine: str) -> None:
    merged = QRELS.group_by("query_id", "doc_id").agg(pl.col("relevance").max())
    measures = "AP nDCG@2 P(rel=3)@3 NumRel SetF ERR"
    assert per_query(QRELS, measures, engine=engine) == pytest.approx(
        per_query(merged, measures, engine=engine), rel=1e-12
    )
    assert per_query(QRELS, "NumRel", engine=engine) == [2.0, 1.0]


@engines
def test_means_by_hand(engine: str) -> None:
    assert per_query(QRELS, "AP(subtopics='mean')", engine=engine) == pytest.approx(
        [(FOR_A + FOR_B) / 2, OF_2], rel=1e-12
    )
    # Assessor a judged query 2 without relevant documents, and counts as one of two assessors.
    assert per_query(BY_ASSESSOR, "AP(assessors='mean')", engine=engine) == pytest.approx(
        [(FOR_A + FOR_B) / 2, OF_2 / 2], rel=1e-12
    )
    assert per_query(BY_ASSESSOR, "AP(assessors='max')", engine=engine) == pytest.approx(
        [(1 + 2 / 3) / 2, 0.5], rel=1e-12
    )
    assert per_query(BY_ASSESSOR, "AP(assessors='mean')", engine=engine, policy="no_relevant=null") == pytest.approx(
        [(FOR_A + FOR_B) / 2, OF_2], rel=1e-12
    )


@engines
def test_condensed_lists(engine: str) -> None:
    """Documents are judged if they are for any subtopic, but by assessor."""
    measure = "AP(subtopics='mean', judged_only=True)"
    assert per_query(QRELS, measure, engine=engine) == pytest.approx([(1.0 + 1 / 2) / 2, OF_2], rel=1e-12)
    measure = "AP(assessors='mean', judged_only=True)"
    assert per_query(BY_ASSESSOR, measure, engine=engine) == pytest.approx(
        [(1.0 + 1.0) / 2, (0.0 + 1.0) / 2], rel=1e-12
    )


POLICIES = ("", "missing=skip", "depth=3", "ties=doc_id", "unjudged=skip", "no_relevant=null", "undefined=null")
MEASURES = ("AP", "nDCG@5", "P@3", "RR", "Bpref", "IPrec@0.3", "BEP", "SetP", "RBP", "ERR@4", "Judged@3")


def separately(case: Any, facet: str, measures: list[ir.Measure], policy: str, engine: str) -> dict:
    """The mean over subtopics or assessors, each evaluated separately."""
    of = pl.concat_str(facet, pl.lit(" of "), "query_id")
    judged = case.qrels_frame(facet).with_columns(query_id=of)
    run = judged.select(facet).unique().join(case.run_frame(), how="cross").with_columns(query_id=of).drop(facet)
    values_by_unit: dict[Any, list[float | None]] = {}
    evaluation = ir.evaluate(judged.drop(facet), run, measures, policy=policy, engine=engine)
    for (measure, run_id, query), value in values(evaluation).items():
        values_by_unit.setdefault((measure, run_id, query.partition(" of ")[2]), []).append(value)
    means = {k: [v for v in vs if v is not None] for k, vs in values_by_unit.items()}
    return {k: sum(vs) / len(vs) if vs else None for k, vs in means.items()}


@engines
@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "unjudged=skip"])
def test_means_over_assessors(policy: str, engine: str) -> None:
    case = make_case(21, 30, 2)
    measures = [ir.Measure.parse(m, "ranking") for m in MEASURES]
    expected = separately(case, "assessor_id", measures, policy, engine)
    averaged = {str(m(assessors="mean")): str(m) for m in measures}
    actual = values(
        ir.evaluate(case.qrels_frame("assessor_id"), case.run_frame(), list(averaged), policy=policy, engine=engine)
    )
    assert_same({(averaged[k[0]], *k[1:]): v for k, v in actual.items()}, expected, 1e-12)


@engines
def test_means_over_subtopics_with_tie_expectation(engine: str) -> None:
    """Subtopics without relevant documents are excluded."""
    case, measures = make_case(22, 30, 1), [ir.P @ 3, ir.nDCG @ 5, ir.nDCG]
    policy = "ties=expectation,no_relevant=null"
    expected = separately(case, "subtopic_id", measures, policy, engine)
    averaged = {str(m(subtopics="mean")): str(m) for m in measures}
    actual = values(ir.evaluate(case.qrels_frame(), case.run_frame(), list(averaged), policy=policy, engine=engine))
    assert_same({(averaged[k[0]], *k[1:]): v for k, v in actual.items()}, expected, 1e-12)


@engines
def test_subtopics_of_several_assessors(engine: str) -> None:
    """The mean over assessors of means over subtopics, with text or numbers as ids."""
    qrels = QRELS.with_columns(
        assessor_id=pl.Series([1, 1, 2, 2, 1, 1]), subtopic_id=pl.col("subtopic_id") == "a"
    ).with_columns(pl.col("subtopic_id").cast(pl.Int8))
    # Assessor 1 of query 1: x for both subtopics; assessor 2: y for a. Assessor 1 of query 2: y for b.
    actual = per_query(qrels, "AP(subtopics='mean', assessors='mean')", engine=engine)
    assert actual == pytest.approx([(1 / 3 + 1.0) / 2, OF_2], rel=1e-12)
    assert per_query(qrels, "AP_IA(assessors='mean')", engine=engine) == pytest.approx(actual, rel=1e-12)


# ---- errors


@engines
@pytest.mark.parametrize("measures", ["nDCG@10", "AP(assessors='mean') nDCG@10"])
def test_several_assessors_are_refused(measures: str, engine: str) -> None:
    evaluation = ir.evaluate(BY_ASSESSOR, RUN, measures, engine=engine)
    with pytest.raises(
        DuplicateRows,
        match=r'by different assessors: query_id \'1\', doc_id \'x\'(.|\n)*\(assessors="mean"\)(.|\n)*"max"',
    ):
        evaluation.summary()


@engines
def test_one_assessor_per_document(engine: str) -> None:
    """A column of assessors is no error if each document has one judgment."""
    unique = BY_ASSESSOR.unique(["query_id", "doc_id"], keep="last", maintain_order=True)
    assert per_query(unique, "AP AP(assessors='max')", engine=engine) == pytest.approx(
        [(1 + 2 / 3) / 2] * 2 + [0.5] * 2
    )


@pytest.mark.parametrize(
    "measure, column",
    [
        ("AP(subtopics='mean')", "subtopic_id"),
        ("alpha_nDCG@10", "subtopic_id"),
        ("AP(assessors='mean')", "assessor_id"),
    ],
)
def test_judgments_without_the_facet(measure: str, column: str) -> None:
    with pytest.raises(MissingColumn, match=rf"needs judgments by {column[:-3]}(.|\n)*second=\"{column}\""):
        ir.evaluate(QRELS.drop("subtopic_id").unique(["query_id", "doc_id"]), RUN, measure)


def test_iteration_columns_are_read_as_the_facet() -> None:
    qrels = QRELS.rename({"subtopic_id": "iteration"})
    evaluation = ir.evaluate(qrels, RUN, "AP(subtopics='mean') AP")
    assert evaluation.per_unit()["value"].to_list() == pytest.approx([(FOR_A + FOR_B) / 2, (1 + 2 / 3) / 2, OF_2, OF_2])
    assert "'iteration' was read as subtopic_id" in evaluation.explain()
    assert per_query(qrels, "AP(assessors='mean')") == pytest.approx([(FOR_A + FOR_B) / 2, OF_2 / 2])
    with pytest.raises(NotDefined, match=r"may be either(.|\n)*columns="):
        ir.evaluate(qrels, RUN, "AP(subtopics='mean') AP(assessors='mean')")
    with_columns = ir.evaluate(qrels, RUN, "AP(subtopics='mean') AP", columns={"subtopic_id": "iteration"})
    assert with_columns.per_unit()["value"].to_list() == evaluation.per_unit()["value"].to_list()


@engines
def test_unused_iteration_columns(engine: str) -> None:
    qrels = QRELS.rename({"subtopic_id": "iteration"})
    with pytest.raises(
        DuplicateRows, match=r'more than once(.|\n)*names subtopics or assessors(.|\n)*"subtopic_id": "iteration"'
    ):
        ir.evaluate(qrels, RUN, "AP", engine=engine).summary()
    assert per_query(qrels.unique(["query_id", "doc_id"], keep="last", maintain_order=True), "P@2", engine=engine) == [
        0.5,
        0.5,
    ]


@engines
def test_duplicate_judgments(engine: str) -> None:
    duplicated = pl.concat([QRELS, QRELS.head(1)])
    with pytest.raises(
        DuplicateRows, match=r'subtopic_id \'a\', doc_id \'x\'(.|\n)*group_by\("query_id", "subtopic_id", "doc_id"\)'
    ):
        ir.evaluate(duplicated, RUN, "alpha_DCG@2", engine=engine).summary()


@engines
def test_null_facets(engine: str) -> None:
    with_nulls = QRELS.with_columns(subtopic_id=pl.when(pl.col("doc_id") == "z").then(None).otherwise("subtopic_id"))
    with pytest.raises(InvalidValue, match=r"'subtopic_id' of the qrels table is null in 1 rows"):
        ir.evaluate(with_nulls, RUN, "AP", engine=engine).summary()


# ---- other results


@engines
def test_counts_and_curves(engine: str) -> None:
    rankings = ir.Rankings(QRELS, RUN, engine=engine)
    counted = rankings.evaluate("AP(subtopics='mean')").per_unit(counts=True)
    assert counted.select("n_retrieved", "n_judged", "n_relevant", "n_relevant_retrieved").rows() == [
        (3, 2, 2, 2),
        (2, 2, 1, 1),
    ]
    assessed = ir.evaluate(BY_ASSESSOR, RUN, "AP(assessors='mean')", engine=engine).per_unit(counts=True)
    assert assessed.drop("measure", "value").equals(counted.drop("measure", "value"))
    assert rankings.curve(recalls=[0.5, 1.0])["precision"].to_list() == pytest.approx(
        [(1 + 1 / 2) / 2, (2 / 3 + 1 / 2) / 2]
    )
    assert rankings.curve("precision-recall").height == 5


@pytest.mark.parametrize(
    "facet, measure", [("subtopic_id", "AP(subtopics='mean')"), ("assessor_id", "AP(assessors='mean')")]
)
def test_files(tmp_path: Path, facet: str, measure: str) -> None:
    """The second field of TREC files is read if a measure needs it, on both engines and in SQL."""
    lines = [f"{q} {s} {d} {g}" for q, s, d, g in QRELS.iter_rows()]
    qrels, run = tmp_path / "div.qrels", tmp_path / "a.run"
    qrels.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ir.io.write_run(RUN, run)
    expected = per_query(QRELS.rename({"subtopic_id": facet}), measure)
    for engine in ENGINES:
        evaluation = ir.evaluate(str(qrels), str(run), measure, engine=engine)
        assert evaluation.per_unit()["value"].to_list() == pytest.approx(expected)
        assert duckdb.sql(evaluation.per_unit.sql(wide=True)).pl()[measure].to_list() == pytest.approx(expected)
    table = ir.read_qrels(qrels, second=facet)
    assert table.columns == ["query_id", "doc_id", "relevance", facet]
    assert ir.read_qrels(qrels, second="iteration").columns == ["query_id", "doc_id", "relevance", "iteration"]
    with pytest.raises(MalformedFile, match=f'second="{facet}"'):
        ir.read_qrels(qrels)


@engines
def test_groups_and_several_runs(engine: str) -> None:
    case = CASES["text"]
    queries = pl.DataFrame({"query_id": list(case.qrels), "half": [i % 2 for i in range(len(case.qrels))]})
    measures = "AP(subtopics='mean') alpha_nDCG@5 AP"
    grouped = ir.evaluate(case.qrels_frame(), case.run_frame(), measures, queries=queries, by="half", engine=engine)
    expected = values(ir.evaluate(case.qrels_frame(), case.run_frame(), measures, engine=engine))
    assert_same({(m, r, q): v for (m, r, _, q), v in values(grouped).items()}, expected, 1e-12)


def test_relations_and_tables_of_a_connection() -> None:
    with duckdb.connect() as con:
        con.from_arrow(QRELS.to_arrow()).create("judged")
        con.from_arrow(RUN.to_arrow()).create("results")
        evaluation = ir.evaluate("judged", "results", "AP(subtopics='mean')", con=con)
        assert evaluation.per_unit()["value"].to_list() == pytest.approx([(FOR_A + FOR_B) / 2, OF_2])
        assert con.sql(evaluation.per_unit.sql(wide=True)).pl().height == 2


def test_round_trip_of_names() -> None:
    for text in (
        "AP(assessors='mean')",
        "nDCG(subtopics='mean', assessors='max')@10",
        "P(assessors='mean', aggregation='median')@5",
    ):
        assert str(ir.Measure.parse(text)) == text
    assert ir.Measure.parse("AP(subtopics='max')") == ir.AP == ir.Measure.parse("AP(assessors=None)")
    assert ir.Measure.parse("map_avgjg") == ir.AP(assessors="mean")
    assert ir.Measure.parse("P_avgjg_10") == ir.P(assessors="mean") @ 10
