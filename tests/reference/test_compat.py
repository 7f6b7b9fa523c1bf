"""Compatibility: the authors' program and ir_measures' variant of it.

The authors' values were printed by `compatibility.py` of their repository (claclark/Compatibility), which looks 1000
documents deep and orders equal scores by ascending id, as ir_measures does.
"""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.reference.files import CASES, frames, qrels_frame, run_frame
from tests.reference.test_pytrec_eval import random_tables

engines = pytest.mark.parametrize("engine", ENGINES)
IDS = "ties=doc_id"

AUTHORS = {
    ("trec_eval_test", 0.95): {"301": 0.1661253585099029, "302": 0.766863933912258, "303": 0.034099801788963456},
    ("trec_eval_test", 0.8): {"301": 0.06821464561357342, "302": 0.8392005964176378, "303": 0.0008472290351260323},
    ("trec_eval_rel_level", 0.95): {"301": 0.11451145100118676, "302": 0.766863933912258, "303": 0.03743578934368821},
    ("trec_eval_rel_level", 0.8): {"301": 0.011176262266286825, "302": 0.8392005964176378, "303": 0.000869093331999178},
    ("trectools_small", 0.95): {"1": 0.40578134675716715, "2": 0.6917196100510765, "3": 0.0},
    ("trectools_small", 0.8): {"1": 0.3346339254427022, "2": 0.7216813639972283, "3": 0.0},
}


def by_query(evaluation: ir.Evaluation) -> dict[str, float]:
    return dict(evaluation.per_unit().select("query_id", "value").iter_rows())


@engines
@pytest.mark.parametrize("case, p", AUTHORS)
def test_the_authors_values(reference_data: Path, case: str, p: float, engine: str, agrees) -> None:
    actual = by_query(ir.evaluate(*frames(reference_data, case), ir.Compat(p=p), policy=IDS, engine=engine))
    assert actual == pytest.approx(AUTHORS[case, p], rel=1e-12, abs=1e-12)
    agrees("Compatibility", ir.Compat)


@engines
@pytest.mark.parametrize("text", ["Compat", "Compat(p=0.8)"])
@pytest.mark.parametrize("case", CASES)
def test_stored_values_of_ir_measures(reference_data: Path, case: str, text: str, engine: str, agrees) -> None:
    stored = json.loads((reference_data / "expected" / f"{case}.ir_measures_0.4.3.json").read_text(encoding="utf-8"))
    actual = by_query(
        ir.evaluate(
            *frames(reference_data, case), ir.Measure.parse(text)(max_depth="longest"), policy=IDS, engine=engine
        )
    )
    assert actual == pytest.approx(stored[text], rel=1e-12, abs=1e-12)
    agrees("ir-measures", text)


@engines
@pytest.mark.parametrize("text", ["Compat", "Compat(p=0.6)", "Compat(normalize=False)"])
def test_random_tables_as_ir_measures(text: str, engine: str, agrees) -> None:
    qrels, run = random_tables(3)
    # Scores of 0 and below stand among the documents that were not retrieved there.
    run = {q: {d: score + 1.0 for d, score in docs.items()} for q, docs in run.items()}
    measure = ir_measures.parse_measure(text)
    theirs = {r.query_id: r.value for r in ir_measures.iter_calc([measure], qrels, run)}
    actual = by_query(
        ir.evaluate(
            qrels_frame(qrels), run_frame(run), ir.Measure.parse(text)(max_depth="longest"), policy=IDS, engine=engine
        )
    )
    assert len(theirs) == 60
    assert actual == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    agrees("ir-measures", text)


@engines
def test_negative_scores(engine: str) -> None:
    """The order of the ideal follows the list.

    Ir_measures puts documents that are not in it before those of negative score.
    """
    qrels = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "relevance": [1, 1, 1]})
    run = pl.DataFrame({"query_id": "q", "doc_id": ["b", "x", "a"], "score": [3.0, 2.0, 1.0]})
    below = run.with_columns(pl.col("score") - 10.0)
    measures = ["Compat", "Compat(max_depth='longest')"]
    actual = [ir.evaluate(qrels, r, measures, engine=engine).summary()["value"].to_list() for r in (run, below)]
    assert actual[0] == pytest.approx(actual[1], rel=1e-12)
    judged = {"q": {"a": 1, "b": 1, "c": 1}}
    theirs = [
        ir_measures.calc_aggregate(
            [ir_measures.Compat], judged, {"q": dict(zip(r["doc_id"], r["score"], strict=True))}
        )[ir_measures.Compat]
        for r in (run, below)
    ]
    assert actual[0][1] == pytest.approx(theirs[0], rel=1e-12)
    assert abs(theirs[0] - theirs[1]) > 0.1
