"""Checks of an experiment: what makes its test wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import is_missing_id
from ireval_frames.errors import IrevalError
from ireval_frames.experiments.data import ExperimentData
from ireval_frames.experiments.metrics import Capped, Mean, Metric, Proportion, Quantile, Ratio
from ireval_frames.experiments.moments import Cells, cells_of
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import compared, names_of
from ireval_frames.experiments.units import UNIT, VARIANT, Rows
from ireval_frames.experiments.validity.mismatch import MISMATCH_LEVEL, Shares, mismatch
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.stats.sample import EPSILON, ROUNDINGS

OK, DOUBTFUL, WRONG, UNCHECKED = "ok", "doubtful", "wrong", "not checked"
# The fewest units of a cell, and hits or misses of a proportion, that are not few.
FEW_UNITS, FEW_HITS = 100, 10
# The smallest ratio of standard errors that is reported.
MIN_ERROR_RATIO = 1.05


# The treatment of units in several variants.
CONSEQUENCES = {
    "error": "results are refused until they are left out, or count in all of them",
    "drop": "they are left out",
    "keep": "each counts in all of them",
}


@dataclass(frozen=True)
class Finding:
    """A row of the result."""

    check: str
    status: str
    message: str
    n: int = 0
    metric: str | None = None


def checked(
    of: ExperimentData, metrics: Sequence[Metric], groups: Sequence[str], shares: Shares, randomised: str | None
) -> pl.DataFrame:
    """The table of `Experiment.check`."""
    findings: list[Finding] = []
    of = of.unchecked
    rows = of.rows
    findings += _ids(rows)
    try:
        cells = of.cells([], groups)
    except IrevalError as error:
        return _table([*findings, Finding("variants", WRONG, error.what)])
    findings += _variants(cells, groups, shares)
    if rows.unit is not None:
        findings += _units(rows, groups)
    if randomised is not None:
        findings += _randomised(rows, randomised)
    for metric in metrics:
        try:
            findings += _metric(of, metric, groups, randomised)
        except IrevalError as error:
            findings.append(Finding("values", WRONG, error.what, metric=metric.label))
    return _table(findings)


def _table(findings: Sequence[Finding]) -> pl.DataFrame:
    names = ("check", "metric", "status", "n", "message")
    types = (pl.String, pl.String, pl.String, pl.Int64, pl.String)
    return pl.DataFrame(
        [[getattr(f, n) for n in names] for f in findings], dict(zip(names, types, strict=True)), orient="row"
    )


def _numbers(rows: Rows, frame: Frame, **sums: Expr) -> dict[str, float]:
    """Sums over all rows of a frame."""
    aggregates = [Aggregate(name, "plain_sum", expr) for name, expr in sums.items()]
    with rows.engine.errors():
        numbers = rows.engine.numbers(rows.engine.group(frame, (), aggregates))
    return {name: float(value or 0.0) for name, value in numbers.items()}


def _one(condition: Expr) -> Expr:
    return when(condition).then(1.0).otherwise(0.0)


def _ids(rows: Rows) -> Iterator[Finding]:
    """Whether rows lack a variant or a unit."""
    if rows.unit is None:
        yield Finding("units", UNCHECKED, "Each row counts as a unit; if users were randomised, name their column.")
        return
    named = [name for name in (rows.unit, rows.variant) if name is not None]
    without_id = _numbers(
        rows, rows.all_rows, **{f"n{i}": _one(is_missing_id(rows.all_rows, c)) for i, c in enumerate(named)}
    )
    dropped = rows.units == "drop-null"
    for i, name in enumerate(named):
        if n := int(without_id[f"n{i}"]):
            consequence = "they are left out" if dropped else "they would count as one"
            yield Finding("units", DOUBTFUL if dropped else WRONG, f"{n:,} rows have no {name}; {consequence}.", n)


def _variants(cells: Cells, groups: Sequence[str], shares: Shares) -> Iterator[Finding]:
    names = names_of(cells)
    if len(names) < 2:
        yield Finding("variants", WRONG, f"There is one variant, {names[0]!r}." if names else "There are no rows.")
        return
    yield Finding("variants", OK, f"{len(names)} variants: {', '.join(map(str, names))}.", len(names))
    for where, by in (("all units", ()), ("a group", tuple(groups))):
        if where == "a group" and not groups:
            continue
        table = mismatch(cells, by, shares, "auto")
        bad = table.filter(pl.col("mismatch"))
        if bad.height:
            # The variants of a group have one p-value.
            least = bad.sort("p_value", maintain_order=True).row(0, named=True)
            at = "".join(f" of {g} {least[g]!r}" for g in by)
            yield Finding(
                "sample ratio",
                WRONG,
                f"Variant {least['variant']!r}{at} has {least['n']:,} units where {least['expected']:,.0f} were "
                f"expected (p = {least['p_value']:.2g}): who was counted depends on the variant.",
                bad.height,
            )
        else:
            p = np.nanmin(table["p_value"].fill_null(np.nan).to_numpy(), initial=1.0)
            yield Finding("sample ratio", OK, f"The variants of {where} have their shares (least p = {p:.2g}).")
    few = int((cells.n < FEW_UNITS).sum())
    if few:
        yield Finding(
            "tiny cells",
            DOUBTFUL,
            f"{few} variants of groups have fewer than {FEW_UNITS} units: too few for a t test.",
            few,
        )


def _units(rows: Rows, groups: Sequence[str]) -> Iterator[Finding]:
    """Whether a unit is in one variant, in one group, and, with one_row, in one row."""
    unit = str(rows.unit)
    keys = {VARIANT: rows.shown, **{f"g{i}": rows.key(g) for i, g in enumerate(groups) if g != rows.time}}
    pairs = rows.frame.select(**{UNIT: rows.key(unit)}, **keys)
    several = rows.variants_of_units()
    if several is not None:
        n = _numbers(rows, several, units=lit(1.0), bad=_one(col("n") > 1))
        bad, of = int(n["bad"]), int(n["units"])
        if bad:
            consequence = CONSEQUENCES[rows.several_variants]
            yield Finding(
                "units in two variants",
                DOUBTFUL if rows.several_variants == "drop" else WRONG,
                f"{bad:,} of {of:,} units ({bad / of:.2%}) are in several variants: {consequence}.",
                bad,
            )
        else:
            yield Finding("units in two variants", OK, f"All {of:,} units are in one variant.")
    for i, group in enumerate(groups):
        if f"g{i}" in keys:
            many = pairs.select(UNIT, f"g{i}").unique().count_by(UNIT)
            bad = int(_numbers(rows, many, bad=_one(col("n") > 1))["bad"])
            if bad:
                yield Finding(
                    "units in two groups",
                    DOUBTFUL,
                    f"{bad:,} units have several values of {group}; they count in each.",
                    bad,
                )
    if rows.one_row:
        bad = int(_numbers(rows, pairs.select(UNIT).count_by(UNIT), bad=_one(col("n") > 1))["bad"])
        if bad:
            yield Finding(
                "one row per unit",
                WRONG,
                f"{bad:,} units have several rows, which count as units each: leave out one_row=True.",
                bad,
            )


def _randomised(rows: Rows, randomised: str) -> Iterator[Finding]:
    """Whether the unit of analysis is the randomised one."""
    rows.has(randomised, "randomised")
    if rows.unit == randomised and not rows.one_row:
        yield Finding("unit of analysis", OK, f"Analysed by {randomised}, as randomised.")
        return
    frame = rows.frame.select(user=rows.key(randomised))
    if rows.unit is not None:
        frame = rows.frame.select(user=rows.key(randomised), unit=rows.key(rows.unit)).unique()
    counted = frame.select("user").count_by("user")
    n = _numbers(rows, counted, users=lit(1.0), units=col("n").cast(pl.Float64))
    each = n["units"] / n["users"] if n["users"] else 0.0
    what = rows.unit or "row"
    if each > 1:
        yield Finding(
            "unit of analysis",
            WRONG,
            f"Each {randomised} has {each:.3g} units of analysis ({what}) on average, which depend on each other: "
            f"name {randomised} as the unit, and take a Ratio for a mean per {what}.",
            int(n["units"]),
        )
    else:
        yield Finding("unit of analysis", OK, f"Each {randomised} has one unit of analysis.")


def _metric(of: ExperimentData, metric: Metric, groups: Sequence[str], randomised: str | None) -> Iterator[Finding]:
    """The findings about a metric."""
    rows = of.rows
    findings: list[Finding] = list(_negatives(rows, metric))
    if not isinstance(metric, Quantile):
        cells = of.cells([metric], groups)
        for check in (_spread, _hits, _missing, _before):
            findings += check(metric, cells)
        if randomised is not None:
            findings += _too_short(of, metric, randomised)
    yield from ([Finding(f.check, f.status, f.message, f.n, metric.label) for f in findings])
    if all(f.status == OK for f in findings):
        yield Finding("values", OK, "No problem was found.", metric=metric.label)


def _negatives(rows: Rows, metric: Metric) -> Iterator[Finding]:
    if not isinstance(metric, Ratio):
        return
    terms = [t for t in metric.terms if t.column is not None]
    frame = rows.frame.select(**{f"c{i}": rows.value(term) for i, term in enumerate(terms)})
    n = _numbers(rows, frame, **{f"c{i}": _one(col(f"c{i}") < 0.0) for i in range(len(terms))})
    for i, term in enumerate(terms):
        if bad := int(n[f"c{i}"]):
            below = term.column in (metric.denominator, *(metric.before or ())[1:])
            yield Finding(
                "negative counts",
                WRONG if below else DOUBTFUL,
                f"{bad:,} rows have a negative {term.column}; counts cannot be negative.",
                bad,
            )


def _spread(metric: Metric, cells: Cells) -> Iterator[Finding]:
    of = cells.of[metric]
    several = of.n > 1
    with np.errstate(invalid="ignore", divide="ignore"):
        sd = np.sqrt(of.products[:, 0, 0] / (of.n - 1.0))
    flat = int((several & (sd <= ROUNDINGS * EPSILON * np.abs(of.mean[:, 0]))).sum())
    if flat:
        yield Finding("zero variance", DOUBTFUL, f"{flat} variants of groups have one value for all units.", flat)


def _hits(metric: Metric, cells: Cells) -> Iterator[Finding]:
    if isinstance(metric, Proportion):
        of = cells.of[metric]
        hits = of.n * of.mean[:, 0]
        few = int(((of.n > 0) & (np.minimum(hits, of.n - hits) < FEW_HITS)).sum())
        if few:
            yield Finding(
                "tiny cells", DOUBTFUL, f"{few} variants of groups have fewer than {FEW_HITS} hits or misses.", few
            )


def _missing(metric: Metric, cells: Cells) -> Iterator[Finding]:
    """Whether variants lack values unequally."""
    merged = cells.coarser(())
    all_units, with_value = merged.n, merged.of[metric].n
    missing = all_units - with_value
    if not missing.sum() or len(all_units) < 2:
        return
    share = missing.sum() / all_units.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        terms = (missing - share * all_units) ** 2 / (all_units * share * (1.0 - share))
    p = float(special.chdtrc(len(all_units) - 1.0, terms.sum())) if share < 1 else 1.0
    yield Finding(
        "missing values",
        WRONG if p < MISMATCH_LEVEL else DOUBTFUL,
        f"{int(missing.sum()):,} units ({share:.2%}) have no value and are left out"
        + (f", not alike in the variants (p = {p:.2g})." if p < MISMATCH_LEVEL else "."),
        int(missing.sum()),
    )


def _before(metric: Metric, cells: Cells) -> Iterator[Finding]:
    """Whether variants differed before the experiment."""
    if not metric.adjusted:
        return
    size = 2 if metric.is_ratio else 1
    of = cells.coarser(()).of[metric]
    before: Metric = Ratio("y", "x") if size == 2 else Mean("y")
    part = type(of)(of.n, of.mean[:, size:], of.products[:, size:, size:])
    cells_before = Cells(cells.coarser(()).keys, cells.variant, of.n, {before: part})
    worst = 0.0
    for one in compared(cells_before, [before], (), AnalysisOptions()):
        if one.pair.status == "ok":
            worst = max(worst, abs(one.pair.difference / one.pair.se))
    p = 2.0 * float(special.ndtr(-worst))
    if p < MISMATCH_LEVEL:
        yield Finding("before", WRONG, f"The variants differed before the experiment (p = {p:.2g}).")


def _too_short(of: ExperimentData, metric: Metric, randomised: str) -> Iterator[Finding]:
    """How much larger the standard error is over the randomised units."""
    rows = of.rows
    if not rows.one_row or rows.unit == randomised or isinstance(metric, Capped) or metric.adjusted:
        return
    clustered = metric if isinstance(metric, Ratio) else Ratio(metric.terms[0].column or "", None)
    clustered_rows = Rows(rows.frame.to_native(), rows.variant, randomised, None, engine=rows.engine)
    standard_errors: Callable[[Cells, Metric], list[float]] = lambda cells, m: [  # noqa: E731
        one.pair.se for one in compared(cells, [m], (), AnalysisOptions()) if one.pair.status == "ok"
    ]
    short = standard_errors(of.cells([metric], ()), metric)
    right = standard_errors(cells_of(clustered_rows, [clustered], ()), clustered)
    if short and right and (factor := max(r / s for r, s in zip(right, short, strict=False))) > MIN_ERROR_RATIO:
        yield Finding(
            "standard error",
            WRONG,
            f"Over {randomised} the standard error is {factor:.3g} times as large: p-values here are too small.",
        )
