"""What each item does to a coefficient: its first-order influence, from which standard errors are made.

Every coefficient is a smooth function of sums over items, so that its derivative by the weight of an item is a sum over
the item's own ratings.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.ratings.coded import Coded

# Items × categories that are looked at together.
BLOCK = 1 << 22
Influence = Callable[..., Array]


def distances(scheme: str, scale: Array) -> Array:
    """How far every two places lie apart (`weighing.distance`), as numbers."""
    a, b = scale[:, None], scale[None, :]
    apart = np.abs(a - b)
    if scheme == "identity":
        return (apart > 0).astype(float)
    if scheme == "ratio":
        both = a + b
        return np.square(np.divide(apart, both, out=np.zeros_like(apart), where=both != 0))
    if scheme == "bipolar" and len(scale):
        below = (a + b - 2 * scale.min()) * (2 * scale.max() - a - b)
        return apart * apart / np.where(below > 0, below, 1.0)
    powers = {
        "linear": apart,
        "quadratic": apart * apart,
        "radical": np.sqrt(apart),
        "ordinal": apart * (apart + 1) / 2,
    }
    found: Array = powers[scheme]
    return found


def nearness(scheme: str, scale: Array) -> Array:
    """How much every two categories agree: 1 where they are one, 0 at the ends of the scale."""
    far = distances(scheme, scale)
    ends = distances(scheme, np.array([scale.min(), scale.max()]))[0, 1] if len(scale) else 0.0
    return 1.0 - (far if scheme == "identity" else far / ends if ends else far * 0.0)


class Items:
    """What coefficients read of the ratings of a group.

    Attributes:
        item, category, n: the cells: how many ratings of an item are of a category.
        m: the ratings of each item; `enough`: 1 where these are two or more.
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
    return Items(of).observed(nearness(weights, of.scale))[1]


def fleiss(of: Coded, *, weights: str = "identity") -> Array:
    """Of `FleissKappa`."""
    items, near = Items(of), nearness(weights, of.scale)
    mean, influence = items.shares()
    return _corrected(items.observed(near), float(mean @ near @ mean), influence(2.0 * near @ mean))


def scott(of: Coded, *, weights: str = "identity") -> Array:
    """Of `ScottPi`."""
    items, near = Items(of), nearness(weights, of.scale)
    w = items.w * items.enough
    total = (w * items.m).sum()
    share = items.over_categories(w[items.item] * items.n) / total
    slope = 2.0 * near @ share
    chance = items.enough * (items.over_items(items.n * slope[items.category]) - items.m * (slope @ share)) / total
    return _corrected(items.observed(near), float(share @ near @ share), chance)


def brennan(of: Coded, *, weights: str = "identity") -> Array:
    """Of `BrennanPrediger`."""
    items, near = Items(of), nearness(weights, of.scale)
    return _corrected(items.observed(near), float(near.sum()) / items.k**2, np.zeros(len(items.m)))


def gwet(of: Coded, *, weights: str = "identity") -> Array:
    """Of `GwetAC1` and `GwetAC2`."""
    items, near = Items(of), nearness(weights, of.scale)
    mean, influence = items.shares()
    spread = near.sum() / (items.k * (items.k - 1.0))
    expected = float(spread * (mean * (1.0 - mean)).sum())
    return _corrected(items.observed(near), expected, influence(spread * (1.0 - 2.0 * mean)))


def conger(of: Coded, *, weights: str = "identity") -> Array:
    """Of `CongerKappa`."""
    items, near, r = Items(of), nearness(weights, of.scale), len(of.raters)
    k, w = items.k, of.weight[of.item]
    n = sums(of.rater * k + of.category, w, r * k).reshape(r, k)
    of_rater = n.sum(axis=1)
    share = n / of_rater[:, None]
    summed, own = share.sum(axis=0), share @ near
    pairs = r * (r - 1.0)
    expected = float(summed @ near @ summed - (share * own).sum()) / pairs
    slope = 2.0 * (near @ summed - own) / pairs
    of_row = (slope[of.rater, of.category] - (share * slope).sum(axis=1)[of.rater]) / of_rater[of.rater]
    return _corrected(items.observed(near), expected, sums(of.item, of_row, len(items.m)))


def alpha(of: Coded, *, level: str, distance: str | None = None, far: Array | None = None) -> Array:
    """Of `KrippendorffAlpha`; `far` are the distances of the categories, where these are no others'."""
    items = Items(of)
    w, m, n = items.w * items.enough, items.m, items.n
    pool = items.over_categories(w[items.item] * n)
    total = pool.sum()
    one_less = np.where(m >= 2.0, m - 1.0, 1.0)
    through = np.zeros(items.k)
    nominal = level == "nominal" and distance is None
    if nominal or distance is not None or level == "ratio":
        if far is None:
            far = np.empty(0) if nominal else distances(distance or "ratio", of.scale)
        within = items.over_items(n * (m[items.item] - n if nominal else items.products(far))) / one_less
        slope = 2.0 * (total - pool if nominal else far @ pool)
        between = float(pool @ slope) / 2.0
    else:
        value = np.cumsum(pool) - (pool - 1.0) / 2.0 if level == "ordinal" else of.scale
        value = value - pool @ value / total
        here = n * value[items.category]
        summed, squares = items.over_items(here), items.over_items(here * value[items.category])
        within = 2.0 * (m * squares - summed**2) / one_less
        slope = 2.0 * (pool @ (value * value) + total * value * value)
        between = float(2.0 * total * (pool @ (value * value)))
        if level == "ordinal":
            # Ranks move with the number of ratings of each category.
            by_rank = (
                4.0 * (w / one_less)[items.item] * n * (m[items.item] * value[items.category] - summed[items.item])
            )
            moved = [items.over_categories(by_rank), 4.0 * pool * total * value]
            after = [np.cumsum(a[::-1])[::-1] - a / 2.0 for a in moved]
            through, slope = after[0], slope + after[1]
    disagreement = float((w * within).sum())
    of_within = items.enough * (within + items.over_items(n * through[items.category]))
    of_between = items.enough * items.over_items(n * slope[items.category])
    ratio = disagreement / between
    found: Array = -(ratio * items.enough * m + (total - 1.0) * (of_within - ratio * of_between) / between)
    return found


def cohen(of: Coded, *, weights: str = "identity") -> Array:
    """Of `CohenKappa`, the mean over pairs of raters who do not give all the same."""
    item, pair, a, b = _pairs(of)
    far, k, w = distances(weights, of.scale), len(of.categories), of.weight[item]
    _, pair = np.unique(pair, return_inverse=True)
    p = int(pair.max(initial=-1)) + 1
    first, second = (sums(pair * k + x, w, p * k).reshape(p, k) for x in (a, b))
    n, seen = first.sum(axis=1), sums(pair, w * far[a, b], p)
    of_first, of_second = second @ far.T, first @ far
    chance = (first * of_first).sum(axis=1)
    there = chance > 0
    chance = np.where(there, chance, 1.0)[pair]
    n_, seen_ = n[pair], seen[pair]
    slope = of_first[pair, a] + of_second[pair, b]
    of_row = -(seen_ + n_ * far[a, b] - n_ * seen_ * slope / chance) / chance
    return sums(item, of_row * there[pair], len(of.items)) / max(1, int(there.sum()))


def _pairs(of: Coded) -> tuple[Whole, Whole, Whole, Whole]:
    """Of every two ratings of an item: the item, the raters as one number, and both categories."""
    m = np.bincount(of.item, minlength=len(of.items))
    start = np.concatenate([[0], np.cumsum(m)])
    found: list[list[Any]] = [[], []]
    for size in np.unique(m[m > 1]):
        at = start[:-1][m == size]
        i, j = np.triu_indices(int(size), 1)
        found[0].append((at[:, None] + i).ravel())
        found[1].append((at[:, None] + j).ravel())
    one, other = (np.concatenate(f) if f else np.empty(0, np.int64) for f in found)
    turned = of.rater[one] > of.rater[other]
    one, other = np.where(turned, other, one), np.where(turned, one, other)
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
