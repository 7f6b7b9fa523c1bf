"""The explanation names tables of the plan and the policy."""

from __future__ import annotations

import ireval_frames as ir


def test_explained() -> None:
    evaluation = ir.Organization(*ir.examples.ranking()).evaluate("RS")
    text = evaluation.explain()
    assert "counts_by_grade: a row per (unit_0, position, grade)" in text
    assert "missing = replab" in text
    assert evaluation.provenance["policy"] == {"missing": "replab", "overlap": "error", "units": "error"}
