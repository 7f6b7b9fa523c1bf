"""Priority: one document stands above another.

Of a document at place x with grade g, the other side agrees about those that stand below it with a lower grade and those
that stand above it with a higher one.  Both are running sums by place, one for each grade: n·levels rows, never n².
"""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table


def priority(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, strict: bool) -> Relation:
    """The relations that one side states."""
    crossed, profile, keys = tables.crossed, tables.profile, tables.keys
    anchors = tables.anchors
    partner = _partner_weight(tables, side, weights) if product else nw.lit(1.0)
    number = crossed.column(nw.col("number") * partner, "partners") if product else nw.col("number")
    other, grade = nw.col("other"), nw.col("grade")

    def summed(which: nw.Expr, name: str) -> nw.Expr:
        return crossed.sum(nw.when(which).then(number).otherwise(0.0), into=profile, name=name)

    low, high, same = summed(other < grade, "lower"), summed(other > grade, "higher"), summed(other == grade, "same")
    within = (*keys, "grade")
    lows, highs = (profile.over(e.sum(), within, name=f"{n}s") for e, n in ((low, "lower"), (high, "higher")))
    if product:
        # Sums of unlike weights are never subtracted.
        def above(e: nw.Expr) -> nw.Expr:
            so_far = expressions.name(profile.over(e.cum_sum(), within, ["place"], "so_far"))
            return profile.over(nw.col(so_far).shift(1), within, ["place"], "above").fill_null(0.0)

        def below(e: nw.Expr) -> nw.Expr:
            to_come = expressions.name(profile.over(e.cum_sum(reverse=True), within, ["place"], "to_come"))
            return profile.over(nw.col(to_come).shift(-1), within, ["place"], "below").fill_null(0.0)

        found = below(low) + above(high)
        counted = profile.column(low + high + same if strict else low + high, "counted")
        elsewhere = above(counted) + below(counted)
    else:
        low_so_far, high_so_far = (profile.over(e.cum_sum(), within, ["place"], f"{n}_so_far") for e, n in ((low, "lower"), (high, "higher")))
        found = (lows - low_so_far) + (high_so_far - high)
        sames = profile.over(same.sum(), within, name="sames")
        elsewhere = (lows - low) + (highs - high) + (sames - same if strict else 0.0)
    found = profile.column(found, "found")
    related = lows + highs if side == "gold" else elsewhere
    related = profile.column(related, "related")
    w = weights.at(tables, side, anchors)
    return Relation(anchors, found, related, anchors.column(tables.here * w, "weight"))


def _partner_weight(tables: OrganizationTables, side: str, weights: Weights) -> nw.Expr:
    """How much the other document of a pair weighs, at the rows of `crossed`."""
    crossed, found = tables.crossed, weights.of_document(tables, side)
    if found is None:
        return 1.0 / tables.total(crossed)
    table, weight = found
    if side == "system":
        return crossed.take(weight, of=table)
    column = expressions.name(weight)
    renamed: Table = tables.plan.picked(f"others_{column}", (*tables.keys, "other"), table, other=nw.col("grade"), **{f"other_{column}": weight})
    return crossed.take(nw.col(f"other_{column}"), of=renamed)
