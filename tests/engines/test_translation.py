"""Expressions mean on every engine what the same words mean in Polars itself."""

from __future__ import annotations

import math
import re
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ireval_frames import expr
from ireval_frames.engines.spark.expressions import SparkDialect
from ireval_frames.engines.sql.expressions import SQLDialect, sql
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col
from ireval_frames.ratios import ratio
from tests.planner.engines import EVERY, Opened

ROWS = pl.DataFrame(
    {
        "i": [1, 2, 3, 4, 5, 6, 7],
        "k": ["a", "a", "b", None, "b", "b", "a"],
        "x": [0.5, -2.0, None, 4.0, 0.0, 1e-300, 7.25],
        "y": [1.0, 3.0, 2.0, None, 2.5, 4.0, 0.1],
        "n": [1, 5, None, 7, 2, 2, 9],
        "s": ["one", "t'wo", None, 'th"ree', "", "a\nb", "x y"],
        "b": [True, False, None, True, False, True, True],
        "v": [[1.0, 2.0], [3.0], None, [4.0, 5.0, 6.0], [7.0], [8.0, 9.0], [1.5, 2.5]],
    }
)


def each(m: Any) -> list[Any]:
    x, y, n, k, s, b, v = (m.col(c) for c in "xynksbv")
    return [
        x + y,
        x - y - 1.0,
        x - (y - 1.0),
        x * y / 2.0,
        x / (y * 2.0),
        (x + y) * (x - y),
        1 - x,
        2.0 / y,
        -x * -2.0,
        3 - n,
        n + 1,
        n * 2.5,
        n / 2,
        n % 3,
        n // 2.0,
        y**2,
        2.0**y,
        y**0.5,
        x > y,
        x >= 1,
        x < 0.5,
        x <= 1e-300,
        x == 4.0,
        n != 2,
        (x > 0) & (y > 1) | b,
        ~(x > 0) & ~b,
        ~((x > 0) | b),
        x.is_null(),
        ~x.is_null(),
        (x > 0).is_null(),
        x.is_nan(),
        x.is_finite(),
        x.fill_null(0.0),
        n.fill_null(3),
        s.fill_null("it's"),
        x.fill_null(y),
        m.when(x > 0).then(x).otherwise(0.0),
        m.when(x > 0, y > 1).then(1.0),
        m.when(b).then(x).otherwise(y),
        m.when(x > 0).then(m.lit(None, dtype=pl.Float64)).otherwise(y),
        m.when(s == "t'wo").then(1.0).otherwise(2.0),
        x.abs(),
        y.exp(),
        y.floor(),
        y.round(1),
        y.round(0),
        (n / 2).round(0),
        (x * 0.5).round(2),
        n.round(0),
        y.log(2),
        y.log(),
        x.abs().log(10.0),
        y.sqrt(),
        x.clip(0.0, 1.0),
        x.clip(lower_bound=0.1),
        x.clip(upper_bound=0.1),
        y.is_between(1.0, 3.0),
        n.is_in([2, 7]),
        n.is_in([]),
        s.is_in(["t'wo", 'th"ree', "a\nb"]),
        n.cast(pl.Float64) / 3.0,
        n.cast(pl.String),
        b.cast(pl.Int64),
        x.cast(pl.Float32).cast(pl.Float64),
        y.cast(pl.Int64),
        x.cast(pl.Int64),
        (n / -2).cast(pl.Int64),
        (x * 0.5).fill_null(1.75).cast(pl.Int32),
        m.when(x > 0).then(y).otherwise(n).cast(pl.Int64),
        (x > 0).cast(pl.Int64),
        n.cast(pl.String).cast(pl.Int64),
        m.lit(2.5).cast(pl.Int64),
        n // (n - 2),
        n % (n - 2),
        y // (y - 3.0),
        m.max_horizontal(x),
        m.sum_horizontal(x, y),
        m.mean_horizontal(x, y, n),
        m.max_horizontal(x, y),
        m.min_horizontal(x, y),
        m.all_horizontal(m.any_horizontal(x > 1, y > 1), x < y),
        m.any_horizontal(m.all_horizontal(x > 1, y > 1), x < y),
        m.coalesce(x, y),
        m.lit(1.5),
        m.lit(1e-200) * y,
        m.lit("it's"),
        m.concat_str(m.lit("a"), s),
        m.concat_str(k, s, separator="-"),
        m.concat_str(k, s, separator="'", ignore_nulls=True),
        s.str.contains("^t"),
        s.str.starts_with("t"),
        s.str.len_chars(),
        m.concat_str(s, m.lit("é👩‍🔬\u0301")).str.len_chars(),
        s.str.slice(1),
        s.str.slice(0, 2),
        s.str.slice(1, 1),
        s.str.replace_all("[aeiou]+", "<${0}>"),
        s.str.replace_all(r"(^|[^\p{L}\p{N}])([a-z])([^\p{L}]|\z)", "${1}${2}${2}${3}"),
        s.str.replace_all(r"[\x21-\x2F\s]", ""),
        s.str.replace_all("t'", "$1", literal=True),
        s.str.replace_all("o", "'", literal=True),
        s.str.split(" ").list.len(),
        s.str.split(".").list.get(0),
        s.str.strip_chars("oxy"),
        m.concat_str(m.lit(" "), s, m.lit("  ")).str.strip_chars(" "),
        v.list.len(),
        v.list.get(0),
        x.sum().over("k"),
        x.mean().over("k"),
        x.max().over("k"),
        y.min().over("k") + 1.0,
        x.count().over("k"),
        m.len().over("k"),
        y.cum_sum().over("k", order_by="i"),
        y.cum_sum(reverse=True).over("k", order_by="i"),
        x.cum_sum().over("k", order_by="i"),
        y.cum_prod().over("k", order_by=["y", "i"]),
        y.cum_count().over("k", order_by="i"),
        y.cum_count(reverse=True).over(order_by=["y", "i"]),
        y.shift(1).over("k", order_by="i"),
        y.shift(1).over("k", order_by="i").fill_null(1.0),
        y.shift(-1).over("k", order_by="i"),
        (y - 1.0).cum_sum().over(order_by="i"),
        y.rank("average").over("k"),
        y.rank("min", descending=True).over("k"),
        n.rank("dense"),
        n.rank("max").over("k"),
        y.cum_max().over("k", order_by="i"),
        (x - x.mean()) / 2.0,
        y.sum(),
        n.max() + 1,
    ]


# Quotients and logarithms where a condition says what they are of.
def defined(m: Any) -> list[Any]:
    x, y, n = (m.col(c) for c in "xyn")
    return [
        m.when(x != 0).then(y / x),
        m.when(x == 0).then(-1.0).otherwise(y / x),
        m.when(x > 0).then(1 - y / x * 2.0).otherwise(x),
        m.when(x <= 0).then(-1.0).otherwise(x.log(2) + y / x),
        m.when(x >= 0.5).then(y / x),
        m.when((x < 0) & (y != 0)).then(n / x / y),
        m.when((x == 0) | (y == 0)).then(0.0).otherwise(n / x / y),
        m.when(~(x == 0)).then((n / x).abs()),
        m.when(x + 2.0 != 0).then(m.when(x > 0).then(y / x * (y / (x + 2.0))).otherwise(y / (x + 2.0))),
        m.when(x > 0).then(x.log()).otherwise(0.0),
        y / m.when(x != 0).then(x).otherwise(1.0),
    ]


# The same where no condition says it, or one says it of other rows.
def undefined(m: Any) -> list[Any]:
    x, y = (m.col(c) for c in "xy")
    return [
        y / x,
        m.when(x == 0).then(y / x),
        m.when(x <= 0).then(y / x),
        m.when(x >= 0).then(y / x),
        m.when(x > -1).then(y / x),
        m.when((x != 0) | (y > 0)).then(y / x),
        m.when(x != 0).then(-1.0).otherwise(y / x),
        m.when(y != 0).then(y / x),
        m.when(x != 0).then((y / x).max().over("k")),
        m.when(x != 0).then((y / x).max().over("k") + y / x),
        m.when(x != 0).then(1.0 / (y / x)),
        m.when(x != 0).then(x.log()),
        y / m.when(x != 0).then(x).otherwise(0.0),
        y / m.when(x >= 0).then(x).otherwise(1.0),
    ]


def together(m: Any) -> list[Any]:
    x, y, n, b = (m.col(c) for c in "xynb")
    return [
        x.sum(),
        x.mean(),
        x.max(),
        y.min(),
        x.count(),
        m.len(),
        n.n_unique(),
        b.any(),
        b.all(),
        x.null_count(),
        (y > 1).any(),
        y.std(),
        y.median(),
        (x * y).sum() / y.sum(),
    ]


def check(actual: pl.DataFrame, expected: pl.DataFrame) -> None:
    types = {c: pl.Float64 for c, t in expected.schema.items() if t.is_numeric()}
    assert_frame_equal(actual.cast(types), expected.cast(types), check_dtypes=False, rel_tol=1e-14, abs_tol=0)


@pytest.mark.parametrize("engine", EVERY)
def test_row_by_row(engine) -> None:
    opened = Opened(engine).engine
    frame = opened.from_polars(ROWS)
    columns = {f"e{i}": e for i, e in enumerate([*each(expr), *defined(expr), *undefined(expr)])}
    actual = opened.collect(frame.with_columns(**columns)).sort("i").select(*columns)
    check(
        actual,
        ROWS.with_columns(**dict(zip(columns, [*each(pl), *defined(pl), *undefined(pl)], strict=True)))
        .sort("i")
        .select(*columns),
    )


@pytest.mark.parametrize("engine", EVERY)
def test_a_ratio_is_null_where_there_is_nothing_to_divide_by(engine: str) -> None:
    opened, (x, y) = Opened(engine), (col("x"), col("y"))
    frame = opened.frame(pl.DataFrame({"x": [0.0, -0.0, None, -2.0, math.inf], "y": [1.0, 2.0, 3.0, 1.0, 0.5]}))
    actual = opened.collect(frame.select("y", of=ratio(y, x), by=ratio(y, 2.0), sum=1.0 - ratio(y, x) * 2.0))
    assert actual.sort("y", "by", "of", nulls_last=True).rows() == [
        (0.5, 0.0, 0.25, 1.0), (1.0, -0.5, 0.5, 2.0), (1.0, None, 0.5, None), (2.0, None, 1.0, None),
        (3.0, None, 1.5, None),
    ]  # fmt: skip


@pytest.mark.parametrize("engine", EVERY)
def test_all_rows_together(engine) -> None:
    opened = Opened(engine).engine
    columns = {f"e{i}": e for i, e in enumerate(together(expr))}
    actual = opened.collect(opened.from_polars(ROWS).select(**columns))
    check(actual, ROWS.select(**dict(zip(columns, together(pl), strict=True))))


@pytest.mark.parametrize("engine", EVERY)
def test_outside_of_their_domain(engine: str) -> None:
    """Polars' answers, where DuckDB raises errors, and Spark errors or nulls."""
    x = col("x")
    opened = Opened(engine)
    frame = opened.frame(pl.DataFrame({"x": [-1.0, 0.0, None]}))
    actual = opened.collect(frame.select("x", a=x.log(2.0), b=x.sqrt(), c=3.0 / x, d=x / x, e=x.floor() // x, f=-1 / x))
    actual = actual.sort("x", nulls_last=True)
    inf, nan = math.inf, math.nan
    for column, expected in {
        "a": [nan, -inf],
        "b": [nan, 0.0],
        "c": [-3.0, inf],
        "d": [1.0, nan],
        "f": [1.0, -inf],
    }.items():
        assert actual[column][2] is None
        assert list(map(repr, actual[column].to_list()[:2])) == list(map(repr, expected)), column


@pytest.mark.parametrize(
    "expr, what",
    [
        (col("s").str.slice(-1), "str.slice from -1"),
        (col("x").var(ddof=2), "var with ddof=2"),
        (col("x").quantile(0.5, "nearest"), "quantile with interpolation='nearest'"),
        (col("x").std().over("k"), "std over a window"),
    ],
)
@pytest.mark.parametrize("name, dialect", [("DuckDB", SQLDialect), ("Spark", SparkDialect)])
def test_operations_without_sql_text_are_refused(expr: Expr, what: str, name: str, dialect: type[SQLDialect]) -> None:
    with pytest.raises(NotDefined, match=re.escape(f"{what} cannot be written in {name}'s SQL")):
        sql(expr, dialect)


@pytest.mark.parametrize("expr", undefined(expr))
def test_spark_guards_division_by_zero(expr: Expr) -> None:
    assert "inf" in sql(expr, SparkDialect)
