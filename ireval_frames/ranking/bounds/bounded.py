"""The bounds of measures on every list, or of their difference on two lists, from their forms and from gradings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.bounds.arrays import Array, Ends, Lists
from ireval_frames.ranking.bounds.by_number import ByNumber
from ireval_frames.ranking.bounds.cascades import NormalizedCascade
from ireval_frames.ranking.bounds.forms import Form, Monotone, Paired, Single, form_of, is_condensed, value_of_nothing
from ireval_frames.ranking.bounds.gradings import ENDS, Gradings
from ireval_frames.ranking.bounds.lists import Documents, ToGrade
from ireval_frames.ranking.inputs.facets import reads
from ireval_frames.ratios import indicator


@dataclass(frozen=True)
class Bound:
    """The least and the largest value of a measure, and 1 where both are attained; null where it has no value."""

    low: Expr
    high: Expr
    exact: Expr


@dataclass(frozen=True)
class Bounded:
    """The bounds of several measures.

    Attributes:
        plan: their plan.
        table: a row per list, or query of two lists.
        bounds: of each measure, as expressions of the table.
        checks: raise the errors of the data.
    """

    plan: Plan
    table: Table
    bounds: Sequence[Bound]
    checks: Sequence[Callable[[], None]]


def bounded(to_grade: ToGrade, measures: Sequence[Measure], values: Frame, most: int) -> Bounded:
    """The bounds of measures, or of their differences.

    Args:
        to_grade: the documents that get a grade.
        measures: the measures.
        values: a row per list with their values, or differences, `value_0`, `value_1` …, and what else is shown.
        most: the largest number of assignments of grades that are tried.
    """
    documents = to_grade.documents
    policy, pair = documents.tables.policy, len(documents.ranks) == 2
    forms = [form_of(measure, policy) for measure in measures]
    arrays = {i: f for i, f in enumerate(forms) if f is not None and not isinstance(f, Monotone)}
    ends = [i for i, f in enumerate(forms) if isinstance(f, Monotone)]
    # Whose bounds are not known to be attained otherwise.
    to_try = [i for i, f in enumerate(forms) if _is_evaluable(measures[i]) and _needs_trying(f, pair=pair)]
    if to_grade.unretrieved:
        to_try = [i for i in to_try if isinstance(forms[i], Monotone)]
    binary = [i for i in to_try if _is_binary(forms[i])]
    graded = [i for i in to_try if i not in binary]
    all_gradings = [
        (part, Gradings(to_grade, [measures[i] for i in part], n, binary=two, ends=both))
        for part, n, two, both in ((ends, 0, True, True), (binary, most, True, False), (graded, most, False, False))
        if part
    ]
    frame_columns = {"n_to_grade": to_grade.number, "absent": _absent(documents)}
    for part, gradings in all_gradings:
        if gradings.tries:
            frame_columns |= {f"tried_{i}": gradings.assigned for i in part}
    if arrays:
        names = [f"{end}_{i}" for i in arrays for end in ("low", "high", "exact")]
        step = to_grade.through_arrays(_computed(arrays, measures, policy, pair=pair), names)
        frame_columns |= {name: documents.units.lookup(col(name), of=step) for name in names}
    units = documents.units
    of_units = {n: units.column(e) for n, e in frame_columns.items()}
    frame = units.frame().select(**{k: col(k) for k in documents.keys}, **of_units)
    frame = documents.plan.engine.join(values, frame, documents.keys, "left")
    plan = Plan(documents.plan.engine)
    table = plan.input("lists_with_bounds", documents.keys, frame)
    known = {i: Bound(col(f"low_{i}"), col(f"high_{i}"), col(f"exact_{i}")) for i in arrays}
    tried: dict[int, tuple[Expr, ...]] = {}
    for part, gradings in all_gradings:
        values_of = _of_gradings(plan, table, documents.keys, gradings, part, pair=pair)
        if gradings.tries:
            tried |= values_of
        else:
            known |= {i: _of_ends(ends) for i, ends in values_of.items()}
    bounds = []
    for i, measure in enumerate(measures):
        range_ = _of_range(measure, pair=pair)
        low, high, exact = range_.low, range_.high, range_.exact
        if i in known:
            exact = known[i].exact
            low, high = (
                when((exact == 0) & end.is_null()).then(outer).otherwise(end)
                for end, outer in ((known[i].low, low), (known[i].high, high))
            )
        if i in tried:
            all_tried = col(f"tried_{i}") > 0
            low, high, exact = (
                when(all_tried).then(new).otherwise(old)
                for new, old in ((tried[i][0], low), (tried[i][1], high), (lit(1.0), exact))
            )
        if not to_grade.unretrieved:
            # Nothing is graded, so the value stays.
            none, value = col("n_to_grade") == 0, col(f"value_{i}")
            low, high = (when(none).then(value).otherwise(end) for end in (low, high))
            exact = when(none).then(1.0).otherwise(exact)
        low, high = (table.column(when(col("absent") == 0).then(end)) for end in (low, high))
        # Null where it has no value whatever the grades.
        exact = table.column(when((col("absent") == 0) & ((exact == 0) | ~low.is_null())).then(exact))
        bounds.append(Bound(low, high, exact))
    checks = [check for _, gradings in all_gradings for check in gradings.checks]
    return Bounded(plan, table, bounds, checks)


def _computed(
    forms: Mapping[int, Paired | Single], measures: Sequence[Measure], policy: RankingPolicy, *, pair: bool
) -> Callable[[Lists], dict[str, Array]]:
    """The bounds of measures that have a form over arrays, as a function of lists."""

    def compute(lists: Lists) -> dict[str, Array]:
        out: dict[str, Array] = {}
        condensed = lists.condensed() if any(is_condensed(measures[i], policy) for i in forms) else lists
        sides = {of: [of.of_system(0), of.of_system(1)] for of in (lists, condensed)} if pair else {}
        for i, form in forms.items():
            of, empty = condensed if is_condensed(measures[i], policy) else lists, value_of_nothing(measures[i], policy)
            if isinstance(form, Single) and pair:
                always = empty is not None and (isinstance(form, NormalizedCascade) or form.always)
                low, high, exact = _difference(*(form.bounds(side, empty) for side in sides[of]), always=always)
            else:
                low, high, exact = form.bounds(of, empty)
            out |= {f"low_{i}": low, f"high_{i}": high, f"exact_{i}": exact}
        return out

    return compute


def _difference(baseline: Ends, system: Ends, *, always: bool) -> Ends:
    """An interval of the difference; it is attained where one of the values does not change, if both `always` exist."""
    fixed = (baseline.low == baseline.high) | (system.low == system.high)
    exact = fixed * baseline.exact * system.exact * always
    return Ends(system.low - baseline.high, system.high - baseline.low, exact)


def _absent(documents: Documents) -> Expr:
    """1 where one of two lists is missing, and such are left out."""
    if len(documents.ranks) == 1 or documents.tables.policy.missing != "skip":
        return lit(0.0)
    table, units = documents.table, documents.units
    sizes = [table.sum(table.column(indicator(~rank.is_null())), into=units) for rank in documents.ranks]
    return indicator((sizes[0] == 0) | (sizes[1] == 0))


def _needs_trying(form: Form | None, *, pair: bool) -> bool:
    """Whether its bounds may not be attained."""
    return form is None or (pair and isinstance(form, Single | Monotone)) or _may_be_open(form)


def _may_be_open(form: Form) -> bool:
    """Whether some lists have no exact bounds."""
    return isinstance(form, NormalizedCascade) or (isinstance(form, ByNumber) and form.gain is not None)


def _is_binary(form: Form | None) -> bool:
    """Whether the lowest and the highest grade are enough."""
    return (isinstance(form, ByNumber) and form.gain is None) or (isinstance(form, Monotone) and form.binary)


def _is_evaluable(measure: Measure) -> bool:
    """Whether it can be evaluated with other plain grades; a document may need several, or is in a click model."""
    return not reads([measure]) and not measure.definition.reads


def _of_gradings(
    plan: Plan, table: Table, keys: Sequence[str], gradings: Gradings, numbers: Sequence[int], *, pair: bool
) -> dict[int, tuple[Expr, ...]]:
    """Of each measure, its values with the lowest and the highest grades of each list, or the extremes of all tried."""
    name = gradings.name
    rows = plan.input(f"values_of_{name}", (*keys, "variant", "side"), gradings.values)
    by_list = plan.grouped(f"lists_of_{name}", rows, *keys)
    out: dict[int, tuple[Expr, ...]] = {}
    for place, i in enumerate(numbers):
        value = col(f"m{place}")
        if not gradings.tries:
            ends = (
                rows.max(
                    rows.column(when((col("side") == side) & (col("variant") == variant)).then(value)), into=by_list
                )
                for side in ((0, 1) if pair else (1,))
                for variant in range(ENDS)
            )
            out[i] = tuple(table.lookup(end, of=by_list) for end in ends)
            continue
        if pair:
            both = plan.grouped(f"pairs_of_{name}", rows, *keys, "variant")
            parts = [rows.max(rows.column(when(col("side") == side).then(value)), into=both) for side in (0, 1)]
            tried, of = both.column(parts[1] - parts[0]), both
        else:
            tried, of = value, rows
        out[i] = tuple(
            table.lookup(end, of=by_list) for end in (of.min(tried, into=by_list), of.max(tried, into=by_list))
        )
    return out


def _smaller(a: Expr, b: Expr) -> Expr:
    """The smaller of two values; null where one is."""
    return when(a <= b).then(a).otherwise(when(b < a).then(b))


def _of_ends(values: Sequence[Expr]) -> Bound:
    """The bounds of a monotone measure, from its values with the lowest and the highest grades."""
    lows, highs = [], []
    for lowest, highest in zip(values[::2], values[1::2], strict=True):
        least = _smaller(lowest, highest)
        # Where the lowest grades leave it undefined, the values between are not known.
        lows.append(least)
        highs.append(when(lowest.is_null()).then(highest).otherwise(lowest + highest - least))
    if len(lows) == 1:
        undefined = lows[0].is_null()
        return Bound(
            lows[0], highs[0], when(undefined & highs[0].is_null()).then(None).otherwise(indicator(~undefined))
        )
    low, high = lows[1] - highs[0], highs[1] - lows[0]
    fixed = (lows[0] == highs[0]) | (lows[1] == highs[1])
    return Bound(low, high, when(~fixed.is_null()).then(indicator(fixed)).otherwise(0.0))


def _of_range(measure: Measure, *, pair: bool) -> Bound:
    """The range of a measure, or of differences."""
    low, high = measure.range
    if pair:
        low, high = low - high, high - low
    least, most = (lit(end if math.isfinite(end) else None, dtype=pl.Float64) for end in (low, high))
    return Bound(least, most, lit(0.0))
