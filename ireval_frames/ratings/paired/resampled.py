"""Strengths of resampled comparisons: single ones, or clusters of them such as prompts or users."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.controlled import Controlled, Rows, controlled
from ireval_frames.crowds.replicates import replicated
from ireval_frames.crowds.strengths import Compared, Strengths, bradley_terry
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.stats.resampling.draws import Block, each_block
from ireval_frames.stats.sample import Options

# The outcomes of a pair: won, lost, tied.
OUTCOMES = 3
# Counts of a block of draws in memory at once.
CELLS = 1 << 22


class Counts:
    """How often each pair of items had each outcome, in all comparisons and in each draw.

    Args:
        a, b: the items of comparisons.
        score: of the first, between 0 and 1.
        n: how often each occurred.
        cluster: what is drawn; None draws single comparisons.
        k: the number of items.

    Attributes:
        low, high: the items of each pair.
        times: of each kind of what is drawn, how many there are.
    """

    def __init__(self, a: Whole, b: Whole, score: Array, n: Array, cluster: Whole | None, k: int) -> None:
        from scipy.sparse import csr_matrix

        low, high = np.minimum(a, b), np.maximum(a, b)
        pair, place = np.unique(low * k + high, return_inverse=True)
        self.low, self.high, self.k = pair // k, pair % k, k
        points = np.where(a > b, 1 - score, score)
        if cluster is None:
            cells = pl.DataFrame({"place": place, "points": points, "n": n})
            cells = cells.group_by("place", "points").agg(pl.col("n").sum()).sort("place", "points")
            place, points, self.times = (cells[c].to_numpy() for c in ("place", "points", "n"))
            kind, n = np.arange(len(place)), np.ones(len(place))
        else:
            kind = np.unique(cluster, return_inverse=True)[1]
            self.times = np.ones(int(kind.max(initial=-1)) + 1)
        tied = points == 0.5
        values = np.concatenate([n * points * ~tied, n * (1 - points) * ~tied, n * tied])
        columns = np.concatenate([place * OUTCOMES + i for i in range(OUTCOMES)])
        shape = (len(self.times), len(pair) * OUTCOMES)
        self._counts = csr_matrix((values, (np.tile(kind, OUTCOMES), columns)), shape=shape)
        self._counts.eliminate_zeros()

    @property
    def n_units(self) -> int:
        """The number of clusters, or of comparisons."""
        return int(self.times.sum())

    def all(self) -> Compared:
        """All comparisons."""
        return self._compared(np.asarray(self._counts.T @ self.times))

    def _compared(self, counts: Array) -> Compared:
        won, lost, tied = counts.reshape(-1, OUTCOMES).T
        there = won + lost + tied > 0
        return Compared(self.low, self.high, won, lost, tied, self.k).where(there)

    def replicates(self, fit: Callable[..., Strengths], estimate: Strengths, prior: float, options: Options) -> Array:
        """The strengths of each replicate, replicates × items; NaN where it has none."""

        def of_block(block: Block) -> Array:
            return np.concatenate([self._values(counts, fit, estimate, prior) for counts in self._drawn(block)])

        return np.concatenate(each_block(options, of_block))

    def _drawn(self, block: Block) -> Iterator[Array]:
        """The counts of some draws at a time, draws × pairs × outcomes."""
        share = self.times / self.times.sum()
        width = max(self._counts.shape[0], self._counts.shape[1], self.k * self.k)
        step = max(1, CELLS // width)
        for first in range(0, block.stop - block.start, step):
            size = min(step, block.stop - block.start - first)
            drawn = block.generator.multinomial(self.n_units, share, size=size)
            yield np.asarray(drawn @ self._counts).reshape(size, -1, OUTCOMES)

    def _values(self, counts: Array, fit: Callable[..., Strengths], estimate: Strengths, prior: float) -> Array:
        if fit is not bradley_terry:
            fits = (fit(self._compared(c.ravel()), prior) for c in counts)
            return np.stack([_whole(f.value, f.status, f.component, estimate.component) for f in fits])
        half = counts[:, :, 2] / 2 + prior / 2 * (counts.sum(axis=2) > 0)
        won, lost = counts[:, :, 0] + half, counts[:, :, 1] + half
        return replicated(self.low, self.high, won, lost, self.k, estimate.value, estimate.component)


def _whole(value: Array, status: Sequence[str], component: Whole, of_all: Whole) -> Array:
    """Strengths of a replicate; NaN in components that are not linked in it as among all comparisons."""
    first = component[np.unique(of_all, return_index=True)[1]][of_all]
    lost = (component != first) | (np.array(status) != "converged")
    return np.where(np.bincount(of_all, weights=lost)[of_all] > 0, np.nan, value)


def replicates_of_rows(rows: Rows, estimate: Controlled, options: Options) -> Array:
    """Strengths and effects of each replicate of comparisons with covariates, replicates × (items + effects)."""
    known = np.arange(len(rows.a)) if rows.cluster is None else rows.cluster
    own = known >= 0
    of, kind = np.unique(known[own], return_inverse=True)
    times = sums(kind, rows.n[own], len(of)) if rows.cluster is None else np.ones(len(of))
    start = np.concatenate([np.nan_to_num(estimate.value), estimate.effect])

    def of_block(block: Block) -> Array:
        out = []
        for _ in range(block.start, block.stop):
            drawn = block.generator.multinomial(int(times.sum()), times / times.sum()) / times
            n = rows.n.copy()
            n[own] *= drawn[kind]
            fitted = controlled(Rows(rows.a, rows.b, rows.score, n, rows.x, None, rows.k), start=start)
            effect = fitted.effect if "converged" in fitted.status else np.full_like(fitted.effect, np.nan)
            value = _whole(fitted.value, fitted.status, fitted.component, estimate.component)
            out.append(np.concatenate([value, effect]))
        return np.stack(out)

    return np.concatenate(each_block(options, of_block))


def check_drawn(n_units: int, *, clustered: bool) -> None:
    """Refuse to draw from one unit.

    Raises:
        InvalidParameter: there is one cluster only.
    """
    if n_units < 2 and clustered:
        raise InvalidParameter(
            "All comparisons are of one cluster, so there is nothing to resample.",
            Hint("Name another column, or resample comparisons: ", Argument("cluster", None)),
        )
