"""Estimates of Webber and Park and of Lipani beside plain loops."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables
from ireval_frames.reusability import merged
from tests.oracles import pool_bias, precision, similarity
from tests.reusability.cases import Case, case

DEPTH = 3


def p_at_2(ranking: list[str], judgments: dict[str, float]) -> float:
    return precision.precision(ranking, judgments, cutoff=2)


def split(c: Case) -> tuple[Case, dict[str, list[str]]]:
    """The case without its last run, whose judgments stay as they are, and that run."""
    *_, last = c.runs
    runs = {run: lists for run, lists in c.runs.items() if run != last}
    return Case(c.qrels, runs, c.groups), c.runs[last]


@pytest.mark.parametrize("seed", range(3))
def test_new_runs(seed: int) -> None:
    pooled, new = split(case(seed, n_runs=7))
    rows = [(q, d, -float(i)) for q, documents in new.items() for i, d in enumerate(documents)]
    run = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
    bias = ir.pool_bias(pooled.judgments, pooled.table(), "AP P@2", group="team", depth=DEPTH)
    ap, p = bias.estimates(run).rows(named=True)
    for row, measure in ((ap, precision.average_precision), (p, p_at_2)):
        value = pool_bias.value(new, pooled.qrels, measure)
        adjustment = pool_bias.webber_park(pooled.qrels, pooled.runs, pooled.groups, measure, DEPTH)
        assert row["value"] == pytest.approx(value, abs=1e-12)
        assert row["webber_park"] == pytest.approx(value + adjustment, abs=1e-12)
    adjustment, indicator = pool_bias.lipani(new, pooled.qrels, pooled.runs, 2)
    assert p["indicator"] == pytest.approx(indicator, abs=1e-12)
    assert p["lipani"] == pytest.approx(p["value"] + adjustment, abs=1e-12)
    assert ap["lipani"] is None


@pytest.mark.parametrize("seed", range(2))
def test_held_out_runs_and_errors(seed: int) -> None:
    c = case(seed)
    bias = ir.pool_bias(c.judgments, c.table(), "P@2", group=c.groups, depth=DEPTH)
    estimates: dict[str, dict[str, float]] = {"none": {}, "webber_park": {}, "lipani": {}}
    true = {run: pool_bias.value(lists, c.qrels, p_at_2) for run, lists in c.runs.items()}
    for row in bias.held_out().iter_rows(named=True):
        run, group = row["run_id"], c.groups[row["run_id"]]
        reduced = pool_bias.without(c.qrels, c.runs, c.groups, {group}, DEPTH)
        value = pool_bias.value(c.runs[run], reduced, p_at_2)
        others = {r: lists for r, lists in c.runs.items() if c.groups[r] != group}
        adjustment, indicator = pool_bias.lipani(c.runs[run], reduced, others, 2)
        loss = pool_bias.webber_park(c.qrels, c.runs, c.groups, p_at_2, DEPTH, group)
        assert row["value"] == pytest.approx(true[run], abs=1e-12)
        assert row["value_without"] == pytest.approx(value, abs=1e-12)
        assert row["webber_park"] == pytest.approx(value + loss, abs=1e-12)
        assert row["lipani"] == pytest.approx(value + adjustment, abs=1e-12)
        assert row["indicator"] == pytest.approx(indicator, abs=1e-12)
        for name, by in zip(estimates, (value, value + loss, value + adjustment), strict=True):
            estimates[name][run] = by
    rows = {row["estimate"]: row for row in bias.errors().iter_rows(named=True)}
    assert list(rows) == list(estimates)
    for name, by in estimates.items():
        errors = [by[run] - true[run] for run in true]
        places = 0
        for run, own in true.items():
            others = [round(v, 12) for r, v in true.items() if r != run]
            places += abs(sum(v > round(by[run], 12) for v in others) - sum(v > round(own, 12) for v in others))
        expected = similarity.tau({r: round(v, 12) for r, v in by.items()}, {r: round(v, 12) for r, v in true.items()})
        row = rows[name]
        assert row["n_runs"] == len(true)
        assert row["mean_error"] == pytest.approx(sum(errors) / len(errors), abs=1e-12)
        assert row["mae"] == pytest.approx(sum(map(abs, errors)) / len(errors), abs=1e-12)
        assert row["rank_error"] == places
        assert row["tau"] == (expected if expected is None else pytest.approx(expected, abs=1e-12))


def test_lists_whose_first_documents_come_from_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first documents are not near, all are looked at."""
    pooled, new = split(case(1, n_runs=7))
    rows = [(q, d, -float(i)) for q, documents in new.items() for i, d in enumerate(documents)]
    run = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
    for near in (1, 100):
        monkeypatch.setattr(merged, "NEAR", near)
        bias = ir.pool_bias(pooled.judgments, pooled.table(), "P@3", group="team", depth=DEPTH)
        row = bias.estimates(run).row(0, named=True)
        adjustment, indicator = pool_bias.lipani(new, pooled.qrels, pooled.runs, 3)
        assert row["indicator"] == pytest.approx(indicator, abs=1e-12)
        assert row["lipani"] == pytest.approx(row["value"] + adjustment, abs=1e-12)


def test_common_queries() -> None:
    """On queries judged for the new run too, it loses what no pooled run contributed."""
    pooled, new = split(case(5, n_runs=5))
    grades = dict.fromkeys(new["q1"], 1.0) | pooled.qrels["q1"]
    common = pl.DataFrame(
        [("q1", d, g) for d, g in grades.items()], schema=["query_id", "doc_id", "relevance"], orient="row"
    )
    rows = [("new", q, d, -float(i)) for q, documents in new.items() for i, d in enumerate(documents)]
    run = pl.DataFrame(rows, schema=["run_id", "query_id", "doc_id", "score"], orient="row")
    bias = ir.pool_bias(pooled.judgments, pooled.table(), "AP P@2", group="team", depth=DEPTH)
    rows_of = bias.estimates(run, common=common).rows(named=True)
    alone = {d for d in new["q1"][:DEPTH] if not pool_bias.contributors(pooled.runs, "q1", d, DEPTH)}
    left = {d: g for d, g in grades.items() if d not in alone}
    for row, measure in zip(rows_of, (precision.average_precision, p_at_2), strict=True):
        loss = measure(new["q1"], grades) - measure(new["q1"], left)
        assert loss > 0
        assert row["webber_park_common"] == pytest.approx(row["value"] + loss, abs=1e-12)


def test_a_new_run_of_a_known_name_or_of_other_ids() -> None:
    qrels, runs = ir.examples.pooled()
    bias = ir.pool_bias(qrels, runs, "P@3")
    with pytest.raises(InvalidParameter, match="called 'a', as a pooled one is"):
        bias.estimates(runs.filter(pl.col("run_id") == "a"))
    other: Any = runs.filter(pl.col("run_id") == "a").with_columns(
        pl.col("query_id").cast(pl.String), run_id=pl.lit("n")
    )
    with pytest.raises(MismatchedTables, match="'query_id' is Int64 in the pooled runs, String in the new one"):
        bias.estimates(other)


def test_by_hand() -> None:
    """In the order of d4 x d1: d4 moves up to 1, d2 stays at 2, d3 stays at 3, where d1, which moves down, follows."""
    assert pool_bias.merged(["d1", "d2", "d3", "d4"], ["d4", "x", "d1"]) == ["d4", "d2", "d3", "d1"]
