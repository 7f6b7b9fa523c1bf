"""Models of answers against plain loops from their definitions, and the figures of other tools."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, UnknownName
from tests.crowds.cases import LABELS, answers, by_unit
from tests.oracles.crowds import shares


def posteriors(units: Any, prior: Any, theta: Any, gold: Any) -> tuple[Any, float]:
    out, total = {}, 0.0
    for u, ratings in units.items():
        p = {c: prior[c] * math.prod(theta(r, x, c) for r, x in ratings) for c in LABELS}
        total += math.log(p[gold[u]] if u in gold else sum(p.values()))
        out[u] = {c: float(gold[u] == c) if u in gold else p[c] / sum(p.values()) for c in LABELS}
    return out, total


def loop(units: Any, steps: int, model: str, gold: Any, smoothing: float = 0.0) -> tuple[Any, float]:
    """EM as the papers have it, a number of steps."""
    t, total = shares(units, LABELS, gold), 0.0
    raters = sorted({r for ratings in units.values() for r, _ in ratings})
    for _ in range(steps):
        if model == "fast-dawid-skene":
            t = {
                u: {c: float(c == max(LABELS, key=lambda x: (p[x], -LABELS.index(x)))) for c in LABELS}
                for u, p in t.items()
            }
        prior = {c: sum(p[c] for p in t.values()) / len(t) for c in LABELS}
        of = {r: [(u, x) for u, ratings in units.items() for s, x in ratings if s == r] for r in raters}
        if model == "one-coin":
            skill = {r: sum(t[u][x] for u, x in of[r]) / len(of[r]) for r in raters}

            def theta(r: str, x: str, c: str, skill: Any = skill) -> float:
                return max(1e-10, skill[r] if x == c else (1 - skill[r]) / 2)
        else:
            counts = {
                (r, x, c): sum(t[u][c] for u, y in of[r] if y == x) + smoothing
                for r in raters for x in LABELS for c in LABELS
            }  # fmt: skip

            def theta(r: str, x: str, c: str, counts: Any = counts) -> float:
                total = sum(counts[r, y, c] for y in LABELS)
                return max(1e-10, counts[r, x, c] / total if total else 1 / 3)

        t, total = posteriors(units, prior, theta, gold)
    return t, total


@pytest.mark.parametrize("model", ["dawid-skene", "fast-dawid-skene", "one-coin"])
@pytest.mark.parametrize("gold", [{}, {"u01": "b", "u02": "c"}])
def test_em(model: str, gold: dict[str, str]) -> None:
    frame = answers()
    options = {} if model == "one-coin" else {"smoothing": 0.1}
    aggregated = ir.Ratings(frame).aggregate(model, max_iter=7, tol=0, gold=gold or None, **options)
    expected, total = loop(by_unit(frame), 7, model, gold, options.get("smoothing", 0.0))
    actual = {(u, c): p for u, c, p in aggregated.probabilities().iter_rows()}
    assert actual == pytest.approx({(u, c): p for u, of in expected.items() for c, p in of.items()}, abs=1e-9)
    assert aggregated.summary()["log_likelihood"].item() == pytest.approx(total, rel=1e-10)


def test_it_converges_to_what_no_step_changes() -> None:
    frame = answers()
    aggregated = ir.Ratings(frame).aggregate("one-coin", tol=1e-13, max_iter=2000)
    again, _ = loop(by_unit(frame), aggregated.summary()["n_iter"].item() + 1, "one-coin", {})
    assert aggregated.summary().row(0)[-1] == "converged"
    assert aggregated.probabilities()["probability"].to_list() == pytest.approx(
        [p for of in again.values() for p in of.values()], abs=1e-5
    )


def test_votes() -> None:
    frame = answers()
    units = by_unit(frame)
    ratings = ir.Ratings(frame)
    winner = {u: max(LABELS, key=lambda c: (sum(x == c for _, x in g), -LABELS.index(c))) for u, g in units.items()}
    actual = ratings.aggregate("majority")
    assert dict(actual.consensus().select("item_id", "label").iter_rows()) == winner
    hits = {
        r: [winner[u] == x for u, g in units.items() for s, x in g if s == r]
        for r in {r for g in units.values() for r, _ in g}
    }
    skill = {r: sum(h) / len(h) for r, h in hits.items()}
    assert dict(actual.raters().select("rater_id", "skill").iter_rows()) == pytest.approx(skill)
    wawa = ratings.aggregate("wawa").probabilities()
    weight = {
        (u, c): sum(skill[r] for r, x in g if x == c) / sum(skill[r] for r, _ in g)
        for u, g in units.items()
        for c in LABELS
    }
    assert {(u, c): p for u, c, p in wawa.iter_rows()} == pytest.approx(weight)
    weighted = ratings.aggregate("weighted", weights=skill).probabilities()
    assert weighted["probability"].to_list() == pytest.approx(wawa["probability"].to_list())


@pytest.mark.parametrize("model", ["majority", "wawa", "zero-based", "one-coin", "dawid-skene", "mace", "glad", "kos"])
def test_models_find_the_truth_and_the_bad_rater(model: str) -> None:
    rng = np.random.default_rng(5)
    n, skills = 400, np.array([0.95, 0.9, 0.85, 0.8, 0.75, 0.5])
    truth = rng.integers(0, 2, n)
    source = np.where(rng.random((n, 6)) < skills, truth[:, None], 1 - truth[:, None])
    unit, rater = np.indices(source.shape)
    frame = pl.DataFrame({"item_id": unit.ravel(), "rater_id": rater.ravel(), "rating": source.ravel()})
    aggregated = ir.Ratings(frame).aggregate(model)
    assert (aggregated.consensus()["label"].to_numpy() == truth).mean() > 0.93
    assert int(aggregated.raters()["skill"].arg_min() or 0) == 5
    again = ir.Ratings(frame).aggregate(model)
    assert again.consensus().equals(aggregated.consensus())


def test_groups_are_aggregated_alone() -> None:
    frame = pl.concat([answers(s).with_columns(part=pl.lit(f"p{s}")) for s in (1, 2)])
    together = ir.Ratings(frame, by="part", engine="duckdb").aggregate()
    for part, rows in frame.partition_by("part", as_dict=True).items():
        aggregated = ir.Ratings(rows).aggregate()
        assert together.consensus().filter(part=part[0]).drop("part").equals(aggregated.consensus())
    assert together.confusion().columns == ["part", "rater_id", "label", "rating", "probability"]
    sums = together.confusion().group_by("part", "rater_id", "label").agg(pl.col("probability").sum())
    assert sums["probability"].to_list() == pytest.approx([1.0] * sums.height)


def test_scores_without_the_bias_of_raters() -> None:
    rng = np.random.default_rng(2)
    rows = [(u, r, u % 5 + (r - 2) / 2) for u in range(40) for r in range(5) if rng.random() < 0.6 or r == u % 5]
    frame = pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")
    aggregated = ir.Ratings(frame, level="interval").aggregate("unbiased", tol=1e-14)
    bias = aggregated.raters()["bias"].to_numpy()
    assert bias - bias[0] == pytest.approx([0, 0.5, 1, 1.5, 2], abs=1e-9)
    value = aggregated.consensus()["value"].to_numpy()
    assert value - value[0] == pytest.approx(np.arange(40) % 5, abs=1e-9)
    apart = pl.concat([frame, frame.select(pl.col("item_id") + 100, pl.col("rater_id") + 10, "rating")])
    assert ir.Ratings(apart).aggregate("unbiased").summary()["status"].item() == "unconnected"
    ten = pl.DataFrame({"item_id": [1] * 10, "rater_id": range(10), "rating": [0, 1, 2, 3, 4, 5, 6, 7, 8, 100]})
    # Trimmed mean and Yuen's error by hand: 2 cut off at each end.
    actual = ir.Ratings(ten).aggregate("trimmed", share=0.2).consensus()
    clipped = np.clip(ten["rating"].to_numpy(), 2, 7)
    assert actual["value"].item() == 4.5
    assert actual["se"].item() == pytest.approx(math.sqrt(clipped.var(ddof=1) * 9 / 6 / 5))
    assert ir.Ratings(ten).aggregate("mean").consensus()["value"].item() == 13.6


def test_what_cannot_be_meant_is_reported() -> None:
    ratings = ir.Ratings(answers())
    for error, message, call in (
        (UnknownName, "Did you mean dawid-skene", lambda: ratings.aggregate("dawidskene")),
        (UnknownName, "no option 'seed'", lambda: ratings.aggregate("majority", seed=1)),
        (InvalidParameter, "max_iter is 0", lambda: ratings.aggregate(max_iter=0)),
        (InvalidParameter, "needs the raters' weights", lambda: ratings.aggregate("weighted")),
        (InvalidParameter, "weight of the rater 'r0' is None", lambda: ratings.aggregate("weighted", weights={})),
        (NotDefined, "for two labels; there are 3", lambda: ratings.aggregate("kos")),
        (NotDefined, "aggregates numbers", lambda: ratings.aggregate("mean")),
        (InvalidValue, "'x' of gold is none", lambda: ratings.aggregate(gold={"u01": "x"})),
        (NotDefined, "no confusion matrices", lambda: ratings.aggregate("majority").confusion()),
    ):
        with pytest.raises(error, match=message):
            call()
