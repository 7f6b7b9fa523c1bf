"""`ireval clicks propensities` and `ireval clicks counterfactual` give what the functions give."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import invoke
from tests.clicks.counterfactual.cases import log_of, make_case, run_of


def test_runs_valued_by_a_log(tmp_path: Path) -> None:
    of = make_case(15)
    log, runs = log_of(of).drop("weight"), []
    log.write_parquet(tmp_path / "log.parquet")
    for name, frame in (("old", run_of(of)), ("new", run_of(make_case(16)))):
        runs.append(frame.with_columns(run_id=pl.lit(name)))
        ir.io.write_run(runs[-1], tmp_path / f"{name}.run")

    def run(verb: str, *arguments: str) -> pl.DataFrame:
        done = invoke("clicks", verb, tmp_path / "log.parquet", *arguments, "-o", tmp_path / "out.parquet")
        assert done.exit_code == 0, done.stderr
        return pl.read_parquet(tmp_path / "out.parquet")

    estimated = ir.clicks.propensities(log, "pivot")
    assert_frame_equal(run("propensities", "--method", "pivot"), estimated.table(), abs_tol=1e-12)
    table = tmp_path / "propensities.csv"
    done = invoke("clicks", "propensities", tmp_path / "log.parquet", "--method", "pivot", "-o", table)
    assert done.exit_code == 0, done.stderr
    actual = ir.clicks.counterfactual(
        log, pl.concat(runs), "RR", propensity=estimated, estimators="IPS SNIPS", cluster="user"
    )
    command = ("counterfactual", *(str(tmp_path / f"{n}.run") for n in ("old", "new")), "-m", "RR")
    command = (*command, "--propensity", str(table), "-e", "IPS SNIPS", "--cluster", "user")
    for options, expected in (
        ((), actual.summary()),
        (("-q",), actual.per_unit()),
        (("--coverage",), actual.coverage()),
        (("--baseline", "old"), actual.compare("old")),
    ):
        assert_frame_equal(run(*command, *options), expected, abs_tol=1e-9)
    wrong = invoke("clicks", command[0], tmp_path / "log.parquet", *command[1:], "-m", "nDCG")
    assert wrong.exit_code == 2
    assert "no mean of sums" in wrong.stderr


def test_columns_and_ids_of_log_and_run(tmp_path: Path) -> None:
    """Measures follow the runs, `--column` is for both tables, and integers of a log match the text of a file."""
    of = make_case(15)
    log, run = log_of(of).drop("weight"), run_of(of)
    documents = {*log["doc_id"].drop_nulls(), *run["doc_id"]}
    numbers = {doc: i for i, doc in enumerate(sorted(documents))}
    log, run = (
        f.with_columns(article=pl.col("doc_id").replace_strict(numbers, return_dtype=pl.Int64)).drop("doc_id")
        for f in (log, run)
    )
    log.rename({"user_id": "customer"}).write_parquet(tmp_path / "log.parquet")
    run.write_csv(tmp_path / "run.csv")
    pl.DataFrame({"position": range(1, 21), "propensity": [1 / k for k in range(1, 21)]}).write_csv(tmp_path / "p.csv")
    table = tmp_path / "out.parquet"

    def value(*options: str) -> pl.DataFrame:
        files = (tmp_path / "log.parquet", tmp_path / "run.csv", "P@5")
        done = invoke("clicks", "counterfactual", *files, "--propensity", tmp_path / "p.csv", *options, "-o", table)
        assert done.exit_code == 0, done.stderr
        return pl.read_parquet(table).drop("run_id", strict=False)

    known = [1 / k for k in range(1, 21)]
    named = {"doc_id": "article"}
    expected = ir.clicks.counterfactual(log, run, "P@5", propensity=known, columns=named).summary()
    assert_frame_equal(value("--column", "doc_id=article"), expected.drop("run_id", strict=False), abs_tol=1e-9)
    run.rename({"article": "product"}).write_csv(tmp_path / "run.csv")
    both = ("--column", "impressions.doc_id=article", "--column", "run.doc_id=product")
    assert_frame_equal(value(*both), expected.drop("run_id", strict=False), abs_tol=1e-9)
    without = ("clicks", "counterfactual", tmp_path / "log.parquet", tmp_path / "run.csv", *both)
    wrong = invoke(*without)
    assert "ireval clicks propensities LOG -o propensities.csv" in wrong.stderr
    wrong = invoke(*without, "--cluster", "user", "--propensity", tmp_path / "p.csv")
    assert "--column user_id=customer" in wrong.stderr
