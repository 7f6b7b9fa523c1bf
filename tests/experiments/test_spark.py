"""Experiments on frames of Spark: the same results, and nothing stays behind."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests import spark
from tests.experiments.cases import events, frame

METRICS = (
    "Mean(rev, before=rev_before) Ratio(clicks, pages) Proportion(bought) Capped(rev, at=0.9) Quantile(rev, 0.8) "
    "Quantile(rev, 0.8, of=rows)"
)


def test_the_same_results() -> None:
    rows = frame(events(60))
    here = ir.Experiment(rows, baseline="a", time="day")
    there = ir.Experiment(spark.frame(rows), baseline="a", time="day")
    for one, other in (
        (there.analyze(METRICS, by="country").table(), here.analyze(METRICS, by="country").table()),
        (there.check("Ratio(clicks, pages)"), here.check("Ratio(clicks, pages)")),
        (there.aa("Ratio(clicks, pages)", n_resamples=100), here.aa("Ratio(clicks, pages)", n_resamples=100)),
        (there.trend("Ratio(clicks, pages)"), here.trend("Ratio(clicks, pages)")),
        (there.aggregates("Mean(rev)", by="day").frame, here.aggregates("Mean(rev)", by="day").frame),
    ):
        assert_frame_equal(one, other, rel_tol=1e-10, abs_tol=1e-12)
    lacking = rows.head(90).with_columns(
        user_id=pl.when(pl.int_range(pl.len()) > 3).then("user_id"),
        variant=pl.when(pl.int_range(pl.len()) == 20).then(pl.lit("c")).otherwise("variant"),
    )
    left = {"units": "drop-null", "several_variants": "drop"}
    one, other = (ir.Experiment(f, **left) for f in (spark.frame(lacking), lacking))  # type: ignore[arg-type]
    assert_frame_equal(one.srm(), other.srm())
    assert_frame_equal(one.check(), other.check())
    with pytest.raises(ir.errors.InvalidValue, match="4 rows have no unit"):
        ir.Experiment(spark.frame(lacking)).srm()
    assert spark.left() == []
