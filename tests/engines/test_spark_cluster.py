"""Executors in processes of their own, to which Spark sends the steps in Python."""

from __future__ import annotations

import gc

import pytest

import ireval_frames as ir
from ireval_frames.engines.spark import ranking
from ireval_frames.engines.spark.values import with_spark_types
from ireval_frames.errors import EngineError
from tests import spark
from tests.engines.spark_evaluations import check, evaluate


def test_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    # For any number of rows.
    monkeypatch.setattr(ranking, "FEW_ROWS", 0)
    with spark.local_cluster() as session:
        assert session.sparkContext.master.startswith("local-cluster")
        check(evaluate(session))
        assert session.sparkContext._jsc.getPersistentRDDs().size() == 0
        frames = [session.createDataFrame(with_spark_types(rows).to_arrow()) for rows in ir.examples.ranking()[:2]]
        evaluation, other = ir.evaluate(*frames, "AP"), ir.evaluate(*frames, "RR")
        native = other.per_unit.to_native()
        session.stop()
        for result in (evaluation.summary, other.summary):
            with pytest.raises(EngineError, match="The Spark session has ended"):
                result()
        # The session's checkpoints have ended with it.
        del native, other
        gc.collect()
