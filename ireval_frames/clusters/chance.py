"""Mutual information corrected for chance.

What is expected of partitions with these sizes depends on the sizes only, so it is summed over the pairs of *distinct*
sizes: at most √(2n) on a side, whatever the number of classes and clusters.
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

# Overlaps farther from their mean than this many standard deviations, and this many items more, have chances below
# 1e-25: a hypergeometric count is a sum of independent trials, of whose tails Bernstein's bound says so.
DEVIATIONS, FURTHER = 12.0, 40.0
# A wide distribution is summed in steps of a part of its standard deviation, which is as exact as summing all: the
# characteristic function of such a sum is 0 to any float where the steps would see it.
PARTS = 8.0
# Stirling's series from 1/12x on; with these it has the precision of a float from 7 on.
SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
HALF_LOG_2PI = math.log(2.0 * math.pi) / 2.0
# From here on it needs no help.
SERIES_FROM = 16.0
# What rounding may leave of a difference that is none.
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
    """The information that clusters and classes share, corrected for what partitions with these sizes share by chance.

    AMI = (MI − E[MI]) / (N − E[MI]), where N is the arithmetic mean of H(G) and H(X) (scikit-learn), their `geometric`
    mean, the `min`, or the `max` (aricode), and E[MI] is over all pairs of partitions with these sizes:
    E[MI] = Σ_ij Σ_k (k/n)·log(n·k/(a_i·b_j))·P(k), with P hypergeometric.  It is exact at every n.

    Weights must be whole numbers.

    Range: −1 to 1, higher is better; 0 is expected by chance.  As in scikit-learn it is 1 for equal partitions, and 0
    where one side alone is a single group.  With `normalizer="min"` it is undefined where one side is all single items:
    every partition then shares what is expected, and that is all there is (scikit-learn divides two roundings there).

    Raises:
        InvalidValue: a weight is a fraction, or the weights of a unit exceed 2^53.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("AMI").summary()["value"].round(4).item()
        0.2602
    """
    c.partition()
    c.whole()
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
    """How many classes, or clusters, have each size."""
    tables, plan = c.tables, c.tables.plan
    sized = plan.selected(f"{side}_sizes", groups.keys, groups, **{f"{side}_size": size})
    counted = plan.grouped(f"{side}_size_histogram", sized, *tables.keys, f"{side}_size")
    repeats = sized.count(into=counted)
    value = col(f"{side}_size")
    # Sizes of weight 0 share nothing.
    return plan.selected(f"{side}_histogram", counted.keys, counted, value > 0, **{f"{side}_repeats": repeats})


def _log_ratio(terms: Table, k: Expr, mean: Expr) -> Expr:
    return terms.column(k / mean, "odds").log()


def _chance(terms: Table, k: Expr, sizes: tuple[Expr, Expr, Expr], mean: Expr, margins: Expr) -> Expr:
    """The hypergeometric probability that a class and a cluster of these sizes share k of n items.

    Its logarithm is a difference of large numbers; with each count written as its expectation and how far it is from
    it, the large parts cancel before they are computed.
    """
    a, b, n = sizes
    away = terms.column(k - mean, "away")
    counts = (
        (k, mean, away),
        (a - k, a - mean, -away),
        (b - k, b - mean, -away),
        (n - a - b + k, n - a - b + mean, away),
    )
    distance, corrections = lit(0.0), lit(0.0)
    for i, (count, expectation, from_it) in enumerate(counts):
        there = terms.column(when(expectation > 0).then(ratio(from_it, expectation)).otherwise(0.0), f"relative_{i}")
        # The logarithm of 1 + x to full precision (Kahan).
        one_more = terms.column(1.0 + there, f"one_more_{i}")
        exact = (
            when(one_more == 1.0)
            .then(there)
            .otherwise(one_more.log() * there / when(one_more == 1.0).then(1.0).otherwise(one_more - 1.0))
        )
        distance = distance + when(count > 0).then(count * exact).otherwise(0.0)
        corrections = corrections + _stirling(terms, terms.column(count, f"count_{i}"))
    return (margins - corrections - distance).exp()


def _stirling(table: Table, x: Expr) -> Expr:
    """What Stirling leaves of a factorial, log x! − x·log x + x: a short number, whatever x."""
    some = x > 0
    x = table.column(when(some).then(x).otherwise(1.0), "counted")
    small = x < SERIES_FROM
    # A small x! is (x+6)! / ((x+1)·…·(x+6)), taken two and two.
    y = table.column(when(small).then(x + 6.0).otherwise(x), "shifted")
    pair = x * (x + 7.0)
    product = table.column(when(small).then((pair + 6.0) * (pair + 10.0) * (pair + 12.0)).otherwise(1.0), "product")
    log_y, square = table.column(y.log(), "log"), table.column(1.0 / (y * y), "inverse_square")
    tail = lit(SERIES[-1])
    for coefficient in reversed(SERIES[:-1]):
        tail = coefficient + square * tail
    rest = when(small).then(y * log_y - x * x.log() - product.log() - 6.0).otherwise(0.0)
    return when(some).then(log_y / 2.0 + HALF_LOG_2PI + tail / y + rest).otherwise(0.0)
