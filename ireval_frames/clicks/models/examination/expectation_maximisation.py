"""Expectation maximisation of models in which a click needs attraction and examination, each on its own (PBM, UBM).

A result of the pair u at the place k is clicked with the probability α_u γ_k.  Of one that is not clicked,
P(attractive) = α (1 − γ) / (1 − α γ), and P(examined) = γ (1 − α) / (1 − α γ); of one that is clicked both are 1.
So the clicks of a pair and of a place are constants, and an iteration looks only at how often a pair was not clicked
at a place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import BLOCK_SIZE, each, sum_of_logs, summed
from ireval_frames.clicks.models.declared import Array, Codes, Values
from ireval_frames.clicks.models.estimation.iteration import Counts, Step


@dataclass(frozen=True)
class _Block:
    """Counts of some pairs, in the order of pairs.

    Attributes:
        pairs: which ones.
        pair: of each count, from 0.
        place: of each count.
        skips: how often the pair was not clicked there.
    """

    pairs: slice
    pair: NDArray[np.intp]
    place: NDArray[np.intp]
    skips: Array

    def step(self, alpha: Array, gamma: Array) -> tuple[Array, Array, float]:
        """By pair Σ P(attractive) / α, by place Σ P(examined) / γ, and the log-likelihood, of what was not clicked."""
        own = alpha[self.pairs]
        a, g = own.take(self.pair, mode="clip"), gamma.take(self.place, mode="clip")
        missed = a * g
        np.subtract(1.0, missed, out=missed)
        # Rounding must not make a click certain where there was none.
        np.maximum(missed, 1e-300, out=missed)
        ratio = self.skips / missed
        np.log(missed, out=missed)
        likelihood = float(np.dot(self.skips, missed))
        np.subtract(1.0, g, out=g)
        g *= ratio
        np.subtract(1.0, a, out=a)
        a *= ratio
        return summed(self.pair, g, len(own)), summed(self.place, a, len(gamma)), likelihood


def _blocks(pair: Codes, place: Codes, skips: Array) -> list[_Block]:
    """The counts that are not 0, cut between pairs."""
    positive = np.flatnonzero(skips > 0)
    pair, place, skips = pair[positive], place[positive], skips[positive]
    if not len(pair):
        return []
    begins = np.flatnonzero(np.r_[True, pair[1:] != pair[:-1]])
    cuts = np.searchsorted(begins, np.arange(0, len(pair), BLOCK_SIZE))
    cuts = np.unique(np.r_[cuts, len(begins)])
    ends = np.r_[begins, len(pair)]
    out: list[_Block] = []
    for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        rows = slice(int(ends[first]), int(ends[last]))
        low, high = int(pair[rows.start]), int(pair[rows.stop - 1]) + 1
        own = (pair[rows] - low).astype(np.intp)
        out.append(_Block(slice(low, high), own, place[rows].astype(np.intp), np.ascontiguousarray(skips[rows])))
    return out


@dataclass(frozen=True)
class Examined:
    """The data of such a model.

    Attributes:
        pair, place: of each count, in the order of pairs.
        n, clicks: how often it was shown and clicked.
        group: the number of the group of each pair.
        shape: of the array of examination.
    """

    pair: Codes
    place: Codes
    n: Array
    clicks: Array
    group: Codes
    shape: tuple[int, ...]

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return len(self.group)


def e_step(data: Examined) -> tuple[Step, dict[str, tuple[int, ...]]]:
    """The E-step over counts, and the shapes of attraction and examination."""
    size = int(np.prod(data.shape))
    shown = {
        "attraction": summed(data.pair, data.n, data.n_pairs),
        "examination": summed(data.place, data.n, size).reshape(data.shape),
    }
    clicked = {
        "attraction": summed(data.pair, data.clicks, data.n_pairs),
        "examination": summed(data.place, data.clicks, size).reshape(data.shape),
    }
    blocks = _blocks(data.pair, data.place, data.n - data.clicks)

    def step(values: Values) -> tuple[Counts, float]:
        alpha, gamma = values["attraction"], values["examination"]
        attracted, examined, likelihood = np.zeros(data.n_pairs), np.zeros(size), 0.0
        flat = gamma.ravel()
        for block, (of_pairs, of_places, of_block) in zip(
            blocks, each(lambda b: b.step(alpha, flat), blocks), strict=True
        ):
            attracted[block.pairs] = of_pairs
            examined += of_places
            likelihood += of_block
        hits = {
            "attraction": clicked["attraction"] + alpha * attracted,
            "examination": clicked["examination"] + gamma * examined.reshape(data.shape),
        }
        likelihood += sum(sum_of_logs(clicked[k], values[k]) for k in clicked)
        # Values without data are undefined, and add nothing.
        return {k: (np.where(shown[k] > 0, hits[k], 0.0), shown[k]) for k in hits}, likelihood

    return step, {"attraction": (data.n_pairs,), "examination": data.shape}
