"""Readers who walk down a list one document at a time, and what is expected of them (C/W/L)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tests.oracles.relevance import Judgments, Oracle, Ranking, is_judged, is_relevant

# The gain of each rank of the list; None where nobody knows.
Gains = list["float | None"]
# From the gains of all ranks and a position (from 0), the probability of going on.
Continuation = Callable[[Sequence[float], int], float]
# From the probability of getting to the end of what is looked at and the gain so far, how many documents are read after
# it.
Rest = Callable[[float, float], float]
CLOSE = 1e-9
# How far a list without end is looked at.
ENDLESS = 500


def once(oracle: Oracle) -> Oracle:
    """Reads a list once: it may take 500 steps, and most conventions leave most lists as they are."""
    cache: dict[Any, float | None] = {}

    @functools.wraps(oracle)
    def known(ranking: Ranking, judgments: Judgments, **parameters: Any) -> float | None:
        key = tuple(ranking), tuple(judgments.items()), tuple(parameters.items())
        if key not in cache:
            cache[key] = oracle(ranking, judgments, **parameters)
        return cache[key]

    return known


def scaled_gains(ranking: Ranking, judgments: Judgments, min_rel: float, max_rel: float) -> Gains:
    gains: Gains = []
    for doc_id in ranking:
        if is_judged(doc_id, judgments):
            gains.append(max(judgments[doc_id] - min_rel, 0.0) / (max_rel - min_rel))
        else:
            gains.append(None)
    return gains


def binary_gains(ranking: Ranking, judgments: Judgments, rel: float) -> Gains:
    return [(1.0 if is_relevant(d, judgments, rel) else 0.0) if is_judged(d, judgments) else None for d in ranking]


def read(
    gains: Gains, go_on: Continuation, last: int | None, unknown: float, cost: float = 1.0, rest: Rest | None = None
) -> dict[str, float]:
    """All measurements of a reader who stops at the last rank at the latest; unknown gains are all the same.

    Without a last rank, `rest` says how many documents are read after the ranks that are looked at.
    """
    known = [unknown if gain is None else gain for gain in gains[:last]]
    known += [unknown] * ((len(known) + ENDLESS if last is None else last) - len(known))
    reached, depth, utility = 1.0, 0.0, 0.0
    stopped_utility = stopped_cost = 0.0
    so_far = 0.0
    for place, gain in enumerate(known):
        so_far += gain
        depth += reached
        utility += reached * gain
        going_on = 0.0 if last == place + 1 else go_on(known, place)
        # L_i: the reader gets here and no further, with all the gain so far.
        stopped_utility += reached * (1 - going_on) * so_far
        stopped_cost += reached * (1 - going_on) * (place + 1) * cost
        reached *= going_on
        if reached == 0:
            break
    if last is None and rest is not None:
        more = rest(reached, so_far)
        depth += more
        utility += more * unknown
        stopped_utility += reached * so_far + more * unknown
        stopped_cost += (reached * len(known) + more) * cost
    return {"EU": utility / depth, "ETU": stopped_utility, "EC": cost, "ETC": stopped_cost, "ED": depth}


def measured(
    gains: Gains,
    go_on: Continuation,
    last: int | None,
    measurement: str,
    *,
    residual: bool,
    cost: float = 1.0,
    rest: Rest | None = None,
) -> float:
    value = read(gains, go_on, last, 0.0, cost, rest)[measurement]
    if residual:
        return read(gains, go_on, last, 1.0, cost, rest)[measurement] - value
    return value


def rest_of_squares(gains: Gains, twice: float) -> Rest:
    """The documents read beyond a list's end, when C_i = ((x−1)/x)² there with x = i + 2T, less the gain or not."""

    def rest(reached: float, so_far: float) -> float:
        x = len(gains) + ENDLESS + twice - so_far
        return reached * x * x * (1 / x + 1 / (2 * x**2) + 1 / (6 * x**3))

    return rest


def patience(x: float) -> float:
    return ((x - 1) / x) ** 2
