"""Sums of floats in groups are rounded once, whatever the order of rows."""

from __future__ import annotations

import math
import random

import polars as pl
import pytest

from ireval_frames.engines.base import Aggregate, How
from ireval_frames.engines.polars import exact_sums
from ireval_frames.expr import col

NAN, INF = math.nan, math.inf


def groups(rows: pl.DataFrame, how: How = "sum", keys: tuple[str, ...] = ("run_id", "label")) -> pl.DataFrame | None:
    plan = exact_sums.group(rows, keys, [Aggregate("n", "count", col("n")), Aggregate("value", how, col("value"))])
    return None if plan is None else plan.collect(engine="streaming")


@pytest.mark.parametrize("how", ["sum", "mean"])
def test_any_order_gives_the_exact_sum(how: How) -> None:
    draws = random.Random(1)
    terms = [
        (draws.choice("ab"), draws.choice([1, None]), draws.gauss(0, 1) * 10 ** draws.randint(-3, 3))
        for _ in range(3000)
    ]
    terms += [("c", 1, None), ("c", 1, 0.0), ("d", 2, None), ("e", 2, 0.1), ("e", 2, -0.1)]
    for seed in range(3):
        random.Random(seed).shuffle(terms)
        table = groups(pl.DataFrame(terms, schema=["run_id", "label", "value"], orient="row"), how)
        of: dict[tuple[str, int | None], list[float]] = {}
        for run, label, value in terms:
            of.setdefault((run, label), []).extend([] if value is None else [value])
        sums = {key: math.fsum(values) for key, values in of.items()}
        means = {key: sums[key] / len(values) if values else None for key, values in of.items()}
        expected = [(*key, value) for key, value in (sums if how == "sum" else means).items()]
        assert table is not None
        assert table.select("run_id", "label", "value").rows() == expected


@pytest.mark.parametrize(
    "values, is_exact",
    [
        ([0.5, 1e-300], False),
        ([1e300, 2e300], True),
        ([1e-310, 1e-310], False),
        ([NAN, 1.0], False),
        ([0.5, INF], False),
        ([0.5, 1e12], True),
        ([2.0**60, 1.0], True),
        ([None, None], True),
        ([0.0, 0.0], True),
        ([1.0, 2.0], True),
        ([], True),
    ],
)
def test_what_can_be_added_exactly(values: list[float | None], *, is_exact: bool) -> None:
    value = pl.Series(values, dtype=pl.Float64)
    table = groups(pl.DataFrame({"run_id": ["a"] * len(values), "label": [1] * len(values), "value": value}))
    assert (table is not None) is is_exact
    if table is not None and values:
        assert table.row(0) == ("a", 1, len(values), math.fsum(v or 0.0 for v in values))
