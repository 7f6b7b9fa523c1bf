"""Reciprocal ranks, whose sums fuse runs and order pools."""

from __future__ import annotations

from ireval_frames.engines.base import Aggregate
from ireval_frames.expr import Expr

# Reciprocal ranks are rounded to multiples of 2⁻⁵⁰: their sums are exact, so that equal ones are ties in every order
# of addition, and on every engine.
STEPS = 2.0**50


def reciprocal_rank(rank: Expr, k: float) -> Expr:
    """1/(k + rank), to the nearest multiple of 2⁻⁵⁰."""
    return (STEPS / (rank + float(k)) + 0.5).floor() / STEPS


def summed_reciprocal_ranks(rank: Expr, k: float) -> Aggregate:
    """The column `score` of reciprocal rank fusion (RRF): Σ 1/(k + rank).

    Source: Cormack, Clarke and Büttcher, SIGIR 2009.
    """
    return Aggregate("score", "sum", reciprocal_rank(rank, k))
