"""Areas under the ROC curve for several classes, from their probabilities."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.thresholds import of_parts
from ireval_frames.parameters import choice
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, power_of_two

AVERAGE = choice(
    "macro", "weighted", what="the plain mean, or weighted by the number of items of the class (of a pair, of both)"
)


class Duels:
    """For all ordered pairs of classes, how often the first has a higher probability on its own items.

    One count per class, probability and label serves all pairs, without pairs of items.

    Attributes:
        pairs: a row per class and label of items that have a probability of the class.
        area: A(i|j) of such a pair; null if one has no item, or the label has no probability on items of the class.
        size: the number of items of both classes.
    """

    def __init__(self, u: LabelContext) -> None:
        u.single_only()
        u.tables.needs("label")
        self.plan, self.keys, self.scored = u.tables.plan, u.tables.keys, u.tables.scored
        label = u.tables.items.column(col("label").cast(u.tables.inputs.class_type), "label_class")
        self.label = self.scored.lookup(label, of=u.tables.items).name
        counts, cells = self._counted(u)
        self.pairs = self.plan.grouped("duels", cells, *self.keys, "class_id", self.label)
        different = col("class_id") != col(self.label)
        lost = cells.lookup(self._beaten(counts), of=self.plan.tables["score_levels"])
        won = cells.sum(when(different).then(self.n * lost).otherwise(0.0), into=self.pairs, name="won")
        of_label = cells.sum(self.n, into=self.pairs, name="of_label")
        sizes = self.plan.grouped("class_sizes", cells, *self.keys, "class_id")
        of_class = self.pairs.lookup(cells.sum(self.own, into=sizes, name="of_class"), of=sizes)
        defined = different & (of_label > 0) & (of_class > 0)
        one_way = self.pairs.column(when(defined).then(won / (of_label * of_class)), "pair_area")
        self.size = self.pairs.column(of_label + of_class, "pair_size")
        self.pairs, self.area = self._both_ways(one_way)

    def _counted(self, u: LabelContext) -> tuple[Table, Table]:
        """A row per class, probability and label with its number of items, and a further table of the same rows."""
        at = (*self.keys, "class_id", "probability", self.label)
        counts = self.plan.grouped("score_counts", self.scored, *at)
        self.n = self.scored.sum(u.tables.weight_at(self.scored), into=counts, name="items_here")
        if u.tables.weighted:
            scale = counts.column(power_of_two(counts.over(self.n.sum(), name="all_here")), "scale")
            self.n = counts.column(self.n * scale, "scaled_here")
        self.own = counts.column(indicator(col("class_id") == col(self.label)) * self.n, "own_here")
        return counts, self.plan.selected("met", at, counts)

    def _beaten(self, counts: Table) -> Expr:
        """The own items above a probability plus half of those with it: those that beat an item of another class."""
        levels = self.plan.grouped("score_levels", counts, *self.keys, "class_id", "probability")
        own = counts.sum(self.own, into=levels, name="own_at_level")
        falling = levels.column(-col("probability"), "falling").name
        so_far = levels.over(own.cum_sum(), (*self.keys, "class_id"), [falling], "own_down_to_level")
        return levels.column(so_far - own / 2.0, "own_above")

    def _both_ways(self, area: Expr) -> tuple[Table, Expr]:
        """The areas of pairs that are defined in both directions, in a table of their own."""
        swapped = {"class_id": col(self.label), self.label: col("class_id"), "area_back": area}
        back = self.plan.selected("duels_back", self.pairs.keys, self.pairs, **swapped)
        both = self.plan.selected("duels_both_ways", self.pairs.keys, self.pairs)
        defined = ~both.lookup(col("area_back"), of=back).is_null()
        return both, both.column(when(defined).then(area), "area")


@measure(
    "labels",
    "OneVsRestAUC",
    parameters={"average": AVERAGE},
    at="",
    undefined=None,
    formula="mean over classes of the AUC of the class against all others",
    source="Fawcett, Pattern Recognition Letters 27, 2006; scikit-learn (multi_class='ovr')",
)
def OneVsRestAUC(u: LabelContext, average: str) -> Expr:
    """The area under the ROC curve of each class against all others, averaged over the classes.

    AUC_c = Σ over pairs (item of c, other item) of [p_c higher on the first] + ½[equal], divided by the number of
    pairs. Classes that no item or all items have are left out.

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
    return of_parts(u, average, lambda c: u.ratio(c.pairs_in_order, c.pairs))


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
def HandTill(u: LabelContext, average: str) -> Expr:
    """The area under the ROC curve of each pair of classes, averaged over the pairs.

    M = 2/(K(K−1)) Σ_{i<j} (A(i|j) + A(j|i))/2, where A(i|j) is the probability that p_i is higher on an item of i than
    on one of j; ties count half.  Pairs in which a class has no item or no probability are left out.

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
    return u.mean(d.pairs, d.area, d.size if average == "weighted" else None)
