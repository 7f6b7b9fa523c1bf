"""Tables without common ids: an error of all subjects on every engine, unless the policy allows it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NothingInCommon
from tests.contract.kit import ENGINES

QRELS = pl.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["x", "y", "x"], "relevance": [1, 0, 1]})
RUN = pl.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["x", "z", "x"], "score": [2.0, 1.0, 1.0]})
GOLD = pl.DataFrame({"item_id": ["1", "2", "3"], "label": ["a", "a", "b"]})
SYSTEM = pl.DataFrame({"item_id": ["1", "2", "3"], "cluster_id": ["a", "b", "b"]})


def padded(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    return frame.with_columns(pl.format("00{}", column).alias(column))


SUBJECTS: dict[str, tuple[Any, pl.DataFrame, pl.DataFrame, str, str]] = {
    "queries": (ir.Rankings, QRELS, padded(RUN, "query_id"), "AP NumRet", "query_id"),
    "documents": (ir.Rankings, QRELS, padded(RUN, "doc_id"), "AP", "doc_id"),
    "all rows": (ir.Rankings, QRELS, padded(RUN, "doc_id"), "Judged@2", "doc_id"),
    "numbers": (
        ir.Rankings,
        QRELS.with_columns(pl.col("query_id").cast(pl.Int64)),
        padded(RUN, "query_id"),
        "AP",
        "query_id",
    ),
    "labels": (ir.Labels, GOLD, padded(SYSTEM, "item_id").rename({"cluster_id": "prediction"}), "Accuracy", "item_id"),
    "clusters": (ir.Clusters, GOLD, padded(SYSTEM, "item_id"), "Purity", "item_id"),
    "overlapping clusters": (ir.Clusters, GOLD, padded(SYSTEM, "item_id"), "BCubedP", "item_id"),
    "organization": (ir.Organization, GOLD, padded(SYSTEM, "item_id"), "RS", "item_id"),
    "similarity": (lambda a, b, **o: ir.Similarity(a, against=b, **o), RUN, padded(RUN, "query_id"), "RBO", "query_id"),
}


def evaluation_of(name: str, engine: str, **options: Any) -> Any:
    subject, one, other, measures, _ = SUBJECTS[name]
    options |= {"overlapping": True} if name == "overlapping clusters" else {}
    return subject(one, other, engine=engine, **options).evaluate(measures)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_in_common_is_an_error(name: str, engine: str) -> None:
    column = SUBJECTS[name][-1]
    for result in ("summary", "per_unit", "wide"):
        with pytest.raises(NothingInCommon) as error:
            getattr(evaluation_of(name, engine), result)()
        assert "'001'" in error.value.what or "'00x'" in error.value.what
        assert "zeros in front" in error.value.what or "have '00' before them" in error.value.what
        assert column in error.value.hint
        assert 'policy="overlap=allow"' in error.value.hint
    allowed = evaluation_of(name, engine, policy="overlap=allow")
    assert allowed.summary().height == len(SUBJECTS[name][3].split())


@pytest.mark.parametrize("engine", ENGINES)
def test_other_results_check_the_overlap(engine: str) -> None:
    labels = ir.Labels(GOLD, padded(SYSTEM, "item_id").rename({"cluster_id": "prediction"}), engine=engine)
    rankings = ir.Rankings(QRELS, padded(RUN, "doc_id"), engine=engine)
    for table in (
        labels.report,
        rankings.curve,
        ir.Clusters(GOLD, padded(SYSTEM, "item_id"), engine=engine).contingency,
    ):
        with pytest.raises(NothingInCommon):
            table()


@pytest.mark.parametrize("engine", ENGINES)
def test_tables_without_rows_have_nothing_in_common(engine: str) -> None:
    several = RUN.with_columns(run_id=pl.lit("r"))
    for qrels, run in ((QRELS.clear(), RUN), (QRELS, RUN.clear()), (QRELS, several.clear())):
        with pytest.raises(NothingInCommon, match=r"; the (qrels|run) has no rows"):
            ir.evaluate(qrels, run, "AP", engine=engine).summary()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_values_of_groups_may_differ(engine: str) -> None:
    gold, other = GOLD.with_columns(lang=pl.lit("DE")), SYSTEM.with_columns(lang=pl.lit("de"))
    with pytest.raises(NothingInCommon, match=r"'DE' in the clusters, 'de' in the system") as error:
        ir.Clusters(gold, other, by="lang", engine=engine).evaluate("Purity").summary()
    assert 'pl.col("lang").cast(pl.String).str.to_lowercase()' in error.value.hint


def test_the_suggested_line_has_the_users_column_names() -> None:
    run = padded(RUN, "query_id").rename({"query_id": "topic"})
    with pytest.raises(NothingInCommon) as error:
        ir.evaluate(QRELS, run, "AP", columns={"run": {"query_id": "topic"}}).summary()
    assert 'run.with_columns(pl.col("topic")' in error.value.hint


def test_creating_a_table_checks_the_overlap() -> None:
    import duckdb

    con = duckdb.connect()
    for name, frame in (("qrels", QRELS), ("run", padded(RUN, "query_id"))):
        con.from_arrow(frame.to_arrow()).create(name)
    with pytest.raises(NothingInCommon):
        ir.evaluate("qrels", "run", "AP", con=con).per_unit.to_table("results")


def test_one_ranking_is_compared_with_none() -> None:
    one = RUN.with_columns(run_id=pl.lit("r"))
    assert ir.Similarity(one).evaluate("RBO").summary().height == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_other_tables_are_checked_too(engine: str) -> None:
    run, chances = (
        RUN.with_columns(pl.col("score")),
        pl.DataFrame({"item_id": ["01", "01"], "label": ["a", "b"], "probability": [0.5, 0.5]}),
    )
    topics = pl.DataFrame({"query_id": ["01", "02"], "lang": ["de", "en"]})
    model = ir.examples.click_model()
    for evaluation in (
        ir.evaluate(QRELS, run, "AP", queries=topics, by="lang", engine=engine),
        ir.evaluate(QRELS, run, "uSDBN@3", click_model=model, engine=engine),
        ir.Labels(GOLD, probabilities=chances, engine=engine).evaluate("Brier"),
    ):
        with pytest.raises(NothingInCommon):
            evaluation.summary()
    two = pl.concat([padded(RUN.with_columns(run_id=pl.lit(name)), "query_id") for name in "rs"])
    with pytest.raises(NothingInCommon):
        ir.evaluate(QRELS, two, "AP", engine=engine).diagnose("r", "s").documents("1")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_suggested_line_for_rankings_of_one_table(engine: str) -> None:
    runs = pl.concat([RUN.with_columns(run_id=pl.lit("r")), padded(RUN, "doc_id").with_columns(run_id=pl.lit("s"))])
    with pytest.raises(NothingInCommon) as error:
        ir.Similarity(runs, engine=engine).evaluate("RBO").summary()
    line = error.value.hint.parts[1].line
    again = eval(line, {"pl": pl, "runs": runs})
    assert ir.Similarity(again, engine=engine).evaluate("RBO").summary()["value"].to_list() == pytest.approx([1.0, 1.0])
    for sides in ((runs, runs.clear()), (runs.clear(), runs)):
        with pytest.raises(NothingInCommon, match="none in the"):
            ir.Similarity(sides[0], against=sides[1], engine=engine).evaluate("RBO").summary()
