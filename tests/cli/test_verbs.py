"""`ireval points`, `organization`, `similarity` and `splits`, and the options that all verbs have."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.cli.app import app
from tests.cli.commands import BM25, QRELS, ROOT, invoke, lines

POINTS = ir.examples.points().with_columns(part=pl.col("item_id") % 2)
GOLD, FOUND = ir.examples.ranking()
ORGANIZED = GOLD.join(FOUND, on=["query_id", "doc_id"], how="left")
ITEMS = ir.examples.labels().with_columns(user=pl.col("item_id") // 2, day=pl.col("item_id"))
TABLES = {
    "labels": ITEMS,
    "clusters": ir.examples.clusters().with_columns(part=pl.col("item_id") % 2),
    "points": POINTS,
    "organization": ORGANIZED,
    "ratings": ir.examples.ratings().with_columns(part=pl.lit(1)),
}
MORE = {"points": ("--features", "x,y", "--cluster", "k3")}
VERBS = ("evaluate", "similarity", *TABLES)


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    out = {}
    for name, frame in TABLES.items():
        out[name] = tmp_path / f"{name}.parquet"
        frame.write_parquet(out[name])
    return out


def values(result: Any) -> list[float]:
    """The value column of what was written as CSV."""
    assert result.exit_code == 0, result.stderr
    return pl.read_csv(io.StringIO(result.stdout))["value"].to_list()


@pytest.mark.parametrize("verb", VERBS)
def test_options_of_all_verbs(verb: str) -> None:
    command = app.get_command(click.Context(app), verb)
    names = {parameter.name for parameter in command.params}
    assert {"by", "column", "engine", "format", "measures", "output", "per_unit", "policy"} <= names
    assert verb in ("evaluate", "similarity") or "unit" in names


@pytest.mark.parametrize("verb", TABLES)
def test_engines_agree(verb: str, paths: dict[str, Path]) -> None:
    arguments = (verb, paths[verb], *MORE.get(verb, ()), "--format", "csv", "--engine")
    assert values(invoke(*arguments, "polars")) == pytest.approx(values(invoke(*arguments, "duckdb")), rel=1e-12)
    assert "polars" in invoke(*arguments, "pandas").stderr


def test_points(paths: dict[str, Path]) -> None:
    several = invoke("points", paths["points"], "SSE", "--features", "x,y", "--cluster", "k2,k3", "--format", "csv")
    expected = ir.Points(POINTS, ["x", "y"], cluster=["k2", "k3"]).evaluate("SSE")
    assert values(several) == pytest.approx(expected.summary()["value"].to_list(), rel=1e-12)
    options = ("--features", "x,y", "--column", "cluster_id=k3", "--metric", "manhattan", "--unit", "part", "-q")
    actual = invoke("points", paths["points"], "Silhouette", *options, "--format", "csv")
    units = ir.Points(POINTS, ["x", "y"], cluster="k3", metric="manhattan", unit="part").evaluate("Silhouette")
    assert values(actual) == pytest.approx(units.per_unit()["value"].to_list(), rel=1e-12)
    noisy = ("points", paths["points"], "NumPoints", "--features", "x,y", "--cluster", "k3", "--noise-cluster")
    assert float(lines(invoke(*noisy, "c"))[1].split()[1]) == POINTS.height - 2
    assert "Name them: --features x,y" in invoke("points", paths["points"], "--cluster", "k3").stderr
    assert "Write --metric euclidean." in invoke("points", paths["points"], *MORE["points"], "--metric", "far").stderr


def test_organization(paths: dict[str, Path], tmp_path: Path) -> None:
    actual = lines(invoke("organization", paths["organization"]))
    expected = ir.Organization(ORGANIZED).evaluate("Reliability Sensitivity RS").summary()["value"]
    assert [float(line.split()[1]) for line in actual[1:]] == pytest.approx(expected.to_list(), abs=5e-5)
    gold, system = tmp_path / "gold.csv", tmp_path / "system.csv"
    GOLD.rename({"relevance": "grade"}).drop("query_id").write_csv(gold)
    FOUND.rename({"score": "sim"}).drop("query_id").write_csv(system)
    two = invoke("organization", gold, "RS", "--system", system, "--column", "relevance=grade", "--score", "sim",
                 "--format", "csv")  # fmt: skip
    assert values(two) == pytest.approx([ir.Organization(GOLD, FOUND).evaluate("RS").summary()["value"].item()])
    refused = invoke("organization", gold, "--system", system, "--relevance", "grade", "--policy", "missing=error")
    assert refused.exit_code == 1
    assert "--policy missing=replab" in refused.stderr


def test_splits(paths: dict[str, Path], tmp_path: Path) -> None:
    def frame(*arguments: Any) -> pl.DataFrame:
        done = invoke("splits", *arguments)
        assert done.exit_code == 0, done.stderr
        return pl.read_csv(io.StringIO(done.stdout))

    of = paths["labels"]
    assert frame("kfold", of, 3, "--exact")["fold"].to_list() == ir.splits.kfold(ITEMS, 3, exact=True)["fold"].to_list()
    assert frame("kfold", of, 2, "--group", "user", "--into", "part").columns == [*ITEMS.columns, "part"]
    assert (
        frame("holdout", of, 0.5, "--seed", 3)["split"].to_list()
        == ir.splits.holdout(ITEMS, 0.5, seed=3)["split"].to_list()
    )
    assert frame("leave-one-out", of)["fold"].n_unique() == ITEMS.height
    assert frame("leave-one-out", of, "--group", "user")["fold"].n_unique() == ITEMS["user"].n_unique()
    assert frame("by-time", of, "day", 3)["fold"].to_list() == ir.splits.by_time(ITEMS, "day", 3)["fold"].to_list()
    # Numbers of files are text; they are read as numbers all the same.
    names = {"user": "user", "item": "item_id"}
    options = [f"--{option}={column}" for option, column in names.items()]
    last = ir.splits.leave_last_out(ITEMS, "day", 1, **names)["split"].to_list()
    assert frame("leave-last-out", of, "day", 1, *options)["split"].to_list() == last
    day = int(ITEMS["day"].max())  # type: ignore[call-overload]
    for test in (0.4, day):
        expected = ir.splits.global_time(ITEMS, "day", test, leave_out="seen", **names)["split"].to_list()
        assert frame("global-time", of, "day", test, "--leave-out=seen", *options)["split"].to_list() == expected
    windows = ir.splits.sliding_windows(ITEMS, "day", 1, 2, gap=1)
    assert frame("sliding-windows", of, "day", 1, 2, "--gap=1")["window"].to_list() == windows["window"].to_list()
    unit = invoke("splits", "global-time", of, "day", "7d")
    assert unit.exit_code == 2
    assert "make times of them" in unit.stderr
    out = tmp_path / "folds.parquet"
    lines(invoke("splits", "kfold", of, 2, "-o", out))
    checked = frame("check", out, "--disjoint", "item_id,user", "--label", "label", "--format", "csv")
    assert set(checked["check"]) == {"rows", "leak", "class"}
    assert "Write --into fold_2" not in invoke("splits", "kfold", of).stderr
    assert "--into fold_2" in invoke("splits", "kfold", out).stderr
    assert invoke("splits", "kfold", of, "--item", "nothing").exit_code == 1


def test_similarity() -> None:
    runs = str(ROOT / "data" / "stdlib" / "runs" / "*.txt")
    expected = ir.Similarity(ir.io.scan_run(runs)).evaluate("Tau RBO")
    assert values(invoke("similarity", runs, "-m", "Tau RBO", "--format", "csv")) == pytest.approx(
        expected.summary()["value"].to_list(), rel=1e-12
    )
    actual = invoke(
        "similarity", runs, "Tau", "-q", "--format", "csv", "--engine", "duckdb", "--policy", "missing=skip"
    )
    defined = expected.per_unit().filter(pl.col("measure") == "Tau", pl.col("value").is_not_null())["value"].to_list()
    assert [v for v in values(actual) if v is not None] == pytest.approx(defined, rel=1e-12)
    matrix = lines(invoke("similarity", runs, "Tau", "--matrix"))
    assert matrix[0].split() == ["run_id", "bm25", "bm25_long", "lsa", "names", "tfidf"]
    two = invoke("similarity", BM25, "--against", ROOT / "data" / "stdlib" / "runs" / "lsa.txt", "--format", "csv")
    assert len(values(two)) == 3
    for arguments, message in (
        (("--policy", "ties=trec"), "allowed: tied, trec_eval, doc_id"),
        (("--policy", "tie=doc_id"), "Did you mean ties?"),
        (("--matrix", "-q"), "cannot be combined"),
        (("nDCG@10",), "is a measure of ranking"),
    ):
        refused = invoke("similarity", runs, *arguments)
        assert refused.exit_code == 2
        assert message in refused.stderr


def test_columns_of_rankings(tmp_path: Path) -> None:
    qrels, run = tmp_path / "judged.csv", tmp_path / "found.csv"
    GOLD.rename({"relevance": "g", "query_id": "q"}).write_csv(qrels)
    FOUND.rename({"score": "s", "query_id": "search"}).write_csv(run)
    named = ("relevance=g", "qrels.query_id=q", "run.score=s", "run.query_id=search")
    options = [option for pair in named for option in ("--column", pair)]
    actual = invoke("evaluate", qrels, run, "AP", *options, "--format", "csv")
    assert values(actual) == ir.evaluate(GOLD, FOUND, "AP").summary()["value"].to_list()
    assert "--column relevance=g" in invoke("evaluate", qrels, run, "AP", "--column", "qrels.query_id=q").stderr
    assert "run.score" in invoke("evaluate", qrels, run, "AP", "--column", "run.scor=s").stderr
    assert "Write --column score=sim" in invoke("evaluate", QRELS, BM25, "AP", "--column", "score").stderr
