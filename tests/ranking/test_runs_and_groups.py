"""Many runs, and groups by columns of queries, judgments and runs."""

from __future__ import annotations

import functools

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES, assert_same, values
from tests.ranking.cases import make_case
from tests.ranking.suite import FIRST as ALL_MEASURES

# A quarter of the measures: runs and groups are the same for all.
FIRST = ALL_MEASURES[::4]
engines = pytest.mark.parametrize("engine", ENGINES)
SEVENTEEN = make_case(17, 30, 17)
GROUPED = make_case(8, 60, 2)


@engines
def test_seventeen_runs(engine: str) -> None:
    qrels = SEVENTEEN.qrels_frame()
    all_values = values(ir.evaluate(qrels, SEVENTEEN.run_frame(), FIRST, engine=engine))
    assert {r for _, r, _ in all_values} == set(SEVENTEEN.runs)
    for run_id in list(SEVENTEEN.runs)[::8]:
        separate = values(ir.evaluate(qrels, SEVENTEEN.run_frame(run_id), FIRST, engine=engine))
        assert_same({(m, q): v for (m, r, q), v in all_values.items() if r == run_id}, separate, 1e-12)


def segments() -> pl.DataFrame:
    """Two group columns of the judged queries."""
    ids = list(GROUPED.qrels)
    return pl.DataFrame(
        {
            "query_id": ids,
            "segment": [("head", "tail", "torso")[i % 3] for i in range(len(ids))],
            "Day": [i % 2 for i in range(len(ids))],
        }
    )


@functools.cache
def separate_groups(engine: str) -> list[tuple[tuple[str, int], pl.DataFrame]]:
    """The summaries of some groups, each evaluated separately."""
    qrels, run = GROUPED.qrels_frame(), GROUPED.run_frame()
    return [
        (key, ir.evaluate(qrels.join(part, on="query_id", how="semi"), run, FIRST, engine=engine).summary())
        for key, part in list(segments().group_by("segment", "Day", maintain_order=True))[::3]
    ]


@engines
@pytest.mark.parametrize("table", ["queries", "qrels"])
def test_groups(table: str, engine: str) -> None:
    """The summary of a group is that of its queries evaluated separately."""
    qrels, run, queries = GROUPED.qrels_frame(), GROUPED.run_frame(), segments()
    with_columns = qrels.join(queries, on="query_id")
    options = {"queries": queries} if table == "queries" else {}
    evaluation = ir.evaluate(
        qrels if table == "queries" else with_columns, run, FIRST, by=["segment", "Day"], engine=engine, **options
    )
    actual = evaluation.summary()
    assert actual.columns == ["run_id", "segment", "Day", "measure", "value", "n_units", "n_undefined"]
    assert actual.height == 2 * 6 * len(FIRST)
    for (segment, day), separate in separate_groups(engine):
        group = actual.filter(pl.col("segment") == segment, pl.col("Day") == day).drop("segment", "Day")
        assert group.drop("value").equals(separate.drop("value"))
        for a, b in zip(group["value"], separate["value"], strict=True):
            assert a == pytest.approx(b, rel=1e-12, abs=1e-12) if b is not None else a is None


@engines
def test_groups_by_a_column_of_the_run(engine: str) -> None:
    case = make_case(3, 56, 1)
    run = case.run_frame("run0").with_columns(
        language=pl.when(pl.col("query_id").hash(1) % 2 == 0).then(pl.lit("en")).otherwise(pl.lit("pt"))
    )
    actual = ir.evaluate(case.qrels_frame(), run, "AP", by="language", policy="missing=skip", engine=engine).summary()
    assert actual["language"].to_list() == ["en", "pt"]
    for language in ("en", "pt"):
        separate = ir.evaluate(
            case.qrels_frame(),
            run.filter(pl.col("language") == language).drop("language"),
            "AP",
            policy="missing=skip",
            engine=engine,
        ).summary()
        row = actual.filter(pl.col("language") == language)
        assert row["n_units"].item() == separate["n_units"].item() > 10
        assert row["value"].item() == pytest.approx(separate["value"].item(), rel=1e-12)
