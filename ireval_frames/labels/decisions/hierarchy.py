"""Measures of the information of classes, which may have a hierarchy.

The similarity of two sets of classes is the information of their common ancestors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.errors import InvalidParameter, InvalidValue, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.tables import LabelTables
from ireval_frames.parameters import ANY_NUMBER
from ireval_frames.plan import Plan, Table

AMIGO = "Amigó and Delgado, ACL 2022; PyEvALL"


def paths(parents: Mapping[Any, Any]) -> pl.DataFrame:
    """[class_id, node_id, parent_id]: every class with itself and its ancestors, and the parent of each of these.

    Raises:
        InvalidParameter: a class is its own ancestor.
    """
    rows: list[tuple[Any, Any, Any]] = []
    for leaf in dict.fromkeys([*parents, *parents.values()]):
        path, node = [leaf], leaf
        while node is not None:
            above = parents.get(node)
            rows.append((leaf, node, above))
            if above in path:
                raise InvalidParameter(
                    f"In the hierarchy {listed(path)} are their own ancestors.",
                    "Give every class one parent; the root has none.",
                )
            path.append(above)
            node = above
    return pl.DataFrame(rows, schema=["class_id", "node_id", "parent_id"], orient="row")


def typed_parents(tables: LabelTables) -> dict[Any, Any]:
    """The classes and their parents in the type of the classes; none without a hierarchy."""
    dtype = tables.inputs.class_type
    return {
        literal_class(c, dtype, "hierarchy"): literal_class(p, dtype, "hierarchy")
        for c, p in (tables.hierarchy or {}).items()
    }


class Shared:
    """The ancestors of the labels and of the predictions of every item, with the information that each adds.

    With IC(c) = −log₂ of the share of items labelled c or a descendant, a node adds IC(node) − IC(parent), and the
    information of a set of classes is the sum over all nodes on their paths to the root.
    """

    def __init__(self, u: LabelContext) -> None:
        tables, plan, keys = u.tables, u.tables.plan, u.tables.keys
        parents = typed_parents(tables)
        rows, item, weight_at = _rows(u)
        closure = _with_ancestors(plan, rows, item, parents)
        ancestors = plan.grouped("nodes_of_items", closure, *item, "node_id")
        in_gold, in_system = closure.max(col("in_gold"), into=ancestors), closure.max(col("in_system"), into=ancestors)
        weight = weight_at(ancestors)
        nodes = plan.grouped("nodes", ancestors, *keys, "node_id")
        labelled, total = ancestors.sum(in_gold * weight, into=nodes, name="labelled"), tables.total(nodes)
        # Classes without labels count as rare as one item.
        lightest = tables.lightest(nodes)
        one = lit(1.0) if lightest is None else when(lightest < 1.0).then(lightest).otherwise(1.0)
        share = nodes.column(when(labelled > 0).then(labelled / total).otherwise(one / total), "share")
        information = nodes.column(share.log(2) * -1.0, "information")
        if parents:
            nodes.lookup(col("parent_id"), of=_parents(plan, parents), name="parent_id")
            upper = plan.selected(
                "upper_nodes", (*keys, "parent_id"), nodes, parent_id=col("node_id"), upper_information=information
            )
        added = plan.selected("weighed_nodes", nodes.keys, nodes)
        if parents:
            information = information - added.lookup(col("upper_information"), of=upper).fill_null(0.0)
        adds = added.column(information, "adds")
        at = plan.selected("shared_nodes", ancestors.keys, ancestors)
        information_of_item = at.column(at.lookup(adds, of=added) * weight, "adds_here")
        sides = at.column(in_gold + in_system, "sides")
        self.both = at.sum(when(sides > 1).then(information_of_item).otherwise(0.0), name="in_both")
        self.one = at.sum(when(sides == 1).then(information_of_item).otherwise(0.0), name="in_one")
        self.gold = at.sum(in_gold * information_of_item, name="shared_gold")


def _with_ancestors(plan: Plan, rows: Table, item: Sequence[str], parents: Mapping[Any, Any]) -> Table:
    """The rows once for each ancestor of their class, the class included; without a hierarchy it has no other one."""
    key = (*item, "class_id", "node_id")
    if not parents:
        sides = {c: col(c) for c in ("in_gold", "in_system")}
        return plan.selected("closure", key, rows, node_id=col("class_id"), **sides)
    nodes = paths(parents).select("class_id", "node_id")
    of_class = plan.constant("paths", ("class_id", "node_id"), nodes)
    closure = plan.joined("closure", key, rows, of_class, on=("class_id",), how="left")
    plan.require(closure, col("node_id").is_null(), missing_class)
    return closure


def _parents(plan: Plan, parents: Mapping[Any, Any]) -> Table:
    """The parent of each class."""
    return plan.constant(
        "parents", ("node_id",), paths(parents).select("node_id", "parent_id").unique(maintain_order=True)
    )


def _rows(u: LabelContext) -> tuple[Table, tuple[str, ...], Callable[[Table], Expr]]:
    """The labels and predictions of every item, the keys of items, and a function for their weight at a table.

    Items with one label each are counted by label and prediction.
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

        return rows, (*keys, "item_id"), tables.weight_at
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


def missing_class(rows: pl.DataFrame, count: int) -> InvalidValue:
    """The error that the hierarchy lacks a class."""
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
    """The information contrast model: the common information of labels and predictions minus that of only one side.

    ICM = 1/n Σ_i 2·IC(Y_i) + 2·IC(Z_i) − 3·IC(Y_i ∪ Z_i).  IC of a class is −log₂ of the share of items labelled with
    it or a descendant; IC of a set is the sum over all ancestors of its classes of the information that each adds to
    its parent.  Common ancestors count for, others against.  A class without labels counts as rare as one item: one of
    weight 1, or the lightest if that weighs less.

    Without a hierarchy (`hierarchy=` of `ir.Labels`) classes have no ancestors.  Classes that are missing in one are an
    error.

    Range: unbounded, higher is better; the best value is the mean information of the labels.  Undefined without items.

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

    ICMNorm = max(0, (ICM(predictions) + ICM(labels)) / (2·ICM(labels))), where ICM(labels) is the
    value of predicting the labels themselves.

    Range: 0 to 1, higher is better.  Undefined without items, and where the labels have no information.

    Example:
        >>> import ireval_frames as ir
        >>> tree = {"cat": "pet", "dog": "pet", "pet": "animal", "cow": "animal"}
        >>> ir.Labels(ir.examples.labels(), hierarchy=tree).evaluate("ICMNorm").summary()["value"].round(4).to_list()
        [0.4698]
    """
    shared = Shared(u)
    value = u.ratio(shared.both - shared.one + shared.gold, 2.0 * shared.gold)
    return when(value < 0).then(0.0).otherwise(value)
