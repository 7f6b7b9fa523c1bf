"""Measures of classes that stand in a tree.

What two sets of classes share is the information of the paths they share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class
from ireval_frames.labels.context import LabelContext
from ireval_frames.parameters import ANY_NUMBER
from ireval_frames.plan import Table

AMIGO = "Amigó and Delgado, ACL 2022; PyEvALL"


def paths(parents: Mapping[Any, Any]) -> pl.DataFrame:
    """[class_id, node_id, parent_id]: every class with itself and all above it, and the parent of each of these.

    Raises:
        InvalidParameter: a class stands above itself.
    """
    rows: list[tuple[Any, Any, Any]] = []
    for leaf in dict.fromkeys([*parents, *parents.values()]):
        seen, node = [leaf], leaf
        while node is not None:
            above = parents.get(node)
            rows.append((leaf, node, above))
            if above in seen:
                raise InvalidParameter(
                    f"In the hierarchy {listed(seen)} are their own ancestors.",
                    "Give every class one parent; the root has none.",
                )
            seen.append(above)
            node = above
    return pl.DataFrame(rows, schema=["class_id", "node_id", "parent_id"], orient="row")


class Shared:
    """The nodes above the labels and above the predictions of every item, with the information that each adds.

    With IC(c) = −log₂ of the share of items labelled c or below, a node adds IC(node) − IC(parent), and the information
    of a set of classes is the sum over all nodes on their paths to the root.
    """

    def __init__(self, u: LabelContext) -> None:
        tables, plan, keys = u.tables, u.tables.plan, u.tables.keys
        if not tables.hierarchy:
            raise NotDefined(
                f"{u.measure} needs the hierarchy of the classes.",
                'Name the parents: ir.Labels(…, hierarchy={"poodle": "dog"})',
            )
        dtype = tables.inputs.class_type
        parents = {
            literal_class(c, dtype, "hierarchy"): literal_class(p, dtype, "hierarchy")
            for c, p in tables.hierarchy.items()
        }
        frame = paths(parents)
        ways = plan.constant("paths", ("class_id", "node_id"), frame.select("class_id", "node_id"))
        above = plan.constant("parents", ("node_id",), frame.select("node_id", "parent_id").unique(maintain_order=True))
        rows, item, weigh = _rows(u)
        closure = plan.joined("closure", (*item, "class_id", "node_id"), rows, ways, on=("class_id",), how="left")
        plan.require(closure, col("node_id").is_null(), _not_there)
        seen = plan.grouped("nodes_of_items", closure, *item, "node_id")
        in_gold, in_system = closure.max(col("in_gold"), into=seen), closure.max(col("in_system"), into=seen)
        weight = weigh(seen)
        nodes = plan.grouped("nodes", seen, *keys, "node_id")
        labelled, total = seen.sum(in_gold * weight, into=nodes, name="labelled"), tables.total(nodes)
        # A class that no item is labelled with is as rare as one item.
        lightest = tables.lightest(nodes)
        one = lit(1.0) if lightest is None else when(lightest < 1.0).then(lightest).otherwise(1.0)
        share = nodes.column(when(labelled > 0).then(labelled / total).otherwise(one / total), "share")
        information = nodes.column(share.log(2) * -1.0, "information")
        nodes.lookup(col("parent_id"), of=above, name="parent_id")
        upper = plan.selected(
            "upper_nodes", (*keys, "parent_id"), nodes, parent_id=col("node_id"), upper_information=information
        )
        added = plan.selected("weighed_nodes", nodes.keys, nodes)
        adds = added.column(information - added.lookup(col("upper_information"), of=upper).fill_null(0.0), "adds")
        at = plan.selected("shared_nodes", seen.keys, seen)
        here = at.column(at.lookup(adds, of=added) * weight, "adds_here")
        sides = at.column(in_gold + in_system, "sides")
        self.both = at.sum(when(sides > 1).then(here).otherwise(0.0), name="in_both")
        self.one = at.sum(when(sides == 1).then(here).otherwise(0.0), name="in_one")
        self.gold = at.sum(in_gold * here, name="shared_gold")


def _rows(u: LabelContext) -> tuple[Table, tuple[str, ...], Any]:
    """The classes of every item and of its predictions, what an item is, and its weight at the rows of a table.

    Items with one label each are counted by label and prediction first.
    """
    tables, plan, keys = u.tables, u.tables.plan, u.tables.keys
    if tables.multi:
        in_gold, in_system = tables.pair_flags()
        rows = plan.selected(
            "decided_pairs",
            tables.pairs.keys,
            tables.pairs,
            **{k: col(k) for k in tables.pairs.keys},
            in_gold=in_gold,
            in_system=in_system,
        )

        def of_item(at: Table) -> Expr:
            return tables.weight_at(at)

        return rows, (*keys, "item_id"), of_item
    cells, n = tables.cells, tables.cell_weight
    label, prediction = tables.of_class("label"), tables.of_class("prediction")
    item = (*keys, "label", "prediction")
    named = {k: col(k) for k in item}
    zero, one = lit(0.0), lit(1.0)
    rows = plan.concat(
        "sides_of_cells",
        (*item, "class_id"),
        (cells, named | {"class_id": label, "in_gold": one, "in_system": zero}),
        (cells, named | {"class_id": prediction, "in_gold": zero, "in_system": one}),
        where=~col("class_id").is_null(),
    )
    return rows, item, lambda at: at.lookup(n, of=cells)


def _not_there(rows: pl.DataFrame, count: int) -> InvalidValue:
    classes = rows["class_id"].unique().sort()
    return InvalidValue(
        f"The hierarchy lacks the class {classes[0]!r} ({count} rows).",
        f'Give it a parent: hierarchy={{{classes[0]!r}: "root"}}',
    )


@measure(
    "labels",
    "ICM",
    at="",
    range=ANY_NUMBER,
    undefined=None,
    formula="mean over items of 2·IC(Y) + 2·IC(Z) − 3·IC(Y ∪ Z)",
    source=AMIGO,
)
def ICM(u: LabelContext) -> Expr:
    """The information contrast model: what an item's labels and predictions share in a hierarchy less what they do not.

    ICM = 1/n Σ_i 2·IC(Y_i) + 2·IC(Z_i) − 3·IC(Y_i ∪ Z_i).  IC of a class is −log₂ of the share of items labelled with
    it or a class below it, and of a set the sum over all nodes above its classes of what each adds to its parent's.  So
    a node above both sets counts for, and a node above one of them against.  A class that no item is labelled with is
    as rare as one item: one of weight 1, or the lightest if that weighs less.

    Range: unbounded, higher is better; the best value is the mean information of the labels.  Undefined without items.
    A class that the hierarchy lacks is an error.

    Example:
        >>> import ireval_frames as ir
        >>> tree = {"cat": "pet", "dog": "pet", "pet": "animal", "cow": "animal"}
        >>> ir.Labels(ir.examples.labels(), hierarchy=tree).evaluate("ICM").summary()["value"].round(4).to_list()
        [-0.0944]
    """
    shared = Shared(u)
    return u.ratio(shared.both - shared.one, u.total)


@measure("labels", "ICMNorm", at="", undefined=None, formula="max(0, (ICM + best) / (2·best))", source=AMIGO)
def ICMNorm(u: LabelContext) -> Expr:
    """The information contrast model, scaled so that perfect predictions are 1.

    ICMNorm = max(0, (ICM(predictions) + ICM(labels)) / (2·ICM(labels))), where ICM(labels) is that of
    predicting the labels themselves.

    Range: 0 to 1, higher is better.  Undefined without items, and where the labels hold no information.

    Example:
        >>> import ireval_frames as ir
        >>> tree = {"cat": "pet", "dog": "pet", "pet": "animal", "cow": "animal"}
        >>> ir.Labels(ir.examples.labels(), hierarchy=tree).evaluate("ICMNorm").summary()["value"].round(4).to_list()
        [0.4698]
    """
    shared = Shared(u)
    value = u.ratio(shared.both - shared.one + shared.gold, 2.0 * shared.gold)
    return when(value < 0).then(0.0).otherwise(value)
