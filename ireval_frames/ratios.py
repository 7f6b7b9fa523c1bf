"""Ratios under the policy for what is undefined, and flags as numbers."""

from __future__ import annotations

from collections.abc import Callable

import narwhals.stable.v2 as nw

Ratio = Callable[[nw.Expr, nw.Expr], nw.Expr]
# Powers of two beyond this are infinite.
LARGEST = 1000


def ratio_of(undefined: float | None) -> Ratio:
    """A ratio that is what the policy says where its denominator is 0: undefined (None), or the number."""

    def ratio(numerator: nw.Expr, denominator: nw.Expr) -> nw.Expr:
        value = nw.when(denominator != 0).then(numerator / denominator)
        return (
            value
            if undefined is None
            else nw.when(denominator != 0).then(numerator / denominator).otherwise(float(undefined))
        )

    return ratio


def constant_of(undefined: float | None) -> nw.Expr:
    """What the policy says of a value that is not defined."""
    return nw.lit(None, dtype=nw.Float64) if undefined is None else nw.lit(float(undefined))


def power_of_two(total: nw.Expr) -> nw.Expr:
    """A power of two by which a total becomes a number near 1; products of parts so scaled stay within floats.

    Multiplying by it changes no digit.  The logarithm's last digit may differ between engines, the ratio does not.
    """
    exponent = -(total.log(2).floor())
    return nw.when(total > 0).then(nw.lit(2.0) ** nw.when(exponent > LARGEST).then(float(LARGEST)).otherwise(exponent))


def indicator(condition: nw.Expr) -> nw.Expr:
    """1 where the condition holds, else 0."""
    return nw.when(condition).then(1.0).otherwise(0.0)
