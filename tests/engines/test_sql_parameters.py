"""Values that are written as parameters: what is computed of them is written, and looks at them are noted."""

from __future__ import annotations

import math

import pytest

from ireval_frames.engines.sql_expressions import sql
from ireval_frames.engines.sql_parameters import Looks, marked, spoken
from ireval_frames.expr import col, lit

RANK = col("rank")


def test_they_are_written_by_their_names() -> None:
    looked_at: set[str] = set()
    k, p = marked(10, "k", looked_at), marked(0.8, "p", looked_at)
    assert sql(k >= RANK) == "rank <= k"
    assert sql(RANK * (1 - p) ** 2 / k) == "rank * pow((1 - p), 2) / k"
    assert sql(lit(k * 1.0)) == "(k * 1e0)"
    assert sql(marked(10, "k", looked_at, "coalesce(k, 5)") > RANK) == "rank < coalesce(k, 5)"
    assert (1 - p, k * 2) == pytest.approx((0.2, 20))
    assert (k >= RANK).key != (marked(10, "other", looked_at) >= RANK).key


@pytest.mark.parametrize(
    "look",
    [lambda v: v > 3, lambda v: v == 3, bool, lambda v: v in (1, 2), lambda v: v - 1 < 0],
)
def test_looks_are_noted(look: object) -> None:
    looked_at: set[str] = set()
    value = marked(0.5, "p", looked_at)
    _ = value is None, str(value), hash(value), value == value  # noqa: PLR0124
    assert looked_at == set()
    look(value)  # type: ignore[operator]
    assert looked_at == {"p"}


def test_what_loses_the_name_is_a_number() -> None:
    """A text then differs from value to value, which is how it is found."""
    value = marked(10, "k", set())
    assert sql(lit(float(value))) == "10e0"
    assert sql(lit(math.log(value))) == f"{math.log(10)!r}e0"


def test_orders_are_conditions() -> None:
    """Where they are kept, an order of values is no look: the plan holds for all values that fulfil it."""
    looks = Looks()
    low, high = marked(1.0, "low", looks), marked(4.0, "high", looks)
    assert low < high
    assert not high <= 2
    assert (set(looks), list(looks.conditions)) == (set(), ["low < high", "high > 2"])
    assert low != 3.0
    assert set(looks) == {"low"}


def test_messages_hold_what_is_given_later() -> None:
    looks = Looks()
    grade, name = marked(4.0, "grade", looks), marked("yes", "name", looks)
    assert f"{grade:g} {name!r}" == "4 'yes'"
    with spoken(lambda sql: f"<{sql}>"):
        assert f"{grade:g} {name} {name!r} {grade + 1.0}" == "<grade> <name> '<name>' <(grade + 1e0)>"
    assert not looks
