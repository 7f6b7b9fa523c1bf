"""Results of every family and of the analyses, by name, computed anew at each call."""

from __future__ import annotations

import random
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir
from tests.contract.kit import Frames, Suite, main_cases
from tests.contract.suites import SUITES

STDLIB = Path(__file__).parents[2] / "data" / "stdlib"
# In memory: large files are read in parts, in any order.
QRELS, RUNS = ir.read_qrels(STDLIB / "qrels.txt"), pl.read_parquet(STDLIB / "runs.parquet")


# Suites whose pages, or parameters of clicks by rank, belong to one unit.
NOT_COPIED = ("click measures", "clicks")


def copied(suite: Suite, frames: Frames, *, copies: int) -> Frames:
    """The tables of a case with each unit several times, under other names."""
    out = {}
    for name, frame in frames.items():
        text = suite.unit in frame.columns and frame.schema[suite.unit] == pl.String and str(suite) not in NOT_COPIED
        several = [frame.with_columns(pl.col(suite.unit) + f".{i}") for i in range(copies)] if text else [frame]
        out[name] = pl.concat(several)
    return out


def of_families(engine: str, copies: int = 1) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each suite's first case: values of all its measures per unit and in all, each from an evaluation of its own."""
    for suite in SUITES:
        case = main_cases(suite)[0]
        for i, batch in enumerate(suite.batches(suite.first_variants(case))):
            for what in ("per_unit", "summary"):
                evaluation = suite.evaluation(case, batch, engine, partial(copied, suite, copies=copies))
                yield f"{suite}, {i}, {what}", getattr(evaluation, what)()


# ---- analyses

SYSTEMS = ("one", "two", "three", "four", "five")


@cache
def users(n: int = 4000) -> pl.DataFrame:
    """Users of an experiment, with what they spent before and in it."""
    dice = random.Random(1)
    rows = [
        (f"u{i}", "ab"[i % 2], f"c{dice.randrange(5)}", dice.randrange(7), dice.random(), dice.lognormvariate(0, 1))
        for i in range(n)
    ]
    frame = pl.DataFrame(rows, schema=["user", "variant", "country", "day", "before", "spent"], orient="row")
    return frame.with_columns(spent=pl.col("spent") + pl.col("before") / 3, pages=pl.col("day") + 1)


@cache
def ratings() -> pl.DataFrame:
    """Ratings of items, and battles of systems."""
    dice = random.Random(2)
    rows = [
        (f"i{i}", f"r{r}", min(4, max(0, i % 4 + dice.choice((-1, 0, 0, 1))))) for i in range(150) for r in range(6)
    ]
    return pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")


@cache
def battles() -> pl.DataFrame:
    """Battles of systems on prompts, with the share of the first."""
    dice = random.Random(3)
    rows = [(f"p{i % 90}", *dice.sample(SYSTEMS, 2), dice.random()) for i in range(700)]
    return pl.DataFrame(rows, schema=["prompt", "item_a", "item_b", "score"], orient="row")


def evaluated(engine: str) -> Any:
    """An evaluation of three runs."""
    return ir.evaluate(QRELS, RUNS, "AP nDCG@10 RR", engine=engine)


def labelled(engine: str, n: int = 4000) -> Any:
    """Labels with weights, of two systems."""
    rows = users(n).select(
        item_id="user",
        run_id="variant",
        group="country",
        label=(pl.col("before") * 4).floor().cast(pl.Int64),
        prediction=(pl.col("before") * 3.7).floor().cast(pl.Int64),
        weight="spent",
    )
    return ir.Labels(rows, by="group", weight="weight", engine=engine)


def labels_of_a_file(engine: str) -> pl.DataFrame:
    """Values of 80,000 labels with weights, read from a file."""
    rows = users(80_000).select(label="day", prediction=pl.col("day").shuffle(1), weight="spent", group="country")
    with tempfile.TemporaryDirectory() as folder:
        rows.write_parquet(f"{folder}/labels.parquet")
        labels = ir.Labels(f"{folder}/labels.parquet", unit="group", weight="weight", engine=engine)
        return labels.evaluate("F1(average='macro') MCC").per_unit()


def experiment(engine: str) -> Any:
    """An experiment with countries and days."""
    return ir.Experiment(users(), unit="user", baseline="a", time="day", by="country", engine=engine)


METRICS = "Mean(spent) Ratio(spent, pages) Mean(spent, before=before) Quantile(spent, 0.9)"
TABLES: dict[str, Callable[[str], pl.DataFrame]] = {
    "rankings by unit": lambda e: evaluated(e).per_unit(),
    "rankings of files": lambda e: ir.evaluate(
        STDLIB / "qrels.txt", STDLIB / "runs.parquet", "AP", engine=e
    ).per_unit(),
    "labels of a file": labels_of_a_file,
    "rankings in all": lambda e: evaluated(e).summary(),
    "coverage": lambda e: evaluated(e).coverage(),
    "t-tests": lambda e: evaluated(e).compare("bm25").table(),
    "randomization": lambda e: evaluated(e).compare(test="randomization", n_resamples=200).table(),
    "differences": lambda e: evaluated(e).compare("bm25").differences(),
    "diagnosis": lambda e: evaluated(e).diagnose("bm25", "lsa", measure="AP").topics(),
    "reproduction": lambda e: ir.replication.reproduction(evaluated(e), evaluated(e), baseline="bm25").table(),
    "labels": lambda e: labelled(e).evaluate("F1(average='macro') MCC Kappa MI").summary(),
    "report of labels": lambda e: labelled(e).report(),
    "confusion": lambda e: labelled(e).confusion(),
    "bootstrap": lambda e: ir.resampling.bootstrap(labelled(e), "Accuracy", n_resamples=50, seed=1).table(),
    # Rows without one user each are fewer than a million.
    "jackknife": lambda e: ir.resampling.jackknife(labelled(e, 400), "F1(average='macro')").table(),
    "experiment": lambda e: experiment(e).analyze(METRICS).table(),
    "aggregates": lambda e: experiment(e).aggregates("Mean(spent) Ratio(spent, pages)").frame,
    "sample ratio": lambda e: experiment(e).srm(),
    "ratings": lambda e: ir.Ratings(ratings(), level="ordinal", engine=e).evaluate("Alpha GwetAC2 ICC").summary(),
    "raters": lambda e: ir.Ratings(ratings(), engine=e).aggregate("dawid-skene").raters(),
    "consensus": lambda e: ir.Ratings(ratings(), engine=e).aggregate("dawid-skene").consensus(),
    "battles": lambda e: ir.ratings.PairedComparisons(battles(), unit="prompt", engine=e).strengths(seed=1),
    "click model": lambda e: clicks(e).fit("SDBN").parameters(),
    "fused": lambda e: ir.fuse(RUNS, "combsum", engine=e).collect(),
    "fused by ranks": lambda e: ir.fuse(RUNS, "rrf", engine=e).collect(),
    "pool": lambda e: ir.pool(RUNS, depth=5, engine=e),
    "pool bias": lambda e: ir.pool_bias(QRELS, RUNS, "AP", engine=e).table(),
    "gate": lambda e: gated(e).table(),
    "folds": lambda e: ir.splits.scores(ir.Labels(ir.splits.kfold(users_as_items(), 3), engine=e), "Accuracy"),
}


def clicks(engine: str) -> Any:
    """A log of clicks, drawn from a click model."""
    log = pl.concat([ir.examples.click_log().with_columns(pl.col("serp_id") + 100 * i) for i in range(50)])
    return ir.Impressions(log, engine=engine)


def users_as_items() -> pl.DataFrame:
    """The users as items with labels."""
    return users().select(item_id="user", label=pl.col("day") > 2, prediction=pl.col("spent") > 1.5)


def gated(engine: str) -> Any:
    """A gate of one run against another."""
    runs = (RUNS.filter(pl.col("run_id") == name) for name in ("lsa", "bm25"))
    one, other = (ir.evaluate(QRELS, run, "AP", engine=engine) for run in runs)
    return ir.gate(one, other, "AP no significant loss; AP non-inferior within 0.02; AP drop <= 0.01")


def texts(engine: str) -> Iterator[tuple[str, str]]:
    """A printed comparison, a report, a gate's JSON, and the ids of results in a store."""
    evaluation = evaluated(engine)
    yield "printed comparison", str(evaluation.compare("bm25"))
    with tempfile.TemporaryDirectory() as folder:
        path = ir.report(evaluation, f"{folder}/report.html", baseline="bm25")
        yield "report", re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", "", Path(path).read_text(encoding="utf-8"))
        store = ir.Store(f"{folder}/store")
        added = {
            "evaluation": store.add(evaluation, collection="stdlib"),
            "comparison": store.add(evaluation.compare("bm25"), collection="stdlib"),
            "experiment": store.add(experiment(engine).analyze("Mean(spent) Ratio(spent, pages)"), name="spring"),
            "bootstrap": store.add(ir.resampling.bootstrap(labelled(engine), "Accuracy", n_resamples=20, seed=1)),
            "gate": store.add(gated(engine)),
            "click model": store.add(clicks(engine).fit("SDBN")),
        }
        yield from ((f"id of {name}", text) for name, text in added.items())
    yield "gate as JSON", gated(engine).to_json()


def analyses(engine: str) -> Iterator[tuple[str, pl.DataFrame | str]]:
    """Tables and texts of the analyses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, table in TABLES.items():
            yield name, table(engine)
        yield from texts(engine)
