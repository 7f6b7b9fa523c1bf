"""Executors in processes of their own, so that what they run is sent to them."""

from __future__ import annotations

import gc

import pytest

import ireval_frames as ir
from ireval_frames.engines.spark import rank_by_counting
from ireval_frames.engines.spark.values import with_spark_types
from ireval_frames.errors import EngineError
from tests import spark
from tests.engines.spark_found import found, hold


def test_executors_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    # However few rows there are.
    monkeypatch.setattr(rank_by_counting, "FEW_ROWS", 0)
    with spark.executors_apart() as session:
        assert session.sparkContext.master.startswith("local-cluster")
        hold(found(session))
        assert session.sparkContext._jsc.getPersistentRDDs().size() == 0
        frames = [session.createDataFrame(with_spark_types(rows).to_arrow()) for rows in ir.examples.ranking()[:2]]
        evaluation, other = ir.evaluate(*frames, "AP"), ir.evaluate(*frames, "RR")
        native = other.per_unit.to_native()
        session.stop()
        for asked in (evaluation.summary, other.summary):
            with pytest.raises(EngineError, match="The Spark session has ended"):
                asked()
        # What it kept is gone with the session.
        del native, other
        gc.collect()
