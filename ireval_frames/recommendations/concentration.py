"""Concentration: how evenly lists spread over items, and how much those of users differ."""

from __future__ import annotations

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, lit, when
from ireval_frames.kernels.browsing import CONTINUING, attention
from ireval_frames.parameters import UPWARDS, choice, flag, whole
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.parameters import (
    BASE,
    BROWSING_BY_RANK,
    CUTOFF,
    LENSKIT,
    RECOMMENDERS,
    p_of_browsing,
)

GINI = "Adomavicius and Kwon, Improving Aggregate Recommendation Diversity, IEEE TKDE 24(5), 2012"


def _gini(c: RecommendationContext, items: Table, amount: Expr) -> Expr:
    """Σ_j (2j − n − 1)·x_j / (n·Σ x) over all n items of the catalogue; those of no list are the first, with 0."""
    place = items.over(amount.cum_count(), c.unit.keys, [amount.name, "doc_id"], "place")
    missing = c.num_items - items.count(into=c.unit)
    ahead = items.lookup(c.unit.column(missing), of=c.unit)
    n = items.lookup(c.unit.column(c.num_items), of=c.unit)
    term = (2.0 * (ahead + place.cast(pl.Float64)) - n - 1.0) * amount
    return ratio(items.sum(term, into=c.unit), c.num_items * items.sum(amount, into=c.unit))


@measure(
    "recommendations",
    "ItemGini",
    parameters={"cutoff": CUTOFF},
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="Σ_j (2j − n − 1)·x_j / (n·Σ x), x ascending over all n items",
    source=GINI,
)
def ItemGini(c: RecommendationContext, cutoff: int | None) -> Expr:
    """The Gini coefficient of how often the items of the catalogue are recommended.

    G@k = Σ_j (2j − n − 1)·x_j / (n·Σ_j x_j), where x_1 ≤ … ≤ x_n are the numbers of lists that have each of the n items
    in their top k, 0 for the items of no list.  (Elliot gives 1 − G, with n − 1 in the place of n.)

    Columns: user_id, item_id, and score or rank of the lists; item_id of the catalogue.

    Range: 0 where all items are recommended equally often, to (n − 1)/n where one item is all there is; lower is more
    even.  Undefined without lists, and for one user.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("ItemGini@3").summary()["value"].round(4).item()
        0.3182
    """
    return c.of_all(_gini(c, *c.recommended(lit(1.0), cutoff)))


@measure(
    "recommendations",
    "ExposureGini",
    parameters={"browsing": BROWSING_BY_RANK, "p": CONTINUING, "cutoff": CUTOFF},
    check=p_of_browsing,
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="the Gini coefficient of Σ over lists of the attention at the item's rank",
    source=f"{GINI}; {LENSKIT}",
)
def ExposureGini(c: RecommendationContext, browsing: str, p: float, cutoff: int | None) -> Expr:
    """The Gini coefficient of the attention that the items of the catalogue get.

    As `ItemGini`, where x_i is the sum over all lists of the attention at the rank of item i: `browsing="log"` gives
    1/log2(r + 1), "geometric" p^(r − 1) (lenskit: p = 0.85), and so on.

    Columns: user_id, item_id, and score or rank of the lists; item_id of the catalogue.

    Range: 0 to (n − 1)/n, lower is more even.  Undefined without lists, and for one user.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("ExposureGini@3").summary()["value"].round(4).item()
        0.3689
    """
    return c.of_all(_gini(c, *c.recommended(attention(browsing, c.rank, p=p), cutoff)))


@measure(
    "recommendations",
    "ItemEntropy",
    parameters={
        "normalized": flag(what="divide by the entropy of all items equally often"),
        "base": BASE,
        "cutoff": CUTOFF,
    },
    range=UPWARDS,
    undefined=None,
    aggregation="pooled",
    formula="−Σ_i p_i log p_i",
    source=f"Shani and Gunawardana, Evaluating Recommendation Systems, 2011; {RECOMMENDERS}, distributional coverage",
)
def ItemEntropy(c: RecommendationContext, normalized: bool, base: float, cutoff: int | None) -> Expr:  # noqa: FBT001
    """The entropy of the items of all lists.

    H@k = −Σ_i p_i log2 p_i, where p_i is the share of item i among the rows of all lists down to k.  With
    `normalized=True` it is divided by log2 |I|, the entropy where all items of the catalogue are equally frequent.

    Columns: user_id, item_id, and score or rank of the lists; for `normalized=True` item_id of the catalogue.

    Range: 0 for one item, to log2 |I| (normalized: 1); higher is more even.  Undefined without lists, for one user,
    and normalized for a catalogue of one item.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("ItemEntropy@3 ItemEntropy(normalized=True)@3").summary()["value"].round(4).to_list()
        [2.2313, 0.8632]
    """
    items, amount = c.recommended(lit(1.0), cutoff)
    total = items.lookup(items.sum(amount, into=c.unit), of=c.unit)
    share = items.column(ratio(amount, total), "share_of_rows")
    some = (share > 0.0) & (share < 1.0)
    bits = items.sum(when(some).then(-(share * share.log(base))).otherwise(0.0), into=c.unit)
    entropy = when(items.sum(amount, into=c.unit) > 0).then(bits)
    if not normalized:
        return c.of_all(entropy)
    n = c.unit.column(c.num_items)
    return c.of_all(when(n > 1.0).then(ratio(entropy, n.log(base))))


@measure(
    "recommendations",
    "Personalization",
    parameters={
        "over": choice("k", "lengths", what="divide what two lists have in common by k, or by √(|L_u|·|L_v|)"),
        "cutoff": whole(what="the top k items of a list"),
    },
    undefined=None,
    aggregation="pooled",
    formula="1 − mean over two users of |L_u ∩ L_v| / k",
    source="Zhou et al., Solving the Apparent Diversity-Accuracy Dilemma, PNAS 107(10), 2010",
)
def Personalization(c: RecommendationContext, over: str, cutoff: int) -> Expr:
    """How much the lists of users differ: 1 minus the mean overlap of two of them.

    1 − mean over all pairs of users with a list of |L_u(k) ∩ L_v(k)| / k; with `over="lengths"` divided by
    √(|L_u|·|L_v|), the cosine of two lists.  No pair is looked at: the sums over items give the same.

    Columns: user_id, item_id, and score or rank of the lists.

    Range: 0 where all lists have the same items, to 1; higher is more personal.  Undefined for fewer than two users
    with a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("Personalization@3").summary()["value"].round(4).item()
        0.5556
    """
    users = c.tables.documents
    length = users.column(c.lists.sum(c.within(lit(1.0), cutoff), into=users))
    n = c.over_documents(indicator(length > 0))
    of_list = c.lists.lookup(length, of=users)
    items, amount = c.recommended(lit(1.0) if over == "k" else ratio(lit(1.0), of_list.sqrt()), cutoff)
    _, itself = c.recommended(lit(1.0) if over == "k" else ratio(lit(1.0), of_list), cutoff)
    common = items.sum(amount * amount - itself, into=c.unit)
    pairs = n * (n - 1.0) * (float(cutoff) if over == "k" else 1.0)
    return when(n > 1.0).then(1.0 - ratio(common, pairs))
