"""Readers who walk down a list one document at a time, and what is expected of them (C/W/L)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from .precision import average_precision, precision, reciprocal_rank
from .relevance import Judgments, Ranking, count_relevant, is_judged, is_relevant, positive_grade

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


def insq(
    ranking: Ranking,
    judgments: Judgments,
    *,
    T: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int | None,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    rest = rest_of_squares(gains, 2 * T)
    return measured(
        gains,
        lambda _, i: patience(i + 1 + 2 * T),
        max_depth,
        measurement,
        residual=residual,
        rest=lambda r, _: rest(r, 0.0),
    )


def patience(x: float) -> float:
    return ((x - 1) / x) ** 2


def inst(
    ranking: Ranking,
    judgments: Judgments,
    *,
    T: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int | None,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    found = Running()
    rest = rest_of_squares(gains, 2 * T)
    return measured(
        gains,
        lambda g, i: patience(i + 1 + 2 * T - found.at(g, i)),
        max_depth,
        measurement,
        residual=residual,
        rest=rest,
    )


class Running:
    """The sum of gains down to a place, when the places are asked for one after another."""

    def __init__(self) -> None:
        self.total = 0.0

    def at(self, gains: Sequence[float], place: int) -> float:
        self.total = gains[place] if place == 0 else self.total + gains[place]
        return self.total


def nerr8(
    ranking: Ranking,
    judgments: Judgments,
    *,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    cutoff: int,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    return measured(gains, lambda g, i: 1 - g[i], cutoff, measurement, residual=residual)


def nerr9(
    ranking: Ranking,
    judgments: Judgments,
    *,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    cutoff: int,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    return measured(gains, lambda g, i: (i + 1) / (i + 2) * (1 - g[i]), cutoff, measurement, residual=residual)


def nerr10(
    ranking: Ranking,
    judgments: Judgments,
    *,
    p: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int | None,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    return measured(gains, lambda g, i: p * (1 - g[i]), max_depth, measurement, residual=residual, rest=lambda *_: 0.0)


def nerr11(
    ranking: Ranking,
    judgments: Judgments,
    *,
    T: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int | None,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    rest = rest_of_squares(gains, 2 * T)
    go_on = lambda g, i: patience(i + 1 + 2 * T) * (1 - g[i])  # noqa: E731
    return measured(gains, go_on, max_depth, measurement, residual=residual, rest=lambda reached, _: rest(reached, 0.0))


def bejeweled_player_model(
    ranking: Ranking,
    judgments: Judgments,
    *,
    T: float,
    hb: float,
    hc: float,
    gain_med: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int,
    cutoff: int,
) -> float:
    """Both limits move with every document read; with hb and hc of 0 they stand still."""
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    wanted = ready = so_far = 0.0

    def go_on(known: Sequence[float], place: int) -> float:
        nonlocal wanted, ready, so_far
        if place == 0:
            wanted, ready, so_far = T, float(cutoff), 0.0
        so_far += known[place]
        content = so_far >= wanted - CLOSE
        tired = place + 1 >= ready - CLOSE
        wanted += hb * (known[place] - gain_med)
        ready += hc * (known[place] - gain_med)
        return 0.0 if content or tired else 1.0

    last = cutoff if hb == hc == 0 else max_depth
    return measured(gains, go_on, last, measurement, residual=residual)


def information_foraging(
    ranking: Ranking,
    judgments: Judgments,
    *,
    model: str,
    T: float,
    b1: float,
    R1: float,
    A: float,
    b2: float,
    R2: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    residual: bool,
    max_depth: int,
) -> float:
    gains = scaled_gains(ranking, judgments, min_rel, max_rel)
    found = Running()

    def go_on(known: Sequence[float], place: int) -> float:
        total = found.at(known, place)
        goal = 1 - 1 / (1 + b1 * math.exp((T - total) * R1))
        rate = 1 / (1 + b2 * math.exp((A - total / (place + 1)) * R2))
        return {"goal": goal, "rate": rate, "goal-rate": goal * rate}[model]

    return measured(gains, go_on, max_depth, measurement, residual=residual)


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
    found: Gains = []
    for place, doc_id in enumerate(ranking):
        if not is_judged(doc_id, judgments) or (cutoff is not None and place >= cutoff):
            found.append(None)
        elif max_rel is None:
            found.append(1.0 if is_relevant(doc_id, judgments, rel) else 0.0)
        else:
            found.append(
                positive_grade(doc_id, judgments) / (max(largest, 1.0) if max_rel == "topic" else float(max_rel))
            )
    # Without a depth: down to where a weight no longer counts.
    last = max_depth or math.ceil(math.log(1e-18) / math.log(p))
    return measured(found, lambda *_: p, last, measurement, residual=residual)


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
    if measurement == "EU" and over == "relevant" and not residual:
        return average_precision(ranking, judgments, rel=rel, cutoff=cutoff)
    gains = binary_gains(ranking, judgments, rel)[:cutoff]
    values = []
    if residual:
        # As far as all ranks are looked at, the list is, too.
        gains = gains[:max_depth] + [None] * (max_depth - len(gains))
    found = sum(gain or 0.0 for gain in gains)
    missed = count_relevant(judgments, rel) - found if over == "relevant" else 0.0
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
