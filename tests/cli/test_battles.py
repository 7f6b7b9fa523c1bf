"""`ireval battles`: its results are those of the package, and errors are in words of the command."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli import example_files
from tests.cli.commands import invoke


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    example_files.written(tmp_path, "battles")
    return tmp_path


def table(*arguments: Any) -> pl.DataFrame:
    actual = invoke("battles", *arguments, "--format", "csv")
    assert actual.exit_code == 0, actual.stderr
    return pl.read_csv(io.StringIO(actual.stdout))


def test_results(folder: Path) -> None:
    arena = folder / "arena.jsonl"
    pairs = ir.ratings.PairedComparisons(ir.io.read_battles(arena))
    actual = table(arena, "--cluster", "judge", "--prior", 1, "--n-resamples", 20)
    expected = pairs.strengths(cluster="judge", prior=1.0, n_resamples=20)
    assert actual["ci_low"].to_list() == pytest.approx(expected["ci_low"].to_list())
    effects = table(arena, "--effects", "--covariates", "length,headers", "--first", "--form", "arena")
    assert effects["value"].to_list() == pytest.approx(
        pairs.effects(["length", "headers"], first=True, form="arena")["value"].to_list()
    )
    assert table(arena, "--outcomes")["bad_ties"].sum() == pairs.outcomes()["bad_ties"].sum() > 0
    assert table(arena, "--topics", "language").columns == pairs.topics("language").columns
    assert table(folder / "battles.csv", "--by", "topic", "--model", "davidson").height == 6
    merged = table(folder / "pair.jsonl", "--merged", "--outcomes")
    assert merged["n"].to_list() == [12, 12]
    assert table(folder / "annotations.json", "--length-controlled", "base")["item_id"].to_list() == ["m"]
    rates = table(folder / "small", folder / "large", "--layout", "lm-eval", "--measure", "acc", "--win-rates")
    assert rates.select("item_id", "n_units").rows() == [("large", 20), ("small", 20)]


def test_numbers_in_text_are_numbers(folder: Path) -> None:
    """Of CSV, lengths and orders are numbers, not text: the tenth comparison does not stand before the second."""
    path = folder / "timed.csv"
    rows = [(f"{'xy'[i % 3 > 0]}", "z", "ab"[i % 2], i, 10 + i, 3 * i) for i in range(12)]
    frame = pl.DataFrame(rows, ["item_a", "item_b", "winner", "time", "length_a", "length_b"], orient="row")
    frame.write_csv(path)
    pairs = ir.ratings.PairedComparisons(frame)
    elo = table(path, "--model", "elo", "--n-resamples", 0)
    assert elo["value"].to_list() == pytest.approx(pairs.strengths("elo", n_resamples=0)["value"].to_list())
    assert table(path, "--bias")["share"].to_list() == pytest.approx(pairs.bias()["share"].to_list())


def test_refusals(folder: Path) -> None:
    arena = folder / "arena.jsonl"
    for arguments, code, text in (
        ((arena, "--bias", "--outcomes"), 2, "--bias"),
        ((arena, "--effects"), 2, "--first"),
        ((arena, folder / "pair.jsonl"), 2, "--layout lm-eval"),
        ((arena, "--cluster", "user"), 1, "'user'"),
        ((arena, "--model", "elo"), 2, "--order time"),
        ((arena, "--layout", "alpaca-eval"), 1, "'generator_1'"),
        ((folder / "small", "--layout", "lm-eval"), 2, "--measure acc"),
        ((folder / "no.csv",), 1, "no.csv"),
    ):
        actual = invoke("battles", *arguments)
        assert (actual.exit_code, text in actual.stderr) == (code, True), actual.stderr
