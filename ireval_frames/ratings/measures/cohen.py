"""Agreement of two raters at a time: Cohen's kappa, and the limits of their differences."""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import ANY_NUMBER, number
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.distances import distance, weights_of
from ireval_frames.ratings.measures import rating_measure
from ireval_frames.ratings.measures.chance import BELOW
from ireval_frames.ratios import ratio

BLAND = "Bland and Altman, Lancet 1986"
LIMITS = {"z": number(1.96, "the distance of the limits from the mean in standard deviations", low=0.0)}


def kappas(c: RatingContext, weights: str) -> Expr:
    """At the pairs of raters who share items: Cohen's kappa."""
    if weights != "identity":
        c.ordered(f"(weights={weights!r})")
    tables, both = c.tables, c.tables.rater_pairs
    cells, margins = tables.shared_cells, tables.shared_margins()
    far = distance(weights, col("first_place"), col("second_place"))
    n = cells.sum(tables.shared_size, into=both)
    observed = cells.sum(tables.shared_size * far, into=both)
    expected = margins.sum(col("first_n") * col("second_n") * far, into=both)
    return c.ratio(expected - n * observed, expected)


@rating_measure(
    "CohenKappa",
    range=BELOW,
    aliases=("LightKappa",),
    parameters={"weights": weights_of()},
    formula="mean over pairs of raters of 1 − Σ_kl δ_kl·o_kl / Σ_kl δ_kl·e_kl",
    source="Cohen, Educational and Psychological Measurement 1960, Psychological Bulletin 1968; Light, 1971",
)
def CohenKappa(c: RatingContext, weights: str) -> Expr:
    """Cohen's kappa of every two raters who share items, averaged over these pairs (Light's kappa).

    o_kl is the share of their items that got k from one and l from the other, e_kl the product of both raters' shares.
    `ratings.pairwise()` has the pairs.  The time is proportional to the number of pairs of ratings of an item.

    `weights`: the distance δ of two categories: 1 (identity), |a − b| (linear), its square (quadratic), its root
    (radical), the number of places between them (ordinal), or the squared ratio of difference and sum (ratio).

    Range: up to 1, which is best; 0 is chance.  Undefined where no two raters share items, or all of their ratings are
    of one category.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("CohenKappa").summary()["value"].round(4).item()
        0.7002
    """
    return c.tables.rater_pairs.mean(kappas(c, weights))


@rating_measure(
    "BlandAltmanBias", range=ANY_NUMBER, higher_is_better=None, formula="d̄ = mean of x_1 − x_2", source=BLAND
)
def BlandAltmanBias(c: RatingContext) -> Expr:
    """The mean difference of two raters: the first by name minus the second.

    Range: any number; 0 is no bias.  Undefined unless there are two raters who share an item.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> two = ir.examples.ratings().filter(pl.col("rater_id").is_in(["a", "b"]))
        >>> ir.Ratings(two, level="interval").evaluate("BlandAltmanBias").summary()["value"].round(4).item()
        -0.1111
    """
    return _differences(c)[0]


@rating_measure(
    "BlandAltmanLower",
    range=ANY_NUMBER,
    higher_is_better=None,
    parameters=LIMITS,
    formula="d̄ − z·s, s² = Σ(d − d̄)²/(n − 1)",
    source=BLAND,
)
def BlandAltmanLower(c: RatingContext, z: float) -> Expr:
    """The lower limit of agreement: few differences of two raters are below it.

    `z`: the number of standard deviations below the mean.

    Range: any number.  Undefined unless there are two raters who share two items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> two = ir.examples.ratings().filter(pl.col("rater_id").is_in(["a", "b"]))
        >>> ir.Ratings(two, level="interval").evaluate("BlandAltmanLower").summary()["value"].round(4).item()
        -0.7644
    """
    mean, deviation = _differences(c)
    return mean - z * deviation


@rating_measure(
    "BlandAltmanUpper",
    range=ANY_NUMBER,
    higher_is_better=None,
    parameters=LIMITS,
    formula="d̄ + z·s, s² = Σ(d − d̄)²/(n − 1)",
    source=BLAND,
)
def BlandAltmanUpper(c: RatingContext, z: float) -> Expr:
    """The upper limit of agreement: few differences of two raters are above it.

    `z`: the number of standard deviations above the mean.

    Range: any number.  Undefined unless there are two raters who share two items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> two = ir.examples.ratings().filter(pl.col("rater_id").is_in(["a", "b"]))
        >>> ir.Ratings(two, level="interval").evaluate("BlandAltmanUpper").summary()["value"].round(4).item()
        0.5422
    """
    mean, deviation = _differences(c)
    return mean + z * deviation


def _differences(c: RatingContext) -> tuple[Expr, Expr]:
    """The mean of the differences of two raters, and their standard deviation."""
    c.ordered()
    c.whole_weights()
    tables = c.tables
    shared, units = tables.shared, tables.units
    difference, weight = col("first_place") - col("second_place"), tables.weight
    n = shared.sum(weight)
    mean = units.column(when((c.num_raters == 2.0) & (n > 0.0)).then(ratio(shared.sum(weight * difference), n)), "mean")
    deviation = shared.column(difference - shared.lookup(mean, of=units), "away")
    squares = shared.sum(weight * deviation * deviation)
    return mean, when(n > 1.0).then((squares / when(n > 1.0).then(n - 1.0).otherwise(1.0)).sqrt())
