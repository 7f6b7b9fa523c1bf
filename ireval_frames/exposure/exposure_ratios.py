"""Groups compared by the exposure of their members: as it is, over their utility, and by clicks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.parameters import ANY_GROUP, ATTENTION, CUTOFF, SINGH
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.means import sums_of_defined
from ireval_frames.parameters import UPWARDS, choice
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

OF = choice(
    "exposure",
    "treatment",
    "impact",
    what="the mean exposure of members; that over their mean utility; the mean of exposure times utility over it",
)
SPREAD = choice(
    "max-min",
    "mad",
    "variance",
    what="the largest less the smallest; the mean distance from the mean of the groups; the mean square of that",
)


def _parts(c: ExposureContext, of: str, attention: Expr) -> tuple[Expr, Expr]:
    """At the memberships: what is summed over the members of a group, above and below the line."""
    rows, members = c.memberships, c.tables.members
    exposure = rows.lookup(c.exposure(attention), of=members)
    if of == "exposure":
        return exposure, lit(1.0)
    utility = rows.lookup(c.grade_in(members), of=members)
    return (exposure * utility if of == "impact" else exposure), utility


def _ratio(c: ExposureContext, of: str, group: Any, attention: Expr) -> Expr:
    above, below = _parts(c, of, attention)
    rows = c.memberships
    if group is None:
        groups, each = _each(c, of, attention)
        return _of_several(c, groups, each, ratio(groups.min(each, into=c.unit), groups.max(each, into=c.unit)))
    own = c.part_of(c.group(group))
    of_group, of_others = (
        ratio(c.sum(rows, above * part), c.sum(rows, below * part)) for part in (own, col("share") - own)
    )
    return ratio(of_group, of_others)


def _each(c: ExposureContext, of: str, attention: Expr) -> tuple[Table, Expr]:
    """The groups of the current unit, and the value of each."""
    above, below = _parts(c, of, attention)
    rows, groups, share = c.memberships, c.by_group(), col("share")
    value = ratio(c.sum(rows, above * share, groups), c.sum(rows, below * share, groups))
    return groups, groups.column(value, "of_group")


def _of_several(c: ExposureContext, groups: Table, each: Expr, value: Expr) -> Expr:
    """A value of the current unit, undefined where fewer than two groups have one: there is nothing to compare."""
    return when(groups.sum(indicator(~each.is_null()), into=c.unit) > 1).then(value)


PARAMETERS: Mapping[str, Any] = {"group": ANY_GROUP, **ATTENTION, "cutoff": CUTOFF}


@measure(
    "exposure",
    "ExposureRatio",
    parameters=PARAMETERS,
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("groups",),
    aliases=("DemographicParity",),
    formula="(Σ_{d∈g} e_d / n_g) / (Σ_{d∉g} e_d / (n − n_g))",
    source=SINGH,
)
def ExposureRatio(
    c: ExposureContext, group: Any, browsing: str | None, p: float, stop: float, cutoff: int | None
) -> Expr:
    """The mean exposure of the members of a group over that of all others: demographic parity.

    (Σ_d e_d s_dg / Σ_d s_dg) / (Σ_d e_d (1−s_dg) / Σ_d (1−s_dg)) over the members that have a group.  Without `group`
    the smallest mean of a group over the largest.  A document below the cutoff is a member that gets no attention.
    With `aggregation="pooled"` sums are over all queries.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups.

    Range: 0 and up; 1 is parity.  Undefined where either side has no member, or the others get no attention; without
    `group` where a query has fewer than two groups.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("ExposureRatio(group='new') ExposureRatio").summary()["value"].round(4).to_list()
        [0.6453, 0.6453]
    """
    return _ratio(c, "exposure", group, c.attention(browsing, p, stop, cutoff))


@measure(
    "exposure",
    "TreatmentRatio",
    parameters=PARAMETERS,
    aliases=("DTR", "DisparateTreatment"),
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("groups", "relevant"),
    formula="(Exposure_g / Utility_g) / (Exposure_others / Utility_others), means over members",
    source=SINGH,
)
def TreatmentRatio(
    c: ExposureContext, group: Any, browsing: str | None, p: float, stop: float, cutoff: int | None
) -> Expr:
    """The exposure of a group relative to its utility, over the same of all others: disparate treatment.

    (Exp_g / Util_g) / (Exp_others / Util_others), where Exp is the mean exposure of members and Util their mean grade.
    Without `group` the smallest Exp / Util of a group over the largest.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; query_id, doc_id and
    relevance (the utility) of the judgments.

    Range: 0 and up; 1 where exposure is in proportion to utility.  Undefined where a side has no member or no utility;
    without `group` where fewer than two groups have utility, of which it is then.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("TreatmentRatio(group='new')").summary()["value"].round(4).item()
        0.4302
    """
    return _ratio(c, "treatment", group, c.attention(browsing, p, stop, cutoff))


@measure(
    "exposure",
    "ImpactRatio",
    parameters=PARAMETERS,
    aliases=("DIR", "DisparateImpact"),
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("groups", "relevant"),
    formula="(CTR_g / Utility_g) / (CTR_others / Utility_others), CTR the mean of exposure times utility",
    source=SINGH,
)
def ImpactRatio(
    c: ExposureContext, group: Any, browsing: str | None, p: float, stop: float, cutoff: int | None
) -> Expr:
    """The clicks that a group is expected to get relative to its utility, over the same of all others.

    (CTR_g / Util_g) / (CTR_others / Util_others), where CTR is the mean over members of exposure times grade: a user
    clicks what is seen and useful.  Without `group` the smallest CTR / Util of a group over the largest.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; query_id, doc_id and
    relevance (the utility) of the judgments.

    Range: 0 and up; 1 where clicks are in proportion to utility.  Undefined where a side has no member, no utility, or
    the others no click.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("ImpactRatio(group='new')").summary()["value"].round(4).item()
        0.5
    """
    return _ratio(c, "impact", group, c.attention(browsing, p, stop, cutoff))


@measure(
    "exposure",
    "ExposureGap",
    parameters={"spread": SPREAD, "of": OF, **ATTENTION, "cutoff": CUTOFF},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    pools=True,
    reads=("groups",),
    formula="max_g x_g − min_g x_g, x_g the mean exposure of the members of a group",
    source="FairRankTune",
)
def ExposureGap(
    c: ExposureContext, spread: str, of: str, browsing: str | None, p: float, stop: float, cutoff: int | None
) -> Expr:
    """How much groups differ in the mean exposure of their members.

    x_g = Σ_d e_d s_dg / Σ_d s_dg; the largest less the smallest (`max-min`), the mean of |x_g − x̄| (`mad`), or of
    (x_g − x̄)² (`variance`), over the groups that a query has.  `of="treatment"` and `"impact"` take the exposure or the
    clicks over the utility, as in TreatmentRatio and ImpactRatio.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; with `of` also
    query_id, doc_id and relevance of the judgments.

    Range: 0 and up, lower is better; 0 where groups are equal.  Undefined where fewer than two groups have a value.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("ExposureGap ExposureGap(spread='mad')").summary()["value"].round(4).to_list()
        [0.2438, 0.1219]
    """
    groups, each = _each(c, of, c.attention(browsing, p, stop, cutoff))
    if spread == "max-min":
        return _of_several(c, groups, each, groups.max(each, into=c.unit) - groups.min(each, into=c.unit))
    unit = c.unit
    mean = groups.lookup(unit.column(ratio(*sums_of_defined(groups, each, into=unit))), of=unit)
    apart = groups.column(each - mean, "apart")
    apart = groups.column(apart.abs() if spread == "mad" else apart * apart)
    return _of_several(c, groups, each, ratio(*sums_of_defined(groups, apart, into=unit)))
