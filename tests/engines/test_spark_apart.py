"""Executors in processes of their own, so that what they run is sent to them."""

from __future__ import annotations

import pytest

from ireval_frames.engines import spark_better
from tests import spark
from tests.engines.spark_found import found, hold


def test_executors_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    # However few rows there are.
    monkeypatch.setattr(spark_better, "FEW_ROWS", 0)
    with spark.executors_apart() as session:
        assert session.sparkContext.master.startswith("local-cluster")
        hold(found(session))
        assert session.sparkContext._jsc.getPersistentRDDs().size() == 0
