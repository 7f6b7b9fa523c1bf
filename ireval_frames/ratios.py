"""Ratios and flags as expressions: one meaning for each word, in all families."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, and_, mul

import polars as pl

from ireval_frames.expr import Expr, lit, when

# The policy by which a value without a denominator makes all values undefined that depend on it.
PROPAGATE = "propagate"
Undefined = float | str | None
Ratio = Callable[[Expr, Expr], Expr]
# Powers of two beyond this are infinite.
LARGEST = 1000


def ratio(numerator: Expr | float, denominator: Expr | float) -> Expr:
    """Null where the denominator is 0."""
    return Expr("ratio", tuple(of if isinstance(of, Expr) else lit(float(of)) for of in (numerator, denominator)))


def ratio_of(undefined: Undefined) -> Ratio:
    """A ratio, and the policy's value where its denominator is 0: undefined (None, "propagate"), or the number."""
    if undefined is None or undefined == PROPAGATE:
        return ratio

    def ratio_or_number(numerator: Expr, denominator: Expr) -> Expr:
        return when(denominator != 0).then(ratio(numerator, denominator)).otherwise(float(undefined))

    return ratio_or_number


def share(part: Expr, total: Expr) -> Expr:
    """A share of a total that is below 0 by rounding only; null where the total is 0."""
    return when(total > 0).then(ratio(part, total))


def constant_of(undefined: Undefined) -> Expr:
    """The policy's number for an undefined value."""
    nothing = undefined is None or undefined == PROPAGATE
    return lit(None, dtype=pl.Float64) if nothing else lit(float(undefined or 0))


def harmonic(values: Sequence[Expr], weights: Sequence[float]) -> Expr:
    """The weighted harmonic mean: 0 where a value is 0, undefined where one is."""
    if len(values) == 1:
        return values[0]
    # An undefined value makes the product undefined, and with it all.
    known = ~reduce(mul, values).is_null()
    below = reduce(add, [w / when(v != 0).then(v).otherwise(1.0) for v, w in zip(values, weights, strict=True)])
    none_zero = reduce(and_, [v != 0 for v in values])
    return when(known).then(when(none_zero).then(sum(weights) / below).otherwise(0.0))


def power_of_two(total: Expr) -> Expr:
    """A power of two by which a total becomes a number near 1; products of parts so scaled stay within floats.

    Multiplying by it changes no digit.  The logarithm's last digit may differ between engines, the ratio does not.
    """
    exponent = -(total.log(2).floor())
    return when(total > 0).then(lit(2.0) ** when(exponent > LARGEST).then(float(LARGEST)).otherwise(exponent))


def indicator(condition: Expr) -> Expr:
    """1 where the condition holds, else 0."""
    return when(condition).then(1.0).otherwise(0.0)
