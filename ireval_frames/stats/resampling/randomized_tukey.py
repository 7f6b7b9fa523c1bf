"""Randomised Tukey: the range of all systems' means when the values of each unit are dealt out anew."""

from __future__ import annotations

import numpy as np

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.parameters import choice, flag
from ireval_frames.stats.joint import Joint, jointly, outcome_of, untested
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.resampling.draws import Block, each_block, error_of, share
from ireval_frames.stats.rounding import of_means
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

# The number of units permuted at a time.
UNITS_PER_BLOCK = 256
# The most units that are shuffled anew for each draw.
MAX_SHUFFLED = 64


@significance_test(
    "randomized-tukey",
    design="all",
    effect="d_hsd",
    adjusted=True,
    reads={
        "versus": choice("all", "baseline", what="the largest difference of all pairs, or of those with the baseline"),
        "studentised": flag(what="whether differences are divided by their standard errors"),
    },
    one_sided=False,
    statistic="mean difference",
    source="Carterette, TOIS 2012",
)
def randomized_tukey(sample: Sample, options: Options) -> Outcome:
    """Randomised Tukey HSD: whether a difference is larger than the largest one when systems swap values in each unit.

    Each draw permutes the m values of every unit; R is the largest less the smallest mean after it, and
    p_ij = (1 + #{R ≥ |x̄_i − x̄_j|}) / (1 + draws).  With two systems it is Fisher's sign flip.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: confidence, draws, seed, threads; `versus`: "all", or "baseline", where R is the largest difference
            from the baseline; `studentised`: R and the differences are in units of √(V_E / n), V_E of each draw.

    Returns:
        The mean difference (studentised: divided), p that holds for all pairs together with its Monte Carlo standard
        error `p_se`, and the interval d ± the quantile of R.  R is of the null that all systems are equal: one that
        lies far off widens it for all.  Identical systems have p = 1; fewer than two units give no test.

    Raises:
        InvalidParameter: `seed`, `n_resamples` or `threads` is not an integer.
        UnknownName: `versus` is another word.
        NotDefined: `versus` is "baseline" with several baselines.

    Source: Carterette, TOIS 2012; Sakai, Laboratory Experiments in Information Retrieval, 2018.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> found = randomized_tukey(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options(n_resamples=2000))
        >>> found.p_value.round(2).tolist()
        [0.25, 0.0, 0.75]
    """
    draws = options.n_resamples
    baseline = _baseline(sample, options)
    joint = jointly(sample)
    scale = joint.se if options.more["studentised"] else 1.0
    if joint.units < 2 or scale == 0:
        none = untested(joint)
        none.more["p_se"] = error_of(none.p_value, draws)
        return none
    # Without the means of units sums are rounded less, and what is dealt out stays the same.
    centred = joint.sample.values - joint.sample.values.mean(axis=1, keepdims=True)
    means, ranges = centred.mean(axis=0), np.empty(draws)
    rounding = of_means(joint.sample.values)

    def do(block: Block) -> None:
        dealt = dealt_out(centred, block) / joint.units
        if baseline is None:
            maxima = dealt.max(axis=1) - dealt.min(axis=1)
        else:
            maxima = np.abs(dealt - dealt[:, baseline : baseline + 1]).max(axis=1)
        if options.more["studentised"]:
            # A deal changes what systems explain, and nothing else.
            systems = joint.units * np.square(dealt).sum(axis=1)
            left = np.maximum(np.square(centred).sum() - systems, 0.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                maxima = np.where(maxima > rounding, maxima / np.sqrt(left / joint.df / joint.units), 0.0)
        ranges[block.draws] = maxima

    each_block(options, do)
    ranges.sort()
    i, j = sample.pairs.T
    difference = (means[j] - means[i]) / scale
    reached = draws - np.searchsorted(ranges, np.abs(difference) - rounding / scale, side="left")
    p = share(reached, draws)
    rank = int(np.ceil(options.confidence * (draws + 1) - 1e-9)) - 1
    width = ranges[rank] * scale + rounding if rank < draws else np.inf
    out = outcome_of(_with_steps(joint), difference, p, width, np.nan)
    out.method[:], out.n_resamples[:] = "monte carlo", draws
    out.more["p_se"] = error_of(out.p_value, draws)
    return out


def dealt_out(values: Array, block: Block) -> Array:
    """Sums over units of values that each draw deals out anew to the systems: draws × systems.

    Of many units the values are shuffled once for the block, and each draw turns this circle by a random number of
    places: every draw is a random permutation of each unit's values, taken from a table of m rows.  Draws of a block
    have circles in common, which shows only where units are few: there each draw shuffles them anew.
    """
    n, m = values.shape
    size = block.stop - block.start
    out, turned = np.zeros((size, m)), (np.arange(m)[:, None] + np.arange(m)) % m
    if n <= MAX_SHUFFLED:
        for unit in values:
            out += unit[np.argsort(block.generator.random((size, m)), axis=1)]
        return out
    for start in range(0, n, UNITS_PER_BLOCK):
        some = values[start : start + UNITS_PER_BLOCK]
        circles = np.take_along_axis(some, np.argsort(block.generator.random(some.shape), axis=1), axis=1)
        turns = block.generator.integers(m, size=(len(some), size))
        for circle, turn in zip(circles, turns, strict=True):
            out += circle[turned].take(turn, axis=0)
    return out


def _with_steps(joint: Joint) -> Joint:
    """Where all differences are constant shifts there is a test still: no spread is divided by."""
    status = np.where(joint.status == "constant_shift", "ok", joint.status).astype(joint.status.dtype)
    return Joint(joint.sample, joint.difference, joint.error, joint.df, status)


def _baseline(sample: Sample, options: Options) -> int | None:
    """The column of the baseline, where differences from one are what the largest is of."""
    baselines = np.unique(sample.pairs[:, 0])
    if options.more["versus"] == "all" or not len(baselines):
        return None
    if len(baselines) > 1:
        raise NotDefined(
            f'versus="baseline" needs one baseline of all pairs; here are {len(baselines)}.',
            Hint("Name it: ", Argument("baseline", "bm25"), ", or test against all: ", Argument("versus", "all"), "."),
        )
    return int(baselines[0])
