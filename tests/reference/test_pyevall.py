"""PyEvALL.  Its figures are stored, as it needs other NumPy and pandas than this package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

STORED = json.loads((Path(__file__).parent / "pyevall_0.2.11.json").read_text(encoding="utf-8"))
PARENTS = {"poodle": "dog", "collie": "dog", "dog": "pet", "cat": "pet", "pet": "animal", "cow": "animal"}
LABELS = {
    "Accuracy": "Accuracy",
    "Kappa": "Kappa",
    "Precision": "Precision(average='macro')",
    "Recall": "Recall(average='macro')",
    "FMeasure": "F1(average='macro')",
    "ICM": "ICM",
    "ICMNorm": "ICMNorm",
}
SOFT = {"ICMSoft": "ICMSoft", "ICMSoftNorm": "ICMSoftNorm", "CrossEntropy": "SoftCrossEntropy", "MAE": "SoftMAE"}
RANKINGS = {
    "PrecisionAtK": "P@10",
    "RPrecision": "Rprec",
    "MRR": "RR",
    "MAP": "AP",
    "DCG": "DCG(dcg='exp-log2')",
    "nDCG": "nDCG(dcg='exp-log2')",
}
# Its entropies are others, and in the list of differences.
CLUSTERINGS = {
    "Purity": "Purity",
    "InversePurity": "InversePurity",
    "FMeasurePurityInversePurity": "PurityF",
    "FMeasureClustering": "ClusterF",
    "RandStatistics": "Rand",
    "Jaccard": "Jaccard",
    "FolkesAndMallows": "FowlkesMallows",
    "NMI-SG": "NMI(normalizer='geometric')",
    "ReliabilityBCubed": "BCubedP",
    "SensitivityBCubed": "BCubedR",
}
engines = pytest.mark.parametrize("engine", ENGINES)


def compared(part: str, names: Mapping[str, str], subjects: Iterator[Any]) -> None:
    """Each case of a part: a subject of ours, by the names of their measures."""
    stored = STORED[part]["values"]
    for i, subject in enumerate(subjects):
        values = subject.evaluate(list(names.values())).summary()["value"].to_list()
        expected = [stored[theirs][i] for theirs in names]
        assert values == pytest.approx(expected, abs=1e-9), part


def of_items(part: str) -> Iterator[pl.DataFrame]:
    for gold, predicted in STORED[part]["cases"]:
        yield pl.DataFrame({"item_id": list(gold), "label": list(gold.values())}).join(
            pl.DataFrame({"item_id": list(predicted), "prediction": list(predicted.values())}), on="item_id"
        )


@engines
@pytest.mark.parametrize("part", ["labels", "labels of a tree", "sets of a tree"])
def test_labels(part: str, engine: str, agrees) -> None:
    """Labels, and those of a hierarchy, also several of an item."""
    names = LABELS if part == "labels" else {n: LABELS[n] for n in ("ICM", "ICMNorm")}
    hierarchy = None if part == "labels" else PARENTS
    compared(part, names, (ir.Labels(f, hierarchy=hierarchy, engine=engine) for f in of_items(part)))
    agrees("PyEvALL", *names.values(), family="labels")


@engines
@pytest.mark.parametrize("part", ["soft", "soft of a tree"])
def test_soft_labels(part: str, engine: str, agrees) -> None:
    """Shares of classes, as structs."""
    names = SOFT if part == "soft" else {n: SOFT[n] for n in ("ICMSoft", "ICMSoftNorm")}
    hierarchy = None if part == "soft" else PARENTS
    subjects = (
        ir.Labels(
            f, soft_labels="label", probabilities="prediction", hierarchy=hierarchy, engine=engine, item="item_id"
        )
        for f in of_items(part)
    )
    compared(part, names, subjects)
    agrees("PyEvALL", *names.values(), family="labels")


def lists(case: Sequence[Mapping[str, int]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    (gold, ranks) = case
    qrels = pl.DataFrame({"query_id": "q", "doc_id": list(gold), "relevance": list(gold.values())})
    return qrels, pl.DataFrame({"query_id": "q", "doc_id": list(ranks), "score": [-float(r) for r in ranks.values()]})


@engines
def test_rankings(engine: str, agrees) -> None:
    """One query each; the scale of ERR is the largest grade, and RBP does not divide grades by it."""
    cases = STORED["rankings"]["cases"]
    compared("rankings", RANKINGS, (ir.Rankings(*lists(c), engine=engine) for c in cases))
    for i, case in enumerate(cases):
        largest = max(case[0].values())
        measures = [ir.ERR(max_rel=largest), ir.RBP(max_rel=largest)]
        err, rbp = ir.evaluate(*lists(case), measures, engine=engine).summary()["value"]
        stored = STORED["rankings"]["values"]
        assert (err, rbp * largest) == pytest.approx((stored["ERR"][i], stored["RBP"][i]), abs=1e-12)
    agrees("PyEvALL", *RANKINGS.values(), "ERR")


@engines
def test_clusterings(engine: str, agrees) -> None:
    """One cluster per item."""
    frames = [
        f.select("item_id", pl.col("label").list.first(), cluster_id=pl.col("prediction").list.first())
        for f in of_items("clusterings")
    ]
    compared("clusterings", CLUSTERINGS, (ir.Clusters(f, engine=engine) for f in frames))
    stored = STORED["clusterings"]["values"]
    for i, frame in enumerate(frames):
        value = ir.Clusters(frame, engine=engine).evaluate("VI(base=2)").summary()["value"].item()
        # It does not divide by the number of items.
        assert value * frame.height == pytest.approx(stored["VariationOfInformation"][i], abs=1e-9)
    agrees("PyEvALL", *CLUSTERINGS.values(), family="clusters")
