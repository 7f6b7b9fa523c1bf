"""Mann's and Whitney's test, with the shift of Hodges and Lehmann."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import choice, flag
from ireval_frames.stats.distributions.tails import open_ended, p_of_z, towards_mean, upper_level
from ireval_frames.stats.moments import pair_blocks
from ireval_frames.stats.ranks.hodges_lehmann import differences_of_two, middle
from ireval_frames.stats.ranks.placements import Placements, placements
from ireval_frames.stats.ranks.sign import ORDER
from ireval_frames.stats.ranks.wilcoxon import METHODS
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import of_both
from ireval_frames.stats.sample import Array, Options, Outcome, Sample, of_test

# The most units of both groups for which the exact distribution is the default, and for which it can be requested.
EXACT, MOST_EXACT = 50, 200


@significance_test(
    "mann-whitney",
    design="unpaired",
    effect="ps",
    reads={
        "continuity": flag(default=True, what="whether the normal statistic is moved by ½ towards its mean"),
        "method": choice("auto", *METHODS, what="of the p-value"),
    },
    statistic="U: pairs of units of which the system's is higher, ties as ½",
    source="Mann and Whitney, Annals of Mathematical Statistics 1947",
)
def mann_whitney(sample: Sample, options: Options) -> Outcome:
    """Mann–Whitney U: whether two groups of different units have one distribution.

    U = R₁ − n₁ (n₁ + 1) / 2, R₁ the sum of the system's ranks among all.  The exact p-value counts all ways to share
    out the ranks as they are, with their ties.  The normal one has the mean n₀ n₁ / 2 and the variance
    n₀ n₁ / 12 · (N + 1 − Σ (t³ − t) / (N (N − 1))).

    Args:
        sample: units × systems; each system has its own units.  Values that are equal but for their
            rounding are equal.
        options: alternative and confidence; `continuity`: whether the normal statistic is moved by ½ towards its mean;
            `method`: "exact" for up to 200 units of both, "asymptotic", or "auto": exact for up to 50.

    Returns:
        U and p.  The estimate is the median of all differences of a system's and a baseline's value, with the interval
        of their order statistics; it has no end where the units are too few.

    Raises:
        UnknownName: `method` is another word.
        InvalidParameter: "exact" for too many units.

    Source: Mann and Whitney, Annals of Mathematical Statistics 1947; Hodges and Lehmann, ibid. 1963.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, 0.5]])
        >>> found = mann_whitney(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.tolist(), found.p_value.round(4).tolist(), found.method.tolist()
        ([14.5], [0.0857], ['exact'])
    """
    method = options.more["method"]
    out = Outcome.empty(sample.n_pairs)
    out.estimate = np.full(sample.n_pairs, np.nan)
    own = np.zeros(sample.n_pairs, dtype=bool)
    for some, baseline, system in pair_blocks(sample, paired=False):
        baseline, system = of_both(baseline, system)  # noqa: PLW2901
        p_values = placements(baseline, system)
        n0, n1 = p_values.n_low, p_values.n_high
        present = np.minimum(n0, n1) > 0
        u = np.where(present, p_values.area * n0 * n1, np.nan)
        out.statistic[some] = u = np.rint(2.0 * u) / 2.0
        out.p_value[some] = _normal_p(u, p_values, options)
        exact = present & ((method == "exact") | ((method == "auto") & (n0 + n1 <= EXACT)))
        for row in np.flatnonzero(exact):
            out.p_value[some[row]] = _exact_p(u[row], p_values.ranks[row], int(n0[row]), int(n1[row]), options)
        out.method[some[exact]] = "exact"
        own[some] = exact & (p_values.ties == 0) & (n0 + n1 <= EXACT)
        shifts = _shifts(baseline[present], system[present], n0[present], n1[present], options)
        out.estimate[some[present]], out.ci_low[some[present]], out.ci_high[some[present]] = shifts
        same = present & (p_values.ties == (n0 + n1) ** 3 - (n0 + n1))
        out.status[some[same]], out.p_value[some[same]] = "identical", 1.0
        out.status[some[~present]] = "no_units"
    out.interval = np.where(own, "", ORDER)
    same = out.status == "identical"
    out.estimate[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.ci_low, out.ci_high = open_ended(out.ci_low, out.ci_high, options.alternative)
    return out


def _normal_p(u: Array, p: Placements, options: Options) -> Array:
    n0, n1 = p.n_low, p.n_high
    total = n0 + n1
    off = u - n0 * n1 / 2.0
    if options.more["continuity"]:
        off = towards_mean(off, options.alternative)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = n0 * n1 / 12.0 * (total + 1.0 - p.ties / (total * (total - 1.0)))
        return p_of_z(off / np.sqrt(variance), options.alternative)


def _exact_p(u: float, ranks: Array, n0: int, n1: int, options: Options) -> float:
    if n0 + n1 > MOST_EXACT:
        raise InvalidParameter(
            f"method is 'exact' for {n0 + n1} units; it is for at most {MOST_EXACT}.", of_test("method", "asymptotic")
        )
    doubled = np.sort(np.rint(2.0 * ranks[~np.isnan(ranks)]).astype(np.int64))
    chances = _distribution(doubled.tobytes(), n1)
    at = round(2.0 * u) + n1 * (n1 + 1)
    less, more = float(chances[: at + 1].sum()), float(chances[at:].sum())
    if options.alternative == "two-sided":
        return min(1.0, 2.0 * min(less, more))
    return min(1.0, more if options.alternative == "greater" else less)


@lru_cache(maxsize=1024)
def _distribution(doubled: bytes, chosen: int) -> Array:
    """The probability of each sum of n of the doubled ranks."""
    ranks = np.frombuffer(doubled, dtype=np.int64)
    ways = np.zeros((chosen + 1, int(ranks[len(ranks) - chosen :].sum()) + 1))
    ways[0, 0] = 1.0
    for i, rank in enumerate(ranks.tolist()):
        some = min(i + 1, chosen)
        ways[1 : some + 1, rank:] += ways[:some, : ways.shape[1] - rank].copy()
    return np.asarray(ways[chosen] / special.binom(len(ranks), chosen))


@lru_cache(maxsize=1024)
def _order(n0: int, n1: int, level: float) -> int:
    """Which of the n₀ n₁ sorted differences bounds the shift from below; 0 where none does."""
    if n0 + n1 <= EXACT:
        chances = _distribution((2 * np.arange(1, n0 + n1 + 1)).tobytes(), n1)[n1 * (n1 + 1) :: 2]
        return int(np.searchsorted(np.cumsum(chances), level * (1 + 1e-12), side="right"))
    spread = np.sqrt(n0 * n1 * (n0 + n1 + 1) / 12)
    return max(0, int(np.floor(n0 * n1 / 2 + 0.5 + special.ndtri(level) * spread)))


def _shifts(baseline: Array, system: Array, n0: Array, n1: Array, options: Options) -> tuple[Array, Array, Array]:
    if not len(n0):
        return np.empty(0), np.empty(0), np.empty(0)
    total = (n0 * n1).astype(np.int64)
    level = 1.0 - upper_level(options)
    k = np.array([_order(int(i), int(j), level) for i, j in zip(n0, n1, strict=True)])
    needed = np.stack([*middle(total), np.maximum(k, 1), total + 1 - np.maximum(k, 1)], axis=1)
    one, two, low, high = differences_of_two(system, baseline, needed).T
    return (one + two) / 2.0, np.where(k > 0, low, -np.inf), np.where(k > 0, high, np.inf)
