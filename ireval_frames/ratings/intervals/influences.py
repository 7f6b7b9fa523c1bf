"""The first-order influence of each item on a coefficient, from which standard errors are computed.

Every coefficient is a smooth function of sums over items, so its derivative by the weight of an item is a sum over the
ratings of that item.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.ratings.coded import Coded

# Items × categories per block.
BLOCK = 1 << 22
Influence = Callable[..., Array]


def distances(scheme: str, scale: Array) -> Array:
    """The distances of all pairs of places (`distances.distance`), as numbers."""
    a, b = scale[:, None], scale[None, :]
    difference = np.abs(a - b)
    if scheme == "identity":
        return (difference > 0).astype(float)
    if scheme == "ratio":
        both = a + b
        return np.square(np.divide(difference, both, out=np.zeros_like(difference), where=both != 0))
    if scheme == "bipolar" and len(scale):
        below = (a + b - 2 * scale.min()) * (2 * scale.max() - a - b)
        return difference * difference / np.where(below > 0, below, 1.0)
    powers = {
        "linear": difference,
        "quadratic": difference * difference,
        "radical": np.sqrt(difference),
        "ordinal": difference * (difference + 1) / 2,
    }
    result: Array = powers[scheme]
    return result


def nearness(scheme: str, scale: Array) -> Array:
    """How much all pairs of categories agree: 1 if they are equal, 0 for the ends of the scale."""
    far = distances(scheme, scale)
    ends = distances(scheme, np.array([scale.min(), scale.max()]))[0, 1] if len(scale) else 0.0
    return 1.0 - (far if scheme == "identity" else far / ends if ends else far * 0.0)


class Cells:
    """The numbers of ratings per item and category, with their sums.

    Attributes:
        item, category, n: the cells: the number of ratings of an item in a category.
        m: the number of ratings of each item; `enough`: 1 where it is two or more.
        w: the weight of each item.
    """

    def __init__(self, of: Coded) -> None:
        self.of, self.k = of, len(of.categories)
        self.item, self.category, self.n = of.cells()
        self.m, self.w = of.m, of.weight
        self.enough = (self.m >= 2.0).astype(float)

    def over_items(self, term: Array) -> Array:
        """The sum of a term over the cells of each item."""
        return sums(self.item, term, len(self.m))

    def over_categories(self, term: Array) -> Array:
        """The sum of a term over the cells of each category."""
        return sums(self.category, term, self.k)

    def products(self, matrix: Array) -> Array:
        """At the cells: Σ_l matrix_kl·n_il."""
        out = np.empty_like(self.n)
        step = max(1, BLOCK // max(1, self.k))
        edges = np.searchsorted(self.item, np.arange(0, len(self.m) + step, step))
        for first, (i, j) in enumerate(itertools.pairwise(edges)):
            dense = np.zeros((step, self.k))
            dense[self.item[i:j] - first * step, self.category[i:j]] = self.n[i:j]
            out[i:j] = (dense @ matrix)[self.item[i:j] - first * step, self.category[i:j]]
        return out

    def observed(self, near: Array) -> tuple[float, Array]:
        """The mean agreement of items with two ratings or more, and its influences."""
        pairs = np.where(self.enough > 0, self.m * (self.m - 1.0), 1.0)
        identity = np.array_equal(near, np.eye(self.k))
        share = self.over_items(self.n * ((self.n if identity else self.products(near)) - 1.0)) / pairs
        total = float((self.w * self.enough).sum())
        mean = float((self.w * share).sum()) / total if total else np.nan
        return mean, self.enough * (share - mean) / total if total else self.enough * np.nan

    def shares(self) -> tuple[Array, Callable[[Array], Array]]:
        """The mean share of each category, and the influences of Σ_k c_k·π_k."""
        total = self.w.sum()
        share = self.n / self.m[self.item]
        mean = self.over_categories(self.w[self.item] * share) / total
        return mean, lambda c: (self.over_items(share * c[self.category]) - c @ mean) / total


def _corrected(observed: tuple[float, Array], expected: float, slope: Array) -> Array:
    """The influences of (p_a − p_e) / (1 − p_e)."""
    (agreement, of_agreement), rest = observed, 1.0 - expected
    return of_agreement / rest - (1.0 - agreement) / rest**2 * slope


def percent(of: Coded, *, weights: str = "identity") -> Array:
    """Of `PercentAgreement`."""
    return Cells(of).observed(nearness(weights, of.scale))[1]


def fleiss(of: Coded, *, weights: str = "identity") -> Array:
    """Of `FleissKappa`."""
    cells, near = Cells(of), nearness(weights, of.scale)
    mean, influence = cells.shares()
    return _corrected(cells.observed(near), float(mean @ near @ mean), influence(2.0 * near @ mean))


def scott(of: Coded, *, weights: str = "identity") -> Array:
    """Of `ScottPi`."""
    cells, near = Cells(of), nearness(weights, of.scale)
    w = cells.w * cells.enough
    total = (w * cells.m).sum()
    share = cells.over_categories(w[cells.item] * cells.n) / total
    slope = 2.0 * near @ share
    chance = cells.enough * (cells.over_items(cells.n * slope[cells.category]) - cells.m * (slope @ share)) / total
    return _corrected(cells.observed(near), float(share @ near @ share), chance)


def brennan(of: Coded, *, weights: str = "identity") -> Array:
    """Of `BrennanPrediger`."""
    cells, near = Cells(of), nearness(weights, of.scale)
    return _corrected(cells.observed(near), float(near.sum()) / cells.k**2, np.zeros(len(cells.m)))


def gwet(of: Coded, *, weights: str = "identity") -> Array:
    """Of `GwetAC1` and `GwetAC2`."""
    cells, near = Cells(of), nearness(weights, of.scale)
    mean, influence = cells.shares()
    spread = near.sum() / (cells.k * (cells.k - 1.0))
    expected = float(spread * (mean * (1.0 - mean)).sum())
    return _corrected(cells.observed(near), expected, influence(spread * (1.0 - 2.0 * mean)))


def conger(of: Coded, *, weights: str = "identity") -> Array:
    """Of `CongerKappa`."""
    cells, near, r = Cells(of), nearness(weights, of.scale), len(of.raters)
    k, w = cells.k, of.weight[of.item]
    n = sums(of.rater * k + of.category, w, r * k).reshape(r, k)
    of_rater = n.sum(axis=1)
    share = n / of_rater[:, None]
    summed, own = share.sum(axis=0), share @ near
    pairs = r * (r - 1.0)
    expected = float(summed @ near @ summed - (share * own).sum()) / pairs
    slope = 2.0 * (near @ summed - own) / pairs
    of_row = (slope[of.rater, of.category] - (share * slope).sum(axis=1)[of.rater]) / of_rater[of.rater]
    return _corrected(cells.observed(near), expected, sums(of.item, of_row, len(cells.m)))


def alpha(of: Coded, *, level: str, distance: str | None = None, far: Array | None = None) -> Array:
    """Of `KrippendorffAlpha`; `far` are the distances of the categories, if they are not those of the level."""
    cells = Cells(of)
    w, m, n = cells.w * cells.enough, cells.m, cells.n
    pool = cells.over_categories(w[cells.item] * n)
    total = pool.sum()
    one_less = np.where(m >= 2.0, m - 1.0, 1.0)
    through = np.zeros(cells.k)
    nominal = level == "nominal" and distance is None
    if nominal or distance is not None or level == "ratio":
        if far is None:
            far = np.empty(0) if nominal else distances(distance or "ratio", of.scale)
        within = cells.over_items(n * (m[cells.item] - n if nominal else cells.products(far))) / one_less
        slope = 2.0 * (total - pool if nominal else far @ pool)
        between = float(pool @ slope) / 2.0
    else:
        value = np.cumsum(pool) - (pool - 1.0) / 2.0 if level == "ordinal" else of.scale
        value = value - pool @ value / total
        first = n * value[cells.category]
        summed, squares = cells.over_items(first), cells.over_items(first * value[cells.category])
        within = 2.0 * (m * squares - summed**2) / one_less
        slope = 2.0 * (pool @ (value * value) + total * value * value)
        between = float(2.0 * total * (pool @ (value * value)))
        if level == "ordinal":
            # Ranks depend on the number of ratings of each category.
            by_rank = (
                4.0 * (w / one_less)[cells.item] * n * (m[cells.item] * value[cells.category] - summed[cells.item])
            )
            changes = [cells.over_categories(by_rank), 4.0 * pool * total * value]
            after = [np.cumsum(a[::-1])[::-1] - a / 2.0 for a in changes]
            through, slope = after[0], slope + after[1]
    disagreement = float((w * within).sum())
    of_within = cells.enough * (within + cells.over_items(n * through[cells.category]))
    of_between = cells.enough * cells.over_items(n * slope[cells.category])
    ratio = disagreement / between
    influence: Array = -(ratio * cells.enough * m + (total - 1.0) * (of_within - ratio * of_between) / between)
    return influence


def cohen(of: Coded, *, weights: str = "identity") -> Array:
    """Of `CohenKappa`, the mean over pairs of raters who do not give all the same."""
    item, pair, a, b = _pairs(of)
    far, k, w = distances(weights, of.scale), len(of.categories), of.weight[item]
    _, pair = np.unique(pair, return_inverse=True)
    p = int(pair.max(initial=-1)) + 1
    first, second = (sums(pair * k + x, w, p * k).reshape(p, k) for x in (a, b))
    n, observed = first.sum(axis=1), sums(pair, w * far[a, b], p)
    of_first, of_second = second @ far.T, first @ far
    chance = (first * of_first).sum(axis=1)
    defined = chance > 0
    chance = np.where(defined, chance, 1.0)[pair]
    n, observed = n[pair], observed[pair]
    slope = of_first[pair, a] + of_second[pair, b]
    of_row = -(observed + n * far[a, b] - n * observed * slope / chance) / chance
    return sums(item, of_row * defined[pair], len(of.items)) / max(1, int(defined.sum()))


def _pairs(of: Coded) -> tuple[Whole, Whole, Whole, Whole]:
    """The pairs of ratings of each item: the item, the raters as one number, and both categories."""
    m = np.bincount(of.item, minlength=len(of.items))
    start = np.concatenate([[0], np.cumsum(m)])
    ratings: list[list[Any]] = [[], []]
    for size in np.unique(m[m > 1]):
        at = start[:-1][m == size]
        i, j = np.triu_indices(int(size), 1)
        ratings[0].append((at[:, None] + i).ravel())
        ratings[1].append((at[:, None] + j).ravel())
    one, other = (np.concatenate(f) if f else np.empty(0, np.int64) for f in ratings)
    swapped = of.rater[one] > of.rater[other]
    one, other = np.where(swapped, other, one), np.where(swapped, one, other)
    pair = of.rater[one] * max(1, len(of.raters)) + of.rater[other]
    return of.item[one], pair, of.category[one], of.category[other]


# By the name of the measure; the arguments are the measure's.
INFLUENCES: dict[str, Influence] = {
    "PercentAgreement": percent,
    "FleissKappa": fleiss,
    "ScottPi": scott,
    "BrennanPrediger": brennan,
    "GwetAC1": gwet,
    "GwetAC2": gwet,
    "CongerKappa": conger,
    "CohenKappa": cohen,
    "KrippendorffAlpha": alpha,
}
