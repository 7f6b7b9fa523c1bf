"""pyNTCIREVAL: the blended-ratio measures, and those of its others that are ours too."""

from __future__ import annotations

import random

import polars as pl
import pytest
from pyNTCIREVAL import Labeler
from pyNTCIREVAL import metrics as ntcir

import ireval_frames as ir
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
GAINS = [2, 3, 7]
WRITTEN = "gains={1: 2, 2: 3, 3: 7}"

# Theirs is made of the number of judged documents by level.
PAIRS = {
    f"QMeasure({WRITTEN})": lambda n: ntcir.QMeasure(n, GAINS, 1.0),
    f"QMeasure(beta=2.5,{WRITTEN})@7": lambda n: ntcir.QMeasure(n, GAINS, 2.5, 7),
    "QMeasure(beta=0)": lambda n: ntcir.AP(n, GAINS),
    "AP": lambda n: ntcir.AP(n, GAINS),
    f"OMeasure({WRITTEN})": lambda n: ntcir.OMeasure(n, GAINS, 1.0),
    f"PMeasure(beta=2,{WRITTEN})": lambda n: ntcir.PMeasure(n, GAINS, 2.0),
    f"PPlus({WRITTEN})": lambda n: ntcir.PPlusMeasure(n, GAINS, 1.0),
    f"NCU(stop='graded',beta=0,{WRITTEN})": lambda n: ntcir.NCUguP(n, GAINS, GAINS),
    f"NCU(stop='graded',{WRITTEN})": lambda n: ntcir.NCUguBR(n, GAINS, GAINS, 1.0),
    f"NCU(gamma=0.8,beta=0,{WRITTEN})": lambda n: ntcir.NCUrbP(n, GAINS, 0.8),
    f"NCU(beta=0.5,{WRITTEN})": lambda n: ntcir.NCUrbBR(n, GAINS, 0.95, 0.5),
    f"nDCG(dcg='jk',{WRITTEN})@8": lambda n: ntcir.nDCG(n, GAINS, 2.0, 8),
    "RBP(p=0.9,max_rel=3)": lambda n: ntcir.RBP(n, [1, 2, 3], 0.9),
    "P@5": lambda _: ntcir.Precision(5),
    "Success@3": lambda _: ntcir.Hit(3),
    "RR": lambda _: ntcir.RR(),
}


@engines
def test_random_lists(engine: str, agrees) -> None:
    rng = random.Random(5)
    judged = {f"q{q}": {f"d{i}": rng.choice((0, 0, 1, 1, 2, 3)) for i in range(rng.randint(4, 30))} for q in range(60)}
    # It divides by the number of relevant documents, and knows no list without documents.
    judged = {q: docs for q, docs in judged.items() if any(docs.values())}
    run = {q: rng.sample([*docs, *(f"x{i}" for i in range(15))], rng.randint(1, 20)) for q, docs in judged.items()}
    qrels = pl.DataFrame(
        [(q, d, g) for q, docs in judged.items() for d, g in docs.items()],
        schema=["query_id", "doc_id", "relevance"],
        orient="row",
    )
    rows = [(q, d, -float(i)) for q, docs in run.items() for i, d in enumerate(docs)]
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
    units = ir.evaluate(qrels, frame, list(PAIRS), engine=engine).per_unit()
    actual = {(row["query_id"], row["measure"]): row["value"] for row in units.iter_rows(named=True)}
    for text, make in PAIRS.items():
        for query, docs in run.items():
            labeler = Labeler(judged[query])
            value = make(labeler.compute_per_level_doc_num(4)).compute(labeler.label(docs))
            assert actual[query, str(ir.Measure.parse(text))] == pytest.approx(value, rel=1e-12, abs=1e-12), (
                text,
                query,
            )
    agrees("pyNTCIREVAL", *PAIRS)
