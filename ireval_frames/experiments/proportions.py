"""Comparison of two proportions: score tests and intervals, which also hold at shares of 0 and 1."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.experiments.estimates import Pair, Side
from ireval_frames.parameters import CONFIDENCE, choice
from ireval_frames.stats.distributions.tails import p_of_z, upper_level
from ireval_frames.stats.proportions.score_tests import TwoProportions
from ireval_frames.stats.proportions.unpaired_intervals import INTERVALS, OF_RATIOS, proportion_interval
from ireval_frames.stats.sample import ALTERNATIVE, Options


def scored(p: Pair, of: TwoProportions, method: str, reach: float, options: Options) -> dict[str, float]:
    """Test and intervals of a row of an analysis.

    Args:
        p: the pair.
        of: its hits.
        method: of the interval.
        reach: z of the interval.
        options: the alternative.
    """
    z, chance = _test(of, options)
    low, high = proportion_interval(of, reach, method, alternative=options.alternative)
    row = {
        "se": p.se if p.se > 0 else float("nan"),
        "ci_low": low,
        "ci_high": high,
        "statistic": z,
        "p_value": chance,
    }
    if len(of.strata) == 1:
        by = method if method in OF_RATIOS else "score"
        ends = proportion_interval(of, reach, by, "ratio", options.alternative)
        row |= {"relative_low": ends[0] - 1.0, "relative_high": ends[1] - 1.0}
    return row


def _test(of: TwoProportions, options: Options) -> tuple[float, float]:
    """Z and p of equal proportions; p is 1 without variance."""
    z = of.z(0.0)
    return z, float(p_of_z(np.array([z]), options.alternative)[0]) if of.varies or z else 1.0


def varying(p: Pair, of: TwoProportions) -> Pair:
    """The pair with variances above 0: a side of only hits or misses has the variance with one more of each."""

    def side(one: Side, at: int) -> Side:
        parts = []
        for w, hits, (variance, n) in zip(of.weights, of.strata, one.parts, strict=True):
            share = (hits[2 * at] + 1.0) / (n + 2.0)
            parts.append((variance if variance > 0 else w * w * share * (1.0 - share) / (n + 2.0), n))
        return replace(one, variance=sum(v for v, _ in parts), parts=tuple(parts))

    return replace(p, baseline=side(p.baseline, 0), variant=side(p.variant, 1))


def two_proportions(
    hits_baseline: int,
    n_baseline: int,
    hits: int,
    n: int,
    *,
    method: str = "score",
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Difference, ratio and odds ratio of two proportions of different units, with their intervals and one test.

    Args:
        hits_baseline: the hits of the baseline.
        n_baseline: of how many.
        hits: how many units of the other group have it.
        n: of how many.
        method: of the intervals: "score" (all values that the test does not reject), "miettinen-nurminen", or of the
            difference alone "newcombe" or "agresti-caffo".
        alternative: "two-sided", "greater" (the other group has more), or "less".
        confidence: of the intervals.

    Returns:
        A row per measure (difference, ratio, odds-ratio): measure, value_baseline, value, estimate, ci_low, ci_high,
        interval, statistic (z of equal proportions), p_value, alternative, confidence.  An estimate is null where it
        divides by 0; a ratio is from 0 to infinity, and its interval has an end wherever the data give one.

    Raises:
        InvalidParameter: hits are more than units, or below 0; or there is no unit.
        UnknownName: there is no such method or alternative.

    Source: Newcombe, Statistics in Medicine 1998; Mee, Biometrics 1984; Koopman, Biometrics 1984; Cornfield 1956;
    Miettinen and Nurminen, Statistics in Medicine 1985; Agresti and Caffo, American Statistician 2000.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> table = ir.experiments.two_proportions(0, 30, 30, 30)
        >>> table.select("measure", "estimate", pl.col("ci_low", "ci_high").round(3)).rows()
        [('difference', 1.0, 0.88, 1.0), ('ratio', None, 8.81, inf), ('odds-ratio', None, 243.955, inf)]
    """
    for name, few, many in (("hits_baseline", hits_baseline, n_baseline), ("hits", hits, n)):
        if (
            any(isinstance(v, bool) or not isinstance(v, Integral) for v in (few, many))
            or not 0 <= few <= many
            or not many
        ):
            raise InvalidParameter(
                f"{name} is {few!r} of {many!r}; hits are whole numbers from 0 to the number of units, above 0.",
                Hint("Write ", Argument(name, 12), " of 40."),
            )
    choice(*INTERVALS).check("method", method)
    options = Options(ALTERNATIVE.check("alternative", alternative), CONFIDENCE.check("confidence", confidence))
    of = TwoProportions.of(hits_baseline, n_baseline, hits, n)
    return pl.DataFrame(measured(of, method, options))


def measured(of: TwoProportions, method: str, options: Options) -> list[dict[str, object]]:
    """The rows of `two_proportions`."""
    reach, (z, chance) = float(special.ndtri(upper_level(options))), _test(of, options)
    ((x0, n0, x1, n1),) = of.strata
    odds = (x1 * (n0 - x0), x0 * (n1 - x1))
    estimates = {
        "difference": of.value - of.baseline,
        "ratio": of.value / of.baseline if x0 else None,
        "odds-ratio": odds[0] / odds[1] if odds[1] else None,
    }
    rows: list[dict[str, object]] = []
    for measure, estimate in estimates.items():
        by = method if measure == "difference" or method in OF_RATIOS else "score"
        low, high = proportion_interval(of, reach, by, measure, options.alternative)
        rows.append(
            {
                "measure": measure, "value_baseline": of.baseline, "value": of.value, "estimate": estimate,
                "ci_low": low, "ci_high": high, "interval": by, "statistic": z, "p_value": chance,
                "alternative": options.alternative, "confidence": options.confidence,
            }
        )  # fmt: skip
    return rows
