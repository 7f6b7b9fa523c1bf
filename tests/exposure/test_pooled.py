"""Values of all queries together, by weights and in resamples; gaps between groups of users."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.resampling.draws import draw
from tests.exposure.cases import CASES, Case
from tests.exposure.suite import evaluate
from tests.oracles import exposure as oracle

POOLED = ("GroupExposure(group='new',aggregation='pooled') ExposureRatio(aggregation='pooled') "
          "ExposureRatio(group='new',aggregation='pooled') TreatmentRatio(group='new',aggregation='pooled') "
          "ExposureGap(spread='mad',aggregation='pooled') PairwiseAccuracy(group='new',aggregation='pooled') "
          "FavouredPairs(group='new',aggregation='pooled') NumRetrieved(aggregation='pooled') "
          "EquityOfAttention")  # fmt: skip
CASE: Case = CASES["text"]
WEIGHTS = {q: float(i % 3) for i, q in enumerate(CASE.queries)}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_over_queries(engine: str, *, weighted: bool) -> None:
    queries = pl.DataFrame({"query_id": list(WEIGHTS), "weight": list(WEIGHTS.values())})
    ev = evaluate(CASE, CASE.frames(), POOLED, engine, **({"queries": queries} if weighted else {}))
    for run, measure, value in ev.summary().select("run_id", "measure", "value").rows():
        m = next(m for m in ev.measures if str(m) == measure)
        of_run = [replace(CASE.query(run, q), weight=WEIGHTS[q] if weighted else 1.0) for q in CASE.queries]
        of_run = [q for q in of_run if q.weight]
        assert value == pytest.approx(oracle.value(m.name, of_run, **m.arguments()), abs=1e-12), measure


def test_resampled_queries_are_pooled_again() -> None:
    """The replicates are those of queries repeated as often as they were drawn, on the same draws for both runs."""
    frames = CASE.frames()
    subject = ir.FairExposure(**frames, policy="overlap=allow")
    measures = "ExposureRatio(aggregation='pooled') AWRF EquityOfAttention"
    b = ir.resampling.bootstrap(subject, measures, n_resamples=8, weights="hash")
    values = subject.evaluate(measures).summary()["value"].to_list()
    assert b.table()["value"].to_list() == pytest.approx(values, abs=1e-12)
    counts, rows = draw(b.population.members, 0, 0, 8), b.population.rows
    drawn = {row[:3]: row[3] for row in b.replicates().select("replicate", "run_id", "measure", "value").rows()}
    for replicate, run in ((0, "a"), (5, "b"), (7, "a")):
        times = dict(zip(rows.select("run_id", "item_id").rows(), counts[replicate], strict=True))
        queries = [replace(CASE.query(run, q), weight=float(times[run, q])) for q in CASE.queries]
        for m in b.measures:
            if m.aggregation != "pooled":
                continue
            expected = oracle.value(m.name, [q for q in queries if q.weight], **m.arguments())
            assert drawn[replicate, run, str(m)] == pytest.approx(expected, abs=1e-12)
    again = ir.resampling.bootstrap(
        ir.FairExposure(**_shuffled(frames), policy="overlap=allow"), measures, n_resamples=8, weights="hash"
    )
    assert again.replicates()["value"].to_list() == pytest.approx(b.replicates()["value"].to_list(), abs=1e-12)
    assert b.compare().height == 3


def _shuffled(frames: dict[str, pl.DataFrame]) -> dict[str, Any]:
    return {name: frame.sample(fraction=1.0, shuffle=True, seed=1) for name, frame in frames.items()}


def test_gaps_between_groups_of_users() -> None:
    rng = np.random.default_rng(4)
    users = pl.DataFrame({"query_id": range(60), "country": ["a"] * 30 + ["b"] * 20 + ["c"] * 10})
    run = users.select("query_id", "country", doc_id=pl.lit("d"), score=pl.lit(1.0))
    share = {"a": 0.9, "b": 0.6, "c": 0.2}
    qrels = users.select("query_id", "country", doc_id=pl.lit("d"), relevance=pl.Series(
        [int(rng.random() < share[c]) for c in users["country"]]))  # fmt: skip
    ev = ir.Rankings(qrels, run.drop("country"), by="country").evaluate("P@1")
    means = dict(ev.summary().select("country", "value").rows())
    row = ir.exposure.gaps(ev, n_resamples=400, seed=3).row(0, named=True)
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    assert (row["best"], row["worst"], row["n_groups"]) == (best, worst, 3)
    assert row["gap"] == pytest.approx(means[best] - means[worst])
    assert row["ratio"] == pytest.approx(means[worst] / means[best])
    pairs = [abs(means[g] - means[h]) for g in means for h in means if g < h]
    assert row["mad"] == pytest.approx(sum(pairs) / 3)
    # The groups are drawn apart: the interval is near that of two independent proportions.
    n = {"a": 30, "b": 20, "c": 10}
    se = sum(means[g] * (1 - means[g]) / n[g] for g in (best, worst)) ** 0.5
    assert row["gap_high"] - row["gap_low"] == pytest.approx(2 * 1.96 * se, rel=0.25)
    assert row["gap_low"] < row["gap"] < row["gap_high"]
    one = ir.Rankings(qrels.filter(pl.col("country") == "a"), run.drop("country"), by="country").evaluate("P@1")
    assert ir.exposure.gaps(one, n_resamples=10).select("gap", "gap_low", "n_groups").row(0) == (0.0, None, 1)
