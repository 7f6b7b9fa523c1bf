"""Mutual information corrected for chance.

The expectation depends on the sizes of classes and clusters only, so it is summed over pairs of *distinct* sizes: at
most √(2n) on each side, whatever the number of classes and clusters.
"""

from __future__ import annotations

import math

from ireval_frames.catalog import measure
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.information import mean_of
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import choice
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio

# Overlaps farther from their mean than this number of standard deviations plus this number of items have probabilities
# below 1e-25, by Bernstein's bound: a hypergeometric count is a sum of independent trials.
DEVIATIONS, FURTHER = 12.0, 40.0
# Wide distributions are summed in steps of a fraction of their standard deviation, which is as exact as summing all
# terms: the characteristic function is 0 in floats at the frequencies of the steps.
PARTS = 8.0
# Stirling's series from 1/12x on, exact in floats from 7 on.
SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
HALF_LOG_2PI = math.log(2.0 * math.pi) / 2.0
# From here on the series is used without a shift.
SERIES_FROM = 16.0
# Smaller differences are rounding.
ROUNDING = 1e-13


@measure(
    "clusters",
    "AMI",
    at="",
    aliases=("AdjustedMutualInformation",),
    parameters={"normalizer": choice("arithmetic", "geometric", "min", "max", what="the mean of the entropies")},
    range=(-1.0, 1.0),
    undefined=None,
    formula="(MI − E[MI]) / (mean(H(G), H(X)) − E[MI])",
    source="Vinh, Epps and Bailey, 2010; scikit-learn",
)
def AMI(c: ClusterContext, normalizer: str) -> Expr:
    """The mutual information of clusters and classes, corrected for chance given the sizes.

    AMI = (MI − E[MI]) / (N − E[MI]), where N is the arithmetic mean of H(G) and H(X) (scikit-learn), their `geometric`
    mean, the `min`, or the `max` (aricode), and E[MI] is over all pairs of partitions with these sizes:
    E[MI] = Σ_ij Σ_k (k/n)·log(n·k/(a_i·b_j))·P(k), with P hypergeometric.  It is exact at every n.

    Weights must be whole numbers.

    Range: −1 to 1, higher is better; 0 is expected by chance.  As in scikit-learn it is 1 for equal partitions, and 0
    where only one side is a single group.  With `normalizer="min"` it is undefined where one side has singletons only:
    every partition then has the expected information, which is the maximum (scikit-learn divides two roundings there).

    Raises:
        InvalidValue: a weight is a fraction, or the weights of a unit exceed 2^53.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("AMI").summary()["value"].round(4).item()
        0.2602
    """
    c.partition()
    c.whole_weights()
    expected = expected_information(c)
    mean = mean_of((c.class_entropy, c.cluster_entropy), normalizer)
    below, above = mean - expected, c.mutual_information - expected
    slack = ROUNDING * (1.0 + mean)
    value = when(above.abs() > slack).then(above / below).otherwise(0.0)
    value = when(below.abs() > slack).then(value).otherwise(c.undefined)
    single = (c.num_classes <= 1) | (c.num_clusters <= 1)
    return when(c.trivial | c.identical).then(1.0).otherwise(when(single).then(0.0).otherwise(value))


def expected_information(c: ClusterContext) -> Expr:
    """E[MI] of a unit, in nats."""
    tables, plan = c.tables, c.tables.plan
    classes = _histogram(c, "class", tables.classes, c.size_of_class)
    clusters = _histogram(c, "cluster", tables.clusters, c.size_of_cluster)
    a, b = col("class_size"), col("cluster_size")
    repeats = col("class_repeats") * col("cluster_repeats")
    pairs = plan.joined("size_pairs", (*tables.keys, "class_size", "cluster_size"), classes, clusters, on=tables.keys)
    n = tables.total(pairs)
    mean = pairs.column(a * b / n, "mean_overlap")
    rest_a, rest_b = n - a, n - b
    variance = mean * (rest_a / n) * when(n > 1).then(rest_b / (n - 1.0)).otherwise(0.0)
    deviation = pairs.column(variance.sqrt(), "deviation")
    step = (deviation / PARTS).floor()
    step = pairs.column(when(step > 1).then(step).otherwise(1.0), "step")
    reach = pairs.column(DEVIATIONS * deviation + FURTHER, "reach")
    low, high = pairs.column((mean - reach).floor(), "low"), pairs.column((mean + reach).ceil(), "high")
    low = when(low > a + b - n).then(low).otherwise(a + b - n)
    low = pairs.column(when(low > 1).then(low).otherwise(1.0), "first")
    smaller = when(a < b).then(a).otherwise(b)
    high = when(high < smaller).then(high).otherwise(smaller)
    terms = plan.expand_range("shared_items", "number_of_step", pairs, lit(0), ((high - low) / step).floor())
    margins = pairs.column(
        _stirling(pairs, a)
        + _stirling(pairs, b)
        + _stirling(pairs, rest_a)
        + _stirling(pairs, rest_b)
        - _stirling(pairs, n),
        "margins",
    )
    k = terms.column(low + step * col("number_of_step"), "k")
    chance = _chance(terms, k, (a, b, n), mean, margins)
    return terms.sum(repeats * step * k / n * _log_ratio(terms, k, mean) * chance)


def _histogram(c: ClusterContext, side: str, groups: Table, size: Expr) -> Table:
    """The number of classes, or clusters, of each size."""
    tables, plan = c.tables, c.tables.plan
    sized = plan.selected(f"{side}_sizes", groups.keys, groups, **{f"{side}_size": size})
    counted = plan.grouped(f"{side}_size_histogram", sized, *tables.keys, f"{side}_size")
    repeats = sized.count(into=counted)
    value = col(f"{side}_size")
    # Groups of weight 0 have no information.
    return plan.selected(f"{side}_histogram", counted.keys, counted, value > 0, **{f"{side}_repeats": repeats})


def _log_ratio(terms: Table, k: Expr, mean: Expr) -> Expr:
    return terms.column(k / mean, "odds").log()


def _chance(terms: Table, k: Expr, sizes: tuple[Expr, Expr, Expr], mean: Expr, margins: Expr) -> Expr:
    """The hypergeometric probability that a class and a cluster of these sizes share k of n items.

    Its logarithm is a difference of large numbers; with each count written as its expectation plus a deviation, the
    large parts cancel exactly.
    """
    a, b, n = sizes
    deviation = terms.column(k - mean, "away")
    counts = (
        (k, mean, deviation),
        (a - k, a - mean, -deviation),
        (b - k, b - mean, -deviation),
        (n - a - b + k, n - a - b + mean, deviation),
    )
    distance, corrections = lit(0.0), lit(0.0)
    for i, (count, expectation, difference) in enumerate(counts):
        relative = terms.column(
            when(expectation > 0).then(ratio(difference, expectation)).otherwise(0.0), f"relative_{i}"
        )
        # The logarithm of 1 + x to full precision (Kahan).
        one_more = terms.column(1.0 + relative, f"one_more_{i}")
        exact = (
            when(one_more == 1.0)
            .then(relative)
            .otherwise(one_more.log() * relative / when(one_more == 1.0).then(1.0).otherwise(one_more - 1.0))
        )
        distance = distance + when(count > 0).then(count * exact).otherwise(0.0)
        corrections = corrections + _stirling(terms, terms.column(count, f"count_{i}"))
    return (margins - corrections - distance).exp()


def _stirling(table: Table, x: Expr) -> Expr:
    """The remainder of Stirling's formula, log x! − x·log x + x, which is small for any x."""
    positive = x > 0
    x = table.column(when(positive).then(x).otherwise(1.0), "counted")
    small = x < SERIES_FROM
    # For small x, x! is (x+6)! / ((x+1)·…·(x+6)); the factors are multiplied in pairs.
    y = table.column(when(small).then(x + 6.0).otherwise(x), "shifted")
    pair = x * (x + 7.0)
    product = table.column(when(small).then((pair + 6.0) * (pair + 10.0) * (pair + 12.0)).otherwise(1.0), "product")
    log_y, square = table.column(y.log(), "log"), table.column(1.0 / (y * y), "inverse_square")
    tail = lit(SERIES[-1])
    for coefficient in reversed(SERIES[:-1]):
        tail = coefficient + square * tail
    rest = when(small).then(y * log_y - x * x.log() - product.log() - 6.0).otherwise(0.0)
    return when(positive).then(log_y / 2.0 + HALF_LOG_2PI + tail / y + rest).otherwise(0.0)
