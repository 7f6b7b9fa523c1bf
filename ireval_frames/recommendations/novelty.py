"""Novelty: how few users know the recommended items."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import UPWARDS
from ireval_frames.ratios import ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.parameters import CUTOFF, OVER, RECOMMENDERS, RECTOOLS, REPLAY, UNSEEN, k_of_over

VARGAS = "Vargas and Castells, Rank and Relevance in Novelty and Diversity Metrics, RecSys 2011"


def information(times: Expr, total: Expr, unseen: str) -> Expr:
    """−log2(times / total), and what becomes of items that were never used."""
    match unseen:
        case "add_one":
            share = ratio(times + 1.0, total + 1.0)
        case "one":
            share = ratio(when(times > 0).then(times).otherwise(1.0), total)
        case _:
            share = when(times > 0).then(ratio(times, total))
    bits = -(share.log(2))
    # Without it, the information of what everybody used would be −0.
    return (
        when(share == 1.0).then(0.0).otherwise(bits)
        if unseen != "null"
        else when(~share.is_null()).then(when(share == 1.0).then(0.0).otherwise(bits))
    )


@measure(
    "recommendations",
    "MIUF",
    parameters={"unseen": UNSEEN, "over": OVER, "cutoff": CUTOFF},
    range=UPWARDS,
    undefined=None,
    pools=True,
    reads=("train",),
    check=k_of_over,
    formula="mean over the top k of −log2(users of the item / N)",
    source=f"{RECTOOLS}; {VARGAS}",
)
def MIUF(c: RecommendationContext, unseen: str, over: str, cutoff: int | None) -> Expr:
    """The mean inverse user frequency: how surprising it is that someone uses the recommended items.

    MIUF@k = mean over the top k items of −log2(n_i / N), where n_i of the N users of train used item i.  An item that
    nobody used counts as if one user had (`unseen="one"`, as in RecTools), is left out of the mean (`"null"`), or one
    use is added to all (`"add_one"`: −log2((n_i + 1) / (N + 1))).  With `over="k"` the sum is divided by k, also where
    the list is shorter.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 and up, log2 N for items of one user; in bits; higher is more novel.  Undefined for users without a list.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("MIUF@3").per_unit()["value"].round(4).to_list()
        [2.0, 1.5, 2.0, 1.6667]
    """
    return c.mean(information(c.num_users, c.num_users_of_train, unseen), cutoff, over)


@measure(
    "recommendations",
    "Surprisal",
    parameters={"unseen": UNSEEN, "over": OVER, "cutoff": CUTOFF},
    undefined=None,
    pools=True,
    reads=("train",),
    check=k_of_over,
    formula="MIUF@k / log2 N",
    source=REPLAY,
)
def Surprisal(c: RecommendationContext, unseen: str, over: str, cutoff: int | None) -> Expr:
    """The mean inverse user frequency as a share of the largest one.

    Surprisal@k = MIUF@k / log2 N, where N is the number of users of train.  With `over="k"` it is divided by k, also
    where the list is shorter, as RePlay does.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 to 1 (with `unseen="add_one"` a little more), higher is more novel.  Undefined for users without a list,
    and where train has one user.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("Surprisal(over='k')@3").per_unit()["value"].round(4).to_list()
        [1.0, 0.5, 1.0, 0.8333]
    """
    n = c.num_users_of_train
    bits = information(c.num_users, n, unseen)
    return c.mean(when(n > 1.0).then(ratio(bits, n.log(2))), cutoff, over)


@measure(
    "recommendations",
    "SelfInformation",
    parameters={"unseen": UNSEEN, "cutoff": CUTOFF},
    range=UPWARDS,
    undefined=None,
    aggregation="pooled",
    reads=("train",),
    formula="mean over the rows of all lists of −log2(uses of the item / uses of all items)",
    source=f"{VARGAS}; {RECOMMENDERS}",
)
def SelfInformation(c: RecommendationContext, unseen: str, cutoff: int | None) -> Expr:
    """How surprising the recommended items are among all that was used, over the rows of all lists.

    SelfInformation@k = mean over the rows of −log2(n_i / Σ_j n_j), where item i was used n_i times in train.  Items
    that were never used are treated as in `MIUF`; the library recommenders leaves them out of the sum and counts them
    in the divisor, so that they make lists look less novel.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 and up, in bits; higher is more novel.  Undefined without rows.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("SelfInformation(unseen='null')@3").summary()["value"].round(4).item()
        2.7143
    """
    return c.mean(information(c.used, c.num_used, unseen), cutoff)


@measure(
    "recommendations",
    "UnseenShare",
    parameters={"cutoff": CUTOFF},
    undefined=None,
    pools=True,
    reads=("train",),
    formula="items of the top k that the user did not use / items of the top k",
    source=f"{REPLAY}, Novelty",
)
def UnseenShare(c: RecommendationContext, cutoff: int | None) -> Expr:
    """The share of the top k items that the user did not use before.

    Items that are not among the user's own in train, divided by the length of the list down to k.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train.

    Range: 0 to 1, higher is more novel.  Undefined for users without a list; 1 for those who are not in train.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("UnseenShare@3").summary()["value"].item()
        1.0
    """
    return c.mean(when(c.in_history).then(0.0).otherwise(1.0), cutoff)
