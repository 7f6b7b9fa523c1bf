"""CM, DCM and SDBN from tallies that an engine makes: the same numbers as from whole pages, which are still there."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import errors
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.counts.tallies import Tallies
from tests.click_models import states as oracle
from tests.click_models.cases import every_pattern, rows

NAMES = ("CM", "DCM", "SDBN")
EVERY = rows(every_pattern())


def shared_ids() -> pl.DataFrame:
    """Pages of two queries, and of two groups, that have one id."""
    return EVERY.with_columns(serp_id=pl.col("serp_id").rank("dense").over("site", "query_id"))


def ratios(frame: pl.DataFrame, name: str, *, dropped: bool, shortest: int) -> dict[tuple, tuple[float, float]]:
    """Hits and trials of the pairs by site, from each page in turn."""
    out: dict[tuple, list[float]] = {}
    for (site, _, query), page in frame.group_by("site", "serp_id", "query_id"):
        shown = page.sort("position").rows(named=True)
        places = [i for i, row in enumerate(shown) if row["click"] > 0]
        if len(shown) < shortest or (dropped and not places):
            continue
        stop = (places[0] if name == "CM" else places[-1]) if places else len(shown) - 1
        for i, row in enumerate(shown):
            if row["weight"] > 0:
                of = out.setdefault((site, query, row["doc_id"]), [0.0, 0.0])
                of[0] += row["weight"] * (i in places and i <= stop)
                of[1] += row["weight"] * (i <= stop)
    return {key: (hits, n) for key, (hits, n) in out.items()}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", NAMES)
def test_tallies_are_those_of_each_page(name: str, engine: str) -> None:
    for frame in (EVERY, shared_ids(), EVERY.with_columns(weight=pl.col("weight") * (pl.col("serp_id") % 3))):
        for no_clicks, shortest in (("examined", 1), ("dropped", 2)):
            log = ir.Impressions(frame, by="site", engine=engine)
            model = log.fit(name, prior=(0, 0), no_clicks=no_clicks, shortest=shortest)
            assert isinstance(model.data, Tallies)
            expected = ratios(frame, name, dropped=no_clicks == "dropped", shortest=shortest)
            actual = model.parameters().filter(parameter="attraction")
            assert actual.height == len(expected)
            for row in actual.iter_rows(named=True):
                hits, n = expected[row["site"], row["query_id"], row["doc_id"]]
                assert row["n"] == pytest.approx(n)
                assert row["value"] == (pytest.approx(hits / n) if n else None)


@pytest.mark.parametrize("name", NAMES)
def test_the_pages_are_drawn_from(name: str) -> None:
    """A model gives its pages where they are asked for, and takes them along where the log is not."""
    model = ir.Impressions(EVERY, by="site").fit(name)
    away = pickle.loads(pickle.dumps(model))
    assert isinstance(away.data, Pages)
    drawn, again = model.bootstrap(5, seed=3), away.bootstrap(5, seed=3)
    assert drawn.parameters().equals(again.parameters())
    assert drawn.relevance().equals(again.relevance())
    assert model.intervals(confidence=0.5).parameters().equals(away.intervals(confidence=0.5).parameters())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_long_pages_and_wrong_ones_are_looked_at_whole(engine: str) -> None:
    docs = [f"d{i:03}" for i in range(120)]
    clicks = np.random.default_rng(2).random((6, 120)) < 0.05
    pages = [oracle.Page("x", 1, tuple(docs), tuple(int(c) for c in row), 1.0) for row in clicks]
    model = ir.Impressions(rows(pages), by="site", engine=engine).fit("SDBN", prior=(0, 0))
    expected = oracle.counted("SDBN", pages, (0.0, 0.0))
    for row in model.parameters().drop_nulls("value").iter_rows(named=True):
        value = expected[row["parameter"], "x", 1, row["doc_id"]][2]
        assert row["value"] == pytest.approx(value)
    second = pl.col("serp_id").eq(4) & pl.col("position").eq(2)
    gap = EVERY.with_columns(position=pl.col("position") + second)
    twice = EVERY.with_columns(position=pl.when(serp_id=4).then(1).otherwise("position"))
    weights = EVERY.with_columns(weight=pl.col("weight") + second)
    for frame, words in ((gap, "not 1, 2 … n"), (twice, "not 1, 2 … n"), (weights, "several weights")):
        with pytest.raises(errors.InvalidValue, match=words):
            ir.Impressions(frame, engine=engine).fit("SDBN")


def test_rows_of_files_are_fetched_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB hands over what it counted of a file through Arrow, not value by value."""
    from ireval_frames.engines.duckdb.session import Session

    EVERY.write_parquet(tmp_path / "log.parquet")
    log = ir.Impressions(tmp_path / "log.parquet", by="site", engine="duckdb")
    monkeypatch.setattr(Session, "fetched", lambda *_: pytest.fail("rows of a file as Python's values"))
    assert log.fit("DBN", iterations=1, tolerance=0).parameters().height > 0
