"""Popularity: how often the recommended items were used before."""

from __future__ import annotations

import math

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS, flag, number
from ireval_frames.ratios import indicator, ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.parameters import CUTOFF, LENSKIT, RECTOOLS

ABDOLLAHPOURI = "Abdollahpouri, Burke and Mobasher, Managing Popularity Bias in Recommender Systems, FLAIRS 2019"


@measure(
    "recommendations",
    "ARP",
    parameters={"share": flag(what="divide by the uses of all items"), "cutoff": CUTOFF},
    aliases=("AverageRecommendationPopularity",),
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("train",),
    formula="mean over the top k of the uses of the item",
    source=f"Yin et al., Challenging the Long Tail Recommendation, VLDB 2012; {RECTOOLS}",
)
def ARP(c: RecommendationContext, share: bool, cutoff: int | None) -> Expr:  # noqa: FBT001 - a parameter
    """The average popularity of the recommended items: how often each was used in train.

    ARP@k = mean over the top k items of n_i, the users of train who used item i, 0 for an item that nobody used.  With
    the policy `repeats=rows` n_i counts rows of train, as RecTools does.  With `share=True` it is divided by Σ_j n_j.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 and up; neither end is better.  Undefined for users without a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("ARP@3").per_unit()["value"].round(4).to_list()
        [0.6667, 1.0, 0.3333, 1.3333]
    """
    return c.mean(ratio(c.used, c.num_used) if share else c.used, cutoff)


@measure(
    "recommendations",
    "PopRank",
    parameters={"cutoff": CUTOFF},
    aliases=("MeanPopRank",),
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("train",),
    formula="mean over the top k of (rank of the item by ascending uses) / (number of used items)",
    source=LENSKIT,
)
def PopRank(c: RecommendationContext, cutoff: int | None) -> Expr:
    """The mean popularity percentile of the recommended items among the items of train.

    The rank of an item by ascending uses, equal ones with the mean of their ranks, divided by the number of items that
    were used; 0 for an item that nobody used.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 to 1, the most popular item having 1; neither end is better.  Undefined for users without a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("PopRank@3").per_unit()["value"].round(4).to_list()
        [0.25, 0.375, 0.125, 0.5]
    """
    return c.mean(c.percentile, cutoff)


@measure(
    "recommendations",
    "TailShare",
    parameters={
        "head": number(0.8, "the share of all uses that the most popular items have together", 0.0, 1.0),
        "cutoff": CUTOFF,
    },
    aliases=("APLT",),
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("train",),
    formula="items of the top k outside of the head / items of the top k",
    source=ABDOLLAHPOURI,
)
def TailShare(c: RecommendationContext, head: float, cutoff: int | None) -> Expr:
    """The share of the top k items that are in the long tail.

    The head are the most popular items of train, ties by ascending ids, until they have the share `head` of all uses;
    the item that crosses it is in the head.  All other items, also those that nobody used, are the tail.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 to 1; neither end is better.  Undefined for users without a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("TailShare@3").per_unit()["value"].round(4).to_list()
        [0.6667, 0.5, 0.6667, 0.3333]
    """
    return c.mean(1.0 - c.in_head(head), cutoff)


@measure(
    "recommendations",
    "PopularityLift",
    parameters={"cutoff": CUTOFF},
    aliases=("DeltaGAP",),
    range=(-1.0, math.inf),
    higher_is_better=None,
    undefined=None,
    aggregation="pooled",
    reads=("train",),
    formula="(GAP_L − GAP_H) / GAP_H",
    source="Abdollahpouri et al., The Unfairness of Popularity Bias in Recommendation, RMSE at RecSys 2019",
)
def PopularityLift(c: RecommendationContext, cutoff: int | None) -> Expr:
    """How much more popular the items of lists are than those that the users of a group used before.

    (GAP_L − GAP_H) / GAP_H, where GAP, the group average popularity, is the mean over users of the mean popularity of
    the top k items (L), or of the user's items of train (H); the popularity of an item is how often it was used in
    train.  Groups of users are named by `by=`.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: −1 and up; 0 where lists are as popular as histories.  Undefined where no user of the group has a history, or
    a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("PopularityLift@3").summary()["value"].round(4).item()
        -0.7183
    """
    c.needs("train")
    tables, users, train = c.tables, c.tables.documents, c.tables.train
    with tables.plan.into(users):
        after = users.column(c.mean(c.used, cutoff))
    used = train.lookup(tables.used, of=tables.popularity)
    before = users.lookup(train.mean(used, into=tables.histories), of=tables.histories)
    means = []
    for value in (after, users.column(before)):
        known = c.of_user(indicator(~value.is_null()))
        means.append(ratio(c.of_user(value.fill_null(0.0)), known))
    return ratio(means[0] - means[1], means[1])
