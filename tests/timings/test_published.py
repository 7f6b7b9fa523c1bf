"""Worked numbers of latencies, and those that other tools give."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir

TEN = (12, 15, 11, 18, 250, 14, 13, 16, 17, 900)
FRAME = pl.DataFrame({"query_id": range(10), "seconds": TEN})


def value(measure: str, frame: pl.DataFrame = FRAME, **options: object) -> float:
    out: float = ir.Timings(frame, **options).evaluate(measure).summary()["value"].item()  # type: ignore[arg-type]
    return out


@pytest.mark.parametrize(
    "definition, expected",
    [
        ("nearest-rank", {50: 15, 90: 250, 95: 900, 99: 900}),
        ("linear", {50: 15.5, 90: 315, 95: 607.5, 99: 841.5}),
        ("weibull", {50: 15.5, 90: 835, 95: 900, 99: 900}),
        ("hazen", {50: 15.5, 90: 575, 95: 900, 99: 900}),
        ("nearest-index", {50: 16, 90: 250, 95: 900}),
    ],
)
def test_ten_latencies(definition: str, expected: dict[int, float]) -> None:
    measures = [ir.timings.Latency(p=p, definition=definition) for p in expected]
    values = ir.Timings(FRAME).evaluate(measures).summary()["value"].to_list()
    assert values == pytest.approx(list(expected.values()), rel=1e-12)


def test_means_of_ten() -> None:
    assert value("MeanLatency") == 126.6
    assert value("GeometricMeanLatency") == pytest.approx(28.832, abs=5e-4)
    assert value("Throughput(clients=1)", FRAME, time_unit="ms") == pytest.approx(7.90, abs=5e-3)


def test_ratio_of_two_and_a_half_is_one() -> None:
    frame = pl.DataFrame({"run_id": ["a", "a", "b", "b"], "query_id": [1, 2, 1, 2], "seconds": [1.0, 1.0, 2.0, 0.5]})
    a, b = ir.Timings(frame).evaluate("GeometricMeanLatency").summary()["value"]
    assert b / a == pytest.approx(1.0, rel=1e-12)
    compared = ir.Timings(frame, unit="query_id").evaluate("MeanLogLatency").compare("a").differences()
    assert compared["difference"].sum() == pytest.approx(0.0, abs=1e-12)


def test_rank_of_a_percentage_that_is_no_float() -> None:
    """99.9 % of 1000 are 999 requests; in floats 99.9 / 100 · 1000 is above it."""
    frame = pl.DataFrame({"seconds": range(1, 1001)})
    assert value("Latency(p=99.9)", frame) == 999.0
    assert value("Latency(p=29)", frame) == 290.0


def test_requests_that_were_not_sent() -> None:
    """HdrHistogram adds 85, 75 … 15 to a latency of 95 at an interval of 10."""
    one = pl.DataFrame({"seconds": [95.0]})
    assert value("NumLatencies", one, interval=10.0) == 9.0
    assert value("MeanLatency", one, interval=10.0) == 55.0
    assert value("Latency(p=50)", one, interval=10.0) == 55.0


def test_a_late_start_counts_where_there_is_a_schedule() -> None:
    frame = pl.DataFrame({"seconds": [1.0, 1.0, 1.0], "started": [0.0, 1.0, 2.0], "scheduled": [0.0, 0.5, 1.0]})
    assert value("Latency(p=100)", frame) == 2.0
    assert value("Latency(p=100)", frame, policy="since=sent") == 1.0


def intervals(n: int, p: float, **options: object) -> dict[str, object]:
    frame = pl.DataFrame({"seconds": range(1, n + 1)})
    return ir.Timings(frame).evaluate(f"Latency(p={p})").intervals(**options).row(0, named=True)  # type: ignore[arg-type]


def test_intervals_by_order_statistics() -> None:
    row = intervals(200, 95)
    assert (row["rank_low"], row["rank_high"], row["ci_low"], row["ci_high"]) == (184, 197, 184.0, 197.0)
    row = intervals(10, 90)
    assert (row["rank_low"], row["ci_low"], row["rank_high"], row["ci_high"]) == (7, 7.0, None, None)
    assert row["status"] == "no_upper_end"


def test_coverage_is_that_of_the_distribution() -> None:
    """By simulation: the share of samples whose interval has the true percentile."""
    row = intervals(60, 75, confidence=0.9)
    n, low, high = 60, row["rank_low"], row["rank_high"]
    sorted_draws = np.sort(np.random.default_rng(0).uniform(size=(20_000, n)), axis=1)
    inside = (sorted_draws[:, low - 1] <= 0.75) & (sorted_draws[:, high - 1] > 0.75)
    assert row["coverage"] >= 0.9
    assert inside.mean() == pytest.approx(row["coverage"], abs=0.01)


def test_numbers_of_requests() -> None:
    needed = ir.timings.requests_needed
    assert needed(99) == 459
    # MLPerf has 50,425: its z has four digits.
    assert [needed(p, margin=(1 - p / 100) / 20) for p in (90, 95, 99)] == [23886, 50426, 262742]
    first = next(n for n in range(1, 200) if intervals(n, 95)["rank_high"] is not None)
    assert first == 72


def test_failures_are_infinite() -> None:
    frame = FRAME.with_columns(status=pl.Series([200] * 8 + [500, 503]))
    assert value("Latency(p=80)", frame) == 250.0
    assert value("Latency(p=81)", frame) == math.inf
    assert value("ErrorRate", frame) == 0.2
    assert value("MeanLatency", frame, policy="failures=skip") == pytest.approx(349 / 8)


def test_resampled_percentiles_that_are_infinite() -> None:
    """Half of the replicates have a failure among the longest tenth: the upper end is infinite, and no warning."""
    frame = pl.DataFrame({"query_id": range(40), "seconds": range(1, 41), "status": [200] * 37 + [500] * 3})
    both = pl.concat(
        [frame.with_columns(run_id=pl.lit("a")), frame.with_columns(run_id=pl.lit("b"), status=pl.lit(200, pl.Int64))]
    )
    drawn = ir.resampling.bootstrap(ir.Timings(both), "Latency(p=90)", n_resamples=200)
    a, b = drawn.table().rows(named=True)
    assert (a["value"], a["ci_high"], a["status"], a["se"]) == (36.0, math.inf, "infinite", None)
    assert math.isfinite(a["ci_low"])
    assert math.isfinite(b["ci_high"])
    difference = drawn.compare("b").row(0, named=True)
    assert difference["difference"] == 0.0
    assert difference["ci_high"] == math.inf
    assert 0 < difference["p_value"] <= 1


def test_repetitions_are_drawn_with_their_query() -> None:
    """A query that takes long takes long each time: more repetitions make the interval no shorter."""
    one = pl.DataFrame({"query_id": range(30), "seconds": [1.0 + (q % 7) for q in range(30)]})
    many = pl.concat([one.with_columns(repetition=i) for i in range(20)])
    intervals = [
        ir.resampling.bootstrap(ir.Timings(frame), "MeanLatency", weights="hash", n_resamples=100).table()
        for frame in (one, many)
    ]
    ends = [(t["ci_low"].item(), t["ci_high"].item()) for t in intervals]
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)
    # The highest percentile has no upper end, and is of repeated queries all the same.
    intervals_of_both = ir.Timings(many).evaluate("Latency(p=50) Latency(p=99.9)").intervals()
    assert intervals_of_both["status"].to_list() == ["repeated", "repeated"]
    assert intervals_of_both["ci_high"].null_count() == 1


def test_wall_time_is_not_drawn() -> None:
    timings = ir.Timings(ir.examples.timings())
    with pytest.raises(ir.errors.NotDefined, match=r"Throughput\(clients=1\)"):
        ir.resampling.bootstrap(timings, "Throughput", n_resamples=10).table()
    drawn = ir.resampling.bootstrap(timings, "Throughput(clients=1)", n_resamples=50).table()
    assert drawn["se"].min() > 0  # type: ignore[operator]
