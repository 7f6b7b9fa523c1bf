"""Copies of sample_eval.pl and statAP_MQ_eval.  Their figures are stored, as the scripts are not distributed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

STORED = json.loads((Path(__file__).parent / "sample_eval.json").read_text(encoding="utf-8"))
QRELS = pl.DataFrame(STORED["qrels"], schema=["query_id", "doc_id", "stratum", "relevance", "iprob"], orient="row")
RUN = pl.DataFrame(STORED["run"], schema=["query_id", "doc_id", "score"], orient="row")


VARIANCE = "SamplingVariance(of='statAP', form='statAP_MQ_eval')"


def by_query(qrels: pl.DataFrame, run: pl.DataFrame, measure: str, engine: str) -> dict[str, Any]:
    """The values of a measure."""
    values = ir.evaluate(qrels, run, measure, engine=engine).per_unit()
    return dict(values.select("query_id", "value").rows())


@pytest.mark.parametrize("engine", ENGINES)
def test_sample_eval(engine: str, agrees) -> None:
    """Two copies, with the largest result size that they have, and with a small one, which all estimates exceed."""
    compared = set()
    for copy, printed in STORED["sample_eval"].items():
        variant, size = copy.split()
        measures = {
            "infAP": f"xinfAP(variant={variant!r})@{size}",
            "infNDCG": f"infNDCG(variant={variant!r})@{size}",
            "inum_rel": "infNumRel",
            "inum_rel_ret": f"infNumRelRet@{size}",
            "iP5": "infP@5",
            "iP10": "infP@10",
        }
        for name in {name for name, *_ in printed}:
            # A copy of a small size has no precision below it.
            depth = int(name.removeprefix("iP")) if name.startswith("iP") else 0
            if depth > int(size):
                continue
            values = by_query(QRELS, RUN, measures[name], engine)
            expected = {query: value for row, query, value in printed if row == name}
            assert {q: values[q] for q in expected} == pytest.approx(expected, abs=1e-12), (copy, name)
            assert any(expected.values())
            compared.add(measures[name])
    agrees("sample_eval", *sorted(compared))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_best_list_ends_at_the_cutoff(engine: str) -> None:
    """sample_eval adds a document of each further grade behind it."""
    theirs = by_query(QRELS, RUN, "infNDCG(variant='2011')@7", engine)
    ours = by_query(QRELS, RUN, "infNDCG@7", engine)
    assert all(ours[q] > value - 1e-12 for q, value in theirs.items())
    assert any(ours[q] > value + 1e-3 for q, value in theirs.items())


@pytest.mark.parametrize("engine", ENGINES)
def test_statap(engine: str, agrees) -> None:
    """statAP_MQ_eval 4; documents that were not drawn are not in its judgments."""
    run = RUN.with_columns(score=-pl.int_range(pl.len()).cast(pl.Float64))
    drawn = QRELS.filter(pl.col("relevance") >= 0).drop("stratum").with_columns(method=pl.lit("1"))
    # Its variances are at most 1, and printed with 15 digits.
    names = {"statNumRel": 1, "statAP": 2, "statRprec": 3, VARIANCE: 4}
    for name, place in names.items():
        values = by_query(drawn, run, name, engine)
        expected = {row[0]: row[place] for row in STORED["statap"]}
        assert len(expected) > 10
        assert {q: values[q] for q in expected} == pytest.approx(expected, abs=1e-12), name
    agrees("statAP_MQ_eval", *names)
