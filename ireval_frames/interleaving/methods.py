"""Methods of interleaving, each for many lists at once.

Documents are numbers within a query, so lists are arrays: `lists[s, r, i]` is the document of ranking r of list s at
position i, or −1, and `ranks[s, r, d]` the rank of document d there, or 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.interleaving.optimized import Lottery, lottery
from ireval_frames.interleaving.uniforms import Uniforms

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
# The exponent of p(d) ∝ 1 / rank^TAU (Hofmann and others).
TAU = 3.0


@dataclass(frozen=True)
class Interleaved:
    """Interleaved lists.

    Attributes:
        documents: lists × positions, or −1.
        teams: the ranking that added each document, or −1; for methods with teams.
        credits: lists × rankings × positions: the credit of a click; for methods with credits.
        candidates: the number of documents from which each position was drawn; for pairwise lists.
    """

    documents: Integers
    teams: Integers | None = None
    credits: Floats | None = None
    candidates: Integers | None = None


@dataclass(frozen=True)
class Rankings:
    """The rankings of some lists, and the depth of the new lists."""

    lists: Integers
    ranks: Integers
    depth: int
    credit: str = "inverse"

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of lists, rankings and documents."""
        n, r, d = self.ranks.shape
        return n, r, d


def balanced(of: Rankings, draw: Uniforms) -> Interleaved:
    """The rankings take turns in one random order; each adds its next document unless the list has it."""
    n, r, _ = of.shape
    turn_of = np.argsort(np.argsort(draw.several(0, r), axis=1), axis=1)
    turn = np.where(of.ranks > 0, (of.ranks - 1) * r + turn_of[:, :, None], np.iinfo(np.int64).max).min(axis=1)
    order = np.argsort(turn, axis=1, kind="stable")[:, : of.depth]
    exists = np.take_along_axis(turn, order, axis=1) < np.iinfo(np.int64).max
    documents = np.full((n, of.depth), -1)
    documents[:, : order.shape[1]] = np.where(exists, order, -1)
    return Interleaved(documents)


def team_draft(of: Rankings, draw: Uniforms) -> Interleaved:
    """In every round the rankings, in a new random order, each add their best document that the list does not have."""
    n, r, d = of.shape
    used, rows = np.zeros((n, d), dtype=bool), np.arange(n)
    documents, teams, length = np.full((n, of.depth), -1), np.full((n, of.depth), -1), np.zeros(n, dtype=np.int64)
    for turn in range(of.depth):
        order = np.argsort(draw.several(turn * r, r), axis=1)
        for index in range(r):
            team = order[:, index]
            own = of.lists[rows, team]
            free = (own >= 0) & ~np.take_along_axis(used, np.maximum(own, 0), axis=1)
            adds = np.flatnonzero(free.any(axis=1) & (length < of.depth))
            selected = own[adds, free[adds].argmax(axis=1)]
            documents[adds, length[adds]], teams[adds, length[adds]] = selected, team[adds]
            used[adds, selected] = True
            length[adds] += 1
    return Interleaved(documents, teams)


def probabilistic(of: Rankings, draw: Uniforms) -> Interleaved:
    """At every position a random ranking adds one of its remaining documents, drawn with p ∝ 1/rank³.

    The credit of a click is the probability that the ranking added the document, given the list.
    """
    n, r, d = of.shape
    weight = np.where(of.ranks > 0, np.maximum(of.ranks, 1).astype(np.float64) ** -TAU, 0.0)
    used, rows = np.zeros((n, d), dtype=bool), np.arange(n)
    documents, teams = np.full((n, of.depth), -1), np.full((n, of.depth), -1)
    shares = np.zeros((n, r, of.depth))
    for position in range(of.depth):
        remaining = np.where(used[:, None, :], 0.0, weight)
        total = remaining.sum(axis=2)
        possible = total > 0
        # The index among rankings with remaining documents.
        index = np.minimum((draw.at(2 * position) * possible.sum(axis=1)).astype(np.int64), possible.sum(axis=1) - 1)
        team = (np.cumsum(possible, axis=1) > index[:, None]).argmax(axis=1)
        cumulative = np.cumsum(remaining[rows, team], axis=1)
        selected = (cumulative > draw.at(2 * position + 1)[:, None] * cumulative[:, -1:]).argmax(axis=1)
        adds = possible.any(axis=1)
        documents[adds, position], teams[adds, position] = selected[adds], team[adds]
        used[adds, selected[adds]] = True
        with np.errstate(invalid="ignore", divide="ignore"):
            probability = np.where(possible, remaining[rows, :, selected] / total, 0.0)
            shares[:, :, position] = np.where(adds[:, None], probability / probability.sum(axis=1, keepdims=True), 0.0)
    return Interleaved(documents, teams, shares)


def pairwise(of: Rankings, draw: Uniforms) -> Interleaved:
    """At position i a random one of the remaining documents that some ranking has among its top i."""
    n, _, d = of.shape
    best = np.where(of.ranks > 0, of.ranks, np.iinfo(np.int64).max).min(axis=1)
    used, documents, drawn = (
        np.zeros((n, d), dtype=bool),
        np.full((n, of.depth), -1),
        np.zeros((n, of.depth), dtype=np.int64),
    )
    for position in range(of.depth):
        possible = (best <= position + 1) & ~used
        count = possible.sum(axis=1)
        index = np.minimum((draw.at(position) * count).astype(np.int64), count - 1)
        selected = (np.cumsum(possible, axis=1) > index[:, None]).argmax(axis=1)
        adds = count > 0
        documents[adds, position], drawn[:, position] = selected[adds], count
        used[adds, selected[adds]] = True
    return Interleaved(documents, candidates=drawn)


def optimized(of: Rankings, draw: Uniforms) -> Interleaved:
    """A list of which every position has the best remaining document of some ranking, drawn by a linear program.

    Its probabilities make the expected credit of every prefix equal for all rankings, and clicks most informative.
    """
    n, r, _ = of.shape
    documents, shares = np.full((n, of.depth), -1), np.zeros((n, r, of.depth))
    lotteries: dict[bytes, Lottery] = {}
    number = draw.at(0)
    for s in range(n):
        key = of.lists[s].tobytes()
        if key not in lotteries:
            lotteries[key] = lottery(of.lists[s], of.ranks[s], of.depth, of.credit)
        drawn = lotteries[key]
        selected = min(int(np.searchsorted(drawn.cumulative, number[s], side="right")), len(drawn.lists) - 1)
        documents[s], shares[s] = drawn.lists[selected], drawn.credits[selected]
    return Interleaved(documents, None, shares)


METHODS: dict[str, Callable[[Rankings, Uniforms], Interleaved]] = {
    "team-draft": team_draft,
    "balanced": balanced,
    "probabilistic": probabilistic,
    "optimized": optimized,
    "pairwise": pairwise,
}
