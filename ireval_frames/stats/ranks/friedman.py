"""Friedman's test of the systems' ranks within units, in Iman and Davenport's form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from ireval_frames.errors import NotDefined
from ireval_frames.stats.distributions.studentized_range import range_quantile
from ireval_frames.stats.joint import complete, jointly
from ireval_frames.stats.ranks.signed_ranks import midranks
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import levelled_values
from ireval_frames.stats.sample import Array, Options, Outcome, Sample


@dataclass(frozen=True, eq=False)
class Friedman:
    """What ranks within units say of all systems.

    Attributes:
        mean_ranks: of each system; 1 is the largest value, ties share the mean of their ranks.
        chi_square, p_value_chi_square: Friedman's χ², and its p with m − 1 degrees of freedom.
        statistic, df, df_error, p_value: Iman and Davenport's F, which is the better one.
        kendall_w: Kendall's W, from 0 to 1, how far units agree about the order.
        units, systems: how many.
        status: "ok", or "identical" where all systems are tied in all units.
    """

    mean_ranks: Array
    chi_square: float
    p_value_chi_square: float
    statistic: float
    df: float
    df_error: float
    p_value: float
    kendall_w: float
    units: int
    systems: int
    status: str = "ok"


def ranks_in_units(values: Array) -> tuple[Array, Array]:
    """Ranks within each unit from the smallest value, and Σ(t³ − t) over its groups of t ties.

    Values that are equal but for their rounding are equal.
    """
    return midranks(levelled_values(values))


def friedman(values: Array) -> Friedman:
    """Friedman's χ², Iman and Davenport's F and Kendall's W.

    χ² = 12n / (m(m + 1)) · Σ(R̄_i − (m + 1)/2)² / (1 − Σ(t³ − t) / (n·m(m² − 1))), F = (n − 1)χ² / (n(m − 1) − χ²) with
    m − 1 and (m − 1)(n − 1) degrees of freedom, W = χ² / (n(m − 1)).  Where all units agree F is ∞, and p is the chance
    that they do, (m! / Πt!)^(1 − n).

    Args:
        values: units × systems, NaN where there is none; units with gaps are left out.

    Raises:
        NotDefined: there are fewer than two units without gaps, or fewer than two systems.

    Source: Friedman, JASA 1937; Iman and Davenport, Communications in Statistics 1980; Demšar, JMLR 2006.

    Example:
        >>> import numpy as np
        >>> found = friedman(np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.4, 0.2, 0.5], [0.2, 0.6, 0.7]]))
        >>> found.mean_ranks.tolist(), round(found.p_value, 4), round(found.kendall_w, 4)
        ([2.75, 2.125, 1.125], 0.0227, 0.7167)
    """
    values = complete(values)
    n, m = values.shape
    if n < 2 or m < 2:
        raise NotDefined(
            f"Friedman's test of {n} units and {m} systems has nothing to compare.",
            "It needs two systems, and two units that all systems have.",
        )
    ranks, ties = ranks_in_units(values)
    mean = ranks.mean(axis=0)
    df, df_error = m - 1.0, (m - 1.0) * (n - 1.0)
    scale = 1.0 - ties.sum() / (n * m * (m * m - 1.0))
    if scale <= 0:
        return Friedman(m + 1.0 - mean, 0.0, 1.0, 0.0, df, df_error, 1.0, np.nan, n, m, "identical")
    chi = float(12.0 * n / (m * (m + 1.0)) * np.square(mean - (m + 1.0) / 2.0).sum() / scale)
    left = n * (m - 1.0) - chi
    if left > 1e-9 * n * m:
        f = (n - 1.0) * chi / left
        p = float(special.fdtrc(df, df_error, f))
    else:
        tied = np.unique(ranks[0], return_counts=True)[1]
        orders = special.gammaln(m + 1.0) - special.gammaln(tied + 1.0).sum()
        f, p = math.inf, float(np.exp((1.0 - n) * orders))
    by_chi = float(special.chdtrc(df, chi))
    return Friedman(m + 1.0 - mean, chi, by_chi, f, df, df_error, p, chi / (n * (m - 1.0)), n, m)


def critical_difference(systems: int, units: int, confidence: float = 0.95) -> float:
    """By how much two mean ranks differ significantly, by Nemenyi: q(1 − α; m, ∞) · √(m(m + 1) / (12n)).

    Example:
        >>> round(critical_difference(3, 20), 4)
        0.7411
    """
    q = range_quantile(1.0 - confidence, systems, np.inf)
    return q * math.sqrt(systems * (systems + 1.0) / (12.0 * units))


@significance_test(
    "friedman",
    design="all",
    effect="ps_dep",
    adjusted=True,
    one_sided=False,
    differs=False,
    statistic="F of Iman and Davenport",
    source="Friedman, JASA 1937; Iman and Davenport, Communications in Statistics 1980",
)
def friedman_test(sample: Sample, options: Options) -> Outcome:  # noqa: ARG001 - all tests are called alike
    """Friedman's test of all systems at once, by Iman and Davenport's F: whether any of them differs in its ranks.

    It does not test single pairs: each row has the F and the p of all systems.  `nemenyi` and `conover` test pairs.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: nothing of them.

    Returns:
        F and p, the same for all pairs, df of F with `df_error`, χ² as `chi_square`, `kendall_w`, and the difference of
        the mean ranks as estimate, without an interval; a larger rank is of a larger value.  p = 1 where all systems
        are tied everywhere.

    Source: Friedman, 1937; Iman and Davenport, 1980; Demšar, JMLR 2006.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.4, 0.2, 0.5], [0.2, 0.6, 0.7]])
        >>> friedman_test(Sample(values, np.array([[0, 1], [0, 2]])), Options()).p_value.round(4).tolist()
        [0.0227, 0.0227]
    """
    joint = jointly(sample)
    out = Outcome.empty(sample.n_pairs)
    column = ("chi_square", "kendall_w", "df_error")
    out.more = {name: np.full(sample.n_pairs, np.nan) for name in column}
    out.estimate = np.full(sample.n_pairs, np.nan)
    out.status = np.where(joint.status == "constant_shift", "ok", joint.status).astype(joint.status.dtype)
    if joint.units < 2:
        return out
    ranks_of = friedman(joint.sample.values)
    for name in column:
        out.more[name][:] = getattr(ranks_of, name)
    i, j = sample.pairs.T
    out.statistic[:], out.p_value[:], out.df[:] = ranks_of.statistic, ranks_of.p_value, ranks_of.df
    out.estimate = ranks_of.mean_ranks[i] - ranks_of.mean_ranks[j]
    # One p is of all systems: a pair of copies has it too.
    out.status[:] = ranks_of.status
    return out
