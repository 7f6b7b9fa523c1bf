"""Tables of timings: statuses, units of time, schedules, warm-up, and what they must not hold."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MissingColumn,
    NotDefined,
    ReadingWarning,
    WrongType,
)

ENGINES = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def values(frame: Any, measures: str, **options: Any) -> list[float]:
    return ir.Timings(frame, **options).evaluate(measures).summary()["value"].to_list()


@ENGINES
@pytest.mark.parametrize(
    "statuses, options",
    [
        ([True, False, True], {}),
        ([200, 503, 302], {}),
        (["200", "503", "302"], {}),
        (["OK", "Timeout", "success"], {}),
        ([0, 14, 0], {"succeeded": [0]}),
        (["A", "B", "A"], {"succeeded": ["A"]}),
    ],
)
def test_statuses(statuses: list[Any], options: dict[str, Any], engine: str) -> None:
    frame = pl.DataFrame({"seconds": [1.0, 2.0, 3.0], "status": statuses})
    assert values(frame, "ErrorRate Latency(p=50)", engine=engine, **options) == [1 / 3, 3.0]


@pytest.mark.parametrize("status", ["what", 0, None])
def test_statuses_that_are_not_clear(status: Any) -> None:
    frame = pl.DataFrame({"seconds": [1.0, 2.0], "status": ["ok" if isinstance(status, str) else 200, status]})
    with pytest.raises(InvalidValue, match="may be a failure or not"):
        values(frame, "ErrorRate")


@ENGINES
def test_units_of_time(engine: str) -> None:
    seconds, starts = [0.5, 1.5, 0.25], [0.0, 1.0, 2.0]
    expected = [0.5, 3 / 2.5]
    plain = pl.DataFrame({"seconds": seconds, "started": starts})
    measures = "Latency(p=50) Throughput"
    assert values(plain, measures, engine=engine) == pytest.approx(expected)
    ms = plain.select(pl.all() * 1000)
    assert values(ms, measures, engine=engine, time_unit="ms") == pytest.approx(expected)
    day = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC).replace(tzinfo=None)
    instants = plain.with_columns(started=pl.Series([day + dt.timedelta(seconds=s) for s in starts]))
    assert values(instants, measures, engine=engine) == pytest.approx(expected)
    texts = plain.with_columns(started=instants["started"].dt.strftime("%Y-%m-%dT%H:%M:%S.%3fZ"))
    assert values(texts, measures, engine=engine) == pytest.approx(expected)
    durations = plain.with_columns(seconds=pl.Series([dt.timedelta(seconds=s) for s in seconds]))
    assert values(durations, measures, engine=engine) == pytest.approx(expected)


@ENGINES
def test_schedules_of_instants(engine: str) -> None:
    day = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
    frame = pl.DataFrame(
        {
            "seconds": [1.0, 1.0],
            "started": [day, day + dt.timedelta(seconds=5)],
            "scheduled": [day, day + dt.timedelta(seconds=2)],
        }
    )
    assert values(frame, "Latency(p=100)", engine=engine) == [4.0]
    early = frame.with_columns(scheduled=pl.col("started") + dt.timedelta(seconds=3))
    with pytest.raises(InvalidValue, match=r"2 seconds before its scheduled start(.|\n)*since=sent"):
        values(early, "Latency(p=100)", engine=engine)
    with pytest.raises(WrongType, match="no time between them"):
        values(frame.with_columns(scheduled=1.0), "MeanLatency", engine=engine)


def test_files_of_text(tmp_path: Path) -> None:
    ir.examples.timings().write_csv(tmp_path / "times.csv")
    expected = ir.Timings(ir.examples.timings()).evaluate("Latency(p=90) ErrorRate Throughput Cost").summary()
    for engine in ("polars", "duckdb"):
        of_file = ir.Timings(tmp_path / "times.csv", engine=engine)
        summary = of_file.evaluate("Latency(p=90) ErrorRate Throughput Cost").summary()
        assert summary["value"].to_list() == pytest.approx(expected["value"].to_list(), rel=1e-12)


@ENGINES
def test_warm_up(engine: str) -> None:
    frame = pl.DataFrame(
        {
            "run_id": ["a"] * 4 + ["b"] * 2,
            "query_id": [1, 2, 3, 4, 1, 2],
            "seconds": [9.0, 8.0, 1.0, 2.0, 7.0, 3.0],
            "started": [0.0, 1.0, 2.0, 3.0, 0.0, 1.0],
        }
    )
    timings = ir.Timings(frame, warm_up=1, engine=engine)
    assert timings.evaluate("MeanLatency NumWarmUp").wide().rows() == [("a", 11 / 3, 1.0), ("b", 3.0, 1.0)]
    assert "2 requests left out" in timings.evaluate("MeanLatency").explain(counts=True)
    two = ir.Timings(frame, warm_up=2, engine=engine).evaluate("MeanLatency NumRequests").wide()
    assert two.rows() == [("a", 1.5, 2.0), ("b", None, 0.0)]
    repeated = pl.concat([frame.with_columns(repetition=r, seconds=pl.col("seconds") / r) for r in (1, 2)])
    one = ir.Timings(repeated.drop("started"), warm_up_repetitions=1, engine=engine).evaluate("MeanLatency").wide()
    assert one["MeanLatency"].to_list() == [2.5, 2.5]
    with pytest.raises(MissingColumn, match=r"warm_up=1 needs the column 'started'"):
        ir.Timings(frame.drop("started"), warm_up=1).evaluate("MeanLatency").summary()


@pytest.mark.parametrize(
    "change, measure, error, text",
    [
        ({"seconds": [1.0, -1.0]}, "MeanLatency", InvalidValue, "-1 seconds"),
        ({"seconds": [1.0, math.nan]}, "MeanLatency", InvalidValue, "nan seconds"),
        ({"seconds": [1.0, None]}, "MeanLatency", InvalidValue, "status="),
        ({"seconds": ["a", "b"]}, "MeanLatency", WrongType, "must hold numbers"),
        ({"weight": [1.0, 0.5]}, "MeanLatency", InvalidValue, "whole number of requests"),
        ({"weight": [1.0, -1.0]}, "MeanLatency", InvalidValue, "not negative"),
        ({"repetition": [1, 1], "query_id": [1, 1]}, "MeanLatency", DuplicateRows, "repetition 1 of the query 1"),
        ({}, "Throughput", MissingColumn, r"Throughput without clients=… needs the column 'started'"),
        ({}, "Cost", MissingColumn, "Cost without price"),
        ({}, "ErrorRate", MissingColumn, "status="),
        ({"started": [0.0, None]}, "Throughput", InvalidValue, "has no start"),
        ({"cost": [0.0, None]}, "Cost", InvalidValue, "has no cost"),
        ({"query_id": [1, None]}, "MeanLatency", InvalidValue, "has no query"),
    ],
)
def test_errors(change: dict[str, Any], measure: str, error: type[IrevalError], text: str) -> None:
    frame = pl.DataFrame({"seconds": [1.0, 2.0]} | change)
    for engine in ("polars", "duckdb"):
        with pytest.raises(error, match=text):
            values(frame, measure, engine=engine)


@pytest.mark.parametrize(
    "options, text",
    [
        ({"time_unit": "minutes"}, "time_unit is 'minutes'"),
        ({"warm_up": -1}, "warm_up is -1"),
        ({"interval": 0}, "interval is 0"),
        ({"succeeded": "ok"}, "which is no list"),
        ({"policy": "failures=maybe"}, "failures"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], text: str) -> None:
    with pytest.raises((InvalidParameter, IrevalError), match=text):
        ir.Timings(pl.DataFrame({"seconds": [1.0]}), **options)


def test_failures_may_have_no_seconds() -> None:
    frame = pl.DataFrame({"seconds": [1.0, None], "status": [True, False]})
    assert values(frame, "Latency(p=50) Latency(p=51) ErrorRate") == [1.0, math.inf, 0.5]
    assert values(frame, "MeanLatency", policy="failures=skip") == [1.0]
    with pytest.raises(InvalidValue, match="failures=recorded reads it"):
        values(frame, "MeanLatency", policy="failures=recorded")


def test_policies_that_need_columns() -> None:
    frame = pl.DataFrame({"seconds": [1.0, 2.0]})
    for policy, column in (("best", "repetition"), ("min", "query_id")):
        with pytest.raises(MissingColumn, match=f"needs the column '{column}'"):
            values(frame, "MeanLatency", policy=f"repetitions={policy}")


def test_evaluations_are_resampled_as_their_subject() -> None:
    """All requests are one unit, and are drawn one by one."""
    timings = ir.Timings(ir.examples.timings(), policy="failures=recorded")
    options: dict[str, Any] = {"n_resamples": 50, "seed": 2}
    of_evaluation = ir.resampling.bootstrap(timings.evaluate("Latency(p=50)"), **options).table()
    assert of_evaluation.equals(ir.resampling.bootstrap(timings, "Latency(p=50)", **options).table())
    share = ir.resampling.bootstrap(ir.Timings(ir.examples.timings()), "ErrorRate", method="wilson").table()
    assert share["ci_high"].to_list() == pytest.approx([0.2775, 0.4042], abs=1e-4)


def test_hints_can_be_followed() -> None:
    timings = ir.Timings(ir.examples.timings(), by="status")
    with pytest.raises(InvalidParameter, match=r"Write Latency\(p=95\)"):
        timings.evaluate("Latency")
    with pytest.raises(InvalidParameter, match="so is a column of intervals called"):
        timings.evaluate("Latency(p=50)").intervals()
    with pytest.raises(InvalidValue, match=r"requests that were not sent(.|\n)*interval=0.01"):
        values(ir.examples.timings(), "MeanLatency", interval=1e-9)


@ENGINES
@pytest.mark.parametrize("v, interval, n", [(0.3, 0.1, 3), (0.29, 0.01, 29), (0.095, 0.01, 9), (0.1, 0.1, 1)])
def test_requests_not_sent_are_counted_in_spite_of_floats(v: float, interval: float, n: int, engine: str) -> None:
    assert values(pl.DataFrame({"seconds": [v]}), "NumLatencies", interval=interval, engine=engine) == [n]


def test_what_waited_counts_once() -> None:
    frame = pl.DataFrame({"seconds": [0.5], "started": [0.5], "scheduled": [0.0]})
    with pytest.raises(InvalidParameter, match=r"count twice(.|\n)*policy=\"since=sent\""):
        values(frame, "NumLatencies", interval=0.1)
    assert values(frame, "NumLatencies", interval=0.1, policy="since=sent") == [5.0]


@ENGINES
def test_hints_about_types_work(engine: str) -> None:
    frame = pl.DataFrame({"seconds": [1.0, 1.0], "started": [0.0, 1.0], "status": [200.0, 500.0]})
    with pytest.raises(WrongType, match=r"cast\(pl.Int64\)"):
        values(frame, "ErrorRate", engine=engine)
    assert values(frame.with_columns(pl.col("status").cast(pl.Int64)), "ErrorRate", engine=engine) == [0.5]
    since = frame.drop("status").with_columns(started=pl.duration(seconds=pl.col("started")))
    assert values(since, "Throughput", engine=engine) == [1.0]
    days = frame.drop("status").with_columns(started=pl.date(2026, 1, 1))
    with pytest.raises(WrongType, match=r"is Date(.|\n)*cast\(pl.Datetime\)"):
        values(days, "Throughput", engine=engine)


def test_costs_below_nothing() -> None:
    with pytest.raises(InvalidValue, match=r"no cost, or one below 0(.|\n)* < 0"):
        values(pl.DataFrame({"seconds": [1.0], "cost": [-3.0]}), "Cost")


@ENGINES
def test_costs_are_drawn_with_their_requests(engine: str) -> None:
    requests = pl.DataFrame(
        {"run_id": ["a"] * 4 + ["b"] * 4, "query_id": [1, 2, 3, 4] * 2, "seconds": [0.1] * 8, "cost": [1.0, 3.0] * 4}
    )
    timings = ir.Timings(requests, engine=engine)
    drawn = ir.resampling.bootstrap(timings, "Cost MeanLatency", n_resamples=200)
    costs = drawn.table().filter(measure="Cost")
    assert costs["value"].to_list() == [2.0, 2.0]
    assert (costs["ci_low"].min(), costs["ci_high"].max()) == (1.0, 3.0)
    relevant = pl.DataFrame({"query_id": [1, 2, 3, 4], "doc_id": ["d"] * 4, "relevance": [1] * 4})
    run = requests.select("run_id", "query_id", doc_id=pl.lit("d"), score=1.0)
    trade = ir.tradeoff(ir.evaluate(relevant, run, "P@1"), timings, cost_measure="Cost")
    assert trade.table()["cost"].to_list() == [2.0, 2.0]


def test_milliseconds_are_not_taken_for_seconds_in_silence(recwarn: pytest.WarningsRecorder) -> None:
    frame = pl.DataFrame({"latency_ms": [100.0, 300.0]})
    with pytest.raises(MissingColumn, match=r"seconds(.|\n)*latency_ms"):
        values(frame, "MeanLatency")
    assert values(frame, "MeanLatency", seconds="latency_ms", time_unit="ms") == [0.2]
    assert not recwarn
    with pytest.warns(ReadingWarning, match=r"'latency_ms' .* is taken for seconds, and its name says ms"):
        assert values(frame, "MeanLatency", seconds="latency_ms") == [200.0]


def test_infinite_costs_are_not_drawn() -> None:
    requests = pl.DataFrame({"run_id": ["a", "b"], "query_id": [1, 1], "seconds": [0.1, 0.2], "status": [200, 503]})
    relevant = pl.DataFrame({"query_id": [1], "doc_id": ["d"], "relevance": [1]})
    run = pl.DataFrame({"run_id": ["a", "b"], "query_id": [1, 1], "doc_id": ["d", "d"], "score": [1.0, 1.0]})
    ev = ir.evaluate(relevant, run, "P@1")
    failed = ir.Timings(requests.with_columns(status=503))
    trade = ir.tradeoff(ev, failed, cost_measure="MeanLatency")
    with pytest.raises(NotDefined, match=r"No system .* the cost of 2 is infinite(.|\n)*failures=recorded"):
        trade.plot()
    recorded = ir.Timings(requests.with_columns(status=503), policy="failures=recorded")
    assert ir.plots.tradeoff.frame(ir.tradeoff(ev, recorded, cost_measure="MeanLatency")).height == 2
