"""Measures of clusterings equal those of scikit-learn, igraph and bcubed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import bcubed
import igraph
import polars as pl
import pytest
import sklearn.metrics as sk

import ireval_frames as ir


def both(first: Sequence[Any], second: Sequence[Any]) -> tuple[dict[int, set[Any]], dict[int, set[Any]]]:
    return {i: {b} for i, b in enumerate(second)}, {i: {a} for i, a in enumerate(first)}


def compared(method: str) -> Callable[..., float]:
    return lambda a, b: float(igraph.compare_communities(list(a), list(b), method=method))


SCIKIT_LEARN: dict[str, Callable[..., float]] = {
    "Rand": sk.rand_score,
    "AdjustedRand": sk.adjusted_rand_score,
    "FowlkesMallows": sk.fowlkes_mallows_score,
    "MI": sk.mutual_info_score,
    "NMI": sk.normalized_mutual_info_score,
    "AMI": sk.adjusted_mutual_info_score,
    "AMI(normalizer='max')": lambda a, b: sk.adjusted_mutual_info_score(a, b, average_method="max"),
    "Homogeneity": sk.homogeneity_score,
    "Completeness": sk.completeness_score,
    "V": sk.v_measure_score,
    "V(beta=0.5)": lambda a, b: sk.v_measure_score(a, b, beta=0.5),
    **{
        f"NMI(normalizer={n!r})": lambda a, b, n=n: sk.normalized_mutual_info_score(a, b, average_method=n)
        for n in ("min", "geometric", "max")
    },
}
IGRAPH = {"VI": compared("vi"), "SplitJoin": compared("split-join")}
BCUBED: dict[str, Callable[..., float]] = {
    "BCubedP": lambda a, b: bcubed.precision(*both(a, b)),
    "BCubedR": lambda a, b: bcubed.recall(*both(a, b)),
}
THEIRS = SCIKIT_LEARN | IGRAPH | BCUBED
NEEDS_TWO = set(IGRAPH)


def tables(seed: int) -> list[tuple[list[int], list[int]]]:
    rng, out = random.Random(seed), []
    for n, k, m in itertools.product((1, 2, 3, 12, 50), (1, 2, 4), (1, 3, 50)):
        first = [rng.randrange(k) for _ in range(n)]
        out.append((first, list(range(n)) if m == 50 else [rng.randrange(m) for _ in range(n)]))
        out.append((first, [(a * 3 + 1) % 7 if rng.random() < 0.8 else rng.randrange(3) for a in first]))
        out.append((first, [5 - a for a in first]))
    return out


@pytest.mark.parametrize("engine, step", [("polars", 1), ("duckdb", 5)])
def test_random_and_degenerate_tables(engine: str, step: int, agrees) -> None:
    frames = tables(7)[::step]
    frame = pl.DataFrame(
        [(u, a, b) for u, (x, y) in enumerate(frames) for a, b in zip(x, y, strict=True)],
        schema=["u", "label", "k"],
        orient="row",
    )
    table = ir.Clusters(frame, cluster="k", unit="u", engine=engine).evaluate(list(THEIRS)).per_unit()
    values = {(r["u"], r["measure"]): r["value"] for r in table.iter_rows(named=True)}
    for u, (first, second) in enumerate(frames):
        for name, theirs in THEIRS.items():
            if name == "FowlkesMallows" and len(set(first)) == len(set(second)) == len(first):
                # Where no two items are together on any side, theirs is 0.
                assert values[u, name] is None
            elif len(first) > 1 or name not in NEEDS_TWO:
                # scikit-learn clips a difference that is nothing at the smallest step of a float, and divides it.
                assert values[u, name] == pytest.approx(theirs(first, second), rel=1e-10, abs=1e-10), (
                    name,
                    first,
                    second,
                )
    agrees("scikit-learn", *SCIKIT_LEARN, family="clusters")
    agrees("igraph", *IGRAPH, family="clusters")
    agrees("bcubed", *BCUBED, family="clusters")


def test_large_sizes(agrees) -> None:
    """Products of pairs that leave 64-bit integers, and sizes of many digits."""
    cells = pl.DataFrame(
        {"label": [0, 0, 1, 1, 2], "cluster_id": [0, 1, 1, 2, 2], "n": [900_000, 50_000, 700_000, 80_000, 400_001]}
    )
    names = ["AdjustedRand", "Rand", "FowlkesMallows", "NMI", "AMI", "V"]
    values = ir.Clusters(cells, weight="n").evaluate(names).summary()["value"].to_list()
    items = cells.select(pl.col("label", "cluster_id").repeat_by("n").explode())
    for name, value in zip(names, values, strict=True):
        tolerance = 1e-9 if name == "AMI" else 1e-12
        assert value == pytest.approx(
            THEIRS[name](items["label"].to_numpy(), items["cluster_id"].to_numpy()), rel=tolerance
        ), name
    agrees("scikit-learn", *names, family="clusters")


def test_many_classes(agrees) -> None:
    rng = random.Random(3)
    first = [rng.randrange(700) for _ in range(4000)]
    second = [a if rng.random() < 0.5 else rng.randrange(400) for a in first]
    value = ir.Clusters(pl.DataFrame({"label": first, "cluster_id": second})).evaluate("AMI").summary()["value"].item()
    assert value == pytest.approx(sk.adjusted_mutual_info_score(first, second), rel=1e-10)
    agrees("scikit-learn", "AMI", family="clusters")


def test_extended_bcubed(agrees) -> None:
    rng = random.Random(5)
    for _ in range(10):
        gold = {i: set(rng.sample("abcd", rng.randint(1, 3))) for i in range(25)}
        system = {i: set(rng.sample(range(5), rng.randint(1, 3))) for i in range(25)}
        frame = pl.DataFrame(
            {"label": [sorted(c) for c in gold.values()], "cluster_id": [sorted(c) for c in system.values()]}
        )
        actual = ir.Clusters(frame).evaluate("BCubedP BCubedR").summary()["value"].to_list()
        assert actual == [pytest.approx(bcubed.precision(system, gold)), pytest.approx(bcubed.recall(system, gold))]
    agrees("bcubed", "BCubedP", "BCubedR", family="clusters")
