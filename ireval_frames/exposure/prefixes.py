"""The share of a group in the top of a list, at one depth or at many, beside the share it should have."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.group_exposure import divergence
from ireval_frames.exposure.parameters import CUTOFF, GROUP, SMOOTH
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.browsing import logarithmic
from ireval_frames.parameters import ANY_NUMBER, UPWARDS
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

GEYIK = "Geyik, Ambler and Kenthapadi, Fairness-Aware Ranking in Search and Recommendation Systems, KDD 2019"
SKEW: dict[str, Any] = {"range": ANY_NUMBER, "undefined": None, "reads": ("groups", "target")}


def _smoothed(share: Expr, n: Expr, smooth: float) -> Expr:
    return share if smooth == 0.0 else (share + smooth) / (1.0 + smooth * n)


def _targets(c: ExposureContext, table: Table, smooth: float) -> tuple[Expr, Expr]:
    """In a table with queries and groups: the target of the group, and the number of groups."""
    tables = c.tables
    every = tables.plan.grouped("every_group", tables.all_groups)
    n = table.lookup(tables.all_groups.count(into=every), of=every)
    target = table.lookup(c.target_share, of=tables.grid)
    return _smoothed(target, n, smooth), n


def _skews(c: ExposureContext, smooth: float, cutoff: int | None) -> tuple[Table, Expr]:
    """A row per list and group, with the logarithm of the group's share of the top over the target; null where not."""
    tables = c.tables
    c.needs("groups")
    known = tables.placed.column(_top(c, cutoff), "in_top")
    total = tables.placed.sum(known, into=tables.lists)
    lists_and_groups = tables.plan.joined(
        "lists_and_groups", (*tables.list_keys, "group"), tables.lists, tables.all_groups
    )
    rows = tables.plan.joined(
        "placed_memberships", (*tables.placed.keys, "group"), tables.placed, tables.groups, on=("doc_id",)
    )
    in_top = rows.lookup(known, of=tables.placed)
    part = rows.sum(in_top * col("share"), into=lists_and_groups)
    target, n = _targets(c, lists_and_groups, smooth)
    share = ratio(part, lists_and_groups.lookup(total, of=tables.lists))
    quotient = lists_and_groups.column(ratio(_smoothed(share, n, smooth), target), "share_over_target")
    some = quotient > 0
    return lists_and_groups, lists_and_groups.column(when(some).then(when(some).then(quotient).otherwise(1.0).log()))


def _top(c: ExposureContext, cutoff: int | None) -> Expr:
    place = c.tables.place
    return lit(1.0) if cutoff is None else indicator(place <= float(cutoff))


@measure(
    "exposure",
    "Skew",
    parameters={"group": GROUP, "smooth": SMOOTH, "cutoff": CUTOFF},
    higher_is_better=None,
    formula="ln(share of g in the top k / target of g)",
    source=GEYIK,
    **SKEW,
)
def Skew(c: ExposureContext, group: Any, smooth: float, cutoff: int | None) -> Expr:
    """How much more of the top k a group has than it should: the logarithm of its share over its target.

    Skew_g@k = ln(p_g / t_g), where p_g is the group's share of the first k documents that have a group.  A group
    without a document there has −∞, which is undefined here; `smooth=ε` takes (p + ε) / (1 + nε) for both shares of n
    groups.  Several lists of a query count as their mean.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; group and share of
    the target.

    Range: any number; 0 is the target, below 0 the group has less.  Undefined where a share is 0, and without a
    document that has a group.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("Skew(group='new')@3 Skew(group='new')@2").summary()["value"].round(4).to_list()
        [-0.4055, None]
    """
    name = c.group(group)
    table, skew = _skews(c, smooth, cutoff)
    own = table.sum(when(col("group") == name).then(skew).otherwise(0.0).fill_null(0.0), into=c.tables.lists)
    n = table.sum(indicator((col("group") == name) & ~skew.is_null()), into=c.tables.lists)
    return c.mean_over_lists(when(n > 0).then(own))


def _extreme(c: ExposureContext, which: str, smooth: float, cutoff: int | None) -> Expr:
    table, skew = _skews(c, smooth, cutoff)
    lists = c.tables.lists
    target, _ = _targets(c, table, smooth)
    value = table.min(skew, into=lists) if which == "min" else table.max(skew, into=lists)
    if which == "min":
        # A group that should have a share and has none is at −∞.
        empty = table.sum(indicator(skew.is_null() & (target > 0)), into=lists)
        value = when(empty == 0).then(value)
    return c.mean_over_lists(value)


@measure(
    "exposure",
    "MinSkew",
    parameters={"smooth": SMOOTH, "cutoff": CUTOFF},
    formula="min over groups of Skew@k",
    source=GEYIK,
    **SKEW,
)
def MinSkew(c: ExposureContext, smooth: float, cutoff: int | None) -> Expr:
    """The skew of the group that has least of its due in the top k.

    min_g ln(p_g / t_g) over the groups whose target is above 0, with the shares of Skew.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; group and share of
    the target.

    Range: up to 0, higher is better; 0 where every group has its target.  Undefined where one has nothing (−∞), unless
    `smooth` is above 0.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.FairExposure(**ir.examples.exposure()).evaluate("MinSkew@3")
        >>> ev.summary()["value"].round(4).item()
        -0.4055
    """
    return _extreme(c, "min", smooth, cutoff)


@measure(
    "exposure",
    "MaxSkew",
    parameters={"smooth": SMOOTH, "cutoff": CUTOFF},
    higher_is_better=False,
    formula="max over groups of Skew@k",
    source=GEYIK,
    **SKEW,
)
def MaxSkew(c: ExposureContext, smooth: float, cutoff: int | None) -> Expr:
    """The skew of the group that has most beyond its due in the top k.

    max_g ln(p_g / t_g) over the groups whose target is above 0, with the shares of Skew.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; group and share of
    the target.

    Range: 0 and up where all groups of the list have a target; lower is better.  Undefined without a document that has
    a group.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.FairExposure(**ir.examples.exposure()).evaluate("MaxSkew@3")
        >>> ev.summary()["value"].round(4).item()
        0.2877
    """
    return _extreme(c, "max", smooth, cutoff)


@measure(
    "exposure",
    "NDKL",
    parameters={"smooth": SMOOTH, "cutoff": CUTOFF},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    reads=("groups", "target"),
    formula="Σ_i KL(D_i ‖ t) / log2(i+1) over Σ_i 1 / log2(i+1)",
    source=GEYIK,
)
def NDKL(c: ExposureContext, smooth: float, cutoff: int | None) -> Expr:
    """The divergence of groups' shares from the target, at all depths: normalized discounted Kullback-Leibler.

    NDKL = Σ_{i≤k} KL(D_i ‖ t) / log2(i+1) / Σ_{i≤k} 1 / log2(i+1), in nats, where D_i are the groups' shares of the
    first i documents that have a group.  `smooth=ε` takes (x + ε) / (1 + nε) for the shares and the targets of n
    groups.  Several lists of a query count as their mean.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; group and share of
    the target.

    Range: 0 and up, lower is better.  Undefined where a group has documents and the target 0 (∞), unless `smooth` is
    above 0; and without a document that has a group.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.FairExposure(**ir.examples.exposure()).evaluate("NDKL")
        >>> ev.summary()["value"].round(4).item()
        0.4148
    """
    tables = c.tables
    c.needs("groups")
    placed, lists = tables.placed, tables.lists
    at_place, unknown = _divergence_at_places(c) if smooth == 0.0 else _smoothed_divergence_at_places(c, smooth)
    weight = placed.column(logarithmic(tables.place) * _top(c, cutoff), "weight_of_place")
    undefined = placed.sum(weight * unknown, into=lists)
    value = ratio(placed.sum(weight * at_place, into=lists), placed.sum(weight, into=lists))
    return c.mean_over_lists(when(undefined == 0).then(value))


def _divergence_at_places(c: ExposureContext) -> tuple[Expr, Expr]:
    """At the placed documents: the divergence of the shares of all down to here, and how many of them have no target.

    Σ_g (n_g/i) ln((n_g/i)/t_g) = (1/i) Σ_g n_g ln(n_g/t_g) − ln i, and a document changes the terms of its own groups.
    """
    tables = c.tables
    placed = tables.placed
    keys = (*placed.keys, "group")
    rows = tables.plan.joined("placed_memberships", keys, placed, tables.groups, on=("doc_id",))
    target = rows.lookup(c.target_share, of=tables.grid)
    # Orders rows of a list, and is a key of them: the rank.
    n = rows.over(rows.column(col("share")).cum_sum(), (*tables.list_keys, "group"), ["rank"], "so_far")
    before = rows.column(n - col("share"), "before")

    def term(n: Expr) -> Expr:
        some = (n > 1e-12) & (target > 0)
        return when(some).then(n * ratio(n, target).log()).otherwise(0.0)

    change = rows.sum(rows.column(term(n) - term(before), "change"), into=placed)
    total = placed.over(placed.column(change).cum_sum(), tables.list_keys, ["rank"], "total")
    place = tables.place
    return placed.column(total / place - place.log()), rows.sum(indicator(~(target > 0).fill_null(False)), into=placed)  # noqa: FBT003


def _smoothed_divergence_at_places(c: ExposureContext, smooth: float) -> tuple[Expr, Expr]:
    """The same, of smoothed shares: of all groups at each place."""
    tables = c.tables
    placed, prefixes = tables.placed, tables.prefixes
    target, n = _targets(c, prefixes, smooth)
    share = _smoothed(tables.part / prefixes.lookup(tables.place, of=placed), n, smooth)
    term = prefixes.column(
        divergence(prefixes, prefixes.column(share, "share_of_top"), prefixes.column(target)), "term"
    )
    return prefixes.sum(term.fill_null(0.0), into=placed), prefixes.sum(indicator(term.is_null()), into=placed)
