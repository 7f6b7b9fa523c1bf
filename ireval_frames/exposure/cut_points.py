"""The share of a group at every tenth place beside its share of the whole list: rND, rKL and rRD."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.group_exposure import divergence
from ireval_frames.exposure.parameters import GROUP
from ireval_frames.expr import Expr, lit, max_horizontal, min_horizontal, when
from ireval_frames.parameters import UPWARDS, flag, whole
from ireval_frames.ratios import indicator, ratio

YANG = "Yang and Stoyanovich, Measuring Fairness in Ranked Outputs, SSDBM 2017"
STEP = whole(10, "the places at which shares are compared are the multiples of it", low=2)
NORMALIZED = flag(
    default=True, what="divide by the value of the list that has the group first, or last if that is more"
)
PARAMETERS: dict[str, Any] = {"group": GROUP, "step": STEP, "normalized": NORMALIZED}
# No list is further apart than one of these two: held by all numbers of documents in tests/exposure.
OTHERS: dict[str, Any] = {
    "at": "",
    "range": UPWARDS,
    "higher_is_better": False,
    "undefined": None,
    "reads": ("groups",),
    "source": YANG,
}


def _cut(
    c: ExposureContext,
    group: Any,
    step: int,
    apart: Callable[[Expr, Expr, Expr, Expr], Expr],
    *,
    normalized: bool,
) -> Expr:
    """The sum over places of how far apart the shares of the top and of the list are, over log2 of the place.

    Args:
        c: the context.
        group: the group.
        step: places are its multiples.
        apart: from the group's documents in the top, the place, the group's documents in the list, and all of these.
        normalized: whether it is divided by the larger value of both extreme lists.
    """
    tables = c.tables
    placed, lists, place = tables.placed, tables.lists, tables.place
    own = placed.column(tables.share_of(c.group(group), placed).fill_null(0.0), "own")
    so_far = tables.share_up_to(own)
    n, s = (placed.lookup(placed.sum(of, into=lists), of=lists) for of in (lit(1.0), own))
    steps = placed.column(place / float(step), "steps")
    counts = placed.column(indicator(steps == steps.floor()), "counts")
    weight = placed.column(
        when(counts > 0).then(1.0 / when(counts > 0).then(place).otherwise(2.0).log(2)).otherwise(0.0)
    )

    def total(of: Expr) -> Expr:
        return placed.sum(weight * placed.column(apart(of, place, s, n)).fill_null(0.0), into=lists)

    value = total(so_far)
    if normalized:
        first, last = placed.column(min_horizontal(place, s)), placed.column(max_horizontal(s - (n - place), 0.0 * s))
        value = ratio(value, max_horizontal(total(first), total(last)))
    return c.mean_over_lists(when(placed.sum(counts, into=lists) > 0).then(value))


@measure(
    "exposure",
    "rND",
    parameters=PARAMETERS,
    formula="Σ_i |s_i / i − S / N| / log2 i over its largest value, i = step, 2·step, …",
    **OTHERS,
)
def rND(c: ExposureContext, group: Any, step: int, normalized: bool) -> Expr:  # noqa: FBT001 - a parameter
    """The difference of a group's share of the top from its share of the list, at every tenth place.

    rND = Σ_i |s_i/i − S/N| / log2(i) over the places i = step, 2·step, … N, where s_i of the first i documents that
    have a group are in this one, S of all N.  It is divided by the value of the list that has the group's documents
    first, or of the one that has them last, whichever is larger.  Several lists of a query count as their mean.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups.

    Range: 0 to 1, lower is better; with `normalized=False` 0 and up.  Undefined for lists of fewer documents than
    `step`, and normalized also where all or none are in the group.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> ev = fair.evaluate("rND(group='new',step=2,normalized=False) rND(group='new',step=2)")
        >>> ev.summary()["value"].round(4).to_list()
        [0.475, 0.7308]
    """
    return _cut(c, group, step, lambda top, i, s, n: (top / i - s / n).abs(), normalized=normalized)


@measure(
    "exposure",
    "rKL",
    parameters=PARAMETERS,
    formula="Σ_i KL((s_i/i, 1−s_i/i) ‖ (S/N, 1−S/N)) / log2 i over its largest value, i = step, 2·step, …",
    **OTHERS,
)
def rKL(c: ExposureContext, group: Any, step: int, normalized: bool) -> Expr:  # noqa: FBT001
    """The divergence of a group's share of the top from its share of the list, at every tenth place.

    rKL = Σ_i KL(P_i ‖ Q) / log2(i) in nats, where P_i = (s_i/i, 1 − s_i/i) and Q = (S/N, 1 − S/N), as in rND; it is
    divided by the larger value of both extreme lists.  0·ln 0 is 0.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups.

    Range: 0 to 1, lower is better; with `normalized=False` 0 and up.  Undefined for lists of fewer documents than
    `step`, and normalized also where all or none are in the group.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("rKL(group='new',step=2)").summary()["value"].round(4).item()
        0.5783
    """

    def apart(top: Expr, i: Expr, s: Expr, n: Expr) -> Expr:
        rows = c.tables.placed
        return divergence(rows, top / i, s / n) + divergence(rows, (i - top) / i, (n - s) / n)

    return _cut(c, group, step, apart, normalized=normalized)


@measure(
    "exposure",
    "rRD",
    parameters={"group": GROUP, "step": STEP},
    formula="Σ_i |s_i / (i − s_i) − S / (N − S)| / log2 i, i = step, 2·step, …",
    **OTHERS,
)
def rRD(c: ExposureContext, group: Any, step: int) -> Expr:
    """The difference of a group's ratio to all others in the top from that in the list, at every tenth place.

    rRD = Σ_i |s_i/(i − s_i) − S/(N − S)| / log2(i), with the numbers of rND; a ratio to no others is 0, as the authors
    have it.  It is for groups that are a minority.  It is not divided by its largest value, which no formula gives: the
    list that has the group first is not the furthest apart.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups.

    Range: 0 and up, lower is better.  Undefined for lists of fewer documents than `step`.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("rRD(group='new',step=2)").summary()["value"].round(4).item()
        0.8333
    """

    def apart(top: Expr, i: Expr, s: Expr, n: Expr) -> Expr:
        one, other = (ratio(part, of - part).fill_null(0.0) for part, of in ((top, i), (s, n)))
        return (one - other).abs()

    return _cut(c, group, step, apart, normalized=False)
