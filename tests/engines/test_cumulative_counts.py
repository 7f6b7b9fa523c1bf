"""Counts at and above the distinct values of a column, against a plain loop."""

from __future__ import annotations

import itertools
import random

import duckdb
import polars as pl
import pytest

from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.engines.polars import cumulative
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.expr import col

COLUMNS = ("positives", "negatives", "cum_positives", "cum_negatives")


def rows(values: int, groups: int) -> pl.DataFrame:
    rng = random.Random(values)

    def score() -> float:
        return rng.choice((0.0, -0.0)) if rng.random() < 0.05 else rng.randrange(values) / 7

    values_by_row = [
        (f"g{rng.randrange(groups)}", score(), rng.choice((1, 0, None)), rng.choice((0.5, 2.0))) for _ in range(300)
    ]
    return pl.DataFrame(
        values_by_row,
        schema={"group": pl.String, "score": pl.Float64, "label": pl.Int64, "weight": pl.Float64},
        orient="row",
    )


def plain_loop(frame: pl.DataFrame, *, keyed: bool, weighted: bool) -> dict[tuple, tuple[float, ...]]:
    out = {}
    for group in sorted(set(frame["group"])) if keyed else [None]:
        own = [r for r in frame.iter_rows() if group is None or r[0] == group]
        sums = [0.0, 0.0]
        for score, equal in itertools.groupby(sorted(own, key=lambda r: -r[1]), key=lambda r: r[1]):
            here = [0.0, 0.0]
            for _, _, label, weight in equal:
                here[label != 1] += weight if weighted else 1.0
            sums = [a + b for a, b in zip(sums, here, strict=True)]
            out[(group, score) if keyed else (score,)] = (*here, *sums)
    return out


@pytest.mark.parametrize("engine", ["polars by groups", "polars by sorting", "duckdb"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("values", [3, 400, 10**12])
def test_equals_a_plain_loop(
    values: int, engine: str, monkeypatch: pytest.MonkeyPatch, *, keyed: bool, weighted: bool
) -> None:
    frame = rows(values, 5)
    monkeypatch.setattr(cumulative, "mostly_distinct", lambda *_: engine.endswith("sorting"))
    weight = col("weight") if weighted else None
    keys = ("group",) if keyed else ()
    if engine.startswith("polars"):
        counts = PolarsEngine().cumulative_counts(
            PolarsEngine().from_polars(frame), keys, "score", col("label") == 1, weight
        )
        actual = counts.to_native().collect()
        assert actual.sort(*keys, "score", descending=[False] * len(keys) + [True]).equals(actual) or keyed
    else:
        with duckdb.connect() as con:
            engine_ = DuckDBEngine(con)
            counts = engine_.cumulative_counts(engine_.from_polars(frame), keys, "score", col("label") == 1, weight)
            actual = engine_.collect(counts)
    expected = plain_loop(frame, keyed=keyed, weighted=weighted)
    assert {
        tuple(r[: len(keys) + 1]): r[len(keys) + 1 :] for r in actual.select(*keys, "score", *COLUMNS).iter_rows()
    } == expected
    assert actual.height == len(expected)


def test_few_distinct_values_or_many() -> None:
    numbers = pl.DataFrame(
        {"group": pl.int_range(100_000, eager=True) % 7, "score": pl.int_range(100_000, eager=True) / 3}
    )
    assert cumulative.mostly_distinct(numbers, ["score"])
    assert cumulative.mostly_distinct(numbers, ["group", "score"])
    assert not cumulative.mostly_distinct(numbers, ["group"])
    assert not cumulative.mostly_distinct(numbers.with_columns(pl.col("score") // 10_000), ["group", "score"])


def test_an_empty_frame() -> None:
    counts = PolarsEngine().cumulative_counts(
        PolarsEngine().from_polars(rows(3, 2).clear()), (), "score", col("label") == 1, None
    )
    assert counts.to_native().collect().shape == (0, 5)
