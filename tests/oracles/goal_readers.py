"""Readers who want a total of gain and look at what they have of it: INSQ, INST, NERR, bejeweled, foraging."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.oracles.readers import CLOSE, measured, once, patience, rest_of_squares, scaled_gains
from tests.oracles.relevance import Judgments, Ranking


@once
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


@once
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
    running = Running()
    rest = rest_of_squares(gains, 2 * T)
    return measured(
        gains,
        lambda g, i: patience(i + 1 + 2 * T - running.at(g, i)),
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


@once
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


@once
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
    expected = ready = so_far = 0.0

    def go_on(known: Sequence[float], place: int) -> float:
        nonlocal expected, ready, so_far
        if place == 0:
            expected, ready, so_far = T, float(cutoff), 0.0
        so_far += known[place]
        content = so_far >= expected - CLOSE
        tired = place + 1 >= ready - CLOSE
        expected += hb * (known[place] - gain_med)
        ready += hc * (known[place] - gain_med)
        return 0.0 if content or tired else 1.0

    last = cutoff if hb == hc == 0 else max_depth
    return measured(gains, go_on, last, measurement, residual=residual)


@once
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
    running = Running()

    def go_on(known: Sequence[float], place: int) -> float:
        total = running.at(known, place)
        goal = 1 - 1 / (1 + b1 * math.exp((T - total) * R1))
        rate = 1 / (1 + b2 * math.exp((A - total / (place + 1)) * R2))
        return {"goal": goal, "rate": rate, "goal-rate": goal * rate}[model]

    return measured(gains, go_on, max_depth, measurement, residual=residual)
