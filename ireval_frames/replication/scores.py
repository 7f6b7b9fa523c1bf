"""Scores of an original and its replica: means, their difference, errors per unit, and whether they are equivalent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.described import described
from ireval_frames.replication.matching import Match
from ireval_frames.replication.options import ReproductionOptions
from ireval_frames.stats.distributions.tails import p_of_t, t_interval
from ireval_frames.stats.registry import find_test
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Options, Outcome, Sample

COLUMNS = (
    "system", "replica", "design", "n_original", "n_replica", "n_common", "arp_original", "arp_replica", "difference",
    "se", "ci_low", "ci_high", "rmse", "nrmse", "rmse_status", "test", "statistic", "df", "p_value", "margin",
    "equivalence_low", "equivalence_high", "p_equivalence", "equivalent", "confidence", "status",
)  # fmt: skip

# The rounding error allowed for values of 0 or 1.
ROUNDING = ROUNDINGS * EPSILON


def table(
    matches: Iterable[Match], replicas: Sequence[Any], options: ReproductionOptions, by: Sequence[str]
) -> pl.DataFrame:
    """A row per measure, group and system."""
    return pl.concat([_of_match(match, replicas, options, by) for match in matches], how="vertical_relaxed")


def _of_match(match: Match, replicas: Sequence[Any], options: ReproductionOptions, by: Sequence[str]) -> pl.DataFrame:
    grid, pairs = match.grid, match.pairs
    tests = Options(confidence=options.confidence)
    test = find_test("t" if match.paired else "welch")
    outcome = test.function(Sample(grid.values, pairs), tests)
    description = described(grid, pairs, None, 1, paired=match.paired)
    common = description["n"] if match.paired else np.zeros(match.size, dtype=np.int64)
    columns = {
        "system": grid.systems[: match.size],
        "replica": pl.Series(list(replicas)),
        "design": match.design,
        "n_original": common + description["n_baseline_only"],
        "n_replica": common + description["n_system_only"],
        "n_common": common,
        "arp_original": description["mean_baseline"],
        "arp_replica": description["mean"],
        "difference": description["difference"],
        "se": outcome.more["se"],
        "ci_low": outcome.ci_low,
        "ci_high": outcome.ci_high,
        **_errors(match),
        "test": test.name,
        "statistic": outcome.statistic,
        "df": outcome.df,
        "p_value": outcome.p_value,
        **_equivalence(description["difference"], outcome, options.margin_of(grid.measure), options),
        "confidence": options.confidence,
        "status": outcome.status,
    }
    frame = grid.framed(by, columns)
    is_defined = pl.col("equivalence_low").is_not_null() & pl.col("margin").is_not_null()
    return frame.with_columns(equivalent=pl.when(is_defined).then("equivalent")).select("measure", *by, *COLUMNS)


def _errors(match: Match) -> dict[str, Any]:
    """The root mean squared error over the common units, and its ratio to the largest possible one."""
    rmse, share = np.full(match.size, np.nan), np.full(match.size, np.nan)
    status = np.full(match.size, "ok", dtype="<U16")
    for i in range(match.size):
        original, replica = match.of_system(i)
        both = ~(np.isnan(original) | np.isnan(replica))
        if not (match.paired and both.any()):
            status[i] = "no_common_units" if match.paired else "other_units"
            continue
        x, y = original[both], replica[both]
        rmse[i] = _root_mean_square(x - y)
        if min(x.min(), y.min()) < -ROUNDING or max(x.max(), y.max()) > 1.0 + ROUNDING:
            status[i] = "outside_0_1"
        else:
            share[i] = rmse[i] / _root_mean_square(np.maximum(x, 1.0 - x))
    return {"rmse": rmse, "nrmse": share, "rmse_status": status}


def _root_mean_square(values: Array) -> float:
    return float(np.sqrt(np.square(values).mean()))


def _equivalence(
    difference: Array, outcome: Outcome, margin: float | None, options: ReproductionOptions
) -> dict[str, Any]:
    """Two one-sided tests, and the interval that is within the margin where both reject at 1 − confidence."""
    # A one-sided interval ends at the confidence itself, so the two-sided one leaves out twice as much.
    one_sided = Options(confidence=options.confidence, alternative="greater")
    se = np.where(np.isin(outcome.status, ["identical", "constant_shift"]), 0.0, outcome.more["se"])
    df = np.where(np.isnan(outcome.df), 1.0, outcome.df)
    low, _ = t_interval(difference, se, df, one_sided)
    high = 2.0 * difference - low
    undefined = np.full(len(difference), np.nan)
    columns = {"margin": undefined, "equivalence_low": low, "equivalence_high": high}
    if margin is None:
        return columns | {"p_equivalence": undefined, "equivalent": np.zeros(len(difference), dtype=bool)}
    with np.errstate(invalid="ignore", divide="ignore"):
        above = p_of_t((difference + margin) / se, outcome.df, "greater")
        below = p_of_t((difference - margin) / se, outcome.df, "less")
    return columns | {
        "margin": np.full(len(difference), margin),
        # As in the test of equivalence: identical systems are equivalent, a constant shift has no p.
        "p_equivalence": np.where(
            se > 0, np.maximum(above, below), np.where(outcome.status == "identical", 0.0, np.nan)
        ),
        "equivalent": (low > -margin) & (high < margin),
    }
