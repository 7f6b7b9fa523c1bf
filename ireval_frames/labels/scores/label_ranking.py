"""Measures of the ranking of an item's classes by their probabilities."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.parameters import UPWARDS, choice, whole
from ireval_frames.ratios import indicator, ratio

TSOUMAKAS = "Tsoumakas, Katakis and Vlahavas, Mining Multi-label Data, 2010; scikit-learn"


def mean_of_items(u: LabelContext, value: Expr) -> Expr:
    """The weighted mean of a value of the items that have probabilities."""
    table, weight = u.tables.item_scores, u.tables.weight_at(u.tables.item_scores)
    return u.mean(table, table.column(value, "of_item"), weight)


@measure(
    "labels",
    "TopK",
    parameters={
        "cutoff": whole(what="the number of classes of the highest probability"),
        "ties": choice(
            "expected",
            "pessimistic",
            "optimistic",
            what="equal probabilities in random order, in the worst, or in the best",
        ),
    },
    aliases=("TopKAccuracy",),
    undefined=None,
    formula="share of items with fewer than k classes above their own",
    source="scikit-learn, which orders equal probabilities by class",
)
def TopK(u: LabelContext, cutoff: int, ties: str) -> Expr:
    """The share of items whose class is among the k of the highest probability.

    With b classes above the item's own and e equal to it, itself included, an item counts min(1, max(0, (k−b)/e)): the
    probability in a random order of ties.  Pessimistic, it counts 1 if b+e ≤ k; optimistic, if b < k.

    Range: 0 to 1, higher is better.  Undefined without an item whose label has a probability.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": ["a", "b"], "a": [0.5, 0.6], "b": [0.2, 0.1], "c": [0.3, 0.3]})
        >>> ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate("TopK@1 TopK@3").summary()["value"].to_list()
        [0.5, 1.0]
    """
    u.single_only()
    tables, k, p = u.tables, cutoff * 1.0, col("probability")
    own = tables.scored.column(when(tables.gold_at_scored() > 0).then(p), "own_probability")
    of_label = tables.scored.over(own.max(), (*tables.keys, "item_id"), name="probability_of_label")
    above, equal = (tables.scored.sum(indicator(e), into=tables.item_scores) for e in (p > of_label, p == of_label))
    if ties == "expected":
        chance = tables.item_scores.column(when(equal > 0).then(ratio(k - above, equal)), "chance")
        return mean_of_items(u, when(chance > 1).then(1.0).when(chance < 0).then(0.0).otherwise(chance))
    return mean_of_items(
        u, when(equal > 0).then(indicator((above + equal if ties == "pessimistic" else above + 1.0) <= k))
    )


class Levels:
    """The distinct probabilities of every item, highest first, with the numbers of classes at and above each."""

    def __init__(self, u: LabelContext) -> None:
        tables, item = u.tables, (*u.tables.keys, "item_id")
        gold = tables.gold_at_scored()
        self.into = tables.item_scores
        self.num_classes = tables.scored.count(into=self.into)
        self.num_own = tables.scored.sum(gold, into=self.into, name="num_own")
        self.table = tables.plan.grouped("probability_levels", tables.scored, *item, "probability")
        self.own = tables.scored.sum(gold, into=self.table, name="own")
        self.others = tables.scored.count(into=self.table) - self.own
        order = [self.table.column(-col("probability"), "falling").name]
        others = self.table.column(self.others, "others")
        self.own_so_far = self.table.over(self.own.cum_sum(), item, order, "own_so_far")
        self.others_so_far = self.table.over(others.cum_sum(), item, order, "others_so_far")

    @property
    def trivial(self) -> Expr:
        """Whether the item has no class or all classes."""
        return (self.num_own == 0) | (self.num_own == self.num_classes)


@measure(
    "labels",
    "LRAP",
    aliases=("LabelRankingAveragePrecision",),
    at="",
    undefined=None,
    formula="mean over items and their classes of the precision at the class",
    source=TSOUMAKAS,
)
def LRAP(u: LabelContext) -> Expr:
    """Label ranking average precision: the share of own classes among those ranked at or above each own class.

    An item's value is the mean over its classes of (own classes with at least this probability) / (classes with at
    least this probability); 1 for an item that has no class or all classes.

    Range: above 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": [["a"], ["c"]], "a": [0.75, 1.0], "b": [0.5, 0.2], "c": [1.0, 0.1]})
        >>> ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate("LRAP").summary()["value"].round(4).to_list()
        [0.4167]
    """
    at = Levels(u)
    summed = at.table.sum(at.own * at.own_so_far / (at.own_so_far + at.others_so_far), into=at.into)
    return mean_of_items(u, when(at.trivial).then(1.0).otherwise(summed / at.num_own))


@measure(
    "labels",
    "CoverageError",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean over items of the classes at or above the lowest of their own",
    source=TSOUMAKAS,
)
def CoverageError(u: LabelContext) -> Expr:
    """The number of classes, best first, that include all of an item's own; 0 for an item without classes.

    Range: 0 upwards, lower is better; the best value is the mean number of classes of an item.
    Undefined without items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": [["a"], ["c"]], "a": [0.75, 1.0], "b": [0.5, 0.2], "c": [1.0, 0.1]})
        >>> ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate("CoverageError").summary()["value"].to_list()
        [2.5]
    """
    at = Levels(u)
    depth = at.table.max(when(at.own > 0).then(at.own_so_far + at.others_so_far), into=at.into)
    return mean_of_items(u, when(at.num_own == 0).then(0.0).otherwise(depth))


@measure(
    "labels",
    "RankingLoss",
    at="",
    higher_is_better=False,
    undefined=None,
    formula="mean over items of the share of pairs (own, other) in which the other is not below",
    source=TSOUMAKAS,
)
def RankingLoss(u: LabelContext) -> Expr:
    """The share of pairs of an own and another class in which the other has at least the same probability.

    Equal probabilities count as wrong; 0 for an item that has no class or all classes.

    Range: 0 to 1, lower is better.  Undefined without items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": [["a"], ["c"]], "a": [0.75, 1.0], "b": [0.5, 0.2], "c": [1.0, 0.1]})
        >>> ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate("RankingLoss").summary()["value"].to_list()
        [0.75]
    """
    at = Levels(u)
    wrong = at.table.sum(at.own * at.others_so_far, into=at.into)
    return mean_of_items(u, when(at.trivial).then(0.0).otherwise(wrong / (at.num_own * (at.num_classes - at.num_own))))
