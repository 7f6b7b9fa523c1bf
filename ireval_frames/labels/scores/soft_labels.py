"""Measures of soft labels: the shares of the classes in an item's label against predicted probabilities."""

from __future__ import annotations

from functools import cached_property

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.decisions.hierarchy import AMIGO, missing_class, paths, typed_parents
from ireval_frames.labels.scores.proper_scores import require_probabilities
from ireval_frames.labels.scores.soft_contrast import SUMS, contrast
from ireval_frames.parameters import ANY_NUMBER, UPWARDS, flag, number
from ireval_frames.plan import Table

LEWIDI = "Uma et al., SemEval 2021 task 12; PyEvALL"
BOUNDED = flag(default=False, what="no share is rarer than one item: its probability is at least 1/N")
STEP = "the information of the shares of each item's classes and their ancestors"
SHARES, PROBABILITIES = "soft_label", "probability"


class Shares:
    """The share of every class in the label of an item, and its predicted probability.

    Args:
        u: the context.

    Attributes:
        rows: a row per item and class of either side.
    """

    def __init__(self, u: LabelContext) -> None:
        self.u, self.tables = u, u.tables
        soft, scored = self.tables.soft, self.tables.scored
        require_probabilities(u)
        if self.tables.policy.missing == "skip":
            has_some = ~soft.lookup(scored.count(into=self.tables.item_scores), of=self.tables.item_scores).is_null()
            soft = self.tables.plan.selected("soft_in_both", soft.keys, soft, where=has_some)
        item = ("item_id", "class_id")
        named = {k: col(k) for k in (*self.tables.keys, *item)}
        value, zero = col("probability"), lit(0.0)
        self.rows = self.tables.plan.concat(
            "soft_sides",
            tuple(named),
            (soft, {**named, "share": value, "predicted": zero, "w": self.tables.weight_at(soft)}),
            (scored, {**named, "share": zero, "predicted": value, "w": self.tables.weight_at(scored)}),
        )

    @cached_property
    def total(self) -> Expr:
        """The number of items, or their weight."""
        items = self.tables.plan.grouped("soft_items", self.rows, *self.tables.keys, "item_id")
        return items.sum(self.rows.max(col("w"), into=items))

    @cached_property
    def pairs(self) -> Table:
        """A row per item and class with both values."""
        return self.tables.plan.grouped("soft_pairs", self.rows, *self.tables.keys, "item_id", "class_id")

    @cached_property
    def values(self) -> tuple[Expr, Expr, Expr]:
        """At the pairs: the share, the probability, and the item's weight; 0 where one side lacks the class."""
        share, predicted, weight = (self.rows.max(col(c), into=self.pairs) for c in ("share", "predicted", "w"))
        return share, predicted, weight

    def contrast(self, *, bounded: bool) -> tuple[Expr, Expr]:
        """The sums over the items of the contrast, and of the information of their labels."""
        tables, plan = self.tables, self.tables.plan
        share, predicted, weight = self.values
        columns = {"share": share, "predicted": predicted, "w": weight}
        keys = {k: col(k) for k in self.pairs.keys}
        both = plan.selected("shares_of_items", self.pairs.keys, self.pairs, **keys, **columns)
        parents = typed_parents(tables)
        if parents:
            known = paths(parents)["class_id"].to_list()
            plan.require(self.rows, ~col("class_id").is_in(known), missing_class)
        step = contrast(tables.keys, tuple(parents.items()), bounded=bounded)
        name = f"soft_contrast{'_bounded' if bounded else ''}"
        sums = plan.applied(name, tables.keys, both, step, SUMS, by=tables.keys)
        one, best = (tables.units.lookup(col(c), of=sums).fill_null(0.0) for c in SUMS)
        return one, best


@measure(
    "labels",
    "ICMSoft",
    parameters={"bounded": BOUNDED},
    at="",
    range=ANY_NUMBER,
    undefined=None,
    formula="mean over items of 2·I(P) + 2·I(Y) − 3·I(P ∪ Y)",
    source=f"{AMIGO}; EXIST 2023, CLEF",
    reads=(SHARES, PROBABILITIES),
    runs="python",
    cost=STEP,
)
def ICMSoft(u: LabelContext, *, bounded: bool) -> Expr:
    """The information contrast model of soft labels: what labels and predictions share minus what only one side has.

    ICMSoft = 1/N Σ_i 2·I(P_i) + 2·I(Y_i) − 3·I(P_i ∪ Y_i).  A class with the share v has the information −log₂ of the
    probability of a share of v or more, under a normal distribution with the mean of the shares of the class in the
    labels of all items, and their mean absolute deviation; a share of 0 has none.  A union has the larger share of
    each class.  The information of a set of classes is that of all, less what their common ancestors in the hierarchy
    hold twice: an ancestor has the largest share below it.  Without a hierarchy classes have nothing in common.

    Where that probability is below 2⁻⁵⁴, a float next to 1 cannot hold the rest, and PyEvALL takes 1/N: then a share
    that is almost impossible has less information than one that is rare.  With `bounded=True` all are at least 1/N.
    Shares that all items have are certain (PyEvALL fails on them).  N counts weights, one item weighs 1 or the least.

    Columns: `soft_labels=` and `probabilities=` of `ir.Labels`, shares from 0 to 1, which need not sum to 1.  An item
    without probabilities has those of 0 (policy `missing`).
    Range: unbounded, higher is better.  Undefined without items.  Classes missing in the hierarchy are an error.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"yes": [0.5, 1.0, 0.25], "no": [0.5, 0.0, 0.75]})
        >>> frame = frame.with_columns(p=pl.Series([0.6, 0.9, 0.2]), q=pl.Series([0.4, 0.1, 0.8]))
        >>> labels = ir.Labels(frame, soft_labels=["yes", "no"], probabilities={"yes": "p", "no": "q"})
        >>> labels.evaluate("ICMSoft").summary()["value"].round(4).to_list()
        [1.7948]
    """
    shares = Shares(u)
    total, _ = shares.contrast(bounded=bounded)
    return u.ratio(total, shares.total)


@measure(
    "labels",
    "ICMSoftNorm",
    parameters={"bounded": BOUNDED},
    at="",
    range=UPWARDS,
    undefined=None,
    formula="max(0, (ICMSoft + best) / (2·best))",
    source=f"{AMIGO}; EXIST 2023, CLEF",
    reads=(SHARES, PROBABILITIES),
    runs="python",
    cost=STEP,
)
def ICMSoftNorm(u: LabelContext, *, bounded: bool) -> Expr:
    """The information contrast model of soft labels, scaled so that predicting the labels themselves is 1.

    ICMSoftNorm = max(0, (ICMSoft(predictions) + best) / (2·best)), where best = ICMSoft(labels) is the mean information
    of the labels.

    Range: 0 upwards, mostly up to 1, higher is better.  Undefined without items, and where the labels hold no
    information.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"yes": [0.5, 1.0, 0.25], "no": [0.5, 0.0, 0.75]})
        >>> frame = frame.with_columns(p=pl.Series([0.6, 0.9, 0.2]), q=pl.Series([0.4, 0.1, 0.8]))
        >>> labels = ir.Labels(frame, soft_labels=["yes", "no"], probabilities={"yes": "p", "no": "q"})
        >>> labels.evaluate("ICMSoftNorm").summary()["value"].round(4).to_list()
        [0.79]
    """
    total, best = Shares(u).contrast(bounded=bounded)
    value = u.ratio(total + best, when(best > 0).then(2.0 * best).otherwise(0.0))
    return when(value < 0).then(0.0).otherwise(value)


@measure(
    "labels",
    "SoftCrossEntropy",
    parameters={
        "eps": number(
            0.001,
            "the share that replaces 0, before shares are divided by their sum",
            low=0.0,
            high=0.5,
            open_ends=True,
        )
    },
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean over items of −Σ y_c·log₂ p_c",
    source=LEWIDI,
    reads=(SHARES, PROBABILITIES),
)
def SoftCrossEntropy(u: LabelContext, eps: float) -> Expr:
    """The cross entropy of predicted probabilities under soft labels, in bits.

    CE = 1/N Σ_i −Σ_c y_ic·log₂ p_ic, where y and p are the shares and the probabilities of all classes, those of 0
    replaced by `eps`, divided by their sum.

    Columns: `soft_labels=` and `probabilities=` of `ir.Labels`.
    Range: 0 upwards, lower is better; the best value is the mean entropy of the labels.  Undefined without items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"yes": [0.5, 1.0], "no": [0.5, 0.0], "p": [0.5, 0.75], "q": [0.5, 0.25]})
        >>> labels = ir.Labels(frame, soft_labels=["yes", "no"], probabilities={"yes": "p", "no": "q"})
        >>> labels.evaluate("SoftCrossEntropy").summary()["value"].round(4).to_list()
        [0.7083]
    """
    shares = Shares(u)
    pairs, item = shares.pairs, (*u.tables.keys, "item_id")
    share, predicted, weight = shares.values
    y, p = (pairs.column(when(e > 0).then(e).otherwise(eps), "at_least") for e in (share, predicted))
    y, p = (e / pairs.over(e.sum(), item, name="sum_of_item") for e in (y, p))
    return u.ratio(-pairs.sum(weight * y * p.log(2)), shares.total)


@measure(
    "labels",
    "SoftMAE",
    at="",
    higher_is_better=False,
    undefined=None,
    formula="mean over items and classes of |y_c − p_c|",
    source=LEWIDI,
    reads=(SHARES, PROBABILITIES),
)
def SoftMAE(u: LabelContext) -> Expr:
    """The mean absolute difference of predicted probabilities from soft labels.

    MAE = 1/(N·C) Σ_i Σ_c |y_ic − p_ic| over the C classes of the labels or the predictions.

    Columns: `soft_labels=` and `probabilities=` of `ir.Labels`.
    Range: 0 to 1, lower is better.  Undefined without items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"yes": [0.5, 1.0], "no": [0.5, 0.0], "p": [0.5, 0.75], "q": [0.5, 0.25]})
        >>> labels = ir.Labels(frame, soft_labels=["yes", "no"], probabilities={"yes": "p", "no": "q"})
        >>> labels.evaluate("SoftMAE").summary()["value"].to_list()
        [0.125]
    """
    shares = Shares(u)
    share, predicted, weight = shares.values
    classes = u.tables.plan.grouped("soft_classes", shares.pairs, *u.tables.keys, "class_id")
    differences = shares.pairs.sum(weight * (share - predicted).abs())
    return u.ratio(differences, shares.total * classes.count())
