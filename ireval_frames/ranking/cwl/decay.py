"""Weights that fall with the rank alone: at a rank, over all ranks after one, and over all ranks.

Sums of weights over ranks that hold no judged document need no rows: they have closed forms.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ireval_frames.expr import Expr, lit
from ireval_frames.kernels import browsing

Number = TypeVar("Number", float, Expr)
Column = Callable[[Expr], Expr]

# The Bernoulli numbers B2, B4 … B14 of the asymptotic series, which start ten steps up: the error is below 1e-16.
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
STEPS = 10


def trigamma(x: Number, column: Callable[[Number], Number] = lambda value: value) -> Number:
    """The sum of 1 / (x + i)² over i = 0, 1, 2 …, for a positive number or column.

    `column` makes a column of an expression that is used several times.
    """
    x = column(x)
    step = column(1.0 / (x + float(STEPS)))
    square = column(step * step)
    series = square * BERNOULLI[-1]
    for number in BERNOULLI[-2::-1]:
        series = (series + number) * square
    out = (1.0 + 0.5 * step + series) * step
    for i in range(STEPS):
        out = out + 1.0 / ((x + float(i)) * (x + float(i)))
    return out


def digamma(x: Number, column: Callable[[Number], Number] = lambda value: value) -> Number:
    """The logarithmic derivative of the gamma function: differences of it are sums of 1 / (x + i)."""
    x = column(x)
    end = column(x + float(STEPS))
    square = column(1.0 / (end * end))
    parts = [number / (2 * order) for order, number in enumerate(BERNOULLI, start=1)]
    series = square * parts[-1]
    for part in parts[-2::-1]:
        series = (series + part) * square
    out = (math.log(end) if isinstance(end, float) else end.log()) - 0.5 / end - series
    for i in range(STEPS):
        out = out - 1.0 / (x + float(i))
    return out


@dataclass(frozen=True)
class Decay:
    """The weight of each rank down to `last` (None is without end).

    That of rank 1 is 1, and `total` is the sum of all.
    """

    last: int | None
    total: float
    at: Callable[[Expr], Expr]
    """A rank's weight."""


@dataclass(frozen=True)
class Summed(Decay):
    """Weights whose sum has a closed form from any rank on."""

    after: Callable[[Expr, Column], Expr]
    """The sum of the weights after a rank of at most `last`; the second argument makes a column of an expression."""


def even(last: int) -> Summed:
    """1 down to `last`."""
    return Summed(last, last * 1.0, lambda rank: 0.0 * rank + 1.0, lambda rank, _: last * 1.0 - rank)


def geometric(p: float, last: int | None) -> Summed:
    """p^(i−1)."""
    end = 0.0 if last is None else p**last
    total = (1.0 if last is None else -math.expm1(last * math.log(p))) / (1.0 - p)
    return Summed(
        last, total, lambda rank: browsing.geometric(rank, p), lambda rank, _: (lit(p) ** rank - end) / (1.0 - p)
    )


def inverse_square(a: float, last: int | None) -> Summed:
    """(a / (i+a−1))²."""
    end = 0.0 if last is None else trigamma(last + a)
    return Summed(
        last,
        a * a * (trigamma(a) - end),
        lambda rank: (a / (rank - 1.0 + a)) * (a / (rank - 1.0 + a)),
        lambda rank, column: a * a * (trigamma(rank + a, column) - end),
    )


def harmonic(last: int) -> Summed:
    """1/i."""
    end = digamma(last + 1.0)
    return Summed(last, end - digamma(1.0), browsing.reciprocal, lambda rank, column: end - digamma(rank + 1.0, column))


@functools.cache
def logarithmic(last: int) -> Decay:
    """1 / log2(i+1)."""
    return Decay(last, math.fsum(1.0 / math.log2(i + 1) for i in range(1, last + 1)), browsing.logarithmic)


@functools.cache
def linear(length: float, last: int | None) -> Decay:
    """1 − (i−1)/length, as long as it is positive."""
    end = math.ceil(length) if last is None else min(last, math.ceil(length))
    return Decay(end, end - end * (end - 1) / (2 * length), lambda rank: 1.0 - (rank - 1.0) / length)
