"""Click models of Spark's frames."""

from __future__ import annotations

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines.spark_values import handed
from tests import spark
from tests.click_models.worlds import every_pattern, rows


def test_the_same_parameters_predictions_and_draws() -> None:
    session = spark.session()
    shown = rows(every_pattern(3))
    there = session.createDataFrame(handed(shown).to_arrow(compat_level=pl.CompatLevel.oldest()))
    mine, theirs = ir.Impressions(shown, by="site"), ir.Impressions(there, by="site")
    for name in ("PBM", "DBN"):
        model = mine.fit(name, iterations=3)
        assert_frame_equal(theirs.fit(name, iterations=3).parameters(), model.parameters(), rel_tol=1e-12)
    assert_frame_equal(model.evaluate(theirs), model.evaluate(mine), rel_tol=1e-12)
    assert model.simulate(theirs, 3).equals(model.simulate(mine, 3))
    assert spark.left() == []
