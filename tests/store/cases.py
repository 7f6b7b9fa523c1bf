"""Small evaluations for stores."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import ireval_frames as ir

QRELS = pl.DataFrame({"query_id": [*"aabbc"], "doc_id": [*"xyxzx"], "relevance": [2, 1, 1, 0, 1]})
TOPICS = pl.DataFrame({"query_id": [*"abc"], "lang": ["de", "en", "en"]})


def run(name: str = "one", shift: float = 0.0) -> pl.DataFrame:
    """A run of two of the three queries."""
    rows = {"run_id": [name] * 5, "query_id": [*"aaabb"], "doc_id": [*"xyzxz"]}
    return pl.DataFrame({**rows, "score": [3.0 + shift, 2.0, 1.0, 1.0, 2.0 + shift]})


def evaluation(name: str = "one", shift: float = 0.0, measures: str = "nDCG@2 RR P@2") -> ir.Evaluation:
    """An evaluation of such a run."""
    return ir.evaluate(QRELS, run(name, shift), measures)


def contents(path: Path) -> dict[str, bytes]:
    """The contents of all files in a folder, by their names."""
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
