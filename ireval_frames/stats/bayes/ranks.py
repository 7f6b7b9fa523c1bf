"""Posterior probabilities of a system being worse, about as good, or better, from signs and signed ranks.

They are shares of draws; every pair has the same draws, so that none depends on the others.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.parameters import choice, number
from ireval_frames.stats.bayes.means import ROPE
from ireval_frames.stats.moments import difference_moments, pair_blocks
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import differences
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

REGIONS = ("lower", "rope", "higher")
# The number of draws made at once.
CHUNK = 1024


@significance_test(
    "bayes-sign",
    effect="ps_dep",
    reads={
        "rope": ROPE,
        "prior": number(1.0, "the weight of the prior, in differences", 0.0, open_ends=True),
        "prior_place": choice("rope", *REGIONS, what="the region in which the prior lies"),
    },
    one_sided=False,
    p_values=False,
    statistic="how many differences are above the region",
    source="Benavoli, Corani, Demšar and Zaffalon, JMLR 2017",
)
def bayes_sign(sample: Sample, options: Options) -> Outcome:
    """Bayesian sign test: the shares of differences below, in and above the region follow a Dirichlet distribution.

    Its parameters are the three counts, one of them plus the prior's strength.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `rope`; `prior`: its strength, above 0; `prior_place`: "lower", "rope" or "higher", the region of it;
            draws, seed, confidence.

    Returns:
        `probability_lower`, `probability_rope` and `probability_higher`: shares of the draws in which that region has
        the largest share; `probability_positive`: that more differences are above the region than below it.  The
        estimate is the expected share above less that below, with its credible interval.  No units have none.

    Raises:
        InvalidParameter: `rope`, `prior`, draws or seed is out of range.
        UnknownName: there is no such `prior_place`.

    Source: Benavoli, Corani, Demšar and Zaffalon, JMLR 2017.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> found = bayes_sign(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.tolist(), found.estimate.tolist(), found.more["probability_higher"].round(2).tolist()
        ([4.0], [0.8], [0.94])
    """
    rope, prior, place = (options.more[name] for name in ("rope", "prior", "prior_place"))
    out = _of_draws(sample)
    out.estimate = np.full(sample.n_pairs, np.nan)
    tail = (1.0 - options.confidence) / 2.0
    for some, baseline, system in pair_blocks(sample):
        d = differences(baseline, system, sample.tolerance)
        counts = np.stack([(d < -rope).sum(axis=1), (np.abs(d) <= rope).sum(axis=1), (d > rope).sum(axis=1)], axis=1)
        out.statistic[some] = counts[:, 2]
        strengths = counts + prior * (np.array(REGIONS) == place)
        for pair, strength, n in zip(some, strengths, counts.sum(axis=1), strict=True):
            if n == 0:
                out.statistic[pair] = np.nan
                continue
            gammas = np.random.default_rng(options.seed).standard_gamma(strength, (options.n_resamples, 3))
            shares = gammas / gammas.sum(axis=1, keepdims=True)
            _outcome(out, pair, shares, options)
            # P(above > below) of two gamma variables, exactly.
            low, high = strength[0], strength[2]
            more = special.betaincc(high, low, 0.5) if low and high else float(high > 0) + 0.5 * (low == high)
            out.more["probability_positive"][pair] = more
            out.estimate[pair] = (high - low) / strength.sum()
            ends = np.quantile(shares[:, 2] - shares[:, 0], [tail, 1.0 - tail])
            out.ci_low[pair], out.ci_high[pair] = ends
    return out


@significance_test(
    "bayes-signed-rank",
    effect="rank_biserial",
    reads={"rope": ROPE, "prior": number(0.5, "the weight of a difference of 0", 0.0, open_ends=True)},
    one_sided=False,
    p_values=False,
    statistic="share of pairs of units whose mean difference is above the region",
    source="Benavoli, Corani, Mangili, Zaffalon and Ruggeri, ICML 2014",
)
def bayes_signed_rank(sample: Sample, options: Options) -> Outcome:
    """Bayesian signed ranks: a Dirichlet process for the differences, with a prior of one difference of 0.

    With weights w of 0 and of each d_i from Dirichlet(prior, 1, … 1), a region's mass is Σ w_i w_j over i and j whose
    mean (d_i + d_j) / 2 lies in it.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `rope`; `prior`: the strength of the difference of 0, above 0; draws, seed, confidence.

    Returns:
        `probability_lower`, `probability_rope` and `probability_higher`: shares of the draws in which that region has
        the largest mass; `probability_positive`: that more mass is above the region than below it.  The estimate is the
        mean over draws of the mass above less that below, with its credible interval.  No units have none.  Work grows
        with units times draws.

    Raises:
        InvalidParameter: `rope`, `prior`, draws or seed is out of range.

    Source: Benavoli, Corani, Mangili, Zaffalon and Ruggeri, ICML 2014; baycomp.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> found = bayes_signed_rank(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.tolist(), found.more["probability_higher"].round(2).tolist()
        ([1.0], [1.0])
    """
    rope, prior = options.more["rope"], options.more["prior"]
    out = _of_draws(sample)
    out.estimate = np.full(sample.n_pairs, np.nan)
    tail = (1.0 - options.confidence) / 2.0
    for some, baseline, system in pair_blocks(sample):
        d = differences(baseline, system, sample.tolerance)
        for pair, row in zip(some, d, strict=True):
            block = row[~np.isnan(row)]
            if not block.size:
                continue
            shares = _masses(block, rope, prior, options)
            _outcome(out, pair, shares, options)
            off = shares[:, 2] - shares[:, 0]
            out.more["probability_positive"][pair] = np.mean(off > 0) + np.mean(off == 0) / 2.0
            out.estimate[pair], (out.ci_low[pair], out.ci_high[pair]) = off.mean(), np.quantile(off, [tail, 1.0 - tail])
            ordered = np.sort(block)
            above = len(block) - np.searchsorted(ordered, 2.0 * rope - ordered + _slack(block, rope), side="right")
            out.statistic[pair] = above.mean() / len(block)
    return out


def _masses(d: Array, rope: float, prior: float, options: Options) -> Array:
    """The masses below, in and above the region, a row per draw."""
    points = np.append(d, 0.0)
    order = np.argsort(points)
    ordered = points[order]
    slack = _slack(d, rope)
    # Where the sums with each point begin to lie above the region, and end to lie below it.
    above = np.searchsorted(ordered, 2.0 * rope - ordered + slack, side="right")
    below = np.searchsorted(ordered, -2.0 * rope - ordered - slack, side="left")
    rng = np.random.default_rng(options.seed)
    out = np.empty((options.n_resamples, 3))
    for start in range(0, options.n_resamples, CHUNK):
        some = slice(start, min(start + CHUNK, options.n_resamples))
        size = some.stop - start
        weights = np.vstack([rng.standard_exponential((len(d), size)), rng.standard_gamma(prior, (1, size))])[order]
        weights /= weights.sum(axis=0)
        reached = np.vstack([np.zeros((1, size)), np.cumsum(weights, axis=0)])
        out[some, 0] = np.einsum("ud,ud->d", weights, reached[below])
        out[some, 2] = np.einsum("ud,ud->d", weights, reached[-1] - reached[above])
    out[:, 1] = np.maximum(1.0 - out[:, 0] - out[:, 2], 0.0)
    return out


def _slack(d: Array, rope: float) -> float:
    """By how much sums of two rounded differences may be off."""
    return 1e-12 * float(max(np.abs(d).max(), rope))


def _of_draws(sample: Sample) -> Outcome:
    out = Outcome.empty(sample.n_pairs, "monte carlo")
    out.status, out.interval = difference_moments(sample).status, "posterior"
    names = (*(f"probability_{region}" for region in REGIONS), "probability_positive")
    out.more |= {name: np.full(sample.n_pairs, np.nan) for name in names}
    return out


def _outcome(out: Outcome, pair: int, shares: Array, options: Options) -> None:
    """Of a pair, how often each region has the largest share; ties count for the region in the middle."""
    largest = shares.max(axis=1)
    middle = shares[:, 1] == largest
    out.more["probability_rope"][pair] = middle.mean()
    out.more["probability_lower"][pair] = ((shares[:, 0] == largest) & ~middle).mean()
    out.more["probability_higher"][pair] = ((shares[:, 2] == largest) & ~middle & (shares[:, 0] < largest)).mean()
    out.n_resamples[pair] = options.n_resamples
