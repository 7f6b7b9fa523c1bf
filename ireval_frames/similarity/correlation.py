"""Rank correlations over the items of both rankings: how much these agree on the order of pairs."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import choice, flag, whole
from ireval_frames.ratios import indicator, ratio
from ireval_frames.similarity.context import Pair, Side

CUTOFF = whole(None, "use only items that both rankings have among their top k")
RANGE = (-1.0, 1.0)


def clipped(value: Expr) -> Expr:
    """The value clipped to −1 and 1, which rounding may exceed."""
    return when(value > 1.0).then(1.0).when(value < -1.0).then(-1.0).otherwise(value)


@measure(
    "similarity",
    "Tau",
    parameters={
        "variant": choice("b", "a", what="'b' corrects for ties, 'a' divides by all pairs of items"),
        "cutoff": CUTOFF,
    },
    aliases=("KendallTau", "Kendall"),
    range=RANGE,
    undefined=None,
    formula="a: (C − D) / (n(n−1)/2); b: (C − D) / √((n(n−1)/2 − T)(n(n−1)/2 − U))",
    source="Kendall, Biometrika 1938 and 1945",
)
def Tau(pair: Pair, variant: str, cutoff: int | None) -> Expr:
    """Kendall's τ: concordant less discordant pairs of items, as a share of all.

    C counts the pairs of common items that both rankings put in the same order, D those in opposite orders, T and U the
    pairs that the first and the second ranking tie.  τ_a divides C − D by all n(n−1)/2 pairs, τ_b by the geometric mean
    of the pairs that each ranking does not tie; without ties they are equal.

    Range: −1 (opposite orders) to 1 (the same order).  Undefined for fewer than two common items; τ_b also where
    a ranking ties all of them.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("a b c d e")
        >>> ir.Similarity(a, against=ir.similarity.ranking("b a c e d")).evaluate("Tau").wide()["Tau"].to_list()
        [0.6]
    """
    pair.items_within(cutoff)
    pairs = pair.result(pair.num_two, "pairs")
    one, other = pair.num_tied(pair.first), pair.num_tied(pair.second)
    # C − D, as every pair is concordant, discordant, or tied somewhere.
    excess = pairs - one - other + pair.sum((pair.tied_in_both - 1.0) / 2.0) - 2.0 * pair.num_discordant
    untied = pairs if variant == "a" else ((pairs - one) * (pairs - other)).sqrt()
    return ratio(excess, pair.result(untied, "untied"))


@measure(
    "similarity",
    "Spearman",
    parameters={
        "ties": choice(
            "midranks",
            "distances",
            what="'midranks' correlates the midranks, 'distances' uses the formula of distances despite ties",
        ),
        "cutoff": CUTOFF,
    },
    aliases=("Rho", "SpearmanRho"),
    range=RANGE,
    undefined=None,
    formula="1 − 6 Σ d² / (n(n² − 1)); with ties Pearson's correlation of the midranks",
    source="Spearman, American Journal of Psychology 1904; Kendall, Biometrika 1945 for ties",
)
def Spearman(pair: Pair, ties: str, cutoff: int | None) -> Expr:
    """Spearman's ρ: the correlation of the ranks that the common items have in the two rankings.

    Tied items have the mean of the ranks that they share.  ρ is Pearson's correlation of these midranks; without ties
    this is 1 − 6 Σ d² / (n(n² − 1)), where d is the difference of an item's ranks.  `ties="distances"` uses this
    formula with ties, too, where it is larger.

    Range: −1 (opposite orders) to 1 (the same order).  Undefined for fewer than two common items; with midranks also
    where a ranking ties all of them.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("a b c d e")
        >>> b = ir.similarity.ranking("b a c e d")
        >>> ir.Similarity(a, against=b).evaluate("Spearman").wide()["Spearman"].to_list()
        [0.8]
    """
    pair.items_within(cutoff)
    rank, other = pair.first.midrank, pair.second.midrank
    if ties == "distances":
        n, distance = pair.num_common, rank - other
        # Distances are largest without ties, where this is −1 or more.
        return 1.0 - ratio(6.0 * pair.sum(distance * distance), n * (n * n - 1.0))
    centre = (pair.num_of_pair + 1.0) / 2.0
    rank, other = rank - centre, other - centre
    spread = pair.result((pair.sum(rank * rank) * pair.sum(other * other)).sqrt(), "spread")
    return clipped(pair.result(ratio(pair.sum(rank * other), spread), "correlation"))


@measure(
    "similarity",
    "TauAP",
    parameters={
        "variant": choice("a", "b", what="'a' takes the other ranking as the true one, 'b' is symmetric"),
        "cutoff": CUTOFF,
    },
    aliases=("APCorrelation",),
    range=RANGE,
    undefined=None,
    formula="2/(n−1) Σ_{i=2..n} C(i)/(i−1) − 1, C(i) = items above rank i that the other ranking puts above, too",
    source="Yilmaz, Aslam and Robertson, SIGIR 2008; Urbano and Marrero, ICTIR 2017 for ties",
)
def TauAP(pair: Pair, variant: str, cutoff: int | None) -> Expr:
    """The AP correlation: Kendall's τ that weighs disagreement at the top more.

    τ_AP = 2/(n−1) Σ_{i=2..n} C(i)/(i−1) − 1, where C(i) counts the items above rank i of the measured ranking
    (`run_id`) which the other one (`other_run_id`) puts above this item, too.  Variant a is its mean over all orders of
    tied items: the other ranking is the truth, the measured one an estimate.  Variant b takes for each item the share
    of those above its ties, without the items of the first group of ties, and is the mean over both directions.

    Range: −1 (opposite orders) to 1 (the same order).  Undefined for fewer than two common items; variant b also where
    a ranking ties all of them.  Variant a with ties in the other ranking, which the paper does not define, is the mean
    over their orders, too.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("b a c d")
        >>> b = ir.similarity.ranking("a b c d")
        >>> ir.Similarity(a, against=b).evaluate("TauAP").wide()["TauAP"].round(4).to_list()
        [0.3333]
    """
    pair.items_within(cutoff)
    if variant == "b":
        return (_agreeing(pair, pair.first) + _agreeing(pair, pair.second)) / 2.0
    side = pair.measured
    rank, place, above = side.rank, side.place, side.above_in_both + side.above_tied_in_other / 2.0
    share = side.among_ties(when(place > 1.0).then(1.0 / (place - 1.0)).otherwise(0.0))
    within_ties = when(place > 1.0).then((place - rank) / (place - 1.0)).otherwise(0.0) / 2.0
    below = pair.num_common - 1.0
    return when(below > 0).then(ratio(2.0 * pair.sum(above * share + within_ties), below)) - 1.0


def _agreeing(pair: Pair, side: Side) -> Expr:
    """The mean share of items above that the other ranking puts above, too, over all after the first group of ties."""
    below = side.rank > 1.0
    share = when(below).then(side.above_in_both / (side.rank - 1.0)).otherwise(0.0)
    return 2.0 * ratio(pair.sum(share), pair.sum(indicator(below))) - 1.0


def _hyperbolic(rank: Expr) -> Expr:
    return 1.0 / (rank + 1.0)


def _quadratic(rank: Expr) -> Expr:
    return 1.0 / ((rank + 1.0) * (rank + 1.0))


def _logarithmic(rank: Expr) -> Expr:
    return 1.0 / (rank + 2.0).log(2.0)


WEIGHERS = {"hyperbolic": _hyperbolic, "quadratic": _quadratic, "logarithmic": _logarithmic}


@measure(
    "similarity",
    "WeightedTau",
    parameters={
        "rank": choice(
            "mean",
            "measured",
            "reference",
            what="the ranks for the weights: of both rankings in turn, of the measured one, or of the other",
        ),
        "weigher": choice(
            "hyperbolic", "quadratic", "logarithmic", what="the weight of rank r from 0: 1/(r+1), 1/(r+1)², 1/log2(r+2)"
        ),
        "additive": flag(
            default=True, what="the weight of a pair is the sum of its items' weights, else their product"
        ),
        "cutoff": CUTOFF,
    },
    range=RANGE,
    undefined=None,
    formula="(C − D) / √((A − T)(A − U)), each pair of items counted with the weight of their ranks",
    source="Vigna, WWW 2015; scipy.stats.weightedtau",
)
def WeightedTau(pair: Pair, rank: str, weigher: str, *, additive: bool, cutoff: int | None) -> Expr:
    """Vigna's weighted τ: Kendall's τ_b with pairs of items weighted by their ranks.

    Ranks r count from 0; tied items are ranked by the other ranking.  The weight of an item is 1/(r+1), that of a pair
    the sum of both weights (`additive=False`: their product).  By default the value is the mean of two, with the ranks
    of the one and of the other ranking, as in scipy.stats.weightedtau (`rank="measured"` there is `rank=None`).

    Range: −1 (opposite orders) to 1 (the same order).  Undefined for fewer than two common items, or where a ranking
    ties all of them.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("a b c d e")
        >>> ev = ir.Similarity(a, against=ir.similarity.ranking("b a c e d")).evaluate("WeightedTau")
        >>> ev.wide()["WeightedTau"].round(4).to_list()
        [0.573]
    """
    pair.items_within(cutoff)
    sides = (pair.first, pair.second) if rank == "mean" else (pair.measured if rank == "measured" else pair.reference,)
    values = [_weighted(pair, side, weigher, additive=additive) for side in sides]
    return values[0] if len(values) == 1 else (values[0] + values[1]) / 2.0


def _weighted(pair: Pair, side: Side, weigher: str, *, additive: bool) -> Expr:
    """Weighted τ with the weights of one ranking."""
    weight = side.weight(WEIGHERS[weigher])
    if additive:
        # The weight of a pair is a sum, so every item's weight counts once for each pair it is in.
        total = pair.sum(weight * (pair.num_of_pair - 1.0))
        one, other = (pair.sum(weight * (s.tied - 1.0)) for s in (pair.first, pair.second))
        both = pair.sum(weight * (pair.tied_in_both - 1.0))
        discordant = pair.sum(weight * (pair.first.above_and_below_in_other + pair.second.above_and_below_in_other))
    else:
        total = pair.sum(weight * (pair.total(weight) - weight)) / 2.0
        one, other = (pair.sum(weight * (pair.total(weight, s.top) - weight)) / 2.0 for s in (pair.first, pair.second))
        both = pair.sum(weight * (pair.total(weight, pair.first.top, pair.second.top) - weight)) / 2.0
        discordant = pair.sum(weight * side.weight_of_discordant(WEIGHERS[weigher], weigher))
    excess = total - one - other + both - 2.0 * discordant
    pairs = pair.result(pair.num_two, "pairs")
    defined = (pair.num_tied(pair.first) < pairs) & (pair.num_tied(pair.second) < pairs)
    return clipped(pair.result(when(defined).then(excess / ((total - one) * (total - other)).sqrt()), "weighted"))
