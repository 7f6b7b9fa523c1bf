"""How many units an experiment needs, or what it can detect, estimated from historical data."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.experiments.estimates import values
from ireval_frames.experiments.metrics import Metric
from ireval_frames.experiments.moments import Cells
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import groups_of, units_of
from ireval_frames.parameters import POWER, choice, number
from ireval_frames.stats.power.margins import equivalence_power
from ireval_frames.stats.power.t_tests import fewest, t_power
from ireval_frames.stats.sample import Alternative
from ireval_frames.stats.sequential.alpha_spending import drift_of_power

TESTS = ("difference", "non-inferiority", "equivalence")
# Beyond this number of units t is taken as normal.
MAX_T_UNITS = 10**6

SPLIT = number(0.5, "the share of the units that see the variant, for --plan", 0.0, 1.0, open_ends=True)
UNITS = number(100_000, low=0.0, open_ends=True)
SIZE = number(0.01, low=0.0, open_ends=True)


@dataclass(frozen=True)
class Aim:
    """What a test is to show, and with which power; effects are differences over √(sd² / (s (1 − s))).

    Attributes:
        options: the level, and the looks.
        test: of TESTS.
        power: the power required.
        least: the fewest units with which both variants have two.
    """

    options: AnalysisOptions
    test: str
    power: float
    least: int

    @functools.cached_property
    def drift(self) -> float:
        """The effect times √n, by the normal distribution."""
        options, power = self.options, self.power
        if options.looks:
            return drift_of_power(options.looks, power, options.alpha, options.spending, options.exponent)
        level = options.alpha / 2.0 if self.test == "difference" else options.alpha
        # Equivalence may fail on both sides.
        reached = (1.0 + power) / 2.0 if self.test == "equivalence" else power
        return float(special.ndtri(1.0 - level) + special.ndtri(reached))

    def reached(self, effect: float, n: float) -> bool:
        """Whether n units have the power, by Student's t with n − 2 degrees of freedom."""
        if self.test == "equivalence":
            return equivalence_power(effect, n, 0.0, self.options.alpha, n - 2.0) >= self.power
        side: Alternative = "two-sided" if self.test == "difference" else "greater"
        return t_power(effect, n, self.options.alpha, side, n - 2.0) >= self.power

    def units(self, effect: float) -> float:
        """The fewest units that show an effect."""
        normal = float(np.ceil((self.drift / effect) ** 2))
        if self.options.looks or normal > MAX_T_UNITS:
            return max(normal, float(self.least))
        return float(fewest(lambda n: self.reached(effect, n), self.least))

    def effect(self, n: float) -> float:
        """The smallest effect that n units show; NaN where a variant would have fewer than two."""
        normal = self.drift / float(np.sqrt(n))
        if n < self.least:
            return float("nan")
        if self.options.looks or n > MAX_T_UNITS:
            return normal
        low, high = 0.0, normal
        while not self.reached(high, n):
            low, high = high, 2.0 * high
        for _ in range(60):
            middle = (low + high) / 2.0
            low, high = (low, middle) if self.reached(middle, n) else (middle, high)
        return high


def plan(
    cells: Cells,
    metrics: Sequence[Metric],
    groups: Sequence[str],
    options: AnalysisOptions,
    *,
    n: float | None,
    difference: float | None,
    relative: float | None,
    power: float,
    split: float,
    test: str = "difference",
) -> pl.DataFrame:
    """The table of `Experiment.plan`."""
    choice(*TESTS).check("test", test)
    if options.looks and (test != "difference" or options.looks[-1] != 1.0):
        raise NotDefined(
            "Looks are planned for a difference, and the last one has all units.",
            Hint("Write ", Argument("looks", [0.5, 1.0]), ", and ", Argument("test", "difference"), "."),
        )
    POWER.check("power", power)
    SPLIT.check("split", split)
    amounts = {"n": n, "difference": difference, "relative": relative}
    named = [name for name, value in amounts.items() if value is not None]
    if len(named) != 1:
        raise InvalidParameter(
            f"Exactly one of n, difference and relative is needed, not {len(named)}.",
            Hint("Write ", Argument("relative", 0.01), " for units, or ", Argument("n", 100_000), " for a difference."),
        )
    amount = (UNITS if named[0] == "n" else SIZE).check(named[0], amounts[named[0]])
    aim = Aim(options, test, power, max(4, math.floor(1.0 / min(split, 1.0 - split)) + 1))
    rows: list[dict[str, Any]] = []
    units_of(cells)
    for one in groups_of(cells, metrics, groups, options):
        estimates = values(one.metric, one.cells, one.weights, options.coefficient)
        known = [s for s in estimates.sides if s.n > 1 and not np.isnan(s.variance)]
        units = sum(s.n for s in known)
        value = sum(s.n * s.value for s in known) / units if known else float("nan")
        squares = sum((s.n - 1.0) * s.n * s.variance for s in known)
        sd = float(np.sqrt(squares / (units - len(known)))) if known else float("nan")
        # Var(difference) = sd² (1 / (share · n) + 1 / ((1 − share) · n)) for n units in all.
        spread = sd**2 / (split * (1.0 - split))
        status = estimates.status
        if sd == 0.0 and status == "ok":
            total, difference_needed, status = float("nan"), float("nan"), "no_variance"
        elif named[0] == "n":
            total, difference_needed = amount, aim.effect(amount) * float(np.sqrt(spread))
        else:
            difference_needed = amount * (abs(value) if named[0] == "relative" else 1.0)
            total = float("nan")
            if difference_needed:
                total = aim.units(difference_needed / float(np.sqrt(spread))) if difference_needed**2 else float("inf")
            if total >= 2.0**53:
                raise InvalidParameter(
                    f"{named[0]} is {amount!r}, which needs more units of {one.metric.label} than can be counted.",
                    Hint("Write ", Argument(named[0], 0.01), "."),
                )
        if status == "ok" and np.isnan(difference_needed):
            status = "too_few"
        rows.append(
            {
                "metric": one.metric.label,
                **dict(zip(groups, one.group, strict=True)),
                "n_seen": int(units),
                "value": value,
                "sd": sd,
                "n": total,
                "n_baseline": float(np.ceil(total * (1.0 - split))),
                "n_variant": float(np.ceil(total * split)),
                "difference": difference_needed,
                "relative": difference_needed / abs(value) if value else float("nan"),
                "test": test,
                "power": float(power),
                "confidence": options.confidence,
                "status": status,
            }
        )
    frame = pl.DataFrame(rows, schema_overrides={g: cells.keys.schema[g] for g in groups}, infer_schema_length=None)
    counts = ("n", "n_baseline", "n_variant")
    return frame.with_columns(pl.selectors.float().fill_nan(None)).with_columns(pl.col(counts).cast(pl.Int64))
