"""Users in two variants: metrics of experiments, whose repetitions are groups of one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, study

SUBJECT = "Experiments"
USERS = 200


def covered(
    table: pl.DataFrame,
    truth: Mapping[str, float],
    of: str,
    sizes: str,
    ends: tuple[str, str] = ("ci_low", "ci_high"),
    *,
    suffix: str = "",
    remark: str = "",
) -> Iterator[Covered]:
    """The intervals of each metric of a table with a row per metric and repetition."""
    for name, value in truth.items():
        rows = table.filter(metric=name)
        inside = covers(*(rows[c].fill_null(np.nan).to_numpy() for c in ends), value)
        yield Covered(name + suffix, of, sizes, inside, remark=remark)


@study(SUBJECT)
def metrics(repetitions: int, seed: int) -> Iterator[Covered]:
    """Users of different activity, whose clicks are dependent, with their earlier spending."""
    rng = np.random.default_rng([seed, 6])
    size = (repetitions, USERS)
    variant = np.tile(np.arange(USERS) % 2, repetitions)
    share = 1.0 / (1.0 + np.exp(-rng.normal(0.0, 0.8, size)))
    pages = 1 + rng.poisson(4.0, size)
    before = rng.gamma(2.0, 1.0, size)
    spent = before + rng.gamma(1.0, 1.0, size) + 0.3 * (np.arange(USERS) % 2)
    rows = pl.DataFrame(
        {
            "draw": np.repeat(np.arange(repetitions), USERS),
            "variant": variant,
            "stratum": (before > 2.0).astype(np.int64).ravel(),
            "pages": pages.ravel(),
            "clicks": rng.binomial(pages, share).ravel(),
            "before": before.ravel(),
            "spent": spent.ravel(),
        }
    )
    experiment = ir.Experiment(rows, unit=None, baseline=0)
    truth = {"Mean(spent)": 0.3, "Mean(spent, before=before)": 0.3, "Ratio(clicks, pages)": 0.0}
    sizes = f"2 × {USERS // 2} users"
    table = experiment.analyze(list(truth), by="draw", correction="none").table()
    yield from covered(table, truth, "difference", sizes)
    relative = {"Mean(spent)": 0.1, "Ratio(clicks, pages)": 0.0}
    yield from covered(table, relative, "relative difference", sizes, ("relative_low", "relative_high"))
    strata = experiment.analyze("Mean(spent)", by="draw", strata="stratum", correction="none").table()
    yield from covered(strata, {"Mean(spent)": 0.3}, "difference", sizes, suffix=", strata")
    sequential = experiment.analyze("Mean(spent)", by="draw", sequential=float(USERS), correction="none").table()
    remark = "holds at every look, so that at one it holds more often"
    yield from covered(sequential, {"Mean(spent)": 0.3}, "difference", sizes, suffix=", sequential", remark=remark)
    looks = experiment.analyze("Mean(spent)", by="draw", looks=[0.5, 1.0], correction="none").table()
    remark = "holds at both looks, so that at one it holds more often"
    yield from covered(looks, {"Mean(spent)": 0.3}, "difference", sizes, suffix=", looks=[0.5, 1]", remark=remark)
    median = experiment.analyze("Quantile(spent, q=0.5)", by="draw", correction="none").table()
    yield from covered(median, {median["metric"][0]: 0.3}, "difference", sizes)
    posterior = experiment.bayes("Mean(spent)", by="draw").filter(variant=1)
    yield from covered(posterior, {"Mean(spent)": 3.3}, "mean", sizes, ("low", "high"), suffix=", bayes")


@study(SUBJECT)
def proportions(repetitions: int, seed: int) -> Iterator[Covered]:
    """Shares of users, common and rare."""
    rng = np.random.default_rng([seed, 7])
    intervals = ("newcombe", "score", "miettinen-nurminen", "agresti-caffo")
    for n, one, other in ((40, 0.3, 0.5), (40, 0.02, 0.1)):
        hit = rng.random((repetitions, 2 * n)) < np.where(np.arange(2 * n) % 2, other, one)
        rows = pl.DataFrame(
            {
                "draw": np.repeat(np.arange(repetitions), 2 * n),
                "variant": np.tile(np.arange(2 * n) % 2, repetitions),
                "hit": hit.astype(np.int64).ravel(),
            }
        )
        experiment = ir.Experiment(rows, unit=None, baseline=0)
        sizes = f"2 × {n} users, {one:g} and {other:g}"
        for interval in intervals:
            table = experiment.analyze(f"Proportion(hit, interval='{interval}')", by="draw", correction="none").table()
            remark = "Shares are of few users: no interval holds exactly" if one < 0.1 else ""
            yield from covered(
                table.with_columns(metric=pl.lit(f"Proportion, interval={interval!r}")),
                {f"Proportion, interval={interval!r}": other - one},
                "difference of shares",
                sizes,
                remark=remark,
            )
        posterior = experiment.bayes("Proportion(hit)", by="draw").filter(variant=1)
        yield from covered(posterior, {"Proportion(hit)": other}, "share", sizes, ("low", "high"), suffix=", bayes")
