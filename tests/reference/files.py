"""Reading the reference tools' files with the standard library: no code of the package takes part."""

from __future__ import annotations

import functools
from pathlib import Path

import polars as pl

# The names of the reference outputs, and the judgments and run they were made from.
CASES = {
    "trec_eval_test": ("trec_eval/qrels.test", "trec_eval/results.test"),
    "trec_eval_rel_level": ("trec_eval/qrels.rel_level", "trec_eval/results.test"),
    "trec_eval_trunc": ("trec_eval/qrels.test", "trec_eval/results.trunc"),
    "trectools_small": ("trectools_small/qrel1.txt", "trectools_small/r4.run"),
}


def qrels(path: Path) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, doc, grade = line.split()
        out.setdefault(query, {})[doc] = int(grade)
    return out


def run(path: Path) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, doc, _, score, *_ = line.split()  # run ids may hold blanks
        out.setdefault(query, {})[doc] = float(score)
    return out


def qrels_frame(qrels: dict[str, dict[str, int]]) -> pl.DataFrame:
    rows = [(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    return pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Int64}, orient="row")


def run_frame(run: dict[str, dict[str, float]]) -> pl.DataFrame:
    rows = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    return pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row")


@functools.cache
def frames(folder: Path, case: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    judged, retrieved = CASES[case]
    return qrels_frame(qrels(folder / judged)), run_frame(run(folder / retrieved))
