"""Reliability of ratings on the items that all raters rated: intraclass correlation and Kendall's W."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames import per
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import ANY_NUMBER, choice
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.measures import rating_measure
from ireval_frames.ratios import ratio

FORMS = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")
# Smaller shares of the ratings' own sum of squares are rounding.
ROUNDING = 1e-24


@dataclass(frozen=True)
class Variances:
    """The mean squares of items × raters, as expressions of a unit.

    Attributes:
        n, k: the numbers of items and raters.
        between: between items.
        raters: between raters.
        within: within items.
        error: the residual.
    """

    n: per.Unit
    k: per.Unit
    between: per.Unit
    raters: per.Unit
    within: per.Unit
    error: per.Unit


def variances(c: RatingContext) -> Variances:
    """The two-way analysis of variance of the items that all raters rated."""
    c.ordered()
    c.whole_weights()
    c.unique_ratings()
    tables = c.tables
    rows, item, rater, unit = tables.complete, tables.complete_items, tables.complete_raters, tables.units
    weight, x = tables.weight, col("place")
    k = c.num_raters
    one = rows.max(weight, into=item)
    n, total = item.sum(one), rows.sum(weight)
    mean = ratio(rows.sum(weight * x), total)
    centred = rows.column(x - rows.lookup(mean, of=unit), "centred")
    of_item = item.column(rows.sum(centred, into=item) / rows.count(into=item), "item_mean")
    of_rater = rater.column(rows.sum(weight * centred, into=rater) / rows.sum(weight, into=rater), "rater_mean")
    item_mean, rater_mean = rows.lookup(of_item, of=item), rows.lookup(of_rater, of=rater)
    residual = rows.column(centred - item_mean - rater_mean, "left")
    within = rows.column(centred - item_mean, "inside")
    scale = rows.sum(weight * x * x)

    def mean_square(value: Expr, df: Expr) -> Expr:
        """The sum of squares over the rows, by its degrees of freedom; rounding is 0."""
        total = rows.sum(weight * value * value)
        return when(df > 0.0).then(
            when(total > ROUNDING * scale).then(total).otherwise(0.0) / when(df > 0.0).then(df).otherwise(1.0)
        )

    return Variances(
        n,
        k,
        mean_square(item_mean, n - 1.0),
        mean_square(rater_mean, k - 1.0),
        mean_square(within, n * (k - 1.0)),
        mean_square(residual, (n - 1.0) * (k - 1.0)),
    )


@rating_measure(
    "ICC",
    range=ANY_NUMBER,
    parameters={"form": choice("2,1", *(f for f in FORMS if f != "2,1"), what="which of Shrout and Fleiss' six forms")},
    formula="1,1: (B − W)/(B + (k−1)·W); 2,1: (B − E)/(B + (k−1)·E + k·(R − E)/n); 3,1: (B − E)/(B + (k−1)·E); "
    "1,k: (B − W)/B; 2,k: (B − E)/(B + (R − E)/n); 3,k: (B − E)/B",
    source="Shrout and Fleiss, Psychological Bulletin 1979",
)
def ICC(c: RatingContext, form: str) -> Expr:
    """The intraclass correlation: the share of the variance of ratings that is between items.

    B, W, R and E are the mean squares between items, within items, between raters, and of the residual, over the n
    items that all k raters rated.  Ordinal ratings count by their places on the scale.

    `form`: the design, and the reliability of what: random raters for each item ("1"), random raters who rate all items
    ("2", absolute agreement), or fixed raters ("3", consistency); a single rating ("1") or the mean of all ("k").

    Range: up to 1, which is best; below 0 where items differ less than ratings of one item.  Undefined with fewer than
    two raters or two such items, and where the denominator is not above 0.  Weights are whole numbers, and a
    rater rates an item once.

    Example:
        >>> import ireval_frames as ir
        >>> ratings = ir.Ratings(ir.examples.ratings(), level="interval")
        >>> ratings.evaluate("ICC ICC(form='3,k')").summary()["value"].round(3).to_list()
        [0.701, 0.91]
    """
    v = variances(c)
    noise = v.within if form[0] == "1" else v.error
    more = (v.raters - v.error) / v.n if form[0] == "2" else lit(0.0)
    below = v.between + (more if form[-1] == "k" else (v.k - 1.0) * noise + v.k * more)
    return c.ratio(when(below > 0.0).then(v.between - noise), when(below > 0.0).then(below).otherwise(0.0 * below))


@rating_measure(
    "KendallW",
    range=(0.0, 1.0),
    formula="12·Σ_i (R_i − R̄)² / (k²·(n³ − n) − k·Σ(t³ − t))",
    source="Kendall and Babington Smith, Annals of Mathematical Statistics 1939",
)
def KendallW(c: RatingContext) -> Expr:
    """Kendall's W: the agreement of raters in the order of the n items that all k of them rated.

    R_i is the sum of an item's ranks, each among all items of its rater, equal ratings sharing their mean rank; t is
    the number of equal ratings of a rater.

    Range: 0 to 1, 1 is the same order.  Undefined with fewer than two such items or two raters, and where the ratings
    of each rater are all equal.  Weights are whole numbers, and a rater rates an item once.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings(), level="ordinal").evaluate("KendallW").summary()["value"].round(3).item()
        0.794
    """
    c.ordered()
    c.whole_weights()
    c.unique_ratings()
    tables, plan, k = c.tables, c.tables.plan, c.num_raters
    rows, unit, keys = tables.complete, tables.units, (*tables.keys, "rater_id")
    tied = plan.grouped("alike", rows, *keys, "place")
    t = rows.sum(tables.weight, into=tied)
    counted = plan.selected("counted_alike", (*keys, "place"), tied, rater_id=col("rater_id"), place=col("place"), t=t)
    upto = counted.over(col("t").cum_sum(), keys, ["place"], "upto")
    midrank = counted.column(upto - (col("t") - 1.0) / 2.0, "midrank")
    item = tables.complete_items
    one = rows.max(tables.weight, into=item)
    n = item.sum(one)
    deviation = rows.sum(rows.lookup(midrank, of=counted), into=item) - item.lookup(k * (n + 1.0) / 2.0, of=unit)
    squares = item.sum(one * deviation * deviation)
    ties = counted.sum(col("t") * col("t") * col("t") - col("t"))
    below = k * k * (n * n * n - n) - k * ties
    return c.ratio(when(k > 1.0).then(12.0 * squares), when(k > 1.0).then(below).otherwise(0.0))
