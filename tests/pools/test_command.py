"""`ireval pool`, step by step on files."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import DATA, invoke

RUNS = [str(DATA / "runs" / f"{name}.txt") for name in ("bm25", "lsa", "tfidf")]


def test_a_pool_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Grades stand in a file of judgments, or are filled in; the pool is that of Python."""
    monkeypatch.chdir(tmp_path)
    qrels = str(DATA / "qrels.txt")
    grades = ir.read_qrels(qrels)
    steps = ("--method", "max-mean", "--batch", "2", "--budget", "5", "-o", "steps.csv")
    pool = ir.pool(ir.read_run(RUNS), "max-mean", batch=2, budget=5)
    for step in range(3):
        resume = ("--resume", "steps.csv") if step else ()
        assert invoke("pool", *RUNS, *steps, *resume).exit_code == 0
        next(pool)
        written = ir.io.scan_table("steps.csv").collect()
        # Not judged documents wait on.
        filled = written.cast({"relevance": pl.Int64}).update(grades, on=["query_id", "doc_id"])
        filled.write_csv("steps.csv")
        pool.judge(grades)
    assert pool.table().cast(pl.String).rows() == filled.cast(pl.String).rows()
    assert set(filled["order"]) == {"1", "2", "3", "4", "5"}
    last = invoke("pool", *RUNS, *steps, "--resume", "steps.csv")
    assert (last.exit_code, last.stderr) == (0, "ireval: nothing more is to be judged.\n")


def test_a_sample_is_filled_in_and_estimated_from(tmp_path: Path) -> None:
    sample = tmp_path / "sample.csv"
    drawn = ("--method", "stratified", "--strata", "5:1,20:0.4", "-o", str(sample))
    assert invoke("pool", *RUNS, *drawn).exit_code == 0
    rows = pl.read_csv(sample, schema_overrides={"query_id": pl.String})
    rows.with_columns(pl.col("relevance").fill_null(1)).write_csv(sample)
    result = invoke("evaluate", str(sample), *RUNS, "-m", "xinfAP", "--format", "csv")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("xinfAP") == 3


def test_errors_speak_of_options(tmp_path: Path) -> None:
    result = invoke("pool", *RUNS, "--method", "stratified")
    words = "A stratified pool needs its strata.\n  Write --method stratified and --strata 10:1,50:0.5,100:0.1.\n"
    assert (result.exit_code, result.stderr) == (2, f"ireval: {words}")
    assert "--qrels qrels.txt" in invoke("pool", *RUNS, "--resume", str(tmp_path / "steps.csv")).stderr
    assert invoke("pool", *RUNS, "--strata", "10:much").exit_code == 2
