"""Spark gives the same values; all of it is relational."""

from __future__ import annotations

from typing import Any

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.clicks.counterfactual.cases import log_of, make_case, positions_of, run_of
from tests.spark import session


def spark(frame: pl.DataFrame) -> Any:
    return session().createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))


def test_spark_gives_the_same_values() -> None:
    of = make_case(6)
    log = log_of(of).drop("weight")
    options = {"propensity": positions_of(of), "estimators": "IPS SNIPS"}
    here = ir.clicks.counterfactual(log, run_of(of), "DCG@3", **options)  # type: ignore[arg-type]
    there = ir.clicks.counterfactual(spark(log), run_of(of), "DCG@3", **options)  # type: ignore[arg-type]
    assert_frame_equal(there.summary(), here.summary(), abs_tol=1e-10)
    shown = log.with_columns(team=pl.when(pl.col("position") % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("b")))
    test = ir.interleaving.Interleaving(spark(shown.drop_nulls()))
    assert_frame_equal(test.summary(), ir.interleaving.Interleaving(shown.drop_nulls()).summary(), abs_tol=1e-10)
