"""Krippendorff's alpha, at each level of measurement."""

from __future__ import annotations

import polars as pl

from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import Parameter
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.measures import rating_measure
from ireval_frames.ratings.measures.chance import BELOW
from ireval_frames.ratings.options import LEVELS
from ireval_frames.ratios import indicator, ratio

DISTANCES = ("linear", "circular", "bipolar", "own")


def _own_level() -> Parameter:
    def convert(value: object) -> object:
        if value is not None and value not in LEVELS:
            raise ValueError(" or ".join(repr(m) for m in LEVELS))
        return value

    return Parameter(None, "the level of measurement, instead of that of the ratings", convert)


def _distance() -> Parameter:
    def convert(value: object) -> object:
        if value is not None and value not in DISTANCES:
            raise ValueError(" or ".join(repr(m) for m in DISTANCES))
        return value

    return Parameter(None, "the distance of categories, instead of that of the level", convert)


@rating_measure(
    "KrippendorffAlpha",
    range=BELOW,
    aliases=("Alpha",),
    parameters={"level": _own_level(), "distance": _distance()},
    formula="1 − D_o/D_e over items with m_i ≥ 2; N = Σ m_i; D_o = Σ_i Σ_kl n_ik·n_il·δ²_kl / (m_i − 1) / N; "
    "D_e = Σ_kl n_k·n_l·δ²_kl / (N·(N − 1))",
    source="Krippendorff, Content Analysis, 2004",
)
def KrippendorffAlpha(c: RatingContext, level: str | None, distance: str | None) -> Expr:
    """Krippendorff's alpha: 1 minus the ratio of the disagreement within items and that between any two ratings.

    δ² is 1 for different categories (nominal), the squared number of ratings between the two, with half of their own
    (ordinal), the squared difference (interval), or the squared ratio of difference and sum (ratio).  Ordinal alpha is
    interval alpha of midranks.  The time is proportional to the number of ratings, except for ratio and distances by
    name.

    `level`: nominal, ordinal, interval or ratio; by default that of the ratings.
    `distance`: another δ², by name: "linear" |a − b|; "circular" sin²(π·(a − b)/U) for a circular scale of U
    `categories`; "bipolar" (a − b)²/((a + b − 2·low)·(2·high − a − b)) for a scale with two poles; "own", the
    `distances` of the ratings.

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, or the ratings of those that
    have are all of one category.  Weights are whole numbers.

    Example:
        >>> import ireval_frames as ir
        >>> ratings = ir.Ratings(ir.examples.ratings(), level="interval")
        >>> evaluation = ratings.evaluate("KrippendorffAlpha KrippendorffAlpha(level='ordinal')")
        >>> evaluation.summary()["value"].round(3).to_list()
        [0.849, 0.815]
        >>> far = ir.Ratings(ir.examples.ratings(), categories=[1, 2, 3, 4, 5], distances=lambda a, b: abs(a - b) > 1)
        >>> far.evaluate("KrippendorffAlpha(distance='own')").summary()["value"].round(3).item()
        0.868
    """
    level = c.level(level)
    c.whole_weights()
    tables = c.tables
    total = c.over_categories(c.pairable)
    several = c.over_categories(indicator(c.pairable > 0.0)) > 1.0
    one_less = when(c.m >= 2.0).then(c.m - 1.0).otherwise(1.0)
    if distance is not None or level == "ratio":
        name = distance or "ratio"
        far = c.distance(name, tables.cell_pairs)
        pairs = tables.cell_pairs.sum(col("size") * col("other_size") * far, into=tables.rated)
        within = c.over_rated(c.enough * pairs / one_less)
        both = tables.category_pairs("of_pairable", n=c.pairable)
        between = both.sum(col("n") * col("other_n") * c.distance(name, both))
    elif level == "nominal":
        n, m = col("size"), c.m
        within = c.over_rated(c.enough * (m * m - c.over_cells(n * n)) / one_less)
        between = total * total - c.over_categories(c.pairable * c.pairable)
    else:
        value = _rank(c) if level == "ordinal" else tables.categories.column(col("rating").cast(pl.Float64), "number")
        mean = ratio(c.over_categories(c.pairable * value), total)
        centred = tables.categories.column(value - tables.categories.lookup(mean, of=tables.units), "centred")
        x, n = tables.cells.lookup(centred, of=tables.categories), col("size")
        squares, summed = c.over_cells(n * x * x), c.over_cells(n * x)
        # The disagreement of a single category is 0 without rounding.
        several_of_item = tables.cells.count(into=tables.rated) > 1.0
        spread = when(several_of_item).then(c.m * squares - summed * summed).otherwise(0.0)
        within = c.over_rated(c.enough * 2.0 * spread / one_less)
        between = 2.0 * total * c.over_categories(c.pairable * centred * centred)
    disagreement = within * (total - 1.0)
    return c.ratio(when(several).then(between - disagreement), when(several).then(between).otherwise(0.0))


def _rank(c: RatingContext) -> Expr:
    """At the categories: the mean rank of their ratings among all that can be paired."""
    tables, n = c.tables, c.pairable
    place = tables.categories.column(tables.place, "place")
    counted = tables.plan.selected(
        "counted", (*tables.keys, "rating"), tables.categories, rating=col("rating"), place_=place, n_=n
    )
    upto = counted.over(col("n_").cum_sum(), tables.keys, ["place_"], "upto")
    return tables.categories.lookup(counted.column(upto - (col("n_") - 1.0) / 2.0, "midrank"), of=counted)
