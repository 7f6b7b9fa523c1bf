"""The lists of optimized interleaving and their probabilities, for one query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.errors import Argument, Hint, InvalidParameter

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
CREDITS = ("inverse", "negative")
# Linear programs of more lists take minutes.
MAX_LISTS = 5000
# The cost of a unit of bias relative to the information of clicks: bias remains only if it is unavoidable.
BIAS = 1e4


@dataclass(frozen=True)
class Lottery:
    """Lists, the sums of their probabilities, and credits by lists × rankings × positions."""

    lists: Integers
    cumulative: Floats
    credits: Floats


def allowed(lists: Integers, depth: int) -> Integers:
    """All lists of which every position has the best remaining document of some ranking; −1 fills short ones.

    Raises:
        InvalidParameter: there are too many.
    """
    prefixes: list[tuple[int, ...]] = [()]
    for _ in range(depth):
        extended = []
        for prefix in prefixes:
            next_documents = [next((int(d) for d in one if d >= 0 and d not in prefix), -1) for one in lists]
            extended += [(*prefix, d) for d in sorted({d for d in next_documents if d >= 0}) or [-1]]
        prefixes = extended
        if len(prefixes) > MAX_LISTS:
            raise InvalidParameter(
                f"Optimized interleaving of {len(lists)} rankings has more than {MAX_LISTS} lists of depth {depth}.",
                Hint("Use shorter ones: ", Argument("depth", 5), ", or another method: team-draft."),
            )
    return np.array(prefixes, dtype=np.int64)


def credits_of(ranks: Integers, credit: str) -> Floats:
    """Rankings × documents: 1/rank or −rank; missing documents have the rank after the last one."""
    below = ranks.max(axis=1, keepdims=True) + 1
    rank = np.where(ranks > 0, ranks, below).astype(np.float64)
    return 1.0 / rank if credit == "inverse" else -rank


def lottery(lists: Integers, ranks: Integers, depth: int, credit: str) -> Lottery:
    """The probabilities of the lists of one query.

    For every k, Σ_L p_L Σ_i≤k credit_r(L_i) is the same for all rankings r: random clicks prefer none.  For two
    rankings Σ p_L s_L is maximal, where s_L is the entropy of the winner of a click at position i with probability ∝
    1/i; for several, the expected variance of the rankings' credits of that click is minimal.  If no probabilities are
    unbiased, the sum of the absolute biases is minimal.
    """
    from scipy.optimize import linprog

    # Positions without a document get no clicks.
    positions = min(depth, int((ranks > 0).any(axis=0).sum()))
    all_lists = allowed(lists, positions)
    n, credit_of = len(all_lists), credits_of(ranks, credit)
    exists = all_lists >= 0
    credit_of_lists = np.where(exists[:, None, :], credit_of[:, np.maximum(all_lists, 0)].transpose(1, 0, 2), 0.0)
    biased = np.cumsum(credit_of_lists[:, 1:] - credit_of_lists[:, :1], axis=2).reshape(n, -1).T
    weights = 1.0 / np.arange(1, positions + 1)
    goal = -_entropy(credit_of_lists, weights) if len(lists) == 2 else _variance(credit_of_lists, weights)
    m = len(biased)
    solution = linprog(
        np.concatenate([goal, np.full(2 * m, BIAS)]),
        A_eq=np.block([[biased, np.eye(m), -np.eye(m)], [np.ones((1, n)), np.zeros((1, 2 * m))]]),
        b_eq=np.concatenate([np.zeros(m), [1.0]]),
        method="highs",
    )
    p = np.maximum(solution.x[:n], 0.0)
    short = depth - positions
    all_lists = np.pad(all_lists, ((0, 0), (0, short)), constant_values=-1)
    return Lottery(all_lists, np.cumsum(p / p.sum()), np.pad(credit_of_lists, ((0, 0), (0, 0), (0, short))))


def _entropy(credits: Floats, weights: Floats) -> Floats:
    """The entropy of which of two rankings wins a click, or neither."""
    difference = credits[:, 0] - credits[:, 1]
    shares = np.stack([((difference * sign > 0) * weights).sum(axis=1) for sign in (1, -1)])
    shares = np.concatenate([shares, [weights.sum() - shares.sum(axis=0)]]) / weights.sum()
    return np.asarray(-(shares * np.log(np.where(shares > 0, shares, 1.0))).sum(axis=0))


def _variance(credits: Floats, weights: Floats) -> Floats:
    """The variance between rankings of their expected credits."""
    expected = (credits * weights).sum(axis=2) / weights.sum()
    return np.asarray(expected.var(axis=1))
