"""Weights that are fractions, very large, or very small; counts that only their exact products keep apart."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidValue
from tests.clusters.suite import ALL
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
# They count items or pairs of items, and so take whole weights.
WHOLE = {
    "Rand", "AdjustedRand", "ModifiedAdjustedRand", "PairPrecision", "PairRecall", "PairF", "Jaccard", "FowlkesMallows",
    "PairTP", "PairFP", "PairFN", "PairTN", "Mirkin", "Kulczynski", "McNemar", "HubertGamma", "RogersTanimoto",
    "RussellRao", "SokalSneath1", "SokalSneath2", "EditDistance", "EditOperations", "AMI",
    "VI(normalized=True)", "BCubedP(self_pairs=False)", "BCubedR(self_pairs=False)", "BCubedF(self_pairs=False)",
}  # fmt: skip
# How the value grows with the weights: like them, or not at all.
LIKE_WEIGHTS = {"NumItems", "SplitJoin", "ChiSquare"}


def table(seed: int, n: int = 40) -> pl.DataFrame:
    rng = random.Random(seed)
    return pl.DataFrame(
        {
            "item_id": range(n),
            "label": [rng.choice("abc") for _ in range(n)],
            "cluster_id": [rng.choice([1, 2, 3, 3, None]) for _ in range(n)],
            "weight": [float(rng.choice([1, 2, 3, 7])) for _ in range(n)],
        }
    )


def values(frame: pl.DataFrame, measures: Any, engine: str, **options: Any) -> dict[str, float | None]:
    rows = ir.Clusters(frame, engine=engine, **options).evaluate(measures).summary()
    return dict(rows.select("measure", "value").iter_rows())


def is_whole(measure: Measure) -> bool:
    return str(measure) in WHOLE or measure.name in WHOLE


@engines
@pytest.mark.parametrize("measure", [m for m in ALL if is_whole(m)], ids=str)
def test_what_counts_items_takes_whole_weights(measure: Measure, engine: str) -> None:
    frame = table(1)
    with pytest.raises(
        InvalidValue, match=rf"{measure.name}.* counts items, and the weight 0.5 is not a whole number"
    ) as e:
        values(frame.with_columns(pl.col("weight") / 2), measure, engine)
    assert "BCubedF" in str(e.value)
    assert "whole" in measure.definition.page


@engines
def test_all_others_are_shares_of_any_weights(engine: str) -> None:
    """Of halves, and of weights whose squares leave the range of floats, they are what they are of whole weights."""
    frame, others = table(2), [m for m in ALL if not is_whole(m)]
    assert len(others) > 20
    expected = values(frame, others, engine)
    for factor in (0.5, 0.1, 1e160, 1e-170, 1e-290):
        actual = values(frame.with_columns(pl.col("weight") * factor), others, engine)
        for m in others:
            grown = factor if m.name in LIKE_WEIGHTS and "normalized" not in str(m) else 1.0
            value = expected[str(m)]
            assert value is not None
            assert actual[str(m)] == pytest.approx(value * grown, rel=1e-11, abs=0), (m, factor)


@engines
def test_overlapping_takes_any_weights(engine: str) -> None:
    frame = table(3).with_columns(
        pl.concat_list("label", pl.when(pl.col("item_id") % 3 > 0).then(pl.lit("d")).otherwise("label")).list.unique()
    )
    names = "BCubedP BCubedR BCubedF NumItems NumClasses NumClusters"
    expected = values(frame, names, engine)
    for factor in (0.5, 1e160, 1e-170):
        actual = values(frame.with_columns(pl.col("weight") * factor), names, engine)
        for name, value in expected.items():
            assert value is not None
            grown = value * factor if name == "NumItems" else value
            assert actual[name] == pytest.approx(grown, rel=1e-11, abs=0), (name, factor)


def cells(*sizes: int) -> pl.DataFrame:
    """A contingency table of three classes and three clusters."""
    places = itertools.product("abc", (1, 2, 3))
    rows = [(a, b, n) for (a, b), n in zip(places, sizes, strict=True) if n]
    return pl.DataFrame(rows, schema={"label": pl.String, "cluster_id": pl.Int64, "weight": pl.Int64}, orient="row")


LARGE = {
    "diagonal": (10**9, 1, 0, 2, 10**9 + 7, 0, 0, 0, 3 * 10**8),
    "equal": (10**9, 0, 0, 0, 10**9, 0, 0, 0, 10**9 + 1),
    "mixed": (123456789, 987654321, 5, 10**9, 3, 10**8, 1, 10**9, 999999999),
}


@engines
@pytest.mark.parametrize("sizes", LARGE.values(), ids=LARGE)
def test_pairs_of_billions(sizes: tuple[int, ...], engine: str) -> None:
    """What is together on one side only is not the small difference of large numbers."""
    rows, columns = [sizes[i : i + 3] for i in (0, 3, 6)], [sizes[i::3] for i in (0, 1, 2)]
    n = sum(sizes)
    pairs = [sum(math.comb(k, 2) for k in some) for some in (sizes, map(sum, columns), map(sum, rows), [n])]
    both, in_cluster, in_class, every = pairs
    fp, fn, neither = in_cluster - both, in_class - both, every - in_cluster - in_class + both
    expected: dict[str, Fraction | float] = {
        "PairTP": both, "PairFP": fp, "PairFN": fn, "PairTN": neither, "Mirkin": fp + fn,
        "Rand": Fraction(both + neither, every), "PairPrecision": Fraction(both, in_cluster),
        "Mirkin(normalized=True)": Fraction(fp + fn, every), "SokalSneath1": Fraction(both, both + 2 * (fp + fn)),
        "AdjustedRand": 1.0 if not fp + fn else Fraction(
            2 * (both * neither - fn * fp), in_class * (fn + neither) + in_cluster * (fp + neither)
        ),
    }  # fmt: skip
    actual = values(cells(*sizes), [*expected, "McNemar"], engine)
    for name, value in expected.items():
        assert actual[name] == pytest.approx(float(value), rel=1e-12), name
    if fp + fn:
        assert actual["McNemar"] == pytest.approx((fn - fp) / math.sqrt(fp + fn), rel=1e-12)
    else:
        assert actual["McNemar"] is None


@pytest.mark.parametrize("options", [{}, {"by": "group"}, {"policy": "missing=skip"}], ids=str)
def test_pairs_of_totals_are_those_of_cells(options: dict[str, Any]) -> None:
    """How many rows a frame in memory has is known, and how many a lazy one has is not."""
    rng = random.Random(4)
    frame = pl.DataFrame(
        [(rng.choice("abc"), rng.choice([1, 2, 3, 3, None]), rng.choice("xy")) for _ in range(3000)],
        schema=["label", "cluster_id", "group"], orient="row",
    )  # fmt: skip
    # The others sum fractions, whose last digit goes by the order of the rows.
    counted = [m for m in ALL if is_whole(m) and m.name not in ("AMI", "VI", "BCubedP", "BCubedR", "BCubedF")]
    known, unknown = (ir.Clusters(rows, **options).evaluate(counted).per_unit() for rows in (frame, frame.lazy()))
    assert known.sort(pl.all()).equals(unknown.sort(pl.all()))


@engines
def test_numbers_of_items_that_floats_do_not_hold(engine: str) -> None:
    with pytest.raises(InvalidValue, match=r"Rand counts items, and the weights add to 1e\+16") as caught:
        values(cells(10**16, 0, 0, 0, 0, 0, 0, 0, 1), "Rand", engine)
    assert "1000" in str(caught.value)


@engines
def test_adjusted_information_of_billions(engine: str) -> None:
    """What is expected is summed in steps; the smaller the share of chance, the nearer to NMI it is."""
    for scale in (10**6, 10**9, 10**12, 10**15):
        sizes = [k * scale for k in (3, 1, 0, 0, 2, 1, 1, 0, 1)]
        actual = values(cells(*sizes), "AMI NMI", engine)
        information, chance = actual["NMI"], actual["AMI"]
        assert information is not None
        assert chance == pytest.approx(information, abs=2.0 / scale + 1e-12)
