"""Measures of classes in an order: the distances of predictions from labels, in numbers or in the items between."""

from __future__ import annotations

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.errors import InvalidValue, NotDefined
from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.means import sums_of_defined
from ireval_frames.labels.classes import NUMBER, as_number
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.decisions.places import at_sides, place_of_classes
from ireval_frames.parameters import UPWARDS, choice
from ireval_frames.ratios import ratio


class Distances:
    """The distance of label and prediction in each cell that has both."""

    def __init__(self, u: LabelContext) -> None:
        u.single_only()
        tables = u.tables
        tables.needs("label", "prediction")
        text = NotDefined(
            f"{u.measure} subtracts classes, and these are text.",
            'Number them: frame.with_columns(pl.col("label", "prediction").replace_strict({"low": 0, "high": 1}))',
        )
        is_text = tables.inputs.class_type == pl.String
        if is_text and not tables.inputs.from_file:
            raise text
        label, prediction = tables.of_class("label"), tables.of_class("prediction")
        self.cells, n = tables.cells, tables.cell_weight
        if is_text:
            # Numbers of text files are text.
            words = [~of.is_null() & ~of.str.contains(NUMBER) for of in (label, prediction)]
            tables.plan.require(tables.cells, words[0] | words[1], lambda *_: text)
            label, prediction = as_number(label), as_number(prediction)
        self.label = self.cells.column(label.cast(pl.Float64), "label_number")
        predicted, measure_name = prediction.cast(pl.Float64), u.measure

        def infinite(rows: pl.DataFrame, _: int) -> InvalidValue:
            row = rows.row(0, named=True)
            return InvalidValue(
                f"{measure_name} subtracts classes, and {row['label']} − {row['prediction']} is no number.",
                'Leave these rows out: frame.filter(pl.col("label").is_finite(), pl.col("prediction").is_finite())',
            )

        tables.plan.require(self.cells, ~self.label.is_finite() | ~predicted.is_finite(), infinite)
        distance = self.cells.column((self.label - predicted).abs(), "apart")
        self.weight = self.cells.column(when(~distance.is_null()).then(n).otherwise(0.0), "weight_of_both")
        self.distance = self.cells.column(when(~distance.is_null()).then(n * distance).otherwise(0.0), "distance")


@measure(
    "labels",
    "MAE",
    aliases=("MeanAbsoluteError",),
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean |label − prediction|",
    source="scikit-learn",
)
def MAE(u: LabelContext) -> Expr:
    """The mean distance of predictions from labels, for classes that are numbers, such as grades.

    MAE = 1/n Σ_i |y_i − z_i| over the items with a label and a prediction.

    Range: 0 upwards, lower is better.  Undefined without such items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ev = ir.Labels(pl.DataFrame({"label": [1, 1, 1, 4], "prediction": [1, 1, 2, 2]})).evaluate("MAE")
        >>> ev.summary()["value"].to_list()
        [0.75]
    """
    d = Distances(u)
    return u.ratio(d.cells.sum(d.distance), d.cells.sum(d.weight))


@measure(
    "labels",
    "MacroMAE",
    aliases=("ClassDistance",),
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean over labels of the mean |label − prediction|",
    source="Baccianella, Esuli and Sebastiani, ISDA 2009; imbalanced-learn",
)
def MacroMAE(u: LabelContext) -> Expr:
    """The mean over the classes of the mean distance of predictions from that label; all grades have equal weight.

    MacroMAE = 1/K Σ_k 1/a_k Σ_{i: y_i=k} |y_i − z_i| over the K classes with a label, and items with a prediction.

    Range: 0 upwards, lower is better.  Undefined without items that have both.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ev = ir.Labels(pl.DataFrame({"label": [1, 1, 1, 4], "prediction": [1, 1, 2, 2]})).evaluate("MacroMAE")
        >>> ev.summary()["value"].round(4).to_list()
        [1.1667]
    """
    d = Distances(u)
    table = u.tables.plan.grouped("grades", d.cells, *u.tables.keys, d.label.name)
    distance = d.cells.sum(d.distance, into=table, name="distance")
    weight = d.cells.sum(d.weight, into=table, name="weight")
    each = table.column(when(weight > 0).then(ratio(distance, weight)), "of_grade")
    return u.ratio(*sums_of_defined(table, each))


@measure(
    "labels",
    "CEM_ORD",
    parameters={"half": choice("prediction", "label", what="the class of which half of the items counts as between")},
    aliases=("CEM", "ClosenessEvaluation"),
    at="",
    undefined=None,
    formula="Σ prox(z, y) / Σ prox(y, y), prox = −log2 of the share of items between both classes",
    source="Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz, ACL 2020",
)
def CEM_ORD(u: LabelContext, half: str) -> Expr:
    """The closeness of predictions to labels in the order of classes: an error counts by how few items it spans.

    CEM = Σ_i prox(z_i, y_i) / Σ_i prox(y_i, y_i), with prox(a, b) = −log2((n_a/2 + Σ_k n_k) / N), where k runs from the
    class next to a to b, on the way from a to b, n_k is the number of items labelled k, and N that of all labelled
    items.  Only the order of classes matters, not their numbers, and errors between frequent classes cost more.  The
    order is that of `categories=` of `ir.Labels`, or of an enum, or else of numbers.  The half is that of the predicted
    class, as in the paper; some programs halve that of the label: `half="label"`.

    An item without a prediction has a proximity of 0, the lowest; items without a label are left out.
    Range: 0 to 1, higher is better.  Undefined without labels.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": [1, 2, 2, 3], "prediction": [1, 2, 3, 1]})
        >>> ir.Labels(frame).evaluate("CEM_ORD").summary()["value"].round(4).to_list()
        [0.5871]
    """
    u.single_only()
    tables = u.tables
    classes, cells, n = tables.classes, tables.cells, tables.cell_weight
    place = place_of_classes(tables)
    labelled = classes.column(u.of_classes().support, "labelled")
    up_to = classes.over(labelled.cum_sum(), tables.keys, [place.name], "up_to_class")
    columns = {"place_at": place, "labelled_at": labelled, "up_to": up_to}
    (at, size, below), (other_at, other_size, other_below) = (
        tuple(cells.lookup(col(name), of=side) for name in columns) for side in at_sides(tables, "closeness", **columns)
    )
    halved = other_size if half == "prediction" else size
    # Between two different classes: all of both and of those between, less the half of one of them.
    outer = when(at > other_at).then(below - (other_below - other_size)).otherwise(other_below - (below - size))
    spanned = when(at == other_at).then(size * 0.5).otherwise(outer - halved * 0.5)
    total = cells.lookup(classes.sum(labelled), of=tables.units)
    counts = (n > 0) & ~at.is_null()
    proximity = cells.column(when(counts).then(-ratio(spanned, total).log(2)), "proximity")
    best = cells.column(when(counts).then(-ratio(size * 0.5, total).log(2)), "best_proximity")
    return u.ratio(*(cells.sum(when(~e.is_null()).then(n * e).otherwise(0.0)) for e in (proximity, best)))
