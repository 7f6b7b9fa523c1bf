"""How much two different categories agree: the weights of weighted coefficients, and the distances of alpha."""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames.expr import Expr, when
from ireval_frames.parameters import Parameter, choice

# By name, the distance of two places, and that of the ends of a scale from its smallest and its largest place.
Distance = Callable[[Expr, Expr], Expr]
SCHEMES = ("identity", "linear", "quadratic", "radical", "ordinal", "ratio")


def weights_of(default: str = "identity") -> Parameter:
    """The parameter `weights` of measures that let near categories agree in part."""
    others = [s for s in SCHEMES if s != default]
    return choice(default, *others, what="how much two categories agree that are not the same")


def distance(scheme: str, one: Expr, other: Expr) -> Expr:
    """How far two places lie apart, 0 where they are one.

    identity 1; linear |a−b|; quadratic (a−b)²; radical √|a−b|; ordinal n(n−1)/2 for the n = |a−b|+1 places from one to
    the other; ratio ((a−b)/(a+b))².
    """
    apart = (one - other).abs()
    if scheme == "identity":
        return when(apart == 0.0).then(0.0).otherwise(1.0)
    if scheme == "linear":
        return apart
    if scheme == "quadratic":
        return apart * apart
    if scheme == "radical":
        return apart.sqrt()
    if scheme == "ordinal":
        return apart * (apart + 1.0) / 2.0
    both = one + other
    share = apart / when(both != 0.0).then(both).otherwise(1.0)
    return share * share


def bipolar(one: Expr, other: Expr, low: Expr, high: Expr) -> Expr:
    """(a−b)²/((a+b−2·low)·(2·high−a−b)), which is 1 for the ends of the scale, and more near its ends than between."""
    apart, below = one - other, (one + other - 2.0 * low) * (2.0 * high - one - other)
    return apart * apart / when(below > 0.0).then(below).otherwise(1.0)
