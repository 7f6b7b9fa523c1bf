"""`ireval clusters` on files: what it prints is what Python gives, and errors end it with the right code."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines

FRAME = ir.examples.clusters().with_columns(fold=pl.col("item_id") % 2)


@pytest.fixture(params=["csv", "parquet"])
def items(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"items.{request.param}"
    if request.param == "csv":
        FRAME.write_csv(path)
    else:
        FRAME.write_parquet(path)
    return path


def test_summary(items: Path) -> None:
    assert lines(invoke("clusters", items)) == [
        "measure        value",
        "AdjustedRand  0.2429",
        "NMI           0.3646",
        "V             0.3646",
        "BCubedF       0.5759",
    ]
    actual = pl.read_csv(
        io.StringIO(
            invoke("clusters", items, "Purity", "AMI(normalizer='max')", "--by", "fold", "--format", "csv").stdout
        )
    )
    expected = ir.Clusters(FRAME, by="fold").evaluate("Purity AMI(normalizer='max')").summary()
    assert actual["value"].to_list() == pytest.approx(expected["value"].to_list(), rel=1e-12)
    assert actual.columns == ["fold", "measure", "value", "n_units", "n_undefined"]
    assert len(lines(invoke("clusters", items, "Rand", "--unit", "fold", "-q"))) == 3


def test_contingency_table(items: Path, tmp_path: Path) -> None:
    out = tmp_path / "cells.parquet"
    invoke("clusters", items, "--contingency", "-o", out)
    assert pl.read_parquet(out)["count"].to_list() == ir.Clusters(FRAME).contingency()["count"].to_list()
    again = lines(invoke("clusters", out, "NMI", "--weight", "count"))
    assert again[1].split() == ["NMI", "0.3646"]


def test_two_files(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.csv", tmp_path / "system.parquet"
    FRAME.select("item_id", "label").write_csv(gold)
    FRAME.select(pl.col("item_id").cast(pl.String), k="cluster_id").head(12).write_parquet(system)
    actual = lines(
        invoke("clusters", gold, "NumItems", "--system", system, "--cluster", "k", "--policy", "missing=skip")
    )
    assert float(actual[1].split()[1]) == 12
    assert (
        float(lines(invoke("clusters", gold, "NumClusters", "--system", system, "--cluster", "k"))[1].split()[1]) == 7
    )
    failed = invoke("clusters", gold, "--system", system, "--cluster", "k", "--policy", "missing=error")
    assert failed.exit_code == 1
    assert "5 items are in no cluster" in failed.stderr
    assert "--policy missing=singleton" in failed.stderr


def test_noise(items: Path) -> None:
    assert float(lines(invoke("clusters", items, "NumClusters", "--noise-cluster", "3"))[1].split()[1]) == 7
    assert (
        float(
            lines(invoke("clusters", items, "NumItems", "--noise-cluster", "3", "--policy", "noise=skip"))[1].split()[1]
        )
        == 12
    )


def test_errors(items: Path) -> None:
    for options, words, code in (
        (("nDCG",), "is a measure of ranking", 2),
        (("--label", "nothing"), "no column 'nothing'", 1),
        (("--contingency", "-q"), "results of their own", 2),
        (("--policy", "missing=nowhere"), "singleton, error, skip, replab", 2),
        (("--policy", "noise=nowhere"), "Write --policy noise=singleton.", 2),
        (("--format", "trec"), "--format csv", 2),
    ):
        result = invoke("clusters", items, *options)
        assert words in result.stderr, options
        assert result.exit_code == code, options


def test_text_where_numbers_belong(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    FRAME.with_columns(w=pl.when(pl.col("fold") > 0).then(pl.lit("many")).otherwise(pl.lit("1"))).write_csv(path)
    failed = invoke("clusters", path, "Purity", "--weight", "w")
    assert failed.exit_code == 1
    assert "Column 'w' has text where numbers are expected: \"many\"" in failed.stderr
