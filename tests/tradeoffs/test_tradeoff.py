"""Fronts, budgets and areas equal plain loops; replicates draw the same queries for quality and cost."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalWarning,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    WrongType,
)

SYSTEMS = {"A": (0.30, 12), "B": (0.35, 40), "C": (0.33, 45), "D": (0.42, 400), "E": (0.42, 380), "F": (0.28, 9)}


def table(systems: dict[str, tuple[float, float]]) -> pl.DataFrame:
    rows = [(name, float(q), float(c)) for name, (q, c) in systems.items()]
    return pl.DataFrame(rows, schema=["run_id", "quality", "cost"], orient="row")


def test_worked_example() -> None:
    trade = ir.tradeoff(table(SYSTEMS))
    assert trade.front()["run_id"].to_list() == ["F", "A", "B", "E"]
    beaten = dict(trade.table().select("run_id", "dominated_by").rows())
    assert (beaten["C"], beaten["D"], beaten["A"]) == ("B", "E", None)
    assert trade.best(budget=50).row(0) == ("B", 0.35, 40.0, None)
    assert trade.cheapest(quality=0.35).row(0) == ("B", 0.35, 40.0, None)
    assert trade.hypervolume(quality=0.2, cost=500) == pytest.approx(0.235163, abs=5e-7)


def brute_force(systems: dict[str, tuple[float, float]]) -> set[str]:
    def beats(t: str, s: str) -> bool:
        (q, c), (q2, c2) = systems[s], systems[t]
        return q2 >= q and c2 <= c and (q2, c2) != (q, c)

    return {s for s in systems if not any(beats(t, s) for t in systems)}


def area_by_cells(systems: dict[str, tuple[float, float]], quality: float, cost: float) -> float:
    """Of a grid of cells between all coordinates, those that a system reaches."""
    qs = sorted({quality, *(q for q, _ in systems.values() if q > quality)})
    cs = sorted({cost, *(c for _, c in systems.values() if c < cost)})
    area = 0.0
    for low, high in itertools.pairwise(qs):
        for cheap, dear in itertools.pairwise(cs):
            if any(q >= high and c <= cheap for q, c in systems.values()):
                area += (high - low) * (dear - cheap)
    return area


@pytest.mark.parametrize("seed", range(6))
def test_random_systems(seed: int) -> None:
    """With ties of quality, of cost, and of both."""
    rng = random.Random(seed)
    systems = {f"s{i}": (rng.randint(1, 6) / 8, float(rng.randint(1, 8))) for i in range(12)}
    trade = ir.tradeoff(table(systems))
    assert set(trade.front()["run_id"]) == brute_force(systems)
    area = trade.hypervolume(quality=0.25, cost=7.0, scale="linear")
    assert area == pytest.approx(area_by_cells(systems, 0.25, 7.0), abs=1e-12)
    chosen = trade.best(budget=5)
    assert chosen["quality"].item() == max(q for q, c in systems.values() if c <= 5)
    within = [c for q, c in systems.values() if c <= 5 and q == chosen["quality"].item()]
    assert chosen["cost"].item() == min(within)
    assert trade.cheapest(quality=0.5)["cost"].item() == min(c for q, c in systems.values() if q >= 0.5)


def test_a_beaten_system_leaves_the_front_as_it_is() -> None:
    front = ir.tradeoff(table(SYSTEMS)).front()
    assert ir.tradeoff(table(SYSTEMS | {"G": (0.29, 13)})).front().equals(front)


def test_equal_systems_are_both_on_the_front() -> None:
    assert ir.tradeoff(table({"a": (0.5, 1), "b": (0.5, 1)})).front().height == 2


def quality_and_times(n: int = 40) -> tuple[ir.Evaluation, pl.DataFrame]:
    """Long queries are the ones that are answered well."""
    rng = random.Random(5)
    judgments = [(f"q{q}", f"d{d}", 1) for q in range(n) for d in range(3)]
    qrels = pl.DataFrame(judgments, schema=["query_id", "doc_id", "relevance"], orient="row")
    runs, times = [], []
    for run, share in (("a", 0.5), ("b", 0.7), ("c", 0.6)):
        for q in range(n):
            hit = rng.random() < share
            runs.append((run, f"q{q}", "d0" if hit else "x", 1.0))
            times.append((run, f"q{q}", 2.0 if hit else 1.0))
    run = pl.DataFrame(runs, schema=["run_id", "query_id", "doc_id", "score"], orient="row")
    frame = pl.DataFrame(times, schema=["run_id", "query_id", "seconds"], orient="row")
    return ir.evaluate(qrels, run, "P@1"), frame


def test_quality_and_cost_are_of_the_same_draws() -> None:
    """A query takes a second, and another one if it is answered: in each replicate cost is 1 + quality."""
    ev, times = quality_and_times()
    trade = ir.tradeoff(ev, ir.Timings(times), cost_measure="MeanLatency", n_resamples=50)
    assert trade.paired is True
    drawn = trade._drawn
    assert drawn is not None
    assert (abs(drawn.cost - 1.0 - drawn.quality) < 1e-12).all()
    assert drawn.quality.std(axis=0).min() > 0.01
    # Then no system beats another: the better one is as much dearer.
    assert trade.table()["share_on_front"].to_list() == [1.0, 1.0, 1.0]
    apart = ir.tradeoff(ev, ir.Timings(times.drop("query_id")), cost_measure="MeanLatency", n_resamples=50)
    assert apart.paired is False
    assert apart._drawn is not None
    assert not (abs(apart._drawn.cost - 1.0 - apart._drawn.quality) < 1e-3).all()


def test_replicates_are_those_of_the_bootstrap() -> None:
    ev, times = quality_and_times()
    trade = ir.tradeoff(ev, ir.Timings(times), cost_measure="Latency(p=60)", n_resamples=100, seed=3)
    row = trade.table(confidence=0.9).filter(run_id="b").row(0, named=True)
    replicates = ir.resampling.bootstrap(ev, n_resamples=100, seed=3).replicates()
    own = sorted(replicates.filter(run_id="b")["value"])
    assert (row["quality_low"], row["quality_high"]) == (own[4], own[94])


def test_no_replicates() -> None:
    ev, times = quality_and_times(4)
    trade = ir.tradeoff(ev, ir.Timings(times), cost_measure="MeanLatency", n_resamples=0)
    assert trade.table()["share_on_front"].null_count() == 3
    assert trade.paired is None


def test_systems_of_one_side_are_told() -> None:
    ev, times = quality_and_times(6)
    some = ir.Timings(times.filter(pl.col("run_id") != "c"))
    with pytest.warns(IrevalWarning, match="1 system has no cost and is left out: 'c'"):
        trade = ir.tradeoff(ev, some, cost_measure="MeanLatency", n_resamples=0)
    assert trade.systems == ["a", "b"]
    other = times.with_columns(run_id=pl.col("run_id") + "2")
    with pytest.raises(MismatchedTables, match="No system has a quality and a cost"):
        ir.tradeoff(ev, ir.Timings(other), cost_measure="MeanLatency")


def test_infinite_costs_are_never_the_best() -> None:
    trade = ir.tradeoff(table({"a": (0.9, math.inf), "b": (0.5, 3), "c": (0.8, math.inf)}))
    assert trade.front()["run_id"].to_list() == ["b", "a"]
    assert trade.best(budget=10)["run_id"].item() == "b"
    assert trade.hypervolume(quality=0, cost=10, scale="linear") == pytest.approx(3.5)


def test_errors() -> None:
    ev, times = quality_and_times(3)
    timings = ir.Timings(times)

    def fails(error: type[Exception], text: str) -> Any:
        return pytest.raises(error, match=text)

    with fails(InvalidParameter, r"cost_measure=['\"]Latency\(p=95\)"):
        ir.tradeoff(ev, timings)
    with fails(NotDefined, "of a cost less is better"):
        ir.tradeoff(ev, timings, cost_measure="Throughput(clients=1)")
    with fails(NotDefined, "of a quality more is better"):
        ir.tradeoff(timings.evaluate("MeanLatency"), timings, cost_measure="MeanLatency")
    with fails(InvalidParameter, "must be timings"):
        ir.tradeoff(ev, 3, cost_measure="Cost")
    with fails(InvalidParameter, "is a subject"):
        ir.tradeoff(timings, ev)
    with fails(NotDefined, "grouped by part"):
        ir.tradeoff(ev, ir.Timings(times.with_columns(part=pl.lit(1)), by="part"), cost_measure="MeanLatency")


def test_errors_of_tables() -> None:
    frame = table(SYSTEMS)
    with pytest.raises(NotDefined, match=r"best\(budget=9.0\)"):
        ir.tradeoff(frame).best(budget=1)
    with pytest.raises(NotDefined, match=r"cheapest\(quality=0.42\)"):
        ir.tradeoff(frame).cheapest(quality=1)
    with pytest.raises(MissingColumn, match="no column 'cost'"):
        ir.tradeoff(frame.drop("cost"))
    with pytest.raises(WrongType, match="must hold numbers"):
        ir.tradeoff(frame.cast({"cost": pl.String}))
    with pytest.raises(DuplicateRows, match="'A' has 2 rows"):
        ir.tradeoff(pl.concat([frame, frame]))
    with pytest.raises(InvalidValue, match="no quality or no cost"):
        ir.tradeoff(table({"a": (0.1, math.nan)}))
    with pytest.raises(InvalidParameter, match="logarithm"):
        ir.tradeoff(table({"a": (1, 0)})).hypervolume(quality=0, cost=1)


def test_combined_by_loops() -> None:
    trade = ir.tradeoff(table(SYSTEMS))
    for decay, reach in (("step", None), ("linear", 100.0), ("exponential", 100.0)):
        rows = trade.combined(limit=40, reach=reach, decay=decay, weight=0.25)
        for name, q, c, efficiency, combined, shown in rows.iter_rows():
            over = max(0.0, c - 40)
            falls = {"step": 1.0 if not over else 0.0}
            if reach is not None:
                falls |= {"linear": max(0.0, 1 - over / reach), "exponential": math.exp(-over / reach)}
            expected = falls[decay]
            assert efficiency == pytest.approx(expected, abs=1e-15)
            both = 1 / (0.25 / q + 0.75 / expected) if expected else 0.0
            assert combined == pytest.approx(both, abs=1e-15), name
            assert shown == decay
        assert rows["combined"].is_sorted(descending=True)
    with pytest.raises(InvalidParameter, match="reach=20"):
        trade.combined(limit=40, decay="linear")
    with pytest.raises(InvalidParameter, match="falls at once"):
        trade.combined(limit=40, reach=3)


def test_quality_within_a_limit() -> None:
    """Two requests of each query: a value counts by the share that was answered in time."""
    ev, times = quality_and_times(20)
    rng = random.Random(9)
    both = pl.concat([times, times]).with_columns(seconds=pl.Series([rng.random() for _ in range(2 * times.height)]))
    some = both.filter(pl.col("query_id") != "q3")
    rows = ir.tradeoffs.quality_within(ev, ir.Timings(some), 0.4)
    values = {(r["run_id"], r["query_id"]): r["value"] for r in ev.per_unit().iter_rows(named=True)}
    for row in rows.iter_rows(named=True):
        total = plain = 0.0
        for q in (f"q{i}" for i in range(20) if i != 3):
            own = some.filter(run_id=row["run_id"], query_id=q)["seconds"].to_list()
            plain += values[row["run_id"], q]
            total += values[row["run_id"], q] * sum(s <= 0.4 for s in own) / len(own)
        assert row["value_within"] == pytest.approx(total / 19)
        assert row["value"] == pytest.approx(plain / 19)
        assert (row["n"], row["n_untimed"]) == (19, 1)
    with pytest.raises(MissingColumn, match="no column of queries"):
        ir.tradeoffs.quality_within(ev, ir.Timings(times.drop("query_id")), 1)
    with pytest.raises(MismatchedTables, match="those of the timings Int64"):
        ir.tradeoffs.quality_within(ev, ir.Timings(times.with_columns(query_id=pl.lit(1, pl.Int64))), 1)
    with pytest.raises(MismatchedTables, match="No query has a quality and a time"):
        ir.tradeoffs.quality_within(ev, ir.Timings(times.with_columns(query_id=pl.col("query_id") + "x")), 1)


def test_replicates_without_queries_do_not_count() -> None:
    """With few queries some replicates draw none, and no system has a value there."""
    run = {"run_id": [*"aabb"], "query_id": ["q0", "q1"] * 2}
    qrels = pl.DataFrame({"query_id": ["q0", "q1"], "doc_id": ["d", "d"], "relevance": [1, 1]})
    ev = ir.evaluate(qrels, pl.DataFrame(run | {"doc_id": ["d"] * 4, "score": [1.0] * 4}), "P@1")
    times = pl.DataFrame(run | {"seconds": [1.0, 1.0, 2.0, 2.0]})
    for frame in (times, times.drop("query_id")):
        trade = ir.tradeoff(ev, ir.Timings(frame), cost_measure="MeanLatency", n_resamples=200)
        assert trade.table()["share_on_front"].to_list() == [1.0, 0.0]
        assert trade.best(budget=5)["share_best"].item() == 1.0
        assert trade.cheapest(quality=0.5)["share_best"].item() == 1.0


def test_queries_of_one_side_are_warned_of() -> None:
    ev, times = quality_and_times(6)
    fewer = ir.Timings(times.filter(~pl.col("query_id").is_in(["q0", "q1"])))
    with pytest.warns(IrevalWarning, match="2 of 6 queries have a quality and no cost"):
        trade = ir.tradeoff(ev, fewer, cost_measure="MeanLatency", n_resamples=20)
    assert trade.paired
    more = pl.concat([times, times.filter(query_id="q0").with_columns(query_id=pl.lit("z"))])
    with pytest.warns(IrevalWarning, match="1 query has a cost and no quality"):
        ir.tradeoff(ev, ir.Timings(more), cost_measure="MeanLatency", n_resamples=20)


def test_costs_of_nothing_have_no_logarithm() -> None:
    trade = ir.tradeoff(table({"a": (0.5, 0), "b": (0.6, 2)}))
    with pytest.raises(InvalidParameter, match=r"the cost of 'a' is 0(.|\n)*scale=\"linear\""):
        trade.hypervolume(quality=0.4, cost=5)
    assert trade.hypervolume(quality=0.4, cost=5, scale="linear") == pytest.approx(0.1 * 2 + 0.2 * 3)


def test_what_is_no_table_of_systems(tmp_path: Path) -> None:
    with pytest.raises(WrongType, match="systems table is of type int"):
        ir.tradeoff(5)
    path = tmp_path / "systems.csv"
    path.write_text("run_id,quality,cost\na,0.5,12\nb,0.6,1O\n")
    with pytest.raises(InvalidValue, match="'cost' of the table of systems holds '1O', which is no number"):
        ir.tradeoff(str(path))
    path.write_text("run_id,quality,cost\na,0.5, 12\n")
    assert ir.tradeoff(path).table()["cost"].to_list() == [12.0]
