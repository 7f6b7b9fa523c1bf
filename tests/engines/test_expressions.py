"""What the planner reads from an expression; fails if Narwhals changes how it keeps them."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import pytest

from ireval_frames.engines.expressions import columns, is_column, key, name, text

x, y = nw.col("x"), nw.col("y")

# Pairwise different expressions.
DIFFERENT = [
    x,
    y,
    nw.lit(1),
    nw.lit(1.0),
    nw.lit("1"),
    nw.lit(value=True),
    nw.lit(None),
    x + 1,
    x + 1.0,
    x + y,
    y + x,
    1 + x,
    x - 1,
    1 - x,
    x * 2,
    x / 2,
    2 / x,
    x**2,
    2**x,
    nw.lit(2.0) ** x,
    -x,
    x > 1,
    x >= 1,
    x < 1,
    x == 1,
    x != 1,
    ~(x > 1),
    (x > 1) & (y > 1),
    (x > 1) | (y > 1),
    x.sum(),
    x.mean(),
    x.max(),
    x.cum_sum(),
    x.cum_sum(reverse=True),
    x.cum_prod(),
    x.shift(1),
    x.shift(2),
    x.log(2),
    x.log(3),
    x.fill_null(0.0),
    x.fill_null(1.0),
    x.cast(nw.Float64),
    x.cast(nw.Int64),
    x.alias("z"),
    x.sum().over("y"),
    x.sum().over("z"),
    x.sum().over("y", "z"),
    x.cum_sum().over("y", order_by=["z"]),
    x.cum_sum().over("y", order_by=["x"]),
    nw.when(x > 1).then(y),
    nw.when(x > 1).then(y).otherwise(0.0),
    nw.when(x > 1).then(y).otherwise(0),
    nw.when(x > 2).then(y),
    nw.col("x", "y"),
    nw.len(),
    x.is_null(),
    x.is_nan(),
    x.clip(0, 1),
    x.clip(0, 2),
    x.floor(),
    x.is_in([1, 2]),
    x.is_in([1, 3]),
    x.is_in(["1", "2"]),
]


def test_different_expressions_have_different_keys() -> None:
    keys = [key(e) for e in DIFFERENT]
    doubles = [(a, b) for i, a in enumerate(keys) for b in keys[:i] if a == b]
    assert not doubles


@pytest.mark.parametrize(
    "make",
    [
        lambda: (
            nw.when(nw.col("a") >= 1.5)
            .then(nw.col("b").cum_sum().over("u", order_by=["r"]) / 2.0)
            .otherwise(nw.lit("1"))
        ),
        lambda: (nw.col("a") > 1) & ~nw.col("b").is_null(),
        lambda: nw.lit(2.0) ** nw.col("a").log(2) - 1.0,
    ],
)
def test_equal_expressions_share_a_key(make: object) -> None:
    assert key(make()) == key(make())


def test_columns() -> None:
    assert columns(x + y * 2) == {"x", "y"}
    assert columns(nw.lit("x")) == set()
    assert columns(nw.when(x > 1).then(y).otherwise(nw.col("z"))) == {"x", "y", "z"}
    assert columns(x.sum().over("u", "v")) == {"x", "u", "v"}
    assert columns(x.cum_sum().over("u", order_by=["r", "s"])) == {"x", "u", "r", "s"}
    assert columns((x / nw.col("n")).max().over("u") - nw.len()) == {"x", "n", "u"}
    assert columns(x.fill_null(y)) == {"x", "y"}
    assert columns(nw.max_horizontal("x", "y")) == {"x", "y"}


def test_plain_columns() -> None:
    assert is_column(x)
    assert name(x) == "x"
    for other in (x + 0, x.alias("z"), nw.col("x", "y"), nw.lit("x"), x.cast(nw.Float64), x.sum()):
        assert not is_column(other)


@pytest.mark.parametrize(
    "expr, written",
    [
        (x / (y + 1.0), "(x / (y + 1))"),
        (1.0 - x, "(1 - x)"),
        (nw.when(x >= 1.0).then(y).otherwise(0.0), "(y if (x ≥ 1) else 0)"),
        (x.cum_sum().over("u", order_by=["r"]), "x.cum_sum() over (u by r)"),
        (nw.lit("1"), "'1'"),
    ],
)
def test_written_for_readers(expr: nw.Expr, written: str) -> None:
    assert text(expr) == written
