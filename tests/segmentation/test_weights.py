"""Documents pooled, with weights, and resampled."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue
from tests.contract.kit import ENGINES
from tests.oracles import segmentation as oracle
from tests.segmentation.cases import make_case

engines = pytest.mark.parametrize("engine", ENGINES)
CASE = make_case(6, boundaries=True)
TABLES = CASE.tables()
WEIGHTS = {d: float(i % 4) for i, d in enumerate(CASE.gold)}
NAMES = {
    "Pk": {"k": None},
    "WindowDiff(weighted=True, padded=True)": {"k": None, "weighted": True, "padded": True},
    "BoundaryP": {"tolerance": 0},
    "BoundaryF(tolerance=2)": {"tolerance": 2, "beta": 1},
    "BoundarySimilarity": {"transpositions": 2},
    "BoundarySimilarity(transpositions=4)": {"transpositions": 4},
}


def weighted(weights: dict[str, float]) -> pl.DataFrame:
    return TABLES["documents"].with_columns(weight=pl.col("doc_id").replace_strict(weights, return_dtype=pl.Float64))


def documents(weights: dict[str, float]) -> list[oracle.Document]:
    return [oracle.Document(d.units, d.gold, d.predicted, int(weights[n])) for n, d in CASE.documents(None).items()]


def evaluated(names: list[str], engine: str, **options: Any) -> ir.Evaluation:
    return ir.Segmentation(TABLES["gold"], TABLES["predicted"], engine=engine, **options).evaluate(names)


@engines
@pytest.mark.parametrize("weights", [dict.fromkeys(WEIGHTS, 1.0), WEIGHTS], ids=["equal", "weights"])
def test_means_and_pooled_values(weights: dict[str, float], engine: str) -> None:
    """A document of weight 2 is two documents, one of weight 0 none."""
    table = weighted(weights)
    for aggregation, of in (("mean", oracle.mean), ("pooled", oracle.value)):
        measures = [ir.Measure.parse(n, "segmentation")(aggregation=aggregation) for n in NAMES]
        actual = evaluated(list(map(str, measures)), engine, documents=table).summary()["value"].to_list()
        expected = [
            of(m.name, documents(weights), **parameters) for m, parameters in zip(measures, NAMES.values(), strict=True)
        ]
        assert actual == [pytest.approx(float(e), rel=1e-12) for e in expected]


@engines
def test_weights_must_be_numbers_of_at_least_0(engine: str) -> None:
    with pytest.raises(InvalidValue, match=r"'weight' of the documents table holds -1"):
        evaluated(["Pk"], engine, documents=weighted(WEIGHTS | {"00 mixed": -1.0})).summary()


def test_documents_are_resampled() -> None:
    """Without a document pooled values are those of the others; one in a bootstrap sample twice counts twice."""
    subject = ir.Segmentation(TABLES["gold"], TABLES["predicted"], documents=TABLES["documents"])
    names = ["BoundaryF(tolerance=2)", "BoundarySimilarity(aggregation='pooled')", "Pk"]
    without = ir.resampling.jackknife(subject, names).influence()
    assert without.height == 3 * len(WEIGHTS)
    for doc, name, actual in without.select("doc_id", "measure", "value_without").iter_rows():
        others = documents(dict.fromkeys(WEIGHTS, 1.0) | {doc: 0.0})
        of, parameters = (oracle.mean, {"k": None}) if name == "Pk" else (oracle.value, NAMES[name.partition("(a")[0]])
        assert actual == pytest.approx(float(of(name.partition("(")[0], others, **parameters)), rel=1e-12)
    (low, high), *_ = ir.resampling.bootstrap(subject, "Pk", n_resamples=20).table().select("ci_low", "ci_high").rows()
    assert 0 < low < high < 1
