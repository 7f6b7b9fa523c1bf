"""Readers who stop by the rank or by the document alone, and gain that is discounted over time."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tests.oracles.precision import average_precision, precision, reciprocal_rank
from tests.oracles.readers import Gains, binary_gains, measured, once, read, scaled_gains
from tests.oracles.relevance import Judgments, Ranking, count_relevant, is_judged, is_relevant, positive_grade


def scaled_discounted_cumulated_gain(
    ranking: Ranking,
    judgments: Judgments,
    *,
    dcg: str,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    cutoff: int,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    return measured(gains, lambda _, i: math.log2(i + 2) / math.log2(i + 3), cutoff, measurement, residual=residual)


def rank_biased_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    p: float = 0.8,
    rel: float = 1,
    max_rel: float | str | None = None,
    gains: Mapping[float, float] | None = None,
    unjudged: float = 0.0,
    max_depth: int | None = None,
    measurement: str = "EU",
    residual: bool = False,
    cutoff: int | None = None,
) -> float:
    """The user goes on to the next document with probability p.

    The gain is binary at rel without max_rel, grade / max_rel with a number.
    With "topic" grades are divided by the topic's largest when that is above
    1, which is what trec_eval 10 means to do.
    """
    if gains or unjudged:
        return scaled_rank_biased_precision(ranking[:cutoff], judgments, p, gains or {}, unjudged)
    largest = max(judgments.values(), default=0.0)
    gains_seen: Gains = []
    for place, doc_id in enumerate(ranking):
        if not is_judged(doc_id, judgments) or (cutoff is not None and place >= cutoff):
            gains_seen.append(None)
        elif max_rel is None:
            gains_seen.append(1.0 if is_relevant(doc_id, judgments, rel) else 0.0)
        else:
            gains_seen.append(
                positive_grade(doc_id, judgments) / (max(largest, 1.0) if max_rel == "topic" else float(max_rel))
            )
    # Without a depth: down to where a weight no longer counts.
    last = max_depth or math.ceil(math.log(1e-18) / math.log(p))
    return measured(gains_seen, lambda *_: p, last, measurement, residual=residual)


def scaled_rank_biased_precision(
    ranking: Ranking, judgments: Judgments, p: float, gains: Mapping[float, float], unjudged: float
) -> float:
    """With gains by level, all scaled to lie between 0 and 1 if one does not.

    The levels are those that have a gain of their own and the whole grades up to the largest judged one.
    """
    levels = dict(gains)
    for grade in judgments.values():
        levels.setdefault(grade, grade) if grade >= 0 else None
    largest = max((grade for grade in judgments.values() if grade >= 0), default=-1.0)
    for grade in range(math.floor(largest) + 1):
        levels.setdefault(float(grade), float(grade))
    every = [0.0, unjudged, *levels.values()]
    low, high = min(every), max(every)
    total = 0.0
    for place, doc_id in enumerate(ranking):
        grade = judgments.get(doc_id)
        if grade is None:
            gain = unjudged or None
        else:
            gain = levels.get(grade)
        if gain is not None:
            total += p**place * ((gain - low) / (high - low) if low < 0 or high > 1 else gain)
    return (1 - p) * total


def precision_reader(
    ranking: Ranking,
    judgments: Judgments,
    *,
    cutoff: int,
    rel: float = 1,
    relative: bool = False,
    measurement: str = "EU",
    residual: bool = False,
) -> float:
    """The user reads k documents."""
    if relative:
        return precision(ranking, judgments, cutoff=cutoff, rel=rel, relative=True)
    return measured(binary_gains(ranking, judgments, rel), lambda *_: 1.0, cutoff, measurement, residual=residual)


def reciprocal_rank_reader(
    ranking: Ranking,
    judgments: Judgments,
    *,
    rel: float = 1,
    cutoff: int | None = None,
    max_depth: int = 1000,
    measurement: str = "EU",
    residual: bool = False,
) -> float:
    """The user reads until a relevant document, and a certain number of documents where there is none."""
    if measurement == "EU" and not residual:
        return reciprocal_rank(ranking, judgments, rel=rel, cutoff=cutoff)
    values = []
    for unknown in (0.0, 1.0):
        gains = [unknown if gain is None else gain for gain in binary_gains(ranking, judgments, rel)[:cutoff]]
        gains += [] if unknown == 0 else [unknown]
        last = gains.index(1.0) + 1 if 1.0 in gains else None
        depth = last or max_depth
        total = 0.0 if last is None else 1.0
        values.append(
            {"EU": total / depth, "ETU": total, "EC": 1.0, "ETC": float(depth), "ED": float(depth)}[measurement]
        )
    return values[1] - values[0] if residual else values[0]


def average_precision_reader(
    ranking: Ranking,
    judgments: Judgments,
    *,
    rel: float = 1,
    over: str = "relevant",
    cutoff: int | None = None,
    max_depth: int = 1000,
    measurement: str = "EU",
    residual: bool = False,
) -> float:
    """The user goes on as long as relevant documents below are worth it.

    The ones not retrieved lie infinitely far below.
    """
    if measurement == "EU" and over != "retrieved" and not residual:
        return average_precision(ranking, judgments, rel=rel, cutoff=cutoff, over=over)
    gains = binary_gains(ranking, judgments, rel)[:cutoff]
    values = []
    if residual:
        # As far as all ranks are looked at, the list is, too.
        gains = gains[:max_depth] + [None] * (max_depth - len(gains))
    total = sum(gain or 0.0 for gain in gains)
    missed = count_relevant(judgments, rel) - total if over == "relevant" else 0.0
    for unknown in (0.0, 1.0) if residual else (0.0,):
        known = [unknown if gain is None else gain for gain in gains]
        worth = [0.0] * (len(known) + 1)
        for place in reversed(range(len(known))):
            worth[place] = worth[place + 1] + known[place] / (place + 1)
        here = sum(known)
        if here == 0:
            values.append({"EU": 0.0, "ETU": 0.0}.get(measurement, 1.0))
            continue
        one = read(
            known,
            lambda _, place, worth=worth: worth[place + 1] / worth[place] if worth[place + 1] else 0.0,
            len(known),
            unknown,
        )
        share = here / (here + missed)
        values.append(one[measurement] * {"EU": share, "ETC": 1 / share, "ED": 1 / share}.get(measurement, 1.0))
    return values[-1] - values[0] if residual else values[0]


@once
def time_biased_gain(
    ranking: Ranking,
    judgments: Judgments,
    *,
    halflife: float,
    cost: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int | None,
) -> float:
    """Half of the users have stopped whenever another halflife has passed."""
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    going_on = 0.5 ** (cost / halflife)

    def rest(reached: float, _: float) -> float:
        return reached / (1 - going_on)

    return measured(gains, lambda *_: going_on, max_depth, measurement, residual=residual, cost=cost, rest=rest)


@once
def u_measure(
    ranking: Ranking,
    judgments: Judgments,
    *,
    L: float,
    cost: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int | None,
) -> float:
    """The users who are left are fewer by the same number with each document, and none after L."""
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)

    def left(rank: int) -> float:
        return max(0.0, 1 - (rank - 1) * cost / L)

    last = max_depth or math.ceil(L / cost)
    return measured(gains, lambda _, i: left(i + 2) / left(i + 1), last, measurement, residual=residual, cost=cost)
