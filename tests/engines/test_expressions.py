"""Properties of expressions: keys, columns, texts, and errors."""

from __future__ import annotations

import pickle

import narwhals as plain
import narwhals.stable.v2 as nw
import polars as pl
import pytest

from ireval_frames import expr
from ireval_frames.errors import InvalidParameter, WrongType
from ireval_frames.expr import Expr, col, lit, max_horizontal, when

x, y = col("x"), col("y")

# Pairwise different expressions.
DIFFERENT = [
    x,
    y,
    lit(1),
    lit(1.0),
    lit("1"),
    lit(value=True),
    lit(None),
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
    lit(2.0) ** x,
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
    x.cast(pl.Float64),
    x.cast(pl.Int64),
    x.alias("z"),
    x.sum().over("y"),
    x.sum().over("z"),
    x.sum().over("y", "z"),
    x.cum_sum().over("y", order_by=["z"]),
    x.cum_sum().over("y", order_by=["x"]),
    when(x > 1).then(y),
    when(x > 1).then(y).otherwise(0.0),
    when(x > 1).then(y).otherwise(0),
    when(x > 2).then(y),
    expr.len(),
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
    keys = [e.key for e in DIFFERENT]
    doubles = [(a, b) for i, a in enumerate(keys) for b in keys[:i] if a == b]
    assert not doubles


@pytest.mark.parametrize(
    "make",
    [
        lambda: when(col("a") >= 1.5).then(col("b").cum_sum().over("u", order_by=["r"]) / 2.0).otherwise(lit("1")),
        lambda: (col("a") > 1) & ~col("b").is_null(),
        lambda: lit(2.0) ** col("a").log(2) - 1.0,
    ],
)
def test_equal_expressions_share_a_key(make: object) -> None:
    assert make().key == make().key


def test_columns() -> None:
    assert (x + y * 2).columns == {"x", "y"}
    assert (lit("x")).columns == set()
    assert (when(x > 1).then(y).otherwise(col("z"))).columns == {"x", "y", "z"}
    assert (x.sum().over("u", "v")).columns == {"x", "u", "v"}
    assert (x.cum_sum().over("u", order_by=["r", "s"])).columns == {"x", "u", "r", "s"}
    assert ((x / col("n")).max().over("u") - expr.len()).columns == {"x", "n", "u"}
    assert (x.fill_null(y)).columns == {"x", "y"}
    assert (max_horizontal("x", "y")).columns == {"x", "y"}


def test_plain_columns() -> None:
    assert x.is_column
    assert x.name == "x"
    for other in (x + 0, x.alias("z"), lit("x"), x.cast(pl.Float64), x.sum()):
        assert not other.is_column


@pytest.mark.parametrize(
    "expr, text",
    [
        (x / (y + 1.0), "(x / (y + 1))"),
        (1.0 - x, "(1 - x)"),
        (when(x >= 1.0).then(y).otherwise(0.0), "(y if (x ≥ 1) else 0)"),
        (x.cum_sum().over("u", order_by=["r"]), "x.cum_sum() over (u by r)"),
        (lit("1"), "'1'"),
    ],
)
def test_repr(expr: Expr, text: str) -> None:
    assert repr(expr) == text


def test_an_expression_is_a_value() -> None:
    expression = when(x > 1).then(y.sum().over("u")).otherwise(0.0)
    assert pickle.loads(pickle.dumps(expression)).key == expression.key
    with pytest.raises(AttributeError, match="do not change"):
        expression.op = "add"
    with pytest.raises(TypeError, match=r"\(x > 1\) is true or false in each row: combine conditions with &"):
        bool(x > 1)
    with pytest.raises(InvalidParameter, match=r"looks at one row(.|\n)*col\(…\)\.sum\(\)\.over"):
        (x + 1).over("u")


@pytest.mark.parametrize(
    "other, tool", [(pl.col("z"), "Polars"), (nw.col("z"), "Narwhals"), (plain.col("z"), "Narwhals")]
)
def test_expressions_of_other_libraries_are_refused(other: object, tool: str) -> None:
    with pytest.raises(WrongType, match=f"is an expression of {tool}(.|\n)*from ireval_frames.expr import col"):
        x + other
