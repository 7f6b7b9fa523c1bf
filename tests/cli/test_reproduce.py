"""`ireval reproduce`: its tables are those of Python, and errors name the option to write."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.replication import Reproduction
from tests.cli.commands import BM25, DATA, QRELS, invoke

LSA = str(DATA / "runs" / "lsa.txt")


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The same runs, their scores with one digit."""
    folder = tmp_path_factory.mktemp("again")
    for path in (BM25, LSA):
        run = ir.read_run(path).with_columns(pl.col("score").round_sig_figs(1))
        ir.io.write_run(run, folder / Path(path).name)
    return [str(folder / Path(path).name) for path in (BM25, LSA)]


@pytest.fixture(scope="module")
def r(again: list[str]) -> Reproduction:
    return ir.replication.reproduction(
        *(ir.evaluate(QRELS, runs, "AP") for runs in ([BM25, LSA], again)), baseline="bm25", margin=0.02
    )


def arguments_of(again: list[str]) -> tuple[str, ...]:
    return (
        "reproduce", QRELS, "--original", BM25, "--original", LSA, "--replica", again[0], "--replica", again[1],
        "-m", "AP", "--baseline", "bm25", "--margin", "0.02",
    )  # fmt: skip


def test_tables(r: Reproduction, again: list[str]) -> None:
    for arguments, expected in (
        ((), r.table()),
        (("--effects",), r.effects()),
        (("--correlations",), r.correlations()),
        (("--rankings", "Tau RBO"), r.rankings(summary=True)),
    ):
        result = invoke(*arguments_of(again), *arguments, "--format", "csv")
        assert result.exit_code == 0, result.output
        actual = pl.read_csv(io.StringIO(result.stdout))
        assert_frame_equal(actual.cast(expected.schema), expected, abs_tol=1e-9, rel_tol=1e-9)


def test_it_reads_well(r: Reproduction, again: list[str]) -> None:
    assert invoke(*arguments_of(again)).stdout == f"{r}\n"
    assert invoke(*arguments_of(again), "--explain").stdout == f"{r.explain()}\n"


def test_groups(again: list[str], tmp_path: Path) -> None:
    queries = tmp_path / "queries.csv"
    topics = ir.evaluate(QRELS, BM25, "AP").per_unit()["query_id"]
    pl.DataFrame({"query_id": topics}).with_columns(half=pl.int_range(pl.len()) % 2).write_csv(queries)
    result = invoke(*arguments_of(again), "--by", "half", "--queries", str(queries), "--format", "csv")
    actual = pl.read_csv(io.StringIO(result.stdout))
    assert actual.select("half", "system").rows() == [(0, "bm25"), (0, "lsa"), (1, "bm25"), (1, "lsa")]
    assert actual["n_common"].sum() == 2 * len(topics)


def test_tables_of_values(tmp_path: Path) -> None:
    paths = [tmp_path / "first.csv", tmp_path / "again.csv"]
    for path, shift in zip(paths, (0.0, 0.1), strict=True):
        pl.DataFrame({"user": [1, 2, 3], "old": [0.1, 0.2, 0.4], "new": [0.2, 0.5 + shift, 0.4]}).write_csv(path)
    expected = ir.replication.reproduction(paths[0], paths[1], unit="user", systems={"new": "old"})
    actual = invoke("reproduce", paths[0], paths[1], "--unit", "user", "--map", "new=old")
    assert actual.stdout == f"{expected}\n"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((QRELS,), ("There are 1 files", "--original a.run")),
        ((QRELS, "--original", BM25, "--replica", LSA, "--effects", "--explain"), ("--effects", "--explain")),
        ((QRELS, "--original", BM25, "--replica", LSA, "--margin", "0"), ("margin is 0.0", "--margin 0.01")),
    ],
)
def test_what_is_missing_is_reported(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    result = invoke("reproduce", *arguments)
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr
