"""Pairwise accuracy as in ir_measures, the area under the ROC curve as in scikit-learn, and τ as in SciPy."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest
from scipy.stats import kendalltau
from sklearn.metrics import roc_auc_score

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.reference.files import CASES, frames, qrels_frame, run_frame
from tests.reference.test_ir_measures import in_order
from tests.reference.test_pytrec_eval import random_tables

engines = pytest.mark.parametrize("engine", ENGINES)


def defined(evaluation: ir.Evaluation) -> dict[str, float]:
    """The values of the queries that have one."""
    return dict(evaluation.per_unit().drop_nulls("value").select("query_id", "value").iter_rows())


@engines
@pytest.mark.parametrize("case", CASES)
def test_stored_accuracy(reference_data: Path, case: str, engine: str, agrees) -> None:
    """It leaves queries out where no relevant document was retrieved, missing ones too."""
    stored = json.loads((reference_data / "expected" / f"{case}.ir_measures_0.4.3.json").read_text(encoding="utf-8"))[
        "Accuracy"
    ]
    qrels, run = frames(reference_data, case)
    actual = defined(ir.evaluate(qrels, in_order(run), "Accuracy", policy="ties=rank,missing=skip", engine=engine))
    assert stored
    assert actual == pytest.approx(stored, rel=1e-12)
    agrees("ir-measures", "Accuracy")


@engines
@pytest.mark.parametrize("text", ["Accuracy", "Accuracy@4", "Accuracy(rel=2)"])
def test_random_accuracy(text: str, engine: str, agrees) -> None:
    qrels, run = random_tables(9)
    rel = 2 if "rel=2" in text else 1
    cut = 4 if "@4" in text else None
    # It divides by the number of documents that are not relevant, be it 0.
    run = {
        q: docs
        for q, docs in run.items()
        if any(qrels[q].get(d, 0) < rel for d in sorted(docs, key=docs.get, reverse=True)[:cut])
    }
    theirs = {r.query_id: r.value for r in ir_measures.iter_calc([ir_measures.parse_measure(text)], qrels, run)}
    actual = defined(
        ir.evaluate(qrels_frame(qrels), in_order(run_frame(run)), text, policy="ties=rank,missing=skip", engine=engine)
    )
    assert len(theirs) > 20
    assert actual == pytest.approx(theirs, rel=1e-12)
    agrees("ir-measures", text)


@engines
def test_area_with_ties(engine: str, agrees) -> None:
    """Tied pairs count half, also those of documents that were not retrieved."""
    qrels, run = random_tables(10)
    evaluation = ir.evaluate(
        qrels_frame(qrels),
        run_frame(run),
        "AUC AUC(unretrieved=True) AUC(n_docs=60)",
        policy="ties=expectation",
        engine=engine,
    )
    compared = 0
    for row in evaluation.per_unit().iter_rows(named=True):
        judged, scores = qrels[row["query_id"]], dict(run[row["query_id"]])
        if "unretrieved" in row["measure"]:
            below = min(scores.values()) - 1
            scores |= {d: below for d, grade in judged.items() if d not in scores and grade >= 0}
        elif "n_docs" in row["measure"]:
            below = min(scores.values()) - 1
            scores |= {d: below for d, grade in judged.items() if d not in scores and grade >= 1}
            scores |= {f"other {i}": below for i in range(60 - len(scores))}
        labels = [judged.get(d, 0) >= 1 for d in scores]
        if len(set(labels)) < 2:
            assert row["value"] is None
            continue
        compared += 1
        assert row["value"] == pytest.approx(roc_auc_score(labels, list(scores.values())), rel=1e-12), row
    assert compared > 60
    agrees("scikit-learn", "AUC")


@engines
@pytest.mark.parametrize("text", ["GradeTau", "GradeTau(unretrieved=True)"])
def test_order_of_grades(text: str, engine: str, agrees) -> None:
    qrels, run = random_tables(11)
    evaluation = ir.evaluate(qrels_frame(qrels), in_order(run_frame(run)), text, policy="ties=rank", engine=engine)
    compared = 0
    for row in evaluation.per_unit().iter_rows(named=True):
        judged = {d: g for d, g in qrels[row["query_id"]].items() if g >= 0}
        listed = sorted(run[row["query_id"]], key=run[row["query_id"]].get, reverse=True)
        places = {d: listed.index(d) if d in listed else len(listed) for d in judged if d in listed or "un" in text}
        grades = [judged[d] for d in places]
        if len(set(grades)) < 2 or len(set(places.values())) < 2:
            assert row["value"] is None
            continue
        theirs = kendalltau([-place for place in places.values()], grades).statistic
        compared += 1
        assert row["value"] == pytest.approx(theirs, rel=1e-12, abs=1e-12), row
    assert compared > 30
    agrees("scipy", text)
