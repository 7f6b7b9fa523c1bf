"""Small random lists with documents without a judgment, and their bounds by trying every grading."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ireval_frames.declaration import Measure
from tests.oracles import bounds as oracle
from tests.ranking.cases import Case
from tests.ranking.suite import expected

# Measures whose bounds are attained without trying gradings, in the variants that change how.
EXACT = [
    "P@3", "P(rel=2)@4", "P(relative=True)@3", "P(measurement='ETU')@3", "R@3", "R(judged_only=True)@3", "SetR",
    "SetP", "SetP(relative=True)", "SetF", "SetF(beta=2)", "SetAP", "F@3", "F(beta=0.5)@5", "FallOut", "FallOut@3",
    "Success@2", "Success(rel=2)@3", "RR", "RR(rel=2)",
    "RR@3", "AP", "AP@3", "AP(over='retrievable')@3", "AP(judged_only=True)", "AP(rel=2)", "YAAP",
    "Rprec", "Rprec(multiple=0.6)", "Rprec(multiple=2)", "Rprec(judged_only=True)", "BEP", "IPrec@0.4", "IAP",
    "Bpref", "infAP", "binG", "Accuracy", "Accuracy@4", "AUC", "AUC(unretrieved=True)",
    "CG", "CG@3", "nCG@3", "DCG", "DCG(dcg='exp-log2')@4", "DCG(gains={0: -1, 1: 2, 2: 1})", "nDCG", "nDCG@3",
    "nDCG(dcg='exp-log2')", "nDCG(dcg='jk')@5", "nDCG(gains={0: -1, 1: 3, 2: 1})", "nDCG(judged_only=True)@3",
    "nDCG(unjudged=0.5)", "RBP", "RBP(max_rel=4)", "RBP@3", "ERR", "ERR@3", "NumRet", "NumRelRet", "NumNonRelRet",
    "NumRel", "NumRel(rel=2)", "IDCG", "IDCG@2", "IDCG(dcg='exp-log2')", "Utility", "Utility(hit=3, noise=-2)",
    "nERR", "nERR@3", "nERR(judged_only=True)", "Judged@3", "Unjudged@3", "RBPresid", "SDCG(max_rel=4)@4",
    "INSQ(max_rel=4)", "TBG(max_rel=4)", "UMeasure(max_rel=4)",
    "NERR8(max_rel=4)@4", "NERR9(max_rel=4)@4", "NERR10(max_rel=4)", "NERR11(max_rel=4)",
]  # fmt: skip
# These are exact where all documents that gain have one gain.
OF_ONE_GAIN = [
    "QMeasure", "QMeasure@3", "QMeasure(beta=10)", "QMeasure(judged_only=True)", "OMeasure", "PMeasure", "PPlus", "NCU",
    "NCU(stop='graded')", "NCU(stop='uniform')",
]  # fmt: skip
# Measures of which only the range is known.
OPEN = ["Compat", "nDCGrel", "RnDCG", "G", "INST(max_rel=4)"]


def random_case(seed: int, lists: int, most: int, grades: Sequence[float], runs: int = 1) -> Case:
    """Lists of up to ten documents, of which up to `most` have no judgment."""
    rng = random.Random(seed)
    case = Case(runs={f"run{i}": {} for i in range(runs)})
    for number in range(lists):
        query, docs = f"q{number}", [f"d{i}" for i in range(10)]
        judgments: dict[Any, float] = {}
        n_open = rng.randint(0, most)
        share = rng.random()
        for doc in rng.sample(docs, 10)[n_open:]:
            judgments[doc] = rng.choice(grades) if rng.random() < share else 0.0
        for doc in docs:
            if doc not in judgments and rng.random() < 0.2:
                judgments[doc] = -1.0
        case.qrels[query] = judgments
        for lists_of_run in case.runs.values():
            order = rng.sample(docs, rng.randint(1, 10))
            if len(order) > most and len(oracle.unjudged(order, judgments)) > most:
                order = order[:most]
            lists_of_run[query] = [(doc, -float(i)) for i, doc in enumerate(order)]
    # The largest grade is that of all judgments.
    case.qrels["q0"]["d9"] = float(max(grades))
    return case


def value_of(
    case: Case, measure: Measure, run: str, query: Any, judgments: oracle.Judgments, **options: Any
) -> float | None:
    """The oracle's value of a list with other judgments."""
    graded = Case({query: dict(judgments)}, {run: {query: case.runs[run][query]}})
    return expected(graded, measure, **options)[str(measure), run, query]
