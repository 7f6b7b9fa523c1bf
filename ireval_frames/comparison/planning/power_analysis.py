"""Sample size, power and detectable difference: how many units a comparison needs.

Power belongs to plans: it is of a difference that matters.  Observed power, that of the difference a test has just
estimated, is a function of its p-value (p = 0.05 is a power of about 0.5 whatever the data), so nothing here takes the
difference from the data.  After a test, its interval shows what the data leave open, and the detectable difference what
n units can detect.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from numbers import Real
from typing import Any

import polars as pl

from ireval_frames.comparison.planning.pilots import (
    EQUIVALENCE,
    INTERVAL,
    MCNEMAR,
    MEASURE,
    NON_INFERIORITY,
    Spread,
    spreads,
)
from ireval_frames.comparison.planning.planned import Planned, planned
from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import ALPHA, POWER, Parameter, number, whole
from ireval_frames.stats.sample import ALTERNATIVE

Numbers = float | Iterable[float]
Counts = int | Iterable[int]
Answer = Callable[[Planned, Spread, dict[str, Any]], float]
Requested = dict[str, list[Any]]


def sample_size(
    pilot: Any = None,
    *,
    difference: Numbers | None = None,
    width: Numbers | None = None,
    power: Numbers = 0.8,
    alpha: float = 0.05,
    test: str = "t",
    alternative: str = "two-sided",
    deviation: float | None = None,
    discordant: float | None = None,
    systems: int | None = None,
    distribution: str = "normal",
    margin: float | None = None,
    per: str = MEASURE,
    **options: Any,
) -> pl.DataFrame:
    """How many units a test needs to detect a difference with some power, or an interval to have some width.

    The spread is that of a pilot: values per unit of other systems, or of an earlier collection; or it is given in
    numbers.  Of a pilot all pairs of systems share one spread, σ_d² = 2 V_E with V_E the residual variance of units ×
    systems (2 V_E is the mean variance of the differences of two systems), or with `per="pair"` each has its own.

    Args:
        pilot: an evaluation, or a table of values per unit, as `ir.compare` takes them.
        difference: the difference to detect, in units of the measure: of "t", "wilcoxon", "sign" and "mcnemar" of two
            systems' means; of "anova" and "one-way" of the best and the worst of all systems; of "equivalence" and
            "non-inferiority" the true one, by default 0.  Several give a row each.
        width: of the interval, for test "interval".
        power: the power required.
        alpha: the level of significance; of the interval 1 − confidence.
        test: "t" (paired); "wilcoxon" and "sign", for differences of a `distribution`, and "mcnemar" (values 0 and 1),
            by their exact bounds, as `ir.compare` runs them; "anova" (systems on the same units), "one-way" (on
            different ones, as in Sakai's topic set size design); "interval" (of a mean difference); "equivalence" and
            "non-inferiority" (paired t tests against a `margin`).
        alternative: of "t", "wilcoxon" and "sign": two-sided, greater, or less; of "non-inferiority" less where less is
            better.
        deviation: without a pilot, the standard deviation: of differences; for "anova" of residuals; for "one-way"
            within a system.
        discordant: without a pilot, the share of items in which systems differ, for "mcnemar".
        systems: how many will be compared, for "anova" and "one-way"; by default those of the pilot.
        distribution: of the differences, for "wilcoxon" and "sign": normal, uniform, laplace, or lowest.
        margin: of "equivalence" and "non-inferiority", in units of the measure: smaller differences do not matter.
        per: "measure", or "pair".
        options: those of `ir.compare`, for the pilot: unit, system, value, by, missing, baseline and more; units that
            only some systems have are left out by default.

    Returns:
        [measure, by …, [baseline, system,] n_pilot,] test, deviation or discordant, [n_systems, margin,] difference or
        width, [power,] alpha, n, status: ok, too_few (units in the pilot), no_variance (in it), or impossible (for
        "mcnemar": the difference is larger than the share of items that differ; with a margin: it is not within it); n
        is null then.  Counts are whole, so the power of "sign", "wilcoxon" and "mcnemar" is not monotone in n: n is the
        fewest from which on it is not lost again, and never fewer than the test can reject with.

    Raises:
        InvalidParameter: numbers are missing, or out of range.
        UnknownName: there is no such test, alternative or distribution.
        NotDefined: the test has no one-sided form.

    Source: Sakai, Topic Set Size Design, Information Retrieval Journal 2016; Cohen 1988; Lehmann, Nonparametrics, 1975;
    Chernick and Liu, American Statistician 2002.

    Example:
        >>> import ireval_frames as ir
        >>> ir.comparison.sample_size(difference=[0.04, 0.1], deviation=0.2)["n"].to_list()
        [199, 34]
        >>> ir.comparison.sample_size(difference=0.1, deviation=0.2, systems=10, test="one-way")["n"].to_list()
        [127]
        >>> ir.comparison.sample_size(width=0.1, deviation=0.2, test="interval")["n"].to_list()
        [64]
        >>> ir.comparison.sample_size(difference=[0.1, 1.0], deviation=0.2, test="sign")["n"].to_list()
        [61, 6]
        >>> ir.comparison.sample_size(margin=0.1, deviation=0.2, test="equivalence")["n"].to_list()
        [36]
    """
    of = _planned(
        pilot,
        test=test,
        alpha=alpha,
        alternative=alternative,
        deviation=deviation,
        discordant=discordant,
        systems=systems,
        distribution=distribution,
        margin=margin,
        per=per,
        **options,
    )
    size, amount = ("width", width) if test == INTERVAL else ("difference", difference)
    requested: Requested = {size: _sizes(amount, size, test)}
    if test != INTERVAL:
        requested["power"] = [POWER.check("power", p) for p in _several(power)]
    table = _table(of, requested, "n", lambda plan, s, row: plan.sample_size(s, row[size], row.get("power", math.nan)))
    return table.with_columns(pl.col("n").cast(pl.Int64))


def power(
    pilot: Any = None,
    *,
    difference: Numbers | None = None,
    n: Counts | None = None,
    **plan: Any,
) -> pl.DataFrame:
    """The power of n units for a difference: the curve over numbers of units and differences.

    The difference is one that matters, not the one that a test has just estimated, whose power adds nothing to its
    p-value.

    Args:
        pilot: an evaluation, or a table of values per unit, as `ir.compare` takes them; None with numbers.
        difference: the difference to detect, in units of the measure; of "equivalence" and "non-inferiority" the true
            one, by default 0.
        n: numbers of units; by default that of the pilot.
        plan: alpha, test, alternative, deviation, discordant, systems, distribution, margin, per, and the options of
            the pilot, as in `ir.comparison.sample_size`.

    Returns:
        [measure, by …, [baseline, system,] n_pilot,] test, deviation or discordant, [n_systems,] difference, n, alpha,
        power (from 0 to 1), status, as in `ir.comparison.sample_size`.

    Raises:
        InvalidParameter: numbers are missing, or out of range.
        UnknownName: there is no such test, alternative or distribution.
        NotDefined: the test has no one-sided form, or is an interval.

    Source: as `ir.comparison.sample_size`.

    Example:
        >>> import ireval_frames as ir
        >>> found = ir.comparison.power(difference=0.1, deviation=0.2, n=[20, 34, 50])
        >>> found.select("n", pl.col("power").round(3)).rows()
        [(20, 0.565), (34, 0.808), (50, 0.934)]
    """
    requested: Requested = {
        "difference": _sizes(difference, "difference", plan.get("test", "t")),
        "n": _units(n, pilot),
    }
    return _table(
        _planned(pilot, **plan), requested, "power", lambda test, s, row: test.power(s, row["difference"], row["n"])
    )


def detectable_difference(
    pilot: Any = None,
    *,
    n: Counts | None = None,
    power: Numbers = 0.8,
    **plan: Any,
) -> pl.DataFrame:
    """The smallest difference that n units detect with some power: the resolution of a collection.

    Args:
        pilot: an evaluation, or a table of values per unit, as `ir.compare` takes them; None with numbers.
        n: numbers of units; by default that of the pilot.
        power: the power required.
        plan: as in `ir.comparison.power`.

    Returns:
        [measure, by …, [baseline, system,] n_pilot,] test, deviation or discordant, [n_systems,] n, power, alpha,
        difference (above 0, in units of the measure, lower is finer), status, as in `ir.comparison.sample_size`;
        impossible where no difference is detected.

    Raises:
        InvalidParameter, UnknownName, NotDefined: as `ir.comparison.power`.

    Source: as `ir.comparison.sample_size`.

    Example:
        >>> import ireval_frames as ir
        >>> ir.comparison.detectable_difference(deviation=0.2, n=[50, 200])["difference"].round(4).to_list()
        [0.0808, 0.0398]
    """
    requested: Requested = {"n": _units(n, pilot), "power": [POWER.check("power", p) for p in _several(power)]}
    return _table(
        _planned(pilot, **plan),
        requested,
        "difference",
        lambda test, s, row: test.detectable(s, row["n"], row["power"]),
    )


def _planned(
    pilot: Any,
    *,
    test: str = "t",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    distribution: str = "normal",
    deviation: float | None = None,
    discordant: float | None = None,
    systems: int | None = None,
    margin: float | None = None,
    per: str = MEASURE,
    **options: Any,
) -> tuple[Planned, list[Spread]]:
    """The test, and the spreads that it will meet; arguments as of `sample_size`."""
    direction = ALTERNATIVE.check("alternative", alternative)
    numbers = {"deviation": deviation, "discordant": discordant, "systems": systems}
    spreads_of = spreads(pilot, test, numbers, per=per, options=options)
    return planned(test, ALPHA.check("alpha", alpha), direction, distribution, margin), spreads_of


def _table(of: tuple[Planned, list[Spread]], requested: Requested, name: str, answer: Answer) -> pl.DataFrame:
    """A row per spread and requested numbers, with the answer and its status."""
    plan, spreads_of = of
    rows = []
    for spread in spreads_of:
        for numbers in _crossed(requested, spread):
            status = spread.status
            if status == "ok" and not plan.possible(spread, numbers.get("difference", 0.0)):
                status = "impossible"
            value = answer(plan, spread, numbers) if status == "ok" else None
            if value is not None and math.isnan(value):
                value, status = None, "impossible"
            rows.append(_keys_of(plan, spread) | numbers | {"alpha": plan.alpha, name: value, "status": status})
    floats = ("deviation", "discordant", "difference", "width", "power")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return frame.with_columns(pl.col(n).cast(pl.Float64).fill_nan(None) for n in floats if n in frame.columns)


def _keys_of(plan: Planned, spread: Spread) -> dict[str, Any]:
    pilot = {"n_pilot": spread.n} if spread.keys else {}
    width = {"discordant": spread.discordant} if plan.test == MCNEMAR else {"deviation": spread.deviation}
    systems = {"n_systems": spread.systems} if spread.systems else {}
    margin = {} if math.isnan(plan.margin) else {"margin": plan.margin}
    return {**spread.keys, **pilot, "test": plan.test, **width, **systems, **margin}


def _crossed(requested: Requested, spread: Spread) -> Iterator[dict[str, Any]]:
    """Every combination of the numbers; without a number of units, that of the pilot."""
    (first, some), *rest = [(name, values or [spread.n]) for name, values in requested.items()]
    for one in some:
        if not rest:
            yield {first: one}
        for other in rest[0][1] if rest else ():
            yield {first: one, rest[0][0]: other}


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def _sizes(value: Any, name: str, test: str) -> list[float]:
    of_margin = test in (EQUIVALENCE, NON_INFERIORITY)
    if value is None and of_margin:
        return [0.0]
    if value is None:
        raise InvalidParameter(f"No {name} was specified.", f"Write {name}=0.05, in units of the measure.")
    size = number(0.05, low=0.0) if of_margin else Parameter(0.05, "", _not_zero)
    return [size.check(name, one) for one in _several(value)]


def _not_zero(value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value) or not value:
        raise ValueError("a number, and not 0")
    return float(value)


def _units(n: Any, pilot: Any) -> list[int]:
    """The numbers of units; none is that of the pilot."""
    if n is None and pilot is not None:
        return []
    return [whole(50, low=2).check("n", one) for one in _several(n)]
