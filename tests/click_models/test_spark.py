"""Click models of Spark's frames."""

from __future__ import annotations

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines.spark_values import handed
from tests import spark
from tests.click_models.worlds import every_pattern, rows


def test_the_same_parameters() -> None:
    session = spark.session()
    shown = rows(every_pattern(2))
    there = session.createDataFrame(handed(shown).to_arrow(compat_level=pl.CompatLevel.oldest()))
    for name in ("PBM", "DBN"):
        model = ir.Impressions(shown, by="site").fit(name, iterations=2)
        found = ir.Impressions(there, by="site").fit(name, iterations=2)
        assert_frame_equal(found.parameters(), model.parameters(), rel_tol=1e-12)
    assert spark.left() == []
