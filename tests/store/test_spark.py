"""Evaluations of Spark's frames are stored and reported as those of others."""

from __future__ import annotations

from pathlib import Path

import ireval_frames as ir
from tests import spark
from tests.store.cases import QRELS, evaluation, run


def test_what_spark_evaluated_is_kept_as_what_others_did(tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "s")
    there = ir.evaluate(spark.frame(QRELS), spark.frame(run()), "nDCG@2 RR P@2")
    assert store.add(there) == store.add(evaluation())
    assert store.evaluations().collect().height == 1
    report = ir.report(there, tmp_path / "report.html")
    assert "nDCG@2" in Path(report).read_text(encoding="utf-8")
    assert spark.left() == []
