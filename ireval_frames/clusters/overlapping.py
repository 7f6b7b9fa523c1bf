"""Extended BCubed: items in several classes or clusters.

Items with the same classes and the same clusters have one signature, and pairs of signatures are compared.
"""

from __future__ import annotations

from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.signatures import Signatures
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio

# The columns of members, and the names of their sets.
SETS = {"label": "classes", "cluster_id": "clusters"}


def precision(c: ClusterContext, *, self_pairs: bool) -> Expr:
    """Extended BCubed precision; items in no cluster have 1."""
    _check_self_pairs(c, self_pairs=self_pairs)
    clustered, mean, _ = _over_partners(c.tables, "cluster_id")
    n = col("n")
    own = when(col("clusters").is_null()).then(n).otherwise(n * mean)
    return c.ratio(clustered.sum(own), clustered.sum(n))


def recall(c: ClusterContext, *, self_pairs: bool) -> Expr:
    """Extended BCubed recall; a singleton shares its classes with others, and its cluster with itself only."""
    _check_self_pairs(c, self_pairs=self_pairs)
    labelled, mean, partners = _over_partners(c.tables, "label")
    n, singleton = col("n"), col("singleton") > 0
    # A singleton shares one cluster with itself: 1 of |L| classes.
    members = _members(c.tables, "label")
    sets = c.tables.plan.grouped("class_sets", members, *c.tables.keys, "classes")
    class_count = labelled.lookup(members.count(into=sets), of=sets)
    with_itself = when(singleton).then(col("squared") / class_count / partners).otherwise(0.0)
    return c.ratio(labelled.sum(n * mean + with_itself), labelled.sum(n))


def num_items(tables: ClusterTables) -> Expr:
    """The number of items that count, or the sum of their weights."""
    return signatures(tables).sum(col("weight"))


def num_classes(tables: ClusterTables) -> Expr:
    """The number of classes of items that count."""
    return _in_use(tables, "label")


def num_clusters(tables: ClusterTables) -> Expr:
    """The number of clusters of items that count; an item that is a cluster of its own is one."""
    return _in_use(tables, "cluster_id") + signatures(tables).sum(col("singleton") * col("rows"))


def _in_use(tables: ClusterTables, side: str) -> Expr:
    plan, name = tables.plan, SETS[side]
    used = plan.grouped(f"{name}_in_use", signatures(tables), *tables.keys, name)
    members = plan.joined(
        f"members_in_use_{name}", (*tables.keys, name, side), _members(tables, side), used, on=(*tables.keys, name)
    )
    return plan.grouped(f"{side}s_in_use", members, *tables.keys, side).count()


def _check_self_pairs(c: ClusterContext, *, self_pairs: bool) -> None:
    if not self_pairs:
        raise NotDefined(
            f"{c.measure} is for items in one class and one cluster each; these overlap.", "Write self_pairs=True."
        )


def _memberships(tables: ClusterTables, side: str) -> Table:
    """A row per item and class, or cluster; special noise is no cluster."""
    frame = tables.inputs.gold if side == "label" else tables.inputs.system
    if frame is None:
        raise NotDefined("The clusters do not overlap.", Hint("Leave out ", Argument("overlapping"), "."))
    if side == "cluster_id" and tables.noise_is_special:
        frame = frame.filter(~tables.is_noise)
    return tables.plan.input(f"memberships_{SETS[side]}", (*tables.keys, "item_id", side), frame, identity=side)


def _noisy(tables: ClusterTables) -> Table:
    """A row per item that is in noise."""
    item = (*tables.keys, "item_id")
    frame = tables.inputs.items if tables.inputs.system is None else tables.inputs.system.filter(tables.is_noise)
    return tables.plan.input("noisy_items", item, frame.select(*item, in_noise=lit(1.0)), identity="noise")


def _sets(tables: ClusterTables, side: str) -> Table:
    """A row per item with the name of its set."""
    return tables.plan.set_ids(
        f"{SETS[side]}_of_items", (*tables.keys, "item_id"), _memberships(tables, side), side, SETS[side]
    )


def _members(tables: ClusterTables, side: str) -> Table:
    """A row per set and member."""
    memberships = _memberships(tables, side)
    memberships.lookup(col(SETS[side]), of=_sets(tables, side), name=SETS[side])
    return tables.plan.grouped(f"members_of_{SETS[side]}", memberships, *tables.keys, SETS[side], side)


def signatures(tables: ClusterTables) -> Table:
    """A row per set of classes and set of clusters, and `singleton`: whether its items are clusters of their own.

    `rows` and `weight` are the number and the weight of its items, `n` their share of all weight, and `squared` the sum
    of their squared shares.
    """
    plan, items, policy = tables.plan, tables.items, tables.policy
    for side, name in SETS.items():
        items.lookup(col(name), of=_sets(tables, side), name=name)
    in_none = col("clusters").is_null()
    noise = lit(value=False)
    if tables.noise_is_special:
        noise = in_none & (items.lookup(col("in_noise"), of=_noisy(tables)).fill_null(0.0) > 0)
    missing = in_none & ~noise
    counts, singleton = ~col("classes").is_null(), lit(value=False)
    for condition, treatment in ((missing, policy.missing), (noise, policy.noise)):
        if treatment == "skip":
            counts &= ~condition
        if treatment == "singleton":
            singleton |= condition
    if tables.weighted:
        # Items of weight 0 do not count.
        counts &= col("weight") > 0.0
    sides = {name: col(name) for name in SETS.values()} | {"singleton": when(singleton).then(1.0).otherwise(0.0)}
    counted = plan.selected("counted_items", items.keys, items, counts, **sides, weight=tables.weight)
    w = col("weight")
    if tables.weighted:
        # The squares of shares stay within the range of floats.
        w = counted.column(w / counted.lookup(counted.sum(w), of=tables.units), "share")
    groups = plan.grouped("signature_counts", counted, *tables.keys, *sides)
    return plan.selected(
        "signatures",
        groups.keys,
        groups,
        rows=counted.count(into=groups),
        weight=counted.sum(col("weight"), into=groups),
        n=counted.sum(w, into=groups),
        squared=counted.sum(w * w, into=groups),
    )


def _over_partners(tables: ClusterTables, near: str) -> tuple[Table, Expr, Expr]:
    """The signatures, the mean of min(near, far)/near over the items that share `near`, and the number of these.

    Items count by their share of the total weight.
    """
    into = signatures(tables)
    pairs = Signatures(tables.plan, tables.keys, into, SETS, lambda side: _members(tables, side))
    shared = pairs.common(col("n"), near)
    partners = pairs.partners(near, col("n"))
    return (
        into,
        into.column(when(partners > 0).then(ratio(shared, partners)).otherwise(0.0), f"mean_by_{near}"),
        partners,
    )
