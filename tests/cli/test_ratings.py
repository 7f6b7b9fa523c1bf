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
    made = tmp_path / "ratings.csv"
    RATINGS.write_csv(made)
    return made


def table(*given: Any) -> pl.DataFrame:
    found = invoke("ratings", *given, "--format", "csv")
    assert found.exit_code == 0, found.stderr
    return pl.read_csv(io.StringIO(found.stdout))


def test_results(path: Path) -> None:
    ordinal = ir.Ratings(RATINGS, level="ordinal")
    found = table(path, "KrippendorffAlpha CohenKappa(weights='linear')", "--level", "ordinal")
    wanted = ordinal.evaluate("KrippendorffAlpha CohenKappa(weights='linear')").summary()["value"].to_list()
    assert found["value"].to_list() == pytest.approx(wanted, abs=1e-13)
    assert table(path, "GwetAC1", "--intervals")["se"].item() == pytest.approx(0.1247, abs=1e-4)
    assert table(path, "--pairwise")["n_rated"].to_list() == [9, 8, 9, 9, 10, 10]
    labels = ir.Ratings(RATINGS).aggregate("majority").consensus()["label"].to_list()
    assert table(path, "--consensus", "majority")["label"].to_list() == labels
    assert table(path, "--by-rater")["status"].to_list() == ["ok"] * 4
    scale = table(path, "BrennanPrediger", "--categories", "1,2,3,4,5,6")["value"].item()
    assert scale == pytest.approx(
        ir.Ratings(RATINGS, categories=range(1, 7)).evaluate("BrennanPrediger").summary()["value"].item()
    )


def test_refusals(path: Path) -> None:
    both = invoke("ratings", path, "--pairwise", "--by-rater")
    assert both.exit_code == 2
    assert "--pairwise" in both.stderr
    assert invoke("ratings", path, "--consensus", "oracle").exit_code == 2
    twice = path.with_name("twice.csv")
    pl.concat([RATINGS, RATINGS.head(1)]).write_csv(twice)
    refused = invoke("ratings", twice)
    assert refused.exit_code == 1
    assert "--policy duplicates=trust" in refused.stderr
