"""The ways to interleave, each for many lists at once.

Documents are numbers within a query, so lists are arrays: `lists[s, r, i]` is what ranking r of list s has at place i,
−1 for none, and `ranks[s, r, d]` the rank of document d there, 0 for none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.interleaving.optimized import Lottery, lottery
from ireval_frames.interleaving.uniforms import Uniforms

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
# Of softened ranks: p(d) ∝ 1 / rank^TAU (Hofmann and others).
TAU = 3.0


@dataclass(frozen=True)
class Made:
    """Interleaved lists.

    Attributes:
        documents: lists × places, −1 for none.
        teams: whose turn each place was, where there are teams; −1 for none.
        credits: lists × rankings × places: what a click there counts for each ranking, where the method says so.
        candidates: how many documents each place was drawn from, where that counts.
    """

    documents: Whole
    teams: Whole | None = None
    credits: Floats | None = None
    candidates: Whole | None = None


@dataclass(frozen=True)
class Rankings:
    """The rankings of some lists, and how deep the new ones are."""

    lists: Whole
    ranks: Whole
    depth: int
    credit: str = "inverse"

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many lists, rankings and documents."""
        n, r, d = self.ranks.shape
        return n, r, d


def balanced(of: Rankings, draw: Uniforms) -> Made:
    """The rankings take turns in a random order that stays; each adds its next document unless it is there already."""
    n, r, _ = of.shape
    place = np.argsort(np.argsort(draw.several(0, r), axis=1), axis=1)
    turn = np.where(of.ranks > 0, (of.ranks - 1) * r + place[:, :, None], np.iinfo(np.int64).max).min(axis=1)
    order = np.argsort(turn, axis=1, kind="stable")[:, : of.depth]
    there = np.take_along_axis(turn, order, axis=1) < np.iinfo(np.int64).max
    out = np.full((n, of.depth), -1)
    out[:, : order.shape[1]] = np.where(there, order, -1)
    return Made(out)


def team_draft(of: Rankings, draw: Uniforms) -> Made:
    """In every round the rankings, in a new random order, each add their best document that is not there yet."""
    n, r, d = of.shape
    used, rows = np.zeros((n, d), dtype=bool), np.arange(n)
    out, teams, length = np.full((n, of.depth), -1), np.full((n, of.depth), -1), np.zeros(n, dtype=np.int64)
    for turn in range(of.depth):
        order = np.argsort(draw.several(turn * r, r), axis=1)
        for place in range(r):
            team = order[:, place]
            mine = of.lists[rows, team]
            free = (mine >= 0) & ~np.take_along_axis(used, np.maximum(mine, 0), axis=1)
            adds = np.flatnonzero(free.any(axis=1) & (length < of.depth))
            chosen = mine[adds, free[adds].argmax(axis=1)]
            out[adds, length[adds]], teams[adds, length[adds]] = chosen, team[adds]
            used[adds, chosen] = True
            length[adds] += 1
    return Made(out, teams)


def probabilistic(of: Rankings, draw: Uniforms) -> Made:
    """At every place a ranking drawn at random adds one of its documents, drawn with p ∝ 1/rank³ of those left.

    What a click counts is the probability that the ranking added the document, given the list.
    """
    n, r, d = of.shape
    worth = np.where(of.ranks > 0, np.maximum(of.ranks, 1).astype(np.float64) ** -TAU, 0.0)
    used, rows = np.zeros((n, d), dtype=bool), np.arange(n)
    out, teams = np.full((n, of.depth), -1), np.full((n, of.depth), -1)
    shares = np.zeros((n, r, of.depth))
    for place in range(of.depth):
        left = np.where(used[:, None, :], 0.0, worth)
        total = left.sum(axis=2)
        able = total > 0
        # The drawn one of those that have documents left.
        wanted = np.minimum((draw.at(2 * place) * able.sum(axis=1)).astype(np.int64), able.sum(axis=1) - 1)
        team = (np.cumsum(able, axis=1) > wanted[:, None]).argmax(axis=1)
        mine = np.cumsum(left[rows, team], axis=1)
        chosen = (mine > draw.at(2 * place + 1)[:, None] * mine[:, -1:]).argmax(axis=1)
        adds = able.any(axis=1)
        out[adds, place], teams[adds, place] = chosen[adds], team[adds]
        used[adds, chosen[adds]] = True
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = np.where(able, left[rows, :, chosen] / total, 0.0)
            shares[:, :, place] = np.where(adds[:, None], chance / chance.sum(axis=1, keepdims=True), 0.0)
    return Made(out, teams, shares)


def pairwise(of: Rankings, draw: Uniforms) -> Made:
    """At place i one of the documents that some ranking has among its first i and that are not there yet, at random."""
    n, _, d = of.shape
    best = np.where(of.ranks > 0, of.ranks, np.iinfo(np.int64).max).min(axis=1)
    used, out, drawn = np.zeros((n, d), dtype=bool), np.full((n, of.depth), -1), np.zeros((n, of.depth), dtype=np.int64)
    for place in range(of.depth):
        able = (best <= place + 1) & ~used
        count = able.sum(axis=1)
        wanted = np.minimum((draw.at(place) * count).astype(np.int64), count - 1)
        chosen = (np.cumsum(able, axis=1) > wanted[:, None]).argmax(axis=1)
        adds = count > 0
        out[adds, place], drawn[:, place] = chosen[adds], count
        used[adds, chosen[adds]] = True
    return Made(out, candidates=drawn)


def optimized(of: Rankings, draw: Uniforms) -> Made:
    """A list drawn from those whose every place holds the best document left of some ranking, by a linear program.

    Its probabilities make the expected credit of every prefix equal for all rankings, and clicks tell most.
    """
    n, r, _ = of.shape
    out, shares = np.full((n, of.depth), -1), np.zeros((n, r, of.depth))
    known: dict[bytes, Lottery] = {}
    number = draw.at(0)
    for s in range(n):
        key = of.lists[s].tobytes()
        if key not in known:
            known[key] = lottery(of.lists[s], of.ranks[s], of.depth, of.credit)
        drawn = known[key]
        chosen = min(int(np.searchsorted(drawn.cumulative, number[s], side="right")), len(drawn.lists) - 1)
        out[s], shares[s] = drawn.lists[chosen], drawn.credits[chosen]
    return Made(out, None, shares)


METHODS: dict[str, Callable[[Rankings, Uniforms], Made]] = {
    "team-draft": team_draft,
    "balanced": balanced,
    "probabilistic": probabilistic,
    "optimized": optimized,
    "pairwise": pairwise,
}
