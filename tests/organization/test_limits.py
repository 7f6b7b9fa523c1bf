"""Special cases of Reliability and Sensitivity: BCubed, and products of class precisions and recalls."""

from __future__ import annotations

import random

import polars as pl
import pytest

import ireval_frames as ir

ENGINES = ("polars", "duckdb")


def items(seed: int, *, several: bool) -> pl.DataFrame:
    rng = random.Random(seed)

    def sets(letter: str, number: int) -> list[str]:
        return [f"{letter}{c}" for c in rng.sample(range(number), rng.randint(1, 3) if several else 1)]

    rows = [
        {"part": p, "item_id": f"{p}-{i}", "label": sets("L", 5), "cluster_id": sets("C", 4)}
        for p in range(20)
        for i in range(rng.randint(1, 40))
    ]
    frame = pl.DataFrame(rows)
    return frame if several else frame.with_columns(pl.col("label", "cluster_id").list.first())


def values(evaluation: ir.Evaluation) -> list[list[float]]:
    return evaluation.per_unit().pivot("measure", index="part", values="value").drop("part").to_numpy().tolist()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("several", [False, True])
def test_bcubed(engine: str, *, several: bool) -> None:
    """With overlaps: extended BCubed, which averages over pairs."""
    frame = items(1, several=several)
    reliability = ir.Organization(frame, unit="part", engine=engine).evaluate(
        [m(overlap="pairs") for m in (ir.organization.Reliability, ir.organization.Sensitivity, ir.organization.RS)]
    )
    bcubed = ir.Clusters(frame, unit="part", engine=engine).evaluate("BCubedP BCubedR BCubedF")
    for actual, expected in zip(values(reliability), values(bcubed), strict=True):
        assert actual == pytest.approx(expected, abs=1e-12)


def test_overlaps_as_published() -> None:
    """Items related twice in one side and once in the other: one relation of two; with pairs, half a pair."""
    frame = pl.DataFrame(
        {"item_id": ["d1", "d2", "d3"], "cluster_id": [["A", "B"], ["A", "B"], ["C"]], "label": [["x"], ["x"], ["y"]]}
    )
    actual = (
        ir.Organization(frame)
        .evaluate("Reliability Sensitivity Reliability(overlap='pairs')")
        .summary()["value"]
        .to_list()
    )
    assert actual == pytest.approx([(0.5 + 0.5 + 1) / 3, 1.0, (0.5 + 0.5 + 1) / 3])
    swapped = frame.rename({"cluster_id": "label", "label": "cluster_id"})
    assert ir.Organization(swapped).evaluate("Reliability Sensitivity").summary()["value"].to_list() == pytest.approx(
        [1.0, 2 / 3]
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_products_of_precisions_and_recalls(engine: str) -> None:
    rng = random.Random(2)
    frame = pl.DataFrame(
        [
            {"part": p, "label": int(rng.random() < 0.4), "prediction": int(rng.random() < 0.5)}
            for p in range(15)
            for _ in range(rng.randint(4, 30))
        ]
    )
    frame = frame.filter(
        pl.col("label").n_unique().over("part") == 2, pl.col("prediction").n_unique().over("part") == 2
    )
    organized = ir.Organization(frame, relevance="label", score="prediction", unit="part", engine=engine)
    names = [
        m(weights="uniform") for m in (ir.organization.Reliability, ir.organization.Sensitivity, ir.organization.RS)
    ]
    labels = ir.Labels(frame, unit="part", positive=1, engine=engine)
    classes = labels.evaluate("Precision(average='binary') NPV Recall(average='binary') Specificity FRS")
    for actual, (p, npv, r, specificity, frs) in zip(values(organized.evaluate(names)), values(classes), strict=True):
        assert actual == pytest.approx([p * npv, r * specificity, frs], abs=1e-12)


def test_returning_nothing_or_everything_has_rs_0() -> None:
    frame = pl.DataFrame({"part": [0] * 4 + [1] * 4, "relevance": [1, 0, 0, 1] * 2, "score": [False] * 4 + [True] * 4})
    actual = ir.Organization(frame, unit="part").evaluate("RS Reliability Sensitivity").per_unit()
    assert actual["value"].to_list() == pytest.approx([0.0, 1.0, 0.0] * 2)
    # The same output, as a table of the returned documents.
    returned = ir.Organization(
        frame.with_columns(item_id=pl.int_range(8)),
        frame.with_columns(item_id=pl.int_range(8)).filter("score").select("item_id", "part"),
        unit="part",
    )
    assert returned.evaluate("RS Reliability Sensitivity").per_unit()["value"].to_list() == pytest.approx(
        [0.0, 1.0, 0.0] * 2
    )


@pytest.mark.parametrize("weights", ["exponential", "hyperbolic"])
def test_the_first_n_have_weight_w(weights: str) -> None:
    """The first n documents have the share W of the weights."""
    n = 100_000
    gold = pl.DataFrame(
        {"relevance": [1] * 10 + [0] * n, "score": [None] * 10 + [float(n - i) for i in range(10)] + [None] * (n - 10)}
    )
    for share in (0.5, 0.8):
        value = (
            ir.Organization(gold)
            .evaluate(ir.organization.Reliability(W=share, weights=weights))
            .summary()["value"]
            .item()
        )
        # The ten retrieved documents are wrongly above the relevant ones; the others are related to them correctly.
        assert value == pytest.approx(0.0, abs=1e-3)
        value = (
            ir.Organization(gold)
            .evaluate(ir.organization.Sensitivity(W=share, weights=weights))
            .summary()["value"]
            .item()
        )
        assert value == pytest.approx(0.0, abs=1e-3)
        actual = gold.with_columns(score=pl.when(pl.col("relevance") == 1).then(1.0))
        assert ir.Organization(actual).evaluate(ir.organization.RS(W=share, weights=weights)).summary()[
            "value"
        ].item() == pytest.approx(1.0)
        five = gold.with_columns(score=pl.when(pl.int_range(pl.len()) < 5).then(1.0))
        value = (
            ir.Organization(five)
            .evaluate(ir.organization.Sensitivity(W=share, weights=weights))
            .summary()["value"]
            .item()
        )
        # Half of the weight of the first ten, and half of the weight of the others.
        assert value == pytest.approx(share / 2 + (1 - share) / 2, abs=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("weights", ["exponential", "hyperbolic"])
def test_flat_weights_are_uniform(weights: str, engine: str) -> None:
    """Flat weights equal uniform weights, without loss of precision."""
    rng = random.Random(5)
    rows = [
        {"part": p, "relevance": rng.randint(0, 2), "score": float(rng.randint(1, 6))}
        for p in range(9)
        for _ in range(30)
    ]
    subject = ir.Organization(pl.DataFrame(rows), unit="part", engine=engine)
    of = ir.organization.Reliability
    for parameters, tolerance in (
        ({"n": 1e7}, 1e-5),
        ({"n": 1e13}, 1e-11),
        ({"n": 1e15}, 1e-12),
        ({"n": 1e30}, 1e-12),
        ({"W": 1e-17}, 1e-12),
        ({"n": 1e100, "W": 1e-90}, 1e-12),
    ):
        values_by_unit = subject.evaluate([of(**parameters, weights=weights), of(weights="uniform")]).per_unit()
        for flat, uniform in pairs_of_values(values_by_unit):
            assert flat == pytest.approx(uniform, rel=tolerance), parameters


def pairs_of_values(frame: pl.DataFrame) -> list[tuple[float, float]]:
    """The values of two measures, by unit."""
    column = frame["value"].to_list()
    return list(zip(column[::2], column[1::2], strict=True))
