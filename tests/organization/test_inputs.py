"""Accepted and invalid tables."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    UnknownName,
    WrongType,
)
from tests.contract.kit import ENGINES

GOLD = pl.DataFrame(
    {"query_id": ["1", "1", "1", "2", "2"], "doc_id": [*"abcab"], "relevance": [2, 0, 1, 1, 0], "kind": [*"xxxyy"]}
)
RUN = pl.DataFrame({"query_id": ["1", "1", "2", "3"], "doc_id": ["a", "d", "b", "a"], "score": [2.0, 1.0, 0.5, 9.0]})
engines = pytest.mark.parametrize("engine", ENGINES)


def value(*tables: object, measure: str = "RS", **options: object) -> float | None:
    result: float | None = ir.Organization(*tables, **options).evaluate(measure).summary()["value"].item()  # type: ignore[arg-type]
    return result


@engines
def test_queries_are_those_of_the_gold(engine: str) -> None:
    actual = ir.Organization(GOLD, RUN, engine=engine).evaluate("RS").per_unit()
    assert actual.columns == ["query_id", "measure", "value"]
    assert actual["query_id"].to_list() == ["1", "2"]
    one_unit = ir.Organization(
        GOLD, RUN.drop("query_id").unique("doc_id", keep="first"), unit=(), item="doc_id", engine=engine
    )
    with pytest.raises(DuplicateRows, match=r"'[ab]' has 2 rows in the gold"):
        one_unit.evaluate("RS").summary()


@engines
def test_groups_are_columns_of_the_gold(engine: str) -> None:
    actual = ir.Organization(GOLD, RUN, by="kind", engine=engine).evaluate("RS Reliability").summary()
    assert actual["kind"].to_list() == ["x", "x", "y", "y"]
    separate = ir.Organization(GOLD.filter(kind="x"), RUN, engine=engine).evaluate("RS Reliability").summary()
    assert actual.filter(kind="x")["value"].to_list() == pytest.approx(separate["value"].to_list(), abs=1e-12)
    with pytest.raises(MissingColumn, match="kind"):
        ir.Organization(GOLD, RUN, unit=(), by="kind", engine=engine).evaluate("RS")


@engines
def test_runs_have_all_queries(engine: str) -> None:
    runs = pl.concat(
        [RUN.with_columns(run_id=pl.lit("r1")), RUN.filter(query_id="1").with_columns(run_id=pl.lit("r2"))]
    )
    actual = ir.Organization(GOLD, runs, engine=engine).evaluate("RS").per_unit()
    assert actual.select("run_id", "query_id").rows() == [("r1", "1"), ("r1", "2"), ("r2", "1"), ("r2", "2")]
    assert actual["value"][3] == 0.0
    assert actual["value"][0] == pytest.approx(actual["value"][2], abs=1e-12)


@engines
def test_ranks_scores_and_flags(engine: str) -> None:
    scored = pl.DataFrame({"relevance": [1, 0, 1, 0, 1], "score": [3.0, 2.5, 1.0, -1.0, None]})
    ranked = scored.select("relevance", rank=pl.col("score").rank("ordinal", descending=True))
    expected = pytest.approx(value(scored, engine=engine), abs=1e-12)
    assert value(ranked, engine=engine) == expected
    ranked_and_scored = scored.with_columns(rank=pl.Series([5, 4, 3, 2, 1]))
    assert value(ranked_and_scored, engine=engine) == expected
    by_rank = value(ranked_and_scored, rank="rank", engine=engine)
    assert by_rank == pytest.approx(value(ranked_and_scored.select("relevance", "rank"), engine=engine), abs=1e-12)
    assert by_rank != expected
    assert value(scored.with_columns(pl.col("relevance").cast(pl.Boolean)), engine=engine) == expected
    flags = pl.DataFrame({"relevance": [1, 0, 1], "score": [True, False, None]})
    assert value(flags, engine=engine) == pytest.approx(
        value(flags.with_columns(score=pl.Series([1.0, None, None])), engine=engine), abs=1e-12
    )
    ends = pl.DataFrame({"relevance": [1, 0, 1, 0], "score": [float("inf"), 1.0, float("-inf"), None]})
    assert value(ends, engine=engine) == pytest.approx(
        value(ends.with_columns(score=pl.Series([3.0, 1.0, 0.5, None])), engine=engine)
    )


def test_column_names_files_and_databases(tmp_path: Path) -> None:
    gold = GOLD.rename({"relevance": "Grade", "doc_id": "DOC", "query_id": "topic"})
    run = RUN.rename({"score": "points", "doc_id": "DOC", "query_id": "topic"})
    expected = value(GOLD, RUN)
    assert value(gold, run, item="DOC", relevance="Grade", score="points", unit="topic") == pytest.approx(
        expected, abs=1e-12
    )
    GOLD.write_csv(tmp_path / "gold.csv")
    RUN.write_parquet(tmp_path / "run.parquet")
    RUN.write_csv(tmp_path / "run.csv")
    assert value(GOLD, tmp_path / "run.csv") == pytest.approx(expected, abs=1e-12)
    assert value(tmp_path / "gold.csv", tmp_path / "run.parquet") == pytest.approx(expected, abs=1e-12)
    assert value(GOLD.lazy(), RUN.to_pandas()) == pytest.approx(expected, abs=1e-12)
    with duckdb.connect() as con:
        con.from_arrow(GOLD.to_arrow()).create("qrels")
        con.from_arrow(RUN.to_arrow()).create("runs")
        assert value("qrels", "runs", con=con) == pytest.approx(expected, abs=1e-12)
        assert value(con.table("qrels"), RUN) == pytest.approx(expected, abs=1e-12)
        text = ir.Organization("qrels", "runs", con=con).evaluate("RS").summary.sql(wide=True)
        assert con.sql(text).fetchall()[0][0] == pytest.approx(expected, abs=1e-12)


@engines
def test_tasks_need_columns_of_both_sides(engine: str) -> None:
    frame = pl.DataFrame(
        {"relevance": [1, 0, 1], "score": [1.0, 2.0, None], "label": [1, 1, 2], "cluster_id": [*"aab"]}
    )
    assert value(frame.drop("score"), engine=engine) == pytest.approx(1.0)
    assert value(frame.drop("label"), engine=engine) == pytest.approx(
        value(frame.select("relevance", "score"), engine=engine), abs=1e-12
    )
    with pytest.raises(NotDefined, match="needs the columns label and cluster"):
        value(frame.drop("label"), measure="RS(relation='relatedness')", engine=engine)
    with pytest.raises(MissingColumn, match="no task in common"):
        value(frame.select("relevance", "cluster_id"), engine=engine)
    with pytest.raises(MissingColumn, match="no column 'score'"):
        value(frame.drop("score"), relevance="relevance", engine=engine)
    with pytest.raises(MissingColumn, match="no column 'nope'"):
        value(frame, rank="nope", engine=engine)


@engines
def test_missing_documents(engine: str) -> None:
    gold = pl.DataFrame({"item_id": [1, 2, 3, 4], "label": [*"aabb"]})
    system = pl.DataFrame({"item_id": [1, 2, 3], "cluster_id": [1, 1, 1]})
    actual = {
        m: ir.Organization(gold, system, policy={"missing": m}, engine=engine)
        .evaluate("Reliability Sensitivity")
        .summary()["value"]
        .to_list()
        for m in ("replab", "singleton", "skip")
    }
    assert actual["replab"] == pytest.approx([(2 / 3 * 2 + 1 / 3 + 1) / 4, (1 + 1 + 1 / 2 + 0) / 4])
    assert actual["singleton"] == pytest.approx([(2 / 3 * 2 + 1 / 3 + 1) / 4, (1 + 1 + 1 / 2 + 1 / 2) / 4])
    assert actual["skip"] == pytest.approx([(2 / 3 * 2 + 1 / 3) / 3, 1.0])
    with pytest.raises(MismatchedTables, match=r"1 items are missing .* \(such as 4\)"):
        ir.Organization(gold, system, policy="missing=error", engine=engine).evaluate("RS").summary()
    assert (
        ir.Organization(gold[:3], system, policy="missing=error", engine=engine)
        .evaluate("RS")
        .summary()["n_undefined"]
        .item()
        == 0
    )
    with pytest.raises(InvalidParameter, match="missing"):
        ir.Organization(gold, system, policy="missing=ignore")
    assert ir.Organization(gold, system, policy="missing=skip", engine=engine).evaluate("Sensitivity").summary()[
        "value"
    ].item() == pytest.approx(1.0)


@engines
def test_invalid_data(engine: str) -> None:
    frame = pl.DataFrame(
        {"doc_id": [1, 1], "relevance": [1, 0], "score": [1.0, 2.0], "label": [1, 2], "cluster_id": [3, 4]}
    )
    with pytest.raises(DuplicateRows, match=r"overlapping=True"):
        value(frame, engine=engine)
    with pytest.raises(DuplicateRows, match="several grades"):
        value(frame, overlapping=True, engine=engine)
    assert value(frame.with_columns(relevance=1, score=1.0), overlapping=True, engine=engine) == pytest.approx(1.0)
    with pytest.raises(DuplicateRows, match="has 2 rows in the system table"):
        value(frame[:1].select("doc_id", "relevance"), frame.select("doc_id", "score"), engine=engine)
    with pytest.raises(InvalidValue, match="NaN"):
        value(frame.with_columns(score=float("nan"), doc_id=pl.Series([1, 2])), engine=engine)
    with pytest.raises(WrongType, match="numbers"):
        value(frame.with_columns(relevance=pl.lit("high")), engine=engine)
    with pytest.raises(MismatchedTables, match="none can be equal"):
        value(
            frame.select("doc_id", "relevance"), frame.select(pl.col("doc_id").cast(pl.String), "score"), engine=engine
        )
    with pytest.raises(MissingColumn, match="item_id"):
        value(frame.select("relevance"), frame.select("doc_id", "score"), engine=engine)
    with pytest.raises(InvalidParameter, match="both named"):
        ir.Organization(frame, score="score", rank="rank")
    with pytest.raises(UnknownName, match="engine"):
        ir.Organization(frame, engine="flink")


@engines
def test_single_rows_and_empty_tables(engine: str) -> None:
    frame = pl.DataFrame({"part": ["1"], "relevance": [1], "score": [1.0], "label": ["a"], "cluster_id": ["b"]})
    for table in (frame, frame.select("relevance", "score"), frame.select("label", "cluster_id")):
        assert ir.Organization(table, engine=engine).evaluate(
            "RS Reliability Sensitivity RS(types='pooled')"
        ).summary()["value"].to_list() == pytest.approx([1.0] * 4)
        empty = ir.Organization(table.clear(), engine=engine).evaluate("RS Sensitivity").summary()
        assert empty.select("value", "n_units", "n_undefined").rows() == [(None, 1, 1)] * 2
    assert ir.Organization(frame.clear(), unit="part", engine=engine).evaluate("RS").per_unit().height == 0
    separate = frame.select("relevance", "score")
    assert value(separate, measure="RS(unrelated='undefined')", engine=engine) is None
    none = frame.with_columns(
        score=pl.lit(None, pl.Float64), label=pl.lit(None, pl.String), cluster_id=pl.lit(None, pl.String)
    )
    assert value(none, engine=engine) == pytest.approx(1.0)


def test_ids_of_different_types_are_joined() -> None:
    gold = pl.DataFrame({"item_id": [1, 2, 3], "label": ["a", "a", "b"]})
    system = pl.DataFrame({"item_id": [1, 2, 3], "cluster_id": [1, 1, 1]})
    for gold_type, system_type in (
        (pl.Int32, pl.Int64),
        (pl.Categorical, pl.String),
        (pl.Enum(["1", "2", "3"]), pl.Categorical),
    ):
        texts = [
            s.with_columns(pl.col("item_id").cast(pl.String)) if t not in (pl.Int32, pl.Int64) else s
            for s, t in ((gold, gold_type), (system, system_type))
        ]
        gold_cast, system_cast = (
            s.with_columns(pl.col("item_id").cast(t)) for s, t in zip(texts, (gold_type, system_type), strict=True)
        )
        assert ir.Organization(gold_cast, system_cast).evaluate("Reliability").summary()[
            "value"
        ].item() == pytest.approx(5 / 9, rel=1e-12)


def test_swapped_tables_are_reported() -> None:
    qrels, run = ir.examples.ranking()
    with pytest.raises(MissingColumn, match="The tables are swapped"):
        ir.Organization(run, qrels).evaluate("RS")


@engines
@pytest.mark.parametrize("name", ["score", "rank", "relevance"])
@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt64])
def test_integers_beyond_floats_are_refused(dtype: type[pl.DataType], name: str, engine: str) -> None:
    """Converted to floats, different scores would be tied, and RS 0."""
    base = 2**53
    frame = pl.DataFrame({"item_id": [1, 2, 3], "relevance": [2, 1, 0], "score": [3, 2, 1]})
    frame = frame if name != "rank" else frame.select("item_id", "relevance", rank=pl.Series([1, 2, 3]))
    expected = value(frame, engine=engine)
    large = frame.with_columns((pl.col(name).cast(dtype) + pl.lit(base - 3, dtype)).alias(name))
    if name != "relevance":
        assert value(large, engine=engine) == pytest.approx(expected)
    larger = large.with_columns(pl.col(name) + pl.lit(2**53 + 1, dtype) - pl.col(name).max())
    for tables in ((larger,), (larger.select("item_id", "relevance"), larger.drop("relevance"))):
        with pytest.raises(InvalidValue, match=rf"Column '{name}' holds 9007199254740993; .* beyond 2\^53"):
            value(*tables, engine=engine)


@engines
@pytest.mark.parametrize("overlapping", [False, True])
def test_64_bit_classes_and_clusters(engine: str, *, overlapping: bool) -> None:
    frame = pl.DataFrame({"item_id": range(4), "label": [1, 1, 2, 2], "cluster_id": [1, 2, 1, 3]})
    expected = value(frame, overlapping=overlapping, engine=engine)
    high = frame.with_columns(pl.col("label", "cluster_id").cast(pl.UInt64) + pl.lit(2**63, pl.UInt64))
    assert value(high, overlapping=overlapping, engine=engine) == pytest.approx(expected, rel=1e-12)
    halves = [high.select("item_id", c) for c in ("label", "cluster_id")]
    assert value(*halves, overlapping=overlapping, engine=engine) == pytest.approx(expected, rel=1e-12)


@engines
@pytest.mark.parametrize("overlapping", [False, True])
def test_nan_is_no_class(engine: str, *, overlapping: bool) -> None:
    nulls = pl.DataFrame(
        {"item_id": range(5), "label": [1.0, 1.0, None, 2.0, None], "cluster_id": [0.0, 0.0, 0.0, None, None]}
    )
    nans = nulls.with_columns(pl.col("label", "cluster_id").fill_null(float("nan")))
    nans = nans.with_columns(cluster_id=pl.when(pl.col("item_id") == 1).then(-0.0).otherwise("cluster_id"))
    for missing in ("replab", "singleton", "skip"):
        options = {"policy": {"missing": missing}, "overlapping": overlapping, "engine": engine}
        expected = value(nulls, measure="Reliability", **options)
        assert value(nans, measure="Reliability", **options) == pytest.approx(expected, rel=1e-12)


@engines
def test_documents_are_counted(engine: str) -> None:
    """Documents of either table, once each, in queries of the gold, without those that the policy skips."""
    gold = pl.DataFrame({"query_id": [1, 1, 1, 2], "item_id": [1, 2, 3, 1], "relevance": [1, 0, 2, 1]})
    system = pl.DataFrame({"query_id": [1, 1, 3], "item_id": [2, 4, 1], "score": [1.0, 2.0, 3.0]})
    for policy, expected in (("missing=replab", [4, 1]), ("missing=skip", [1, 0])):
        actual = ir.Organization(gold, system, policy=policy, engine=engine).evaluate("RS").per_unit(counts=True)
        assert actual["n_items"].to_list() == expected
        assert actual.columns == ["query_id", "measure", "value", "n_items"]
    overlapping = pl.DataFrame({"item_id": [1, 1, 2], "label": ["a", "b", "a"], "cluster_id": [1, 1, 2]})
    actual = ir.Organization(overlapping, overlapping=True, engine=engine).evaluate("NumItems").summary()
    assert actual["value"].to_list() == [2.0]
