"""Percentiles of latencies, and their differences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy.special import ndtri

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, ends, study

SUBJECT = "Timings"
SOME = 400
# Of the logarithms of latencies: between queries, between requests of a query, and how much slower "b" is.
QUERIES, REQUESTS, SLOWER = 0.5, 0.4, 0.2
BASIC = "a percentile is one of the latencies, and replicates are not symmetric about it: use percentile"
MEASURES = "Latency(p=50) Latency(p=95)"


def _timed(rng: np.random.Generator, repetitions: int, queries: int, each: int) -> pl.DataFrame:
    """Requests of two systems for the same queries; some queries are slow in both."""
    shape = (repetitions, 2, queries, each)
    of_query = rng.normal(0, QUERIES, (repetitions, 1, queries, 1))
    seconds = np.exp(of_query + rng.normal(0, REQUESTS, shape) + SLOWER * np.arange(2)[None, :, None, None])
    draw, run, query, _ = (v.ravel() for v in np.indices(shape))
    return pl.DataFrame({"draw": draw, "run_id": np.array([*"ab"])[run], "query_id": query, "seconds": seconds.ravel()})


def _percentile(p: float) -> float:
    return float(np.exp(np.hypot(QUERIES, REQUESTS) * ndtri(p / 100)))


@study(SUBJECT)
def percentiles(repetitions: int, seed: int) -> Iterator[Covered]:
    """Independent requests; and latencies rounded to tenths of a second, of which many are equal."""
    rng = np.random.default_rng([seed, 38])
    some = min(repetitions, SOME)
    frame = _timed(rng, some, 200, 1).filter(run_id="a")
    table = ir.Timings(frame, by="draw").evaluate(MEASURES).intervals()
    for (measure,), rows in table.group_by("measure", maintain_order=True):
        exact = rows["coverage"][0]
        inside = covers(*ends(rows), _percentile(50 if "50" in str(measure) else 95))
        remark = f"at least nominal: exactly {exact:.3f}"
        yield Covered(f"{measure}, intervals()", "percentile", "200 requests", inside, remark=remark)
    steps = frame.with_columns((pl.col("seconds") * 10).ceil() / 10)
    table = ir.Timings(steps, by="draw").evaluate("Latency(p=50)").intervals()
    inside = covers(*ends(table), 1.0)
    remark = "at least nominal: equal latencies make it longer"
    yield Covered(
        "Latency(p=50), intervals()", "percentile", "200 requests, in tenths of a second", inside, remark=remark
    )
    repeated = ir.Timings(_timed(rng, some, 50, 4).filter(run_id="a"), by="draw").evaluate("Latency(p=50)").intervals()
    remark = 'too short, as its rows say: status "repeated"'
    inside = covers(*ends(repeated), 1.0)
    yield Covered("Latency(p=50), intervals()", "percentile", "50 queries of 4 requests", inside, remark=remark)


@study(SUBJECT)
def differences_of_percentiles(repetitions: int, seed: int) -> Iterator[Covered]:
    """The same queries for two systems, once or four times; queries are drawn with all their requests."""
    rng = np.random.default_rng([seed, 39])
    some = min(repetitions, SOME)
    for queries, each in ((100, 1), (50, 4)):
        sizes = f"{queries} queries of {each} request{'s' * (each > 1)}"
        timings = ir.Timings(_timed(rng, some, queries, each), by="draw")
        b = ir.resampling.bootstrap(timings, MEASURES, n_resamples=SOME, seed=seed)
        for method in ("percentile", "basic", "normal"):
            table = b.compare("a", method=method)
            for (measure,), rows in table.group_by("measure", maintain_order=True):
                truth = (np.exp(SLOWER) - 1) * _percentile(50 if "50" in str(measure) else 95)
                name = f"{measure}, compare(method={method!r})"
                inside, remark = covers(*ends(rows), truth), BASIC if method == "basic" else ""
                yield Covered(name, "difference of systems", sizes, inside, remark=remark)
