"""Agreement of any number of raters, and coefficients corrected for chance.

All but Conger's kappa need only the number of raters who gave each rating.  The observed agreement is that of
`PercentAgreement`; the coefficients differ in the agreement that they expect by chance.
"""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.distances import weights_of
from ireval_frames.ratings.measures import GWET, rating_measure
from ireval_frames.ratios import indicator, ratio

# Far below 0 where the agreement is less than chance.
BELOW = (-float("inf"), 1.0)


@rating_measure(
    "PercentAgreement",
    range=(0.0, 1.0),
    parameters={"weights": weights_of()},
    formula="mean over items with m_i ≥ 2 of Σ_kl w_kl·n_ik·(n_il − [k = l]) / (m_i·(m_i − 1))",
    source=GWET,
)
def PercentAgreement(c: RatingContext, weights: str) -> Expr:
    """The share of the pairs of ratings of an item that agree, averaged over the items with two ratings or more.

    `weights`: how much different categories agree: "identity" not at all; "linear", "quadratic", "radical", "ordinal"
    and "ratio" by their distance on the scale, 0 for its ends.

    Range: 0 to 1, 1 is best.  Undefined where no item has two ratings.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("PercentAgreement").summary()["value"].round(4).item()
        0.8182
    """
    return c.observed(weights)


@rating_measure(
    "FleissKappa",
    range=BELOW,
    parameters={"weights": weights_of()},
    formula="(p_a − p_e) / (1 − p_e), p_e = Σ_kl w_kl·π_k·π_l, π_k = mean over items of n_ik/m_i",
    source="Fleiss, Psychological Bulletin 1971; " + GWET,
)
def FleissKappa(c: RatingContext, weights: str) -> Expr:
    """Fleiss' kappa: agreement beyond that of ratings drawn from the mean shares of the categories.

    `weights`: how much different categories agree (see `PercentAgreement`).

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, or all are of one category.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("FleissKappa").summary()["value"].round(4).item()
        0.7612
    """
    expected = c.quadratic("mean_share", c.mean_share, weights)
    return c.corrected(c.observed(weights), _one_category(c, expected))


@rating_measure(
    "ScottPi",
    range=BELOW,
    parameters={"weights": weights_of()},
    formula="(p_a − p_e) / (1 − p_e), p_e = Σ_kl w_kl·p_k·p_l, p_k = share of the ratings of items with m_i ≥ 2",
    source="Scott, Public Opinion Quarterly 1955",
)
def ScottPi(c: RatingContext, weights: str) -> Expr:
    """Scott's pi: agreement beyond that of ratings drawn from all ratings of items that have two or more.

    For two raters it is Scott's coefficient; for more it differs from Fleiss' kappa where items have different numbers
    of ratings.

    `weights`: how much different categories agree (see `PercentAgreement`).

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, or all are of one category.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("ScottPi").summary()["value"].round(4).item()
        0.7608
    """
    categories, units = c.tables.categories, c.tables.units
    total = categories.lookup(c.over_categories(c.pairable), of=units)
    share = categories.column(ratio(c.pairable, total), "share")
    expected = c.quadratic("pairable", share, weights)
    several = c.over_categories(indicator(c.pairable > 0.0)) > 1.0
    return c.corrected(c.observed(weights), when(several).then(expected).otherwise(1.0))


@rating_measure(
    "BrennanPrediger",
    range=BELOW,
    aliases=("SScore",),
    parameters={"weights": weights_of()},
    formula="(p_a − p_e) / (1 − p_e), p_e = Σ_kl w_kl / q²",
    source="Brennan and Prediger, Educational and Psychological Measurement 1981; " + GWET,
)
def BrennanPrediger(c: RatingContext, weights: str) -> Expr:
    """Brennan and Prediger's coefficient: agreement beyond that of ratings drawn uniformly from the q categories.

    The categories are those of `categories=`, or else those that occur.

    `weights`: how much different categories agree (see `PercentAgreement`).

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, or there is one category.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("BrennanPrediger").summary()["value"].round(4).item()
        0.7727
    """
    q = c.num_categories
    return c.corrected(c.observed(weights), ratio(c.sum_of_weights(weights), q * q))


@rating_measure(
    "GwetAC1",
    range=BELOW,
    formula="(p_a − p_e) / (1 − p_e), p_e = Σ_k π_k·(1 − π_k) / (q − 1), π_k = mean over items of n_ik/m_i",
    source="Gwet, British Journal of Mathematical and Statistical Psychology 2008; irrCAC",
)
def GwetAC1(c: RatingContext) -> Expr:
    """Gwet's AC1: agreement beyond chance, which is likely for balanced categories and rare for a dominant one.

    The categories are those of `categories=`, or else those that occur.

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, or there is one category.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("GwetAC1").summary()["value"].round(4).item()
        0.7754
    """
    return _gwet(c, "identity")


@rating_measure(
    "GwetAC2",
    range=BELOW,
    parameters={"weights": weights_of("quadratic")},
    formula="(p_a − p_e) / (1 − p_e), p_e = Σ_kl w_kl · Σ_k π_k·(1 − π_k) / (q·(q − 1))",
    source=GWET,
)
def GwetAC2(c: RatingContext, weights: str) -> Expr:
    """Gwet's AC2: AC1 with categories that agree in part.

    The categories are those of `categories=`, or else those that occur.

    `weights`: how much different categories agree (see `PercentAgreement`).

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, or there is one category.

    Example:
        >>> import ireval_frames as ir
        >>> evaluation = ir.Ratings(ir.examples.ratings(), level="ordinal").evaluate("GwetAC2(weights='linear')")
        >>> evaluation.summary()["value"].round(4).item()
        0.8587
    """
    return _gwet(c, weights)


@rating_measure(
    "CongerKappa",
    range=BELOW,
    parameters={"weights": weights_of()},
    formula="(p_a − p_e) / (1 − p_e), p_e = Σ_kl w_kl·mean over pairs of raters g ≠ h of p_gk·p_hl",
    source="Conger, Psychological Bulletin 1980; " + GWET,
)
def CongerKappa(c: RatingContext, weights: str) -> Expr:
    """Conger's kappa: agreement beyond that of raters who draw from the shares of their own ratings.

    For two raters who rate all items it is Cohen's kappa.

    `weights`: how much different categories agree (see `PercentAgreement`).

    Range: up to 1, which is best; 0 is chance.  Undefined where no item has two ratings, there is one rater, or all
    ratings are of one category.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("CongerKappa").summary()["value"].round(4).item()
        0.7621
    """
    tables, r = c.tables, c.num_raters
    margins = tables.margins
    n = tables.rows.sum(tables.weight, into=margins)
    share = margins.column(n / margins.lookup(margins.sum(n, into=tables.raters), of=tables.raters), "share")
    summed = margins.sum(share, into=tables.categories)
    all_raters = c.quadratic("of_raters", summed, weights)
    if weights == "identity":
        same_rater = margins.sum(share * share)
    else:
        table = tables.margin_pairs(share)
        w = c.weight(weights, col("place"), col("other_place"), table)
        same_rater = table.sum(col("share") * col("other_share") * w)
    expected = ratio(all_raters - same_rater, r * (r - 1.0))
    return c.corrected(c.observed(weights), _one_category(c, expected))


def _gwet(c: RatingContext, weights: str) -> Expr:
    q, share = c.num_categories, c.mean_share
    spread = c.over_categories(share * (1.0 - share))
    return c.corrected(c.observed(weights), ratio(c.sum_of_weights(weights) * spread, q * (q - 1.0)))


def _one_category(c: RatingContext, expected: Expr) -> Expr:
    """The expected agreement, which is exactly 1 for a single category."""
    return when(c.tables.categories.count() > 1.0).then(expected).otherwise(1.0)
