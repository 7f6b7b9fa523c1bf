"""Click logs, repetitions being groups: rates, parameters of click models, propensities, and interleaving."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Array, Covered, covers, study
from ireval_frames.clicks import models

SUBJECT = "Click logs"
PAGES = 150
DOCS = np.array(list("abc"))


def lists(repetitions: int, pages: int, rng: np.random.Generator) -> pl.DataFrame:
    """Pages of three documents in random order."""
    n = repetitions * pages
    order = np.argsort(rng.random((n, 3)), axis=1)
    return pl.DataFrame(
        {
            "rep": np.repeat(np.arange(n) % repetitions, 3),
            "serp_id": np.repeat(np.arange(n), 3),
            "query_id": "q",
            "doc_id": DOCS[order].ravel(),
            "position": np.tile(np.arange(1, 4), n),
        }
    )


def simulated(
    name: str, repetitions: int, pages: int, seed: int, *, uniform: bool, identical: bool = False
) -> tuple[pl.DataFrame, ir.Impressions]:
    """Random parameters of groups, and a log of their clicks.

    Args:
        name: the name of the model.
        repetitions: the number of groups.
        pages: the number of pages per group.
        seed: the seed.
        uniform: parameters are uniform from 0 to 1, like the prior.
        identical: all groups have the same parameters.
    """
    rng = np.random.default_rng([seed, 11])
    shown = lists(repetitions, pages, rng)
    # A fit to any clicks gives the keys of parameters.
    some = shown.filter(pl.col("rep") < 1).with_columns(click=(pl.col("serp_id") + pl.col("position")) % 2)
    keys = ir.Impressions(some).fit(name, iterations=1, tolerance=0).parameters()
    keys = keys.drop("value", "n", "low", "high", "status")
    keys = keys.drop([c for c in keys.columns if keys[c].null_count() == keys.height])
    rows = keys.join(pl.DataFrame({"rep": np.arange(repetitions)}), how="cross")
    bounds = [(0.6, 0.9) if p in ("continuation", "examination") else (0.2, 0.7) for p in rows["parameter"]]
    low, high = (0.0, 1.0) if uniform else np.array(bounds).T
    rows = rows.with_columns(value=pl.Series(rng.uniform(low, high, rows.height)))
    if identical:
        rows = rows.with_columns(pl.col("value").first().over([c for c in rows.columns if c not in ("rep", "value")]))
    real = models.of_parameters(name, rows, by=["rep"])
    return rows, ir.Impressions(real.simulate(shown, seed=seed), by="rep")


def _limit(name: str, truth: pl.DataFrame, seed: int) -> pl.DataFrame:
    """The estimates from very many pages of one group, for all groups."""
    shown = lists(1, 100_000, np.random.default_rng([seed, 21]))
    real = models.of_parameters(name, truth.filter(rep=0), by=["rep"])
    fitted = ir.Impressions(real.simulate(shown, seed=seed + 1)).fit(name, prior=(0, 0)).parameters()
    keys = [c for c in truth.columns if c not in ("rep", "value")]
    return truth.drop("value").join(fitted.select(*keys, "value"), on=keys, nulls_equal=True)


def inside(truth: pl.DataFrame, estimates: pl.DataFrame) -> Array:
    """Whether intervals contain the true values, rescaled for models that identify only products."""
    keys = [c for c in truth.columns if c != "value"]
    rows = estimates.join(truth.rename({"value": "truth"}), on=keys, nulls_equal=True)
    scale = rows.filter(status="scale").select("rep", factor=pl.col("value") / pl.col("truth"))
    if scale.height:
        sign = pl.when(parameter="examination").then(pl.col("factor")).otherwise(1 / pl.col("factor"))
        rows = rows.join(scale, on="rep").with_columns(truth=pl.col("truth") * sign)
    return covers(*(rows[c].fill_null(np.nan).to_numpy() for c in ("low", "high", "truth")))


@study(SUBJECT)
def closed_models(repetitions: int, seed: int) -> Iterator[Covered]:
    """Closed forms: posterior intervals of parameters drawn from the prior."""
    for name in ("GCTR", "RCTR", "DCTR", "DRCTR", "CM"):
        truth, log = simulated(name, repetitions, 12, seed, uniform=True)
        yield Covered(name, "parameters", "12 pages", inside(truth, log.fit(name).parameters()))
    for name in ("DCM", "SDBN"):
        truth, log = simulated(name, repetitions, PAGES, seed, uniform=False, identical=True)
        estimates = log.fit(name, prior=(0, 0)).parameters()
        yield Covered(
            name, "what the closed form tends to", f"{PAGES} pages", inside(_limit(name, truth, seed), estimates)
        )
        yield Covered(
            name,
            "parameters",
            f"{PAGES} pages",
            inside(truth, estimates),
            remark='the closed form is of a lower bound of the likelihood, as its rows say: status "lower_bound"',
        )


@study(SUBJECT)
def iterated_models(repetitions: int, seed: int) -> Iterator[Covered]:
    """Iterated models: by information; by profile and bootstrap with fewer repetitions."""
    for name in ("PBM", "UBM", "DBN", "CCM"):
        truth, log = simulated(name, repetitions, 2 * PAGES, seed, uniform=False)
        # Intervals continue from this fit to the maximum.
        model = log.fit(name, prior=(0, 0), iterations=30, tolerance=0)
        estimates = model.intervals().parameters()
        yield Covered(f"{name}, information", "parameters", f"{2 * PAGES} pages", inside(truth, estimates))
    few = max(10, repetitions // 10)
    truth, log = simulated("PBM", few, 2 * PAGES, seed, uniform=False)
    model = log.fit("PBM", prior=(0, 0), iterations=30, tolerance=0)
    estimates = model.intervals("profile", of="examination").parameters()
    yield Covered("PBM, profile", "examination", f"{2 * PAGES} pages", inside(truth, estimates))
    truth, log = simulated("DCTR", repetitions, PAGES, seed, uniform=False)
    yield Covered(
        "DCTR, bootstrap", "parameters", f"{PAGES} pages", inside(truth, log.fit("DCTR").bootstrap(200).parameters())
    )


@study(SUBJECT)
def propensities(repetitions: int, seed: int) -> Iterator[Covered]:
    """Results that move between positions, in shuffled lists."""
    rng = np.random.default_rng([seed, 12])
    examination, appeal, pages = np.array([1.0, 0.6, 0.4]), np.array([0.7, 0.5, 0.3]), 600
    hits_by_method: dict[str, list[float]] = {}
    for _ in range(max(10, repetitions // 5)):
        order = np.argsort(rng.random((pages, 3)), axis=1)
        taste = appeal[order] * rng.uniform(0.6, 1.0, 30)[np.arange(pages) % 30][:, None]
        clicked = (rng.random((pages, 3)) < examination) & (rng.random((pages, 3)) < taste)
        rows = pl.DataFrame(
            {
                "serp_id": np.repeat(np.arange(pages), 3),
                "query_id": np.repeat(np.arange(pages) % 30, 3),
                "doc_id": DOCS[order].ravel(),
                "position": np.tile(np.arange(1, 4), pages),
                "click": clicked.astype(np.int64).ravel(),
            }
        )
        log = ir.Impressions(rows)
        for method in ("pivot", "adjacent", "all_pairs", "randomised"):
            table = ir.clicks.propensities(log, method, groups=30).table()
            ends = (table[c].fill_null(np.nan).to_numpy()[1:] for c in ("low", "high"))
            hits_by_method.setdefault(method, []).extend(covers(*ends, examination[1:]).tolist())
    for method, hits in hits_by_method.items():
        yield Covered(f"propensities({method!r})", "propensity", "600 pages, 30 queries", np.array(hits))


@study(SUBJECT)
def rates_and_interleaving(repetitions: int, seed: int) -> Iterator[Covered]:
    """Click-through rates, and credits of interleaved lists."""
    rng = np.random.default_rng([seed, 13])
    shown = lists(repetitions, 60, rng).with_columns(
        click=pl.Series((rng.random(180 * repetitions) < 0.15).astype(int))
    )
    rates = ir.Impressions(shown).rates(by=["rep", "position"])
    ends = (rates[c].to_numpy() for c in ("low", "high"))
    yield Covered("rates", "click-through rate", "60 results, 0.15", covers(*ends, 0.15))
    n = repetitions * 100
    runs = [
        pl.DataFrame({"query_id": ["q"] * 3, "doc_id": list(docs), "score": [3.0, 2.0, 1.0]}) for docs in ("abc", "cab")
    ]
    pages = pl.DataFrame({"serp_id": np.arange(n), "query_id": ["q"] * n})
    for method in ("team-draft", "probabilistic"):
        mixed = ir.interleaving.interleave(runs, None, method, seed=seed + 1, depth=3, pages=pages)
        clicked = rng.random(mixed.height) < mixed["doc_id"].replace_strict({"a": 0.2, "b": 0.3, "c": 0.4}).to_numpy()
        log = mixed.with_columns(click=pl.Series(clicked.astype(int)), rep=pl.col("serp_id") // 100)
        summary = ir.interleaving.Interleaving(log, method, by="rep").summary()
        # The truth is the mean over the pages of all repetitions.
        truth = float(np.mean(summary["delta"].to_numpy()))
        hits = covers(*(summary[c].to_numpy() for c in ("low", "high")), truth)
        yield Covered(f"Interleaving({method!r})", "delta", "100 pages", hits)
