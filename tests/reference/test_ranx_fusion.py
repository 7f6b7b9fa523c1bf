"""Fusion by ranx: the same scores, and three rows each where its numbers differ on purpose."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue
from tests.packaging.imports import HOUSE
from tests.reference import with_ranx_fusion as ranx
from tests.reference.ranx_fusion_differences import DIFFERENCES, FusionDifference, Scores

pytestmark = pytest.mark.filterwarnings("ignore:The .* judged queries are fused by what they taught")


@pytest.mark.skipif(importlib.util.find_spec("ranx") is None, reason="ranx is not installed")
def test_the_same_scores() -> None:
    # Compiling what ranx does takes twenty seconds, and gives the same numbers.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.reference.with_ranx_fusion"]
    done = subprocess.run(command, cwd=HOUSE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outputs = json.loads(done.stdout)
    for one in DIFFERENCES:
        scores = outputs.pop(f"difference {one.name}")
        assert {(q, d): score for q, d, score in scores} == pytest.approx(_flat(one.ranx)), one.name
    assert len(outputs) == len(ranx.METHODS) * len(ranx.NORMS) + len(ranx.OF_RANKS) + 5
    rows, differ = ranx.runs(), set()
    weights = dict(zip(sorted(rows["run_id"].unique()), ranx.WEIGHTS, strict=True))
    for key, scores in outputs.items():
        method, normalize = key.split(" ")
        options: dict[str, Any] = {"normalize": normalize} if normalize else {}
        if normalize == "learned":
            options = {"qrels": ranx.judgments(rows), "folds": None, "segments": 3, "window": 2}
        if normalize == "zmuv":
            options["missing"] = "zero" if method in ("combsum", "combmnz", "combgmnz", "wsum") else "skip"
        if method == "wsum":
            options["weights"] = weights
        fused = ir.fuse(ranx.equal_lists(rows) if normalize == "learned" else rows, method, **options).collect()
        ours = {(q, d): score for q, d, score, *_ in fused.iter_rows()}
        if ours != pytest.approx({(q, d): score for q, d, score in scores}, rel=1e-9, abs=1e-9):
            differ.add(key)
    # Its normalisation adds the missing documents to each list, so that all lists count as having them.
    assert differ == {"combmnz borda", "combgmnz borda"}


def fused(difference: FusionDifference, **more: Any) -> dict[tuple[str, str], float]:
    """The scores here."""
    rows = [(run, q, d, s) for run, of in difference.runs.items() for q, one in of.items() for d, s in one.items()]
    options = {**difference.options, **more}
    if difference.qrels:
        judged = [(q, d, grade) for q, of in difference.qrels.items() for d, grade in of.items()]
        options["qrels"] = pl.DataFrame(judged, ["query_id", "doc_id", "relevance"], orient="row")
    runs = pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")
    return {(q, d): score for q, d, score, *_ in ir.fuse(runs, **options).collect().iter_rows()}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: one.name)
def test_differences(difference: FusionDifference) -> None:
    assert fused(difference) == pytest.approx(_flat(difference.ours))
    assert fused(difference) != pytest.approx(_flat(difference.ranx))
    if difference.same is not None:
        assert fused(difference, **difference.same) == pytest.approx(_flat(difference.ranx))


def _flat(scores: Scores) -> dict[tuple[str, str], float]:
    return {(q, d): score for q, of in scores.items() for d, score in of.items()}


def test_negative_scores() -> None:
    """ranx.fuse([…], norm="max", method="sum") divides −1 by 1e-9, which is −1e9."""
    one = pl.DataFrame({"query_id": ["q"], "doc_id": ["x"], "score": [3.0]})
    other = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["y", "z"], "score": [-2.0, -1.0]})
    with pytest.raises(InvalidValue, match="divided by it"):
        ir.fuse([one, other], "combsum", normalize="max").collect()
