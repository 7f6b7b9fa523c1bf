"""The lists of optimized interleaving and their probabilities, for one query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.errors import Argument, Hint, InvalidParameter

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
CREDITS = ("inverse", "negative")
# Linear programs of more lists take minutes.
MOST = 5000
# What a unit of bias costs beside what clicks tell: only what cannot be unbiased is biased.
BIAS = 1e4


@dataclass(frozen=True)
class Lottery:
    """Lists, the sums of their probabilities, and lists × rankings × places of credits."""

    lists: Whole
    cumulative: Floats
    credits: Floats


def allowed(lists: Whole, depth: int) -> Whole:
    """All lists whose every place holds the best document left of some ranking; −1 fills up what is short.

    Raises:
        InvalidParameter: there are too many.
    """
    found: list[tuple[int, ...]] = [()]
    for _ in range(depth):
        longer = []
        for prefix in found:
            free = [next((int(d) for d in one if d >= 0 and d not in prefix), -1) for one in lists]
            longer += [(*prefix, d) for d in sorted({d for d in free if d >= 0}) or [-1]]
        found = longer
        if len(found) > MOST:
            raise InvalidParameter(
                f"Optimized interleaving of {len(lists)} rankings has more than {MOST} lists of depth {depth}.",
                Hint("Take shorter ones: ", Argument("depth", 5), ", or another method: team-draft."),
            )
    return np.array(found, dtype=np.int64)


def credits_of(ranks: Whole, credit: str) -> Floats:
    """Rankings × documents: 1/rank or −rank; a document that a ranking lacks stands below its last one."""
    below = ranks.max(axis=1, keepdims=True) + 1
    place = np.where(ranks > 0, ranks, below).astype(np.float64)
    return 1.0 / place if credit == "inverse" else -place


def lottery(lists: Whole, ranks: Whole, depth: int, credit: str) -> Lottery:
    """The probabilities of the lists of one query.

    For every k, Σ_L p_L Σ_i≤k credit_r(L_i) is the same for all rankings r: who clicks at random prefers none.  Of two
    rankings, Σ p_L s_L is largest, where s_L is the entropy of who wins the click of a user who clicks at place i with
    probability ∝ 1/i; of several, the expected variance of the rankings' credits of that click is least.  Where no
    probabilities are unbiased, the sum of the absolute biases is least.
    """
    from scipy.optimize import linprog

    # Places that nothing is left for are clicked by nobody.
    places = min(depth, int((ranks > 0).any(axis=0).sum()))
    every = allowed(lists, places)
    n, worth = len(every), credits_of(ranks, credit)
    there = every >= 0
    given = np.where(there[:, None, :], worth[:, np.maximum(every, 0)].transpose(1, 0, 2), 0.0)
    biased = np.cumsum(given[:, 1:] - given[:, :1], axis=2).reshape(n, -1).T
    weights = 1.0 / np.arange(1, places + 1)
    goal = -_entropy(given, weights) if len(lists) == 2 else _variance(given, weights)
    m = len(biased)
    found = linprog(
        np.concatenate([goal, np.full(2 * m, BIAS)]),
        A_eq=np.block([[biased, np.eye(m), -np.eye(m)], [np.ones((1, n)), np.zeros((1, 2 * m))]]),
        b_eq=np.concatenate([np.zeros(m), [1.0]]),
        method="highs",
    )
    p = np.maximum(found.x[:n], 0.0)
    short = depth - places
    every = np.pad(every, ((0, 0), (0, short)), constant_values=-1)
    return Lottery(every, np.cumsum(p / p.sum()), np.pad(given, ((0, 0), (0, 0), (0, short))))


def _entropy(given: Floats, weights: Floats) -> Floats:
    """Of two rankings: how open it is who wins a click, or neither."""
    difference = given[:, 0] - given[:, 1]
    shares = np.stack([((difference * sign > 0) * weights).sum(axis=1) for sign in (1, -1)])
    shares = np.concatenate([shares, [weights.sum() - shares.sum(axis=0)]]) / weights.sum()
    return np.asarray(-(shares * np.log(np.where(shares > 0, shares, 1.0))).sum(axis=0))


def _variance(given: Floats, weights: Floats) -> Floats:
    """The variance between rankings of their expected credits."""
    expected = (given * weights).sum(axis=2) / weights.sum()
    return np.asarray(expected.var(axis=1))
