"""Fisher's randomisation test over differences of the same units."""

from __future__ import annotations

import numpy as np

from ireval_frames.parameters import whole
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.resampling.draws import error_of, reached, share
from ireval_frames.stats.resampling.exact_signs import MAX_COUNTED, counted, subset_sums
from ireval_frames.stats.resampling.inversion import interval
from ireval_frames.stats.resampling.random_signs import pair_flips, pair_sums
from ireval_frames.stats.rounding import is_zero, rounding
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

# The most units whose intervals are read from all assignments.
ENUMERATED = 16
# With more pairs than this, only pairs with few units are enumerated.
MAX_PAIRS, FEW_UNITS = 1000, 20


@significance_test(
    "randomization",
    reads={"exact": whole(MAX_COUNTED, "of so many units all signs are counted", 0)},
    statistic="mean difference",
    source="Fisher, The Design of Experiments, 1935; Smucker, Allan and Carterette, CIKM 2007",
)
def randomization(sample: Sample, options: Options) -> Outcome:
    """Fisher's sign flip: whether the mean difference is larger than it is when systems swap names in random units.

    T = |Σ s_u d_u| with random signs s_u; p is the share of assignments of signs with T no less than |Σ d_u|, all of
    them where they can be counted, else (1 + #) / (1 + draws).  Sums that differ by their rounding are one.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: alternative, confidence, draws, seed, threads; `exact`: up to how many differences that are not 0 all
            signs are counted (34; on a grid, such as tenths, hundreds are; 0 for none).  Of more than 1,000 pairs only
            those of up to 20 units are.

    Returns:
        The mean difference as statistic, p with its Monte Carlo standard error `p_se` (0 where all are counted).  The
        interval holds the shifts that the test does not reject, from all signs for up to 16 units, else from the draws;
        where p is exact and the interval drawn, `interval_method` says so.  Identical systems have p = 1; fewer than
        two units give no test.

    Raises:
        InvalidParameter: `seed`, `n_resamples` or `threads` is not an integer.

    Source: Fisher, The Design of Experiments, 1935; scipy.stats.permutation_test(permutation_type="samples").

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6], [0.3, 0.2]])
        >>> found = randomization(Sample(values, np.array([[0, 1]])), Options())
        >>> found.p_value.tolist(), found.method.tolist()
        ([0.125], ['exact'])
    """
    draws = options.n_resamples
    d = difference_moments(sample)
    out = Outcome.empty(sample.n_pairs, "exact")
    out.status, out.statistic = d.status, d.mean
    out.more["p_se"] = np.full(sample.n_pairs, np.nan)
    _exactly(sample, d.n, options, out)
    tested = d.n > 1
    drawn, enumerated = tested & np.isnan(out.p_value), d.n <= ENUMERATED
    out.method[drawn], out.n_resamples[drawn | (tested & ~enumerated & (d.status != "identical"))] = (
        "monte carlo",
        draws,
    )
    # A p-value that counts all signs beside an interval of some of them.
    out.interval = np.where(tested & ~drawn & ~enumerated, "random signs", "")
    out.interval[drawn & enumerated] = "all signs"
    needs = np.flatnonzero(tested & (drawn | ~enumerated) & (d.status != "identical"))
    some = Sample(sample.values, sample.pairs[needs])
    total, allowed = pair_sums(some)
    for at, turned, units in pair_flips(some, options):
        pairs, integral = needs[at], total[at, None]
        count = reached(integral - 2.0 * turned, total[at], allowed[at], options.alternative)
        p = np.where(drawn[pairs], share(count, draws), out.p_value[pairs])
        out.p_value[pairs], out.more["p_se"][pairs] = p, np.where(drawn[pairs], error_of(p, draws), 0.0)
        low, high = (
            np.where(is_zero(x, allowed[at] / d.n[pairs]), 0.0, x)
            for x in _ends(turned, units, integral, d.n[pairs, None], options)
        )
        later = ~enumerated[pairs]
        out.ci_low[pairs[later]], out.ci_high[pairs[later]] = low[later], high[later]
    same = d.status == "identical"
    out.p_value[same], out.more["p_se"][same] = 1.0, 0.0
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    return out


def _exactly(sample: Sample, n: Array, options: Options, out: Outcome) -> None:
    """The p-values and intervals of the pairs whose assignments of signs can all be counted."""
    most, few = min(options.more["exact"], MAX_COUNTED), sample.n_pairs <= MAX_PAIRS
    for pair in np.flatnonzero((n > 1) & (few | (n <= FEW_UNITS)) & (out.status != "identical")).tolist():
        baseline, system = sample.columns(pair)
        d, beside = system - baseline, rounding(baseline, system)
        nonzero = ~is_zero(d, beside)
        p = counted(d[nonzero], beside[nonzero], options.alternative, most)
        if p is not None:
            out.p_value[pair], out.more["p_se"][pair] = p, 0.0
        d = np.where(nonzero, d, 0.0)
        if len(d) <= ENUMERATED:
            units, total = subset_sums(np.ones(len(d))), np.full((1, 1), d.sum())
            low, high = _ends(subset_sums(d)[None], units[None], total, np.array([[float(len(d))]]), options, all_=True)
            out.ci_low[pair], out.ci_high[pair] = low[0], high[0]


def _ends(
    turned: Array, units: Array, total: Array, n: Array, options: Options, *, all_: bool = False
) -> tuple[Array, Array]:
    """The interval: thresholds of shifts are the mean of the reversed units and that of the others."""
    with np.errstate(invalid="ignore", divide="ignore"):
        one = np.where(units > 0, turned / units, np.nan)
        other = np.where(units < n, (total - turned) / (n - units), np.nan)
    return interval(one, other, options.confidence, options.alternative, total=all_)
