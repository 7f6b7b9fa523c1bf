"""Rows say whether the iteration that they are of was done, what has no interval, and why; early ends warn."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.clicks.models import load
from ireval_frames.errors import ConvergenceWarning

ITERATED = ("PBM", "UBM", "DBN", "CCM")


def log(pages: int = 60, seed: int = 3) -> pl.DataFrame:
    """Pages of three of four documents: in the group "hard" clicks are drawn, in "easy" all pages are alike."""
    rng = np.random.default_rng(seed)
    shown = np.argsort(rng.random((pages, 4)), axis=1)[:, :3]
    clicked = rng.random((pages, 3)) < np.array([0.8, 0.5, 0.4, 0.2])[shown] / np.arange(1, 4)
    drawn = pl.DataFrame(
        {
            "site": "hard",
            "serp_id": np.repeat(np.arange(pages), 3),
            "query_id": "q",
            "doc_id": np.array(list("abcd"))[shown].ravel(),
            "position": np.tile(np.arange(1, 4), pages),
            "click": clicked.ravel().astype(np.int64),
        }
    )
    same = {"site": "easy", "serp_id": [-1, -1], "query_id": "q", "doc_id": ["a", "b"], "position": [1, 2]}
    return pl.concat([drawn, pl.DataFrame(same | {"click": [1, 0]})])


@pytest.mark.parametrize("name", ITERATED)
def test_a_fit_that_stops_early_warns_and_its_rows_say_so(name: str, tmp_path: Path) -> None:
    impressions = ir.Impressions(log(), by="site")
    with pytest.warns(ConvergenceWarning, match=rf"{name} stopped after 6 iterations in 1 of 2 groups") as caught:
        model = impressions.fit(name, iterations=6, tolerance=1e-3, prior=(3, 3), initial=0.49)
    assert caught[0].filename == __file__
    assert not model.converged
    model.save(tmp_path / "model.parquet")
    for table in (model.parameters(), load(tmp_path / "model.parquet").parameters(), model.relevance()):
        known = table.filter(pl.col("n") > 0)
        assert set(known.filter(site="hard")["status"]) == {"not_converged"}
        assert set(known.filter(site="easy")["status"]) - {"disconnected", "prior"} == {"converged"}
    done = impressions.fit(name, iterations=3000, tolerance=1e-3, prior=(3, 3))
    assert set(done.parameters().filter(pl.col("n") > 0)["status"]) - {"disconnected"} == {"converged"}
    # A number of steps that was asked for warns nobody, and its rows say what they are.
    some = impressions.fit(name, iterations=2, tolerance=0)
    assert "not_converged" in set(some.parameters()["status"])


def test_what_has_no_interval_says_why(tmp_path: Path) -> None:
    hard = log().filter(site="hard").drop("site")
    never = hard.with_columns(click=pl.when(pl.col("doc_id") == "d").then(0).otherwise("click"))
    model = ir.Impressions(never).fit("PBM", iterations=20_000, prior=(0, 0)).intervals()
    model.save(tmp_path / "model.parquet")
    for of in (model, load(tmp_path / "model.parquet")):
        rows = of.parameters()
        for doc, position, status in rows.filter(pl.col("low").is_null()).select("doc_id", "position", "status").rows():
            assert status == ("scale" if position is not None and status == "scale" else "unbounded"), (doc, position)
        assert rows.filter(doc_id="d")["status"].to_list() == ["unbounded"]
        assert (rows["status"] == "scale").sum() == 1
        assert set(rows.filter(pl.col("low").is_not_null())["status"]) == {"converged"}
    fixed = ir.Impressions(hard).fit("DBN", fixed={"continuation": 0.9}, iterations=20_000)
    assert fixed.parameters().filter(parameter="continuation")["status"].to_list() == ["fixed"]
    assert fixed.intervals().parameters().filter(parameter="continuation")["status"].to_list() == ["fixed"]


def test_what_the_log_tells_only_together_is_singular() -> None:
    """Without a click between, satisfaction and continuation of DBN are one number."""
    rows = [(s, "q", d, k, int(k == 1 and s % 2 == 0)) for s in range(40) for k, d in enumerate("ab", 1)]
    shown = pl.DataFrame(rows, schema=["serp_id", "query_id", "doc_id", "position", "click"], orient="row")
    shown = shown.with_columns(
        click=pl.when((pl.col("serp_id") % 8 == 0) & (pl.col("position") == 2)).then(1).otherwise("click")
    )
    actual = ir.Impressions(shown).fit("DBN", prior=(0, 0), iterations=50_000).intervals().parameters()
    assert "singular" in actual["status"].to_list()
    assert actual.filter(status="singular")["low"].null_count() == (actual["status"] == "singular").sum()


def test_drawn_fits_that_stop_early_are_reported() -> None:
    impressions = ir.Impressions(log().filter(site="hard").drop("site"))
    with pytest.warns(ConvergenceWarning, match="PBM stopped after 3 iterations, the last"):
        model = impressions.fit("PBM", iterations=3)
    with pytest.warns(ConvergenceWarning, match="8 of 8 resamples stopped after 3 iterations"):
        model.bootstrap(8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = impressions.fit("PBM", iterations=2000).bootstrap(8)
    assert set(done.parameters()["status"]) == {"converged"}
