"""Conversions to ranx and back, as JSON, in a process of its own without Numba's compilation."""

from __future__ import annotations

import json

import polars as pl

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, IrevalError, NotDefined
from tests.interop.cases import make_case

MEASURES = {"nDCG@10": "ndcg@10", "AP": "map"}


def refusal(error: type[IrevalError], call) -> str:
    """The text of the error that a call raises."""
    try:
        call()
    except error as raised:
        return str(raised)
    return "nothing was raised"


def outputs() -> dict:
    import ranx

    qrels, run = make_case(3)
    # ranx breaks ties differently.
    run = run.sort("query_id", "score", "doc_id").with_columns(score=pl.int_range(pl.len()).over("query_id") / 4)
    its, its_run = ir.interop.ranx.to_qrels(qrels, name="made"), ir.interop.ranx.to_run(run, run_id="bm25")
    back = ir.interop.ranx.from_qrels(its), ir.interop.ranx.from_run(its_run)
    unevaluated = refusal(NotDefined, lambda: ir.interop.ranx.from_values(its_run))
    ranx.evaluate(its, its_run, list(MEASURES.values()))
    ours = ir.evaluate(*back, list(MEASURES)).per_unit()
    nameless, empty = ir.interop.ranx.to_run(run), ir.interop.ranx.to_run(run.clear())
    fractions = qrels.with_columns(relevance=pl.lit(0.5))
    return {
        "kinds": [type(its) is ranx.Qrels, type(its_run) is ranx.Run, its.name, its_run.name, nameless.name],
        "back": [sorted(back[0].rows()) == sorted(qrels.rows()), sorted(back[1].rows())],
        "run": sorted(("bm25", *row) for row in run.rows()),
        "empty": [len(empty), ir.interop.ranx.from_run(empty).height],
        "unevaluated": unevaluated,
        "fractions": refusal(InvalidValue, lambda: ir.interop.ranx.to_qrels(fractions)),
        "reference": sorted(ir.interop.ranx.from_values(its_run).rows()),
        "ours": sorted(ours.with_columns(pl.col("measure").replace(MEASURES)).rows()),
    }


if __name__ == "__main__":
    print(json.dumps(outputs()))  # noqa: T201 - the test reads it
