"""Areas under the ROC curve for several classes, from their probabilities."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.catalog import measure
from ireval_frames.engines import expressions
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.thresholds import of_parts
from ireval_frames.measure import choice
from ireval_frames.ratios import indicator

AVERAGE = choice(
    "macro", "weighted", what="the plain mean, or weighted by how many items have the class (of a pair, either class)"
)


class Duels:
    """For every two classes that items have: how often the first's probability is higher on items of its own.

    One count per class, probability and label serves all pairs: no item meets another.
    """

    def __init__(self, u: LabelContext) -> None:
        tables, plan, keys = u.tables, u.tables.plan, u.tables.keys
        u.single_only()
        tables.needs("label")
        label = tables.items.column(nw.col("label").cast(tables.inputs.class_type), "label_class")
        named = expressions.name(tables.scored.take(label, of=tables.items))
        weight = (
            tables.scored.take(tables.weight, of=tables.items) if "weight" in tables.inputs.columns else nw.lit(1.0)
        )
        self.plan, self.keys = plan, keys
        own = nw.col("class_id") == nw.col(named)
        at = (*keys, "class_id", "probability")
        counts = plan.grouped("score_counts", tables.scored, *at, named)
        self.n = tables.scored.sum(weight, into=counts, name="items_here")
        self.own = counts.column(indicator(own) * self.n, "own_here")
        levels = plan.grouped("score_levels", counts, *at)
        here = counts.sum(self.own, into=levels, name="own_at_level")
        order = [expressions.name(levels.column(-nw.col("probability"), "falling"))]
        so_far = levels.over(here.cum_sum(), (*keys, "class_id"), order, "own_down_to_level")
        # Own items above this level, and half of those on it: what an item of another class here loses to.
        beaten = levels.column(so_far - here / 2.0, "own_above")
        met = plan.picked("met", (*at, named), counts)
        lost = met.take(beaten, of=levels)
        self.named = named
        self.pairs = plan.grouped("duels", met, *keys, "class_id", named)
        self.won = met.sum(
            nw.when(nw.col("class_id") != nw.col(named)).then(self.n * lost).otherwise(0.0), into=self.pairs, name="won"
        )
        self.size = met.sum(self.n, into=self.pairs, name="of_label")
        mine = met.sum(self.own, into=plan.grouped("class_sizes", met, *keys, "class_id"), name="of_class")
        self.own_size = self.mine(mine)

    def mine(self, size: nw.Expr) -> nw.Expr:
        """The number of items of the pair's class."""
        return self.pairs.take(size, of=self.plan.tables["class_sizes"])


@measure(
    "labels",
    "OneVsRestAUC",
    parameters={"average": AVERAGE},
    at="",
    undefined=None,
    formula="mean over classes of the AUC of the class against all others",
    source="Fawcett, Pattern Recognition Letters 27, 2006; scikit-learn (multi_class='ovr')",
)
def OneVsRestAUC(u: LabelContext, average: str) -> nw.Expr:
    """The area under the ROC curve of each class against all others, averaged over the classes.

    AUC_c = Σ over pairs (item of c, other item) of [p_c higher on the first] + ½[equal], divided by the number of
    pairs. Classes that no item has, or that all have, are left out.

    Range: 0 to 1, higher is better; 0.5 is chance.  Undefined where no class is left.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame(
        ...     {"label": [*"abc"], "a": [0.6, 0.3, 0.2], "b": [0.2, 0.3, 0.5], "c": [0.2, 0.4, 0.3]}
        ... )
        >>> ev = ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate("OneVsRestAUC")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6667]
    """
    u.single_only()
    return of_parts(u, average, lambda c: u.ratio(c.sum(c.no * (c.yes_so_far - c.yes / 2.0)), c.both))


@measure(
    "labels",
    "HandTill",
    parameters={"average": AVERAGE},
    aliases=("OneVsOneAUC",),
    at="",
    undefined=None,
    formula="mean over pairs of classes of (A(i|j) + A(j|i)) / 2",
    source="Hand and Till, Machine Learning 45, 2001; scikit-learn (multi_class='ovo')",
)
def HandTill(u: LabelContext, average: str) -> nw.Expr:
    """The area under the ROC curve of each class against each other one, averaged over the pairs.

    M = 2/(K(K−1)) Σ_{i<j} (A(i|j) + A(j|i))/2, where A(i|j) is the chance that p_i is higher on an item of i than on
    one of j, equal ones counting half.  Pairs of which a class has no item are left out.

    Range: 0 to 1, higher is better; 0.5 is chance.  Undefined with fewer than two classes.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame(
        ...     {"label": [*"abc"], "a": [0.6, 0.3, 0.2], "b": [0.2, 0.3, 0.5], "c": [0.2, 0.4, 0.3]}
        ... )
        >>> ir.Labels(frame, probabilities=["a", "b", "c"]).evaluate("HandTill").summary()["value"].round(4).to_list()
        [0.6667]
    """
    d = Duels(u)
    other = nw.col("class_id") != nw.col(d.named)
    area = d.pairs.column(
        nw.when(other & (d.size > 0) & (d.own_size > 0)).then(d.won / (d.size * d.own_size)), "pair_area"
    )
    weight = d.size + d.own_size if average == "weighted" else nw.lit(1.0)
    some = ~area.is_null()
    return u.ratio(
        d.pairs.sum(nw.when(some).then(area * weight).otherwise(0.0)),
        d.pairs.sum(nw.when(some).then(weight).otherwise(0.0)),
    )
