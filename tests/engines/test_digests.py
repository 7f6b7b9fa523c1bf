"""Digests of large tables depend on rows, not on their order; a group has the digest that it has by itself."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines import digests
from ireval_frames.engines.digests import FEW, PORTABLE, digested
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.engines.polars.hashes import HashSums
from ireval_frames.store.evaluations import identify
from tests.planner.engines import EVERY, Opened

N = FEW + 3
ROWS = pl.DataFrame({"doc_id": pl.int_range(N, eager=True).cast(pl.String), "score": pl.int_range(N, eager=True) / 7})


def digest(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    engine = PolarsEngine()
    return digested(engine, engine.from_polars(rows), by)


def test_digests_do_not_depend_on_the_order_of_rows() -> None:
    expected = digest(ROWS)
    assert expected["digest_kind"].item().startswith("polars-")
    assert digest(ROWS.reverse()).equals(expected)
    assert digest(ROWS.sample(fraction=1.0, shuffle=True, seed=1)).equals(expected)


@pytest.mark.parametrize(
    "changed",
    [
        ROWS.head(N - 1),
        ROWS.with_columns(score=pl.col("score") + pl.when(pl.col("doc_id") == "7").then(1e-9).otherwise(0.0)),
        ROWS.with_columns(score=pl.col("score").reverse()),
        ROWS.rename({"doc_id": "query_id"}),
        pl.concat([ROWS, ROWS.head(1)]),
    ],
)
def test_a_changed_table_has_another_digest(changed: pl.DataFrame) -> None:
    assert changed.height > FEW
    assert digest(changed)["digest"].item() != digest(ROWS)["digest"].item()


@pytest.mark.parametrize("engine", EVERY)
def test_digests_of_every_engine_depend_on_values_only(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "FEW", 2)
    opened = Opened(engine)
    rows = pl.DataFrame(
        {"g": [*"aabb"], "x": ["1", None, "2", "1"], "y": [None, "1", "2", "2"], "z": [0.0, 1.5, 2.0, 0.5]}
    )

    def of(frame: pl.DataFrame) -> pl.DataFrame:
        return digested(opened.engine, opened.frame(frame), ["g"]).sort("g")

    expected = of(rows)
    assert expected["n_rows"].to_list() == [2, 2]
    assert set(expected["digest_kind"]) != {PORTABLE}
    assert of(rows.reverse()).equals(expected)
    assert of(rows.with_columns(z=-rows["z"] * -1.0 + pl.Series([-0.0, 0, 0, 0]))).equals(expected)
    for changed in (
        rows.with_columns(x="y", y="x"),
        rows.with_columns(x=pl.Series(["1", "", "2", "1"])),
        rows.with_columns(z=pl.col("z") + 1e-12),
        rows.with_columns(z=pl.Series([1.5, 0.0, 2.0, 0.5])),
    ):
        assert of(changed)["digest"][0] != expected["digest"][0]


def test_a_group_has_the_digest_that_it_has_by_itself() -> None:
    other = ROWS.with_columns(pl.col("score") * 2)
    both = pl.concat([ROWS.with_columns(run=pl.lit("a")), other.with_columns(run=pl.lit("b"))])
    actual = digest(both.sample(fraction=1.0, shuffle=True, seed=2), "run").sort("run")
    assert actual["digest"].to_list() == [digest(rows)["digest"].item() for rows in (ROWS, other)]


RUNS = 3
RUN = (
    pl.DataFrame({"run_id": [f"r{i}" for i in range(RUNS)]})
    .join(pl.DataFrame({"query_id": [f"q{i}" for i in range(40)]}), how="cross")
    .join(pl.DataFrame({"doc_id": [f"d{i}" for i in range(500)]}), how="cross")
)
RUN = RUN.with_columns(score=(pl.int_range(pl.len()) * 7919 % 1009) / 3)
QRELS = RUN.select("query_id", "doc_id", relevance=1).unique().sort("query_id", "doc_id").gather_every(9)


@pytest.mark.parametrize("order", ["lists", "lists of one run", "lists side by side", "any"])
@pytest.mark.parametrize("place", ["frame", "Parquet", "text"])
def test_digests_by_ranking_are_those_of_the_table(order: str, place: str, tmp_path: Path) -> None:
    rows = RUN
    if order == "lists of one run":
        of_one = RUN.filter(run_id="r0").drop("run_id")
        rows = pl.concat([of_one.with_columns(pl.col("doc_id") + c) for c in "abc"]).sort("query_id")
    elif order == "lists side by side":
        rows = RUN.sort("query_id", "run_id", descending=True)
    elif order == "any":
        rows = RUN.sample(fraction=1.0, shuffle=True, seed=3)
    assert rows.height > FEW
    table: pl.DataFrame | str = rows
    if place == "Parquet":
        rows.write_parquet(table := str(tmp_path / "run.parquet"))
    elif place == "text":
        rows.write_csv(table := str(tmp_path / "run.tsv"), separator="\t")
    before, after = (ir.evaluate(QRELS, table, "P@5 RR", policy="overlap=allow") for _ in range(2))
    actual = identify(before)
    expected_values = after.summary()
    expected = identify(after)
    assert before._planned.sums("run", ["query_id"], ()) is None
    assert actual.id == expected.id
    assert actual.inputs.equals(expected.inputs)
    assert actual.runs.equals(expected.runs)
    assert set(actual.runs["digest_kind"]) == {digest(ROWS)["digest_kind"].item()}
    # Sums of several threads differ in the last digit.
    assert_frame_equal(before.summary(), expected_values, rel_tol=1e-12, abs_tol=0)
    # Digests of the rows without an evaluation are the same.
    engine = PolarsEngine()
    by = ["run_id"] if "run_id" in rows.columns else []
    separate = digested(engine, engine.from_polars(rows), by)
    assert sorted(separate["digest"]) == sorted(actual.runs["digest"])


def test_ranking_sums_hashes_in_the_same_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = ir.evaluate(QRELS, RUN, "P@5")
    monkeypatch.setattr(HashSums, "of_rows", lambda *_: pytest.fail("the rows were read again"))
    identify(evaluation)
    evaluation.summary()
    with pytest.raises(pytest.fail.Exception):
        identify(evaluation)
