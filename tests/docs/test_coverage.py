"""The page of coverage shows the record, and a new simulation of each study agrees with it."""

from __future__ import annotations

import json
import math
import warnings

import pytest

from benchmarks.coverage.page import DOCS, far, page, row
from benchmarks.coverage.studies import studies
from ireval_frames.errors import ConvergenceWarning

RECORDED = json.loads((DOCS / "coverage.json").read_text(encoding="utf-8"))
REPETITIONS = 60
# Slow studies are repeated less often.
SLOW = {
    "propensities": 40, "estimated_propensities": 40, "iterated_models": 25, "queries": 40, "panels": 20, "topics": 20,
    "differences_of_percentiles": 30, "gaps": 40, "pooled": 10, "battles": 40,
}  # fmt: skip


def test_the_page_is_what_was_measured_and_explains_what_is_far() -> None:
    assert (DOCS / "coverage.md").read_text(encoding="utf-8") == page(RECORDED)
    assert {r["study"] for r in RECORDED} == set(studies())
    assert [(r["method"], r["measured"]) for r in RECORDED if far(r) and not r["remark"]] == []


@pytest.mark.parametrize("name", dict.fromkeys(r["study"] for r in RECORDED))
def test_intervals_hold_as_often_again(name: str) -> None:
    """With few of the draws, coverage differs by at most five standard errors."""
    subject, run = studies()[name]
    recorded = [r for r in RECORDED if r["study"] == name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        actual = [row(name, subject, f) for f in run(SLOW.get(name, REPETITIONS), 2)]
    same = ("method", "of", "sizes", "nominal")
    assert [[r[c] for c in same] for r in actual] == [[r[c] for c in same] for r in recorded]
    for old, new in zip(recorded, actual, strict=True):
        # Intervals of a repetition are dependent; together they are worth at least one.
        n = new["intervals"] / max(1.0, old["intervals"] / 1000)
        p = min(max(old["measured"], 0.05), 0.99)
        tolerance = 5 * math.sqrt(p * (1 - p) * (1 / n + 1 / min(old["intervals"], 1000))) + 0.005
        assert abs(new["measured"] - old["measured"]) <= tolerance, (new, old["measured"])
