"""What DBN and CCM have in common: below the last click it is unknown how far a user examined the page.

Everything at or above the last click l was examined.  Below it are t results without a click, r = 1 … t from there,
and with the probability s that a user goes on after the last click (1 if there is none) and g after a result that was
not clicked,

- Y_r = P(no click at r … t | E_r) = (1 − α_r) (1 − g + g Y_{r+1}), Y_{t+1} = 1, from the last result up;
- F_r = P(no click above r below l, E_r) = s Π_{i<r} g (1 − α_i), from l down;
- N = P(no click below l) = 1 − s (1 − Y_1).

Then P(E_r | clicks) = F_r Y_r / N, and the rest follows.  No state is enumerated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import BLOCK_SIZE, each, summed
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import Array


@dataclass(frozen=True)
class Part:
    """Pages whose tails are alike in length, and which have a click or have none.

    Attributes:
        docs: the pairs in the tail, (t, pages).
        rows: their indices in the array of all tails.
        last: the pair of the last click; None without clicks.
        weight: the number of pages of each.
        group: the numbers of the groups; None where there is one.
    """

    docs: NDArray[np.intp]
    rows: slice
    last: NDArray[np.intp] | None
    weight: Array
    group: NDArray[np.intp] | None

    def of_group(self, values: Array) -> Array | float:
        """A value of each group, by page."""
        return float(values[0]) if self.group is None else values.take(self.group)

    def by_group(self, of: Array, groups: int) -> Array:
        """The weighted sums by group of a number per page."""
        if self.group is None:
            return np.array([float(np.dot(of, self.weight))])
        return summed(self.group, of * self.weight, groups)


@dataclass(frozen=True)
class Known:
    """Counts of what the clicks say for certain, by pair or by group.

    Attributes:
        shown, clicks: impressions and clicks by pair.
        skips: by pair, results that were examined and not clicked: those above the last click.
        before: by pair, clicks that were not the last of their page.
        last: by pair, clicks that were the last.
        skipped, passed: by group, `skips` and `before`.
    """

    shown: Array
    clicks: Array
    skips: Array
    before: Array
    last: Array
    skipped: Array
    passed: Array


@dataclass(frozen=True)
class Tails:
    """The pages of a log, as their tails and what is known above them.

    Attributes:
        parts: the tails.
        docs: their pairs, one part after another.
        known: what is known above them.
        groups: how many groups there are.
    """

    parts: list[Part]
    docs: NDArray[np.intp]
    known: Known
    groups: int


def tails_of(pages: Pages) -> Tails:
    """Pages cut at their last clicks."""
    tail, clicked = pages.n - pages.last, pages.last > 0
    order = np.argsort(tail * 2 + clicked, kind="stable")
    kind = (tail * 2 + clicked)[order]
    parts: list[Part] = []
    flat: list[NDArray[np.intp]] = []
    at = 0
    begins = np.flatnonzero(np.r_[True, kind[1:] != kind[:-1]]) if len(kind) else np.empty(0, dtype=np.int64)
    for first, end in zip(begins.tolist(), [*begins[1:].tolist(), len(kind)], strict=True):
        length, has_click = int(kind[first]) // 2, bool(kind[first] % 2)
        step = max(64, BLOCK_SIZE // max(1, length))
        for start in range(first, end, step):
            of = order[start : min(end, start + step)]
            rows = pages.last[of] + np.arange(length)[:, None]
            docs = pages.docs[rows, of].astype(np.intp)
            last = pages.docs[pages.last[of] - 1, of].astype(np.intp) if has_click else None
            group = pages.group[of].astype(np.intp) if pages.keys.n_groups > 1 else None
            parts.append(Part(docs, slice(at, at + docs.size), last, pages.weight[of], group))
            flat.append(docs.ravel())
            at += docs.size
    return Tails(parts, np.concatenate(flat) if flat else np.empty(0, np.intp), _known(pages), pages.keys.n_groups)


def _known(pages: Pages) -> Known:
    sums = {name: np.zeros(pages.keys.n_pairs) for name in ("shown", "clicks", "skips", "before", "last")}
    groups = {name: np.zeros(pages.keys.n_groups) for name in ("skips", "before")}
    for j, clicked in enumerate(pages.clicks):
        which = {
            "shown": pages.n > j,
            "clicks": clicked,
            "skips": ~clicked & (pages.last > j),
            "before": clicked & (pages.last > j + 1),
            "last": pages.last == j + 1,
        }
        for name, of in which.items():
            weight = np.where(of, pages.weight, 0.0)
            sums[name] += pages.sums(j, weight)
            if name in groups:
                groups[name] += summed(pages.group, weight, pages.keys.n_groups)
    return Known(**sums, skipped=groups["skips"], passed=groups["before"])


@dataclass(frozen=True)
class Below:
    """What follows of a tail.

    Attributes:
        clear: Y_1, the probability of no click below if the user looks on; None without a tail.
        total: N.
        likelihood: Σ log N, weighted.
        tried, went: by group, expected chances to go on after a result of the tail, and how often users went on.
    """

    clear: Array | None
    total: Array
    likelihood: float
    tried: Array
    went: Array


def below(part: Part, alpha: Array, g: Array | float, s: Array | float, out: Array, groups: int) -> Below:
    """The expected counts of a tail.

    Args:
        part: the pages.
        alpha: the attraction in the tail, (t, pages).
        g: the probability to go on after no click.
        s: the probability to go on after the last click; 1 without clicks.
        out: gets the weighted P(attractive | clicks) of each result of the tail.
        groups: how many groups there are.
    """
    length, size = alpha.shape
    nothing = np.zeros(groups)
    if not length:
        return Below(None, np.ones(size), 0.0, nothing, nothing)
    missed = 1.0 - alpha
    clear = np.empty((length + 1, size))
    clear[length] = 1.0
    for r in range(length - 1, -1, -1):
        np.multiply(clear[r + 1], g, out=clear[r])
        clear[r] += 1.0 - g
        clear[r] *= missed[r]
    total = np.maximum(1.0 - s * (1.0 - clear[0]), 1e-300)
    reached: Array = np.broadcast_to(np.asarray(s, dtype=np.float64), (size,)) / total
    tried, went = np.zeros(size), np.zeros(size)
    for r in range(length):
        examined = reached * clear[r]
        np.subtract(1.0, examined, out=out[r])
        reached = reached * missed[r]
        reached *= g
        if r < length - 1:
            tried += examined
            went += reached * clear[r + 1]
    # What rounding leaves below 0 is 0.
    np.maximum(out, 0.0, out=out)
    out *= alpha
    out *= part.weight
    likelihood = float(np.dot(part.weight, np.log(total)))
    return Below(clear[0], total, likelihood, part.by_group(tried, groups), part.by_group(went, groups))


# What a model makes of one part: the numbers that it adds by group, and by pair of the last click.
One = tuple[list[Array], Array | None, float]


def walked(
    tails: Tails, alpha: Array, do: Callable[[Part, Array, Array], One]
) -> tuple[Array, list[Array], Array, float]:
    """All tails under values of attraction.

    Args:
        tails: the pages.
        alpha: the attraction of each pair.
        do: from a part, its attractions and where P(attractive | clicks) goes, to the sums by group, a number for each
            last click, and the log-likelihood.

    Returns:
        The expected attractions by pair, the sums by group, the sums by pair of last clicks, and the log-likelihood.
    """
    values, attracted = alpha.take(tails.docs), np.empty(len(tails.docs))

    def run(part: Part) -> One:
        shape = part.docs.shape
        return do(part, values[part.rows].reshape(shape), attracted[part.rows].reshape(shape))

    done = each(run, tails.parts)
    pairs = len(alpha)
    sums = [np.sum(of, axis=0) for of in zip(*(groups for groups, _, _ in done), strict=True)]
    lasts = [
        (p.last, of * p.weight)
        for p, (_, of, _) in zip(tails.parts, done, strict=True)
        if of is not None and p.last is not None
    ]
    ended = np.zeros(pairs)
    if lasts:
        ended = summed(np.concatenate([p for p, _ in lasts]), np.concatenate([w for _, w in lasts]), pairs)
    return summed(tails.docs, attracted, pairs), sums, ended, float(sum(likelihood for _, _, likelihood in done))
