"""Judges beside people: the test of a judge that takes a person's place, panels, and favours of one's own family."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.arenas import SUBJECT, battles_of
from benchmarks.coverage.studies import Array, Covered, covers, ends, study

SOME = 400
ESTIMATED = (
    "the panel's weights are of the same few items: it is right in 0.87 of them on average, not in the 0.90 of many "
    "items, and the interval takes its votes as known"
)


def _rated(repetitions: int, items: int, rng: np.random.Generator) -> pl.DataFrame:
    """Ratings of two classes by three people, who are right in 85 %, and by a judge that is right in 70 %."""
    truth = rng.integers(0, 2, (repetitions, items, 1))
    right = rng.random((repetitions, items, 4)) < np.array([0.85, 0.85, 0.85, 0.7])
    draw, item, rater = (v.ravel() for v in np.indices(right.shape))
    frame = pl.DataFrame(
        {"draw": draw, "item_id": item, "rater": rater, "rating": np.where(right, truth, 1 - truth).ravel()}
    )
    return frame.with_columns(rater_id=pl.col("rater").replace_strict({0: "ann", 1: "bob", 2: "cleo", 3: "model"}))


@study(SUBJECT)
def alternative_annotators(repetitions: int, seed: int) -> Iterator[Covered]:
    """A judge that is worse than people by exactly the margin: how often the test does not say that it wins."""
    rng = np.random.default_rng([seed, 34])
    some, items = min(repetitions, SOME), 100
    large = ir.Ratings(_rated(1, 200_000, rng)).alternative_annotator("model", per_rater=True)
    ratings = ir.Ratings(_rated(some, items, rng), by="draw")
    margin = large.select(pl.col("difference").mean()).item()
    table = ratings.alternative_annotator("model", epsilon=margin, per_rater=True)
    sizes = f"{items} items, 3 people, the judge at the margin"
    yield Covered("alternative_annotator(), p_value", "tests without a win", sizes, _share(table["p_value"] > 0.05))
    none = table.group_by("draw").agg(pl.col("wins").any())["wins"]
    remark = "at least nominal: the correction holds for any dependence of the tests"
    yield Covered("alternative_annotator(), wins", "no win against anyone", sizes, _share(~none), remark=remark)


def _share(of: pl.Series) -> Array:
    return of.cast(pl.Float64).to_numpy()


@study(SUBJECT)
def panels(repetitions: int, seed: int) -> Iterator[Covered]:
    """Three judges that are right in 80 %, alone and as panels, beside gold; a majority is right in 89.6 %."""
    rng = np.random.default_rng([seed, 35])
    items, judges = 100, ["x", "y", "z"]
    share = 0.8**3 + 3 * 0.8**2 * 0.2
    truth = {"x": 0.8, "majority": share, "dawid-skene": share}
    inside: dict[tuple[str, str], list[float]] = {}
    for _ in range(max(10, min(repetitions, SOME))):
        gold = rng.integers(0, 2, items)
        right = rng.random((3, items)) < 0.8
        frame = pl.DataFrame(
            {"item_id": np.tile(np.arange(items), 3), "rater_id": np.repeat(judges, items),
             "rating": np.where(right, gold, 1 - gold).ravel()}
        )  # fmt: skip
        labels = pl.DataFrame({"item_id": np.arange(items), "label": gold})
        table = ir.Ratings(frame).panels(judges, gold=labels, methods=("majority", "dawid-skene"))
        for row in table.filter(pl.col("panel").is_in(list(truth))).iter_rows(named=True):
            value = truth[row["panel"]] if row["measure"] == "PercentAgreement" else 2 * truth[row["panel"]] - 1
            hit = float(covers(row["ci_low"], row["ci_high"], value))
            inside.setdefault((row["panel"], row["measure"]), []).append(hit)
    for (panel, measure), hits in inside.items():
        name = f"panels(), {measure}, {'one judge' if panel == 'x' else panel}"
        remark = ESTIMATED if panel == "dawid-skene" else ""
        yield Covered(name, "agreement with gold", f"{items} items, 3 judges", np.array(hits), remark=remark)


@study(SUBJECT)
def favours(repetitions: int, seed: int) -> Iterator[Covered]:
    """60 prompts that suit one of two items, judged by a model of the first one's family, a model, and a person."""
    rng = np.random.default_rng([seed, 36])
    some, prompts, favour = min(repetitions, SOME), 60, 0.15
    chance = rng.beta(1, 1, (some, prompts, 1)) * (1 - favour)
    won = rng.random((some, prompts, 3)) < chance + np.array([favour, 0, 0])
    draw, prompt, judge = (v.ravel() for v in np.indices(won.shape))
    frame = pl.DataFrame(
        {"draw": draw, "prompt_id": prompt, "judge": np.array(["jx", "jy", "person"])[judge], "item_a": "x",
         "item_b": "y", "winner": np.where(won, "x", "y").ravel()}
    )  # fmt: skip
    pairs = ir.ratings.PairedComparisons(frame, by="draw")
    table = pairs.favours({"x": "X", "y": "Y", "jx": "X"})
    yield Covered("favours()", "difference of win rates", f"{prompts} prompts, 3 judges", covers(*ends(table), favour))


@study(SUBJECT)
def topics(repetitions: int, seed: int) -> Iterator[Covered]:
    """Battles of prompts of three topics, in which all items are as strong as in the others."""
    rng = np.random.default_rng([seed, 37])
    some, sizes = min(repetitions, SOME), "4 items, 3 topics of 40 prompts of 4 battles"
    large = ir.ratings.PairedComparisons(battles_of(rng, 1, 100_000, 8))
    truth = large.strengths().sort("item_id")["value"].to_numpy()
    frame = battles_of(rng, some, 120, 4).with_columns(topic=pl.col("prompt_id") % 3)
    for method in ("percentile", "sandwich"):
        pairs = ir.ratings.PairedComparisons(frame, by="draw")
        table = pairs.topics("topic", cluster="prompt_id", method=method)
        name = f"topics('topic', cluster='prompt_id', method={method!r})"
        at = table["item_id"].cast(pl.Int64).to_numpy()
        yield Covered(name, "strength in a topic", sizes, covers(*ends(table), truth[at]))
        yield Covered(name, "tests without a difference", sizes, _share(table["p_value"] > 0.05))
