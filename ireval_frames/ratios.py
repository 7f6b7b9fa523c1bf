"""Ratios and flags as expressions: one meaning for each word, in all families."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, and_, mul

import narwhals.stable.v2 as nw

# What a policy says where a value without a denominator makes all undefined that rests on it.
PROPAGATE = "propagate"
Undefined = float | str | None
Ratio = Callable[[nw.Expr, nw.Expr], nw.Expr]
# Powers of two beyond this are infinite.
LARGEST = 1000


def ratio(numerator: nw.Expr, denominator: nw.Expr | float) -> nw.Expr:
    """Null where the denominator is 0."""
    below = denominator if isinstance(denominator, nw.Expr) else nw.lit(float(denominator))
    return nw.when(below != 0).then(numerator / below)


def ratio_of(undefined: Undefined) -> Ratio:
    """A ratio that is what the policy says where its denominator is 0: undefined (None, "propagate"), or the number."""
    if undefined is None or undefined == PROPAGATE:
        return ratio

    def ratio_or_number(numerator: nw.Expr, denominator: nw.Expr) -> nw.Expr:
        return nw.when(denominator != 0).then(numerator / denominator).otherwise(float(undefined))

    return ratio_or_number


def share(part: nw.Expr, whole: nw.Expr) -> nw.Expr:
    """A part of a whole that is never below 0 but by rounding; null where the whole is nothing."""
    return nw.when(whole > 0).then(part / whole)


def constant_of(undefined: Undefined) -> nw.Expr:
    """What the policy says of a value that is not defined."""
    nothing = undefined is None or undefined == PROPAGATE
    return nw.lit(None, dtype=nw.Float64) if nothing else nw.lit(float(undefined or 0))


def harmonic(values: Sequence[nw.Expr], weights: Sequence[float]) -> nw.Expr:
    """The weighted harmonic mean: 0 where a value is 0, undefined where one is."""
    if len(values) == 1:
        return values[0]
    # An undefined value makes the product undefined, and with it all.
    known = ~reduce(mul, values).is_null()
    below = reduce(add, [w / nw.when(v != 0).then(v).otherwise(1.0) for v, w in zip(values, weights, strict=True)])
    none_zero = reduce(and_, [v != 0 for v in values])
    return nw.when(known).then(nw.when(none_zero).then(sum(weights) / below).otherwise(0.0))


def power_of_two(total: nw.Expr) -> nw.Expr:
    """A power of two by which a total becomes a number near 1; products of parts so scaled stay within floats.

    Multiplying by it changes no digit.  The logarithm's last digit may differ between engines, the ratio does not.
    """
    exponent = -(total.log(2).floor())
    return nw.when(total > 0).then(nw.lit(2.0) ** nw.when(exponent > LARGEST).then(float(LARGEST)).otherwise(exponent))


def indicator(condition: nw.Expr) -> nw.Expr:
    """1 where the condition holds, else 0."""
    return nw.when(condition).then(1.0).otherwise(0.0)
