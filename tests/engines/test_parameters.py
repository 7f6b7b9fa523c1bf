"""Parameters of SQL text: expressions of them are written with their names, and uses of their values are recorded."""

from __future__ import annotations

import math

import pytest

from ireval_frames.engines.sql.expressions import sql
from ireval_frames.expr import col, lit
from ireval_frames.expr.functions import param
from ireval_frames.expr.parameter import Looks, recorded, written_by

RANK = col("rank")


def test_they_are_written_by_their_names() -> None:
    k, p = param("k", 10), param("p", 0.8)
    assert sql(k >= RANK) == "k >= rank"
    assert sql(RANK * (1 - p) ** 2 / k) == "rank * pow(1 - p, 2) / k"
    assert sql(lit(k * 1.0)) == "k * 1e0"
    assert sql(param("k", 10, "coalesce(k, 5)") > RANK) == "coalesce(k, 5) > rank"
    assert (float(1 - p), int(k * 2)) == pytest.approx((0.2, 20))
    assert (k >= RANK).key != (param("other", 10) >= RANK).key


@pytest.mark.parametrize("look", [lambda v: v == 3, bool, lambda v: v in (1, 2), lambda v: v - 1 != 0])
def test_looks_are_recorded(look: object) -> None:
    value, looks = param("p", 0.5), Looks()
    with recorded(looks):
        _ = value is None, str(value), hash(value), bool(value == value)  # noqa: PLR0124
        assert not looks.names
        bool(look(value))  # type: ignore[operator]
    assert looks.names == {"p"}


def test_what_loses_the_name_is_a_number() -> None:
    """The text then differs between values, by which it is detected."""
    value = param("k", 10)
    assert sql(lit(float(value))) == "10e0"
    assert sql(lit(math.log(value))) == f"{math.log(10)!r}e0"
    assert (list(range(param("k", 2))), round(param("p", 0.75), 1), abs(param("p", -0.5))) == ([0, 1], 0.8, 0.5)


def test_orders_are_conditions() -> None:
    """Comparing values is no use of them: the plan holds for all values that satisfy the condition."""
    low, high, looks = param("low", 1.0), param("high", 4.0), Looks()
    with recorded(looks):
        assert low < high
        assert not high <= 2
        assert (looks.names, list(map(sql, looks.conditions.values()))) == (set(), ["low < high", "high > 2"])
        assert low != 3.0
    assert looks.names == {"low"}


def test_messages_with_parameters() -> None:
    grade, looks = param("grade", 4.0), Looks()
    with recorded(looks):
        assert f"{grade:g} {grade!r}" == "4 4.0"
        with written_by(lambda expr: f"<{sql(expr)}>"):
            assert f"{grade:g} {grade} {grade + 1.0}" == "<grade> <grade> <grade + 1e0>"
    assert looks == Looks()


def test_columns_have_no_value() -> None:
    with pytest.raises(TypeError, match="rank has a value in each row"):
        float(RANK)
    with pytest.raises(TypeError, match="is true or false in each row"):
        bool(param("k", 3) > RANK)
