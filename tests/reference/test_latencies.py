"""Percentiles equal NumPy's, Polars' and DuckDB's under their definitions; geometric means equal SciPy's."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import numpy as np
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir


def value(measure: str, frame: pl.DataFrame) -> float:
    out: float = ir.Timings(frame).evaluate(measure).summary()["value"].item()
    return out


@pytest.mark.parametrize(
    "definition, numpy",
    [("nearest-rank", "inverted_cdf"), ("linear", "linear"), ("weibull", "weibull"), ("hazen", "hazen")],
)
def test_percentiles(definition: str, numpy: str, agrees: Callable[..., None]) -> None:
    """At shares that floats have exactly: NumPy computes ranks in floats."""
    rng = np.random.default_rng(3)
    for n in (1, 2, 7, 64):
        x = rng.exponential(size=n)
        shares = (0, 12.5, 25, 50, 75, 93.75, 100)
        measures = [ir.timings.Latency(p=p, definition=definition) for p in shares]
        ours = ir.Timings(pl.DataFrame({"seconds": x})).evaluate(measures).summary()["value"].to_list()
        assert ours == pytest.approx(np.percentile(x, shares, method=numpy).tolist(), rel=1e-12)
    agrees("numpy", "Latency(p=50)", family="timings")


def test_as_polars_and_duckdb() -> None:
    x = pl.Series("seconds", np.random.default_rng(4).exponential(size=101))
    frame = pl.DataFrame({"seconds": x})
    for p in (5.0, 33.0, 50.0, 99.0):
        assert value(f"Latency(p={p}, definition='nearest-index')", frame) == x.quantile(p / 100, "nearest")
        disc, cont = duckdb.sql(
            f"SELECT quantile_disc(seconds, {p / 100}), quantile_cont(seconds, {p / 100}) FROM frame"
        ).fetchall()[0]
        assert value(f"Latency(p={p})", frame) == disc
        assert value(f"Latency(p={p}, definition='linear')", frame) == pytest.approx(cont, rel=1e-12)


def test_geometric_mean(agrees: Callable[..., None]) -> None:
    x = np.random.default_rng(5).exponential(size=50)
    frame = pl.DataFrame({"seconds": x})
    assert value("GeometricMeanLatency", frame) == pytest.approx(stats.gmean(x), rel=1e-12)
    agrees("scipy", "GeometricMeanLatency", family="timings")
