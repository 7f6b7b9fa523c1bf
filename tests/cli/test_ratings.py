"""`ireval ratings`: each of its results, from a text file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke

RATINGS = ir.examples.ratings()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    RATINGS.write_csv(path)
    return path


def table(*arguments: Any) -> pl.DataFrame:
    actual = invoke("ratings", *arguments, "--format", "csv")
    assert actual.exit_code == 0, actual.stderr
    return pl.read_csv(io.StringIO(actual.stdout))


def test_results(path: Path) -> None:
    ordinal = ir.Ratings(RATINGS, level="ordinal")
    actual = table(path, "KrippendorffAlpha CohenKappa(weights='linear')", "--level", "ordinal")
    expected = ordinal.evaluate("KrippendorffAlpha CohenKappa(weights='linear')").summary()["value"].to_list()
    assert actual["value"].to_list() == pytest.approx(expected, abs=1e-13)
    assert table(path, "GwetAC1", "--intervals")["se"].item() == pytest.approx(0.1247, abs=1e-4)
    assert table(path, "--pairwise")["n_rated"].to_list() == [9, 8, 9, 9, 10, 10]
    labels = ir.Ratings(RATINGS).aggregate("majority").consensus()["label"].to_list()
    assert table(path, "--consensus", "majority")["label"].to_list() == labels
    assert table(path, "--by-rater")["status"].to_list() == ["ok"] * 4
    scale = table(path, "BrennanPrediger", "--categories", "1,2,3,4,5,6")["value"].item()
    assert scale == pytest.approx(
        ir.Ratings(RATINGS, categories=range(1, 7)).evaluate("BrennanPrediger").summary()["value"].item()
    )


def test_what_is_known_left_out_and_how_far_apart(path: Path) -> None:
    known, far, graded = (path.with_name(n) for n in ("known.csv", "far.csv", "graded.csv"))
    known.write_text("item_id,label\nu01,5\nu02,1\n")
    far.write_text("rating,other_rating,distance\n" + "\n".join(f"{a},{b},{b - a}" for b in range(6) for a in range(b)))
    gold = {"u01": 5, "u02": 1}
    numbers = ir.Ratings(RATINGS, level="ordinal")
    actual = table(path, "--level", "ordinal", "--consensus", "dawid-skene", "--gold", known)
    assert actual["label"].to_list() == numbers.aggregate("dawid-skene", gold=gold).consensus()["label"].to_list()
    assert table(path, "--level", "ordinal", "--by-rater", "--gold", known)["n_tested"].sum() == 7
    assert table(path, "NumRaters", "--without", "a", "--without", "c")["value"].item() == 2
    own = table(path, "KrippendorffAlpha(distance='own')", "--level", "ordinal", "--distances", far)["value"].item()
    linear = numbers.evaluate("KrippendorffAlpha(distance='linear')").summary()["value"].item()
    assert own == pytest.approx(linear, abs=1e-13)
    RATINGS.with_columns(query_id=pl.lit("q")).write_csv(graded)
    qrels = table(graded, "--level", "ordinal", "--judgments", "query_id", "--consensus", "mean")
    assert qrels.columns == ["query_id", "doc_id", "relevance"]
    assert (
        qrels["relevance"].to_list()
        == RATINGS.group_by("item_id").agg(pl.col("rating").mean()).sort("item_id")["rating"].to_list()
    )


def test_refusals(path: Path) -> None:
    both = invoke("ratings", path, "--pairwise", "--by-rater")
    assert both.exit_code == 2
    assert "--pairwise" in both.stderr
    assert invoke("ratings", path, "--consensus", "oracle").exit_code == 2
    alone = invoke("ratings", path, "--gold", path)
    assert alone.exit_code == 2
    assert "--consensus METHOD" in alone.stderr
    nobody = invoke("ratings", path, "KrippendorffAlpha(distance='own')")
    assert "--distances distances.csv" in nobody.stderr
    twice = path.with_name("twice.csv")
    pl.concat([RATINGS, RATINGS.head(1)]).write_csv(twice)
    refused = invoke("ratings", twice)
    assert refused.exit_code == 1
    assert "--policy duplicates=trust" in refused.stderr
