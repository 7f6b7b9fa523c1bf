"""Extended BCubed: items in several classes or clusters.

Items in the same classes and the same clusters are alike, so pairs are taken of such *signatures*, not of items.

```
memberships  a row per item and class, or cluster     signatures  a row per set of classes and set of clusters
members      a row per set and class, or cluster      pairs       a row per two signatures with something in common
```
"""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.errors import NotDefined
from ireval_frames.plan import Table

# What is in a set, and what the set is called.
SETS = {"label": "classes", "cluster_id": "clusters"}


def precision(c: ClusterContext, *, self_pairs: bool) -> nw.Expr:
    """Extended BCubed precision; items alone have 1."""
    _with_itself(c, self_pairs=self_pairs)
    clustered, top, below = _means(c.tables, "cluster_id", "label")
    n = nw.col("n")
    alone = nw.col("clusters").is_null()
    value = (
        nw.when(alone)
        .then(n)
        .otherwise(nw.when(below > 0).then(n * top / nw.when(below > 0).then(below).otherwise(1.0)).otherwise(0.0))
    )
    return c.ratio(clustered.sum(value), clustered.sum(n))


def recall(c: ClusterContext, *, self_pairs: bool) -> nw.Expr:
    """Extended BCubed recall; an item alone shares its classes with the others, and its cluster with itself only."""
    _with_itself(c, self_pairs=self_pairs)
    labelled, top, below = _means(c.tables, "label", "cluster_id")
    n, own = nw.col("n"), nw.lit(0.0)
    if c.policy.missing == "singleton":
        # Of its own classes an item that is alone shares one cluster: 1 of |L|.
        sizes = _set_sizes(c.tables)
        own = (
            nw.when(nw.col("clusters").is_null())
            .then(nw.col("squared_weights") / labelled.take(nw.col("in_set"), of=sizes))
            .otherwise(0.0)
        )
    value = nw.when(below > 0).then((n * top + own) / nw.when(below > 0).then(below).otherwise(1.0)).otherwise(0.0)
    return c.ratio(labelled.sum(value), labelled.sum(n))


def _with_itself(c: ClusterContext, *, self_pairs: bool) -> None:
    if not self_pairs:
        raise NotDefined(
            f"{c.measure} is for items in one class and one cluster each; these overlap.", "Write self_pairs=True."
        )


def _memberships(tables: ClusterTables, side: str) -> Table:
    frame = tables.inputs.gold if side == "label" else tables.inputs.system
    if frame is None:
        raise NotDefined("The clusters do not overlap.", "Ask for the measure without overlapping=True.")
    return tables.plan.input(f"memberships_{SETS[side]}", (*tables.keys, "item_id", side), frame)


def _sets(tables: ClusterTables, side: str) -> Table:
    """A row per item with the name of its set."""
    return tables.plan.sets(
        f"{SETS[side]}_of_items", (*tables.keys, "item_id"), _memberships(tables, side), side, SETS[side]
    )


def _members(tables: ClusterTables, side: str) -> Table:
    """A row per set and what is in it."""
    plan, memberships = tables.plan, _memberships(tables, side)
    again = plan.picked(f"{SETS[side]}_again", memberships.keys, memberships)
    again.take(nw.col(SETS[side]), of=_sets(tables, side))
    return plan.grouped(f"members_of_{SETS[side]}", again, *tables.keys, SETS[side], side)


def _set_sizes(tables: ClusterTables) -> Table:
    """A row per set of classes, with the number of classes `in_set`."""
    plan, members = tables.plan, _members(tables, "label")
    sizes = plan.grouped("class_set_sizes", members, *tables.keys, "classes")
    return plan.picked("class_sets", sizes.keys, sizes, in_set=members.count(into=sizes))


def signatures(tables: ClusterTables) -> Table:
    """A row per set of classes and set of clusters.

    The weight `n` of its items, and the sum of their squared weights.
    """
    plan, items = tables.plan, tables.items
    signed = plan.picked("signed_items", items.keys, items)
    for side, name in SETS.items():
        signed.take(nw.col(name), of=_sets(tables, side))
    kept = ~nw.col("classes").is_null()
    if tables.policy.missing == "skip":
        kept &= ~nw.col("clusters").is_null()
    counted = plan.picked("counted_items", items.keys, signed, kept)
    groups = plan.grouped("signature_counts", counted, *tables.keys, *SETS.values())
    w = tables.weight
    return plan.picked(
        "signatures",
        groups.keys,
        groups,
        n=counted.sum(w, into=groups),
        squared_weights=counted.sum(w * w, into=groups),
    )


def _common(tables: ClusterTables, side: str) -> Table:
    """A row per two sets with something in common, and how much: `shared_classes` or `shared_clusters`."""
    plan, members, name = tables.plan, _members(tables, side), SETS[side]
    keys = tables.keys
    other = plan.picked(f"other_{name}", (*keys, side, f"other_{name}"), members, **{f"other_{name}": nw.col(name)})
    both = plan.joined(f"{name}_with_common", (*keys, side, name, f"other_{name}"), members, other, on=(*keys, side))
    pairs = plan.grouped(f"{name}_pairs", both, *keys, name, f"other_{name}")
    return plan.picked(f"common_{name}", pairs.keys, pairs, **{f"shared_{name}": both.count(into=pairs)})


def _means(tables: ClusterTables, near: str, far: str) -> tuple[Table, nw.Expr, nw.Expr]:
    """The signatures, and of each the sum over the items it has `near` in common with.

    Of min(near, far)/near, and of 1.
    """
    plan, keys = tables.plan, tables.keys
    by, of = SETS[near], SETS[far]
    mine = signatures(tables)
    theirs = plan.picked(
        "other_signatures",
        (*keys, *(f"other_{s}" for s in SETS.values())),
        mine,
        **{f"other_{s}": nw.col(s) for s in SETS.values()},
        other_n=nw.col("n"),
    )
    started = plan.joined(
        f"from_{by}", (*keys, "classes", "clusters", f"other_{by}"), mine, _common(tables, near), on=(*keys, by)
    )
    pairs = plan.joined(f"pairs_by_{by}", (*started.keys, f"other_{of}"), started, theirs, on=(*keys, f"other_{by}"))
    near_n, far_n = nw.col(f"shared_{by}"), pairs.take(nw.col(f"shared_{of}"), of=_common(tables, far)).fill_null(0.0)
    smaller = nw.when(near_n < far_n).then(near_n).otherwise(far_n)
    into = plan.picked(f"signatures_by_{by}", mine.keys, mine)
    return into, pairs.sum(nw.col("other_n") * smaller / near_n, into=into), pairs.sum(nw.col("other_n"), into=into)
