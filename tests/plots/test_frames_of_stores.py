"""What pictures of the evaluations of a store draw."""

from __future__ import annotations

import math
import statistics
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp

import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from tests.plots.cases import frame, ranking_tables


def test_history_breaks_where_judgments_change() -> None:
    rows = frame("history")
    assert rows.filter(pl.col("run_id") == "a")["part"].to_list() == [1, 1, 2, 2]
    assert rows.filter(pl.col("run_id") == "a")["n_units"].to_list() == [12, 12, 11, 11]


def test_history_has_intervals_over_units_and_a_line_per_group() -> None:
    qrels, runs = ranking_tables()
    queries = qrels.select("query_id").unique().with_columns(lang=pl.col("query_id").str.tail(1).is_in(["1", "2"]))
    ev = ir.evaluate(qrels, runs.filter(pl.col("run_id") == "a"), "AP", queries=queries, by="lang")
    store = ir.Store(Path(mkdtemp()))
    store.add(ev)
    rows = ir.plots.history.frame(store, "AP", confidence=0.9)
    assert rows["run_id"].to_list() == ["a, lang = False", "a, lang = True"]
    for row, lang in zip(rows.rows(named=True), (False, True), strict=True):
        values = ev.per_unit().filter(pl.col("lang") == lang)["value"].to_list()
        half = stats.t.ppf(0.95, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
        mean = statistics.fmean(values)
        assert (row["low"], row["high"]) == (pytest.approx(mean - half), pytest.approx(mean + half))
    store.add(ir.evaluate(qrels, runs, "NumRel"))
    assert ir.plots.history.frame(store, "NumRel")["low"].null_count() == 3


def test_history_of_more_points_has_the_last_of_each_day() -> None:
    qrels, runs = ranking_tables()
    store = ir.Store(Path(mkdtemp()))
    for day, hour, name in ((1, 9, "a"), (1, 18, "b"), (2, 9, "c")):
        run = runs.filter(pl.col("run_id") == name).with_columns(run_id=pl.lit("night"))
        store.add(ir.evaluate(qrels, run, "AP"), at=datetime(2026, 3, day, hour, tzinfo=UTC))
    times = [ir.plots.history.frame(store, "AP", points=n)["made_at"].dt.hour().to_list() for n in (3, 2)]
    assert times == [[9, 18, 9], [18, 9]]


def test_history_tells_what_failed_a_gate() -> None:
    qrels, runs = ranking_tables()
    evs = [ir.evaluate(qrels, runs.filter(pl.col("run_id") == name), "AP RR") for name in ("a", "b")]
    store = ir.Store(Path(mkdtemp()))
    for ev in evs:
        store.add(ev)
    assert ir.plots.history.frame(store, "AP")["verdict"].to_list() == [None, None]
    store.add(ir.gate(*evs, "AP >= 0; AP >= 1; RR >= 0"))
    assert ir.plots.history.frame(store, "AP").select("run_id", "verdict").rows() == [("a", None), ("b", "fail")]
    assert ir.plots.history.frame(store, "RR")["verdict"].to_list() == [None, "pass"]
    assert "crossed out: failed a gate" in str(ir.plots.history(store, "AP").to_dict()["title"])
