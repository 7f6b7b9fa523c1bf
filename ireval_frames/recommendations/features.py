"""Features of items, such as genres: how many lists have, and whether they are those that users used before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.browsing import CONTINUING, attention
from ireval_frames.parameters import REQUIRED, UPWARDS, Parameter, choice, number
from ireval_frames.ratios import indicator, ratio
from ireval_frames.recommendations import feature_shares
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.parameters import (
    BASE,
    BROWSING_BY_RANK,
    CUTOFF,
    LENSKIT,
    REPLAY,
    k_of_over,
    p_of_browsing,
)

STECK = "Steck, Calibrated Recommendations, RecSys 2018"


as_number = number().convert


def _name(value: object) -> object:
    if isinstance(value, str):
        return value
    try:
        return as_number(value)
    except ValueError:
        raise ValueError("the name of a feature: text, or a number") from None


FEATURE = Parameter(REQUIRED, "a feature, as the table of features has it", _name)


@measure(
    "recommendations",
    "FeatureRecall",
    parameters={
        "over": choice("features", "k", what="divide by the number of features that items have, or by k"),
        "cutoff": CUTOFF,
    },
    aliases=("SubtopicRecall",),
    range=UPWARDS,
    undefined=None,
    check=k_of_over,
    formula="features of the top k / features of all items",
    source=f"Zhai, Cohen and Lafferty, Beyond Independent Relevance, SIGIR 2003; {REPLAY}, CategoricalDiversity (k)",
)
def FeatureRecall(c: RecommendationContext, over: str, cutoff: int | None) -> Expr:
    """The share of all features that some item of the top k has.

    FeatureRecall@k = |∪_{i ∈ L(k)} F_i| / |F|, where F are the features in the table of features; with `over="k"` the
    number of distinct features is divided by k.

    Columns: user_id, item_id, and score or rank of the lists; item_id and feature of the features.

    Range: 0 to 1 (with `over="k"` more where items have several features), higher is more diverse.  Undefined for users
    without a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("FeatureRecall@3").per_unit()["value"].round(4).to_list()
        [1.0, 0.6667, 1.0, 0.6667]
    """
    c.needs("features")
    tables, users = c.tables, c.tables.documents
    shares = feature_shares.of_lists(c, c.within(lit(1.0), cutoff))
    n = shares.rows.sum(indicator(shares.amount > 0.0), into=users)
    length = c.lists.sum(c.within(lit(1.0), cutoff), into=users)
    below = (
        users.lookup(tables.num_all_features, of=tables.all_features) if over == "features" else lit(float(cutoff or 1))
    )
    return c.of_user(when(length > 0.0).then(ratio(n, below)))


@measure(
    "recommendations",
    "FeatureEntropy",
    parameters={
        "items": choice("split", "whole", what="the features of an item share it, or each counts whole"),
        "base": BASE,
        "cutoff": CUTOFF,
    },
    range=UPWARDS,
    undefined=None,
    formula="−Σ_g q(g) log q(g)",
    source=LENSKIT,
)
def FeatureEntropy(c: RecommendationContext, items: str, base: float, cutoff: int | None) -> Expr:
    """The entropy of the features of the top k items.

    −Σ_g q(g) log2 q(g), where q(g) is the share of feature g in the top k: each item is shared by its features, by
    their weights if there are any, or counts whole in each (`items="whole"`, as in lenskit, which adds a millionth to
    each).

    Columns: user_id, item_id, and score or rank of the lists; item_id, feature and weight, if there is one, of the
    features.

    Range: 0 for one feature, and up, in bits; higher is more diverse.  Undefined for users without items with features.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("FeatureEntropy@3").per_unit()["value"].round(4).to_list()
        [1.4591, 1.0, 1.4591, 1.0]
    """
    c.needs("features")
    users = c.tables.documents
    shares = feature_shares.of_lists(c, c.within(lit(1.0), cutoff), whole=items == "whole")
    share = shares.share(c)
    some = (share > 0.0) & (share < 1.0)
    bits = shares.rows.sum(when(some).then(-(share * share.log(base))).otherwise(0.0), into=users)
    return c.of_user(when(shares.rows.sum(shares.amount, into=users) > 0.0).then(bits))


def _read_parameters(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse parameters that the divergence, or the model of browsing, does not read.

    Raises:
        InvalidParameter: there is one.
    """
    p_of_browsing(measure, arguments)
    if "alpha" in dict(measure.values) and arguments["divergence"] != "kl":
        raise InvalidParameter(
            f"{measure} has alpha={arguments['alpha']:g}, which divergence={arguments['divergence']!r} does not read.",
            "Leave alpha out, or take divergence='kl'.",
        )


@measure(
    "recommendations",
    "Miscalibration",
    parameters={
        "divergence": replace(
            choice("kl", "js", "hellinger", what="Kullback-Leibler with a smoothed list, Jensen-Shannon, or Hellinger"),
            ranges={"js": (0.0, math.log(2.0)), "hellinger": (0.0, 1.0)},
        ),
        "alpha": number(0.01, "kl: the share of the history in the smoothed list", 0.0, 1.0, open_ends=True),
        "browsing": replace(BROWSING_BY_RANK, default="none"),
        "p": CONTINUING,
        "cutoff": CUTOFF,
    },
    check=_read_parameters,
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    reads=("train",),
    formula="Σ_g p(g) ln(p(g) / ((1 − α)·q(g) + α·p(g)))",
    source=STECK,
)
def Miscalibration(
    c: RecommendationContext, divergence: str, alpha: float, browsing: str, p: float, cutoff: int | None
) -> Expr:
    """How far the features of the list are from those of the items that the user used before.

    p(g) is the share of feature g in the user's items of train, q(g) that in the top k, whose items count by the
    attention at their ranks (`browsing`); the features of an item share it by their weights.
    - kl: Σ_{p > 0} p ln(p / ((1 − α) q + α p)), at most ln(1/α);
    - js: ½ Σ p ln(p / m) + ½ Σ q ln(q / m), m = (p + q)/2;
    - hellinger: √(½ Σ (√p − √q)²).

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train; item_id, feature and
    weight, if there is one, of the features.

    Range: 0, to ln(1/α) in nats (js: ln 2; hellinger: 1); lower is better calibrated.  Undefined for users without
    items with features in the list, or before.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("Miscalibration@3").per_unit()["value"].round(4).to_list()
        [1.743, 1.4517, 0.9045, 0.6832]
    """
    c.needs("features")
    users = c.tables.documents
    weight = c.within(attention(browsing, c.rank, p=p), cutoff)
    rows, before, after = feature_shares.of_both(c, feature_shares.of_lists(c, weight))
    match divergence:
        case "kl":
            mixed = rows.column((1.0 - alpha) * after + alpha * before)
            total = rows.sum(_divergence(before, mixed), into=users)
        case "js":
            middle = rows.column((before + after) / 2.0)
            total = rows.sum((_divergence(before, middle) + _divergence(after, middle)) / 2.0, into=users)
        case _:
            root = rows.column(before.sqrt() - after.sqrt())
            total = (rows.sum(root * root, into=users) / 2.0).sqrt()
    known = (rows.sum(before, into=users) > 0.0) & (rows.sum(after, into=users) > 0.0)
    # Rounding may leave a little less than 0 of equal shares.
    return c.of_user(when(known).then(when(total > 0.0).then(total).otherwise(0.0)))


def _divergence(share: Expr, other: Expr) -> Expr:
    return when(share > 0.0).then(share * (share / other).log()).otherwise(0.0)


@measure(
    "recommendations",
    "BiasDisparity",
    parameters={"feature": FEATURE, "cutoff": CUTOFF},
    range=(-1.0, math.inf),
    higher_is_better=None,
    undefined=None,
    aggregation="pooled",
    reads=("train",),
    formula="(B_R − B_S) / B_S",
    source="Tsintzou, Pitoura and Tsaparas, Bias Disparity in Recommendation Systems, RMSE at RecSys 2019",
)
def BiasDisparity(c: RecommendationContext, feature: object, cutoff: int | None) -> Expr:
    """How much more often items of a feature are in the lists of a group of users than in what these used before.

    (B_R − B_S) / B_S, where B_R is the share of items with the feature among the rows of the group's lists down to k,
    and B_S that among the rows of its users in train.  Both are usually divided by the share of such items in the
    catalogue, which changes nothing here.  Groups of users are named by `by=`.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train; item_id and feature of the
    features.

    Range: −1 and up; 0 is best, above it lists have more of the feature.  Undefined where the group used no item of it,
    or has no list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("BiasDisparity(feature='g2')@3").summary()["value"].round(4).item()
        1.1818
    """
    c.needs("train")
    c.needs("features")
    tables, users, lists = c.tables, c.tables.documents, c.lists
    items = tables.items_with(feature)
    in_list = lists.column(indicator(~lists.lookup(col("has_feature"), of=items).is_null()))
    after = ratio(c.sum(lists, c.within(in_list, cutoff)), c.num_recommended(cutoff))
    train = tables.train
    used = train.column(indicator(~train.lookup(col("has_feature"), of=items).is_null()))
    sums = (train.sum(term * tables.times, into=tables.histories) for term in (used, lit(1.0)))
    numbers = [users.lookup(total, of=tables.histories).fill_null(0.0) for total in sums]
    before = ratio(*(c.of_user(n) for n in numbers))
    return ratio(after - before, before)
