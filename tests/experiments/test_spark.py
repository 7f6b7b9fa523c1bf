"""Experiments on frames of Spark: the same results, and nothing stays behind."""

from __future__ import annotations

from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests import spark
from tests.experiments.worlds import events, frame

METRICS = (
    "Mean(rev, before=rev_before) Ratio(clicks, pages) Proportion(bought) Capped(rev, at=0.9) Quantile(rev, 0.8) "
    "Quantile(rev, 0.8, of=rows)"
)


def test_the_same_results() -> None:
    rows = frame(events(60))
    here = ir.Experiment(rows, control="a", time="day")
    there = ir.Experiment(spark.frame(rows), control="a", time="day")
    for one, other in (
        (there.analyze(METRICS, by="country").table(), here.analyze(METRICS, by="country").table()),
        (there.check("Ratio(clicks, pages)"), here.check("Ratio(clicks, pages)")),
        (there.aa("Ratio(clicks, pages)", draws=100), here.aa("Ratio(clicks, pages)", draws=100)),
        (there.trend("Ratio(clicks, pages)"), here.trend("Ratio(clicks, pages)")),
        (there.aggregates("Mean(rev)", by="day").frame, here.aggregates("Mean(rev)", by="day").frame),
    ):
        assert_frame_equal(one, other, rel_tol=1e-10, abs_tol=1e-12)
    assert spark.left() == []
