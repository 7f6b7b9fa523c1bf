"""Two queries, a run with ties, and the expected values."""

from __future__ import annotations

import polars as pl

import ireval_frames as ir

QRELS = pl.DataFrame(
    {"query_id": ["1", "1", "1", "2", "3"], "doc_id": ["10", "11", "12", "20", "30"], "relevance": [1, 0, 2, 1, 1]}
)
RUN = pl.DataFrame(
    {
        "query_id": ["1", "1", "1", "1", "2", "2", "4"],
        "doc_id": ["11", "10", "99", "12", "21", "20", "10"],
        "score": [4.0, 3.0, 3.0, 1.0, 2.0, 1.0, 9.0],
    }
)
# Order of query 1: 11, 99, 10, 12 (a tie by descending id); of query 2: 21, 20; query 3 is missing, 4 has no judgments.
MEASURES = "AP RR P@3 NumRet"
VALUES = [(1 / 3 + 2 / 4) / 2, 1 / 3, 1 / 3, 4.0, 0.5, 0.5, 1 / 3, 2.0, 0.0, 0.0, 0.0, 0.0]


def assert_values(evaluation: ir.Evaluation) -> None:
    """The evaluation gives these values, with queries in order."""
    actual = evaluation.per_unit()
    assert [str(q) for q in actual["query_id"].unique(maintain_order=True)] == ["1", "2", "3"]
    assert all(abs(a - b) < 1e-12 for a, b in zip(actual["value"], VALUES, strict=True)), actual
