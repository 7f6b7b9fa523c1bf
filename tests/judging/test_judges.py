"""Human judgments beside a model's: figures of ppi_py, plain loops, coverage by simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MismatchedTables, NotDefined, UnknownName
from ireval_frames.stats.prediction_powered import prediction_powered

Y = np.array([0.2, 0.5, 0.9, 0.4, 0.7, 0.1, 0.6, 0.8])
F = np.array([0.3, 0.4, 0.8, 0.5, 0.9, 0.2, 0.5, 0.6])
U = np.array([0.1, 0.6, 0.7, 0.9, 0.3, 0.4, 0.8, 0.2, 0.5, 0.6, 0.7, 0.4])


PPI_PY = [
    (None, 0.52042835, 0.38241293, 0.65844378),
    (1.0, 0.51666667, 0.35566681, 0.67766653),
    (0.0, 0.525, 0.34248246, 0.70751754),
]


@pytest.mark.parametrize("weight, value, low, high", PPI_PY)
def test_ppi_py(weight: Any, value: float, low: float, high: float) -> None:
    """ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci at alpha 0.05."""
    found = prediction_powered(Y, F, U, weight=weight)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=6e-9)


def test_coverage() -> None:
    """Of 95% intervals, with good and with useless predictions; those of PPI++ are never much longer than without."""
    rng, times = np.random.default_rng(3), 1500
    for noise, bias in ((0.3, 0.2), (5.0, 0.0)):
        held, widths = 0, []
        for _ in range(times):
            truth = rng.normal(size=340)
            predicted = truth * (noise < 1) + rng.normal(bias, noise, 340)
            found = prediction_powered(truth[:40], predicted[:40], predicted[40:])
            held += found.low <= 0.0 <= found.high
            widths.append(found.width)
        assert 0.925 < held / times < 0.97
        assert np.mean(widths) < (0.55 if noise < 1 else 1.01)


def _world() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    rng, rows = np.random.default_rng(1), []
    for q in range(50):
        for d in range(20):
            grade = int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))
            rows.append((f"q{q:02d}", f"d{d:02d}", grade, int(np.clip(grade + rng.choice([-1, 0, 0, 0, 1]), 0, 2))))
    both = pl.DataFrame(rows, schema=["query_id", "doc_id", "h", "l"], orient="row")
    runs = [
        both.select(
            "query_id", "doc_id", run_id=pl.lit(s), score=pl.col("h") * w + pl.Series(rng.normal(size=both.height))
        )
        for s, w in (("a", 1.0), ("b", 0.9), ("c", 0.2))
    ]
    human = both.filter((pl.col("query_id") < "q30") & (pl.col("doc_id") < "d18"))
    return (
        human.select("query_id", "doc_id", relevance="h"),
        both.select("query_id", "doc_id", relevance="l"),
        pl.concat(runs),
    )


HUMAN, LLM, RUN = _world()
JUDGES = ir.judges(HUMAN, LLM, RUN)
PAIRS = {(q, d): (h, m) for q, d, h, m in HUMAN.join(LLM, on=["query_id", "doc_id"], suffix="_l").iter_rows()}


def test_agreement_confusion_and_bias() -> None:
    found = {r[0]: r[1] for r in JUDGES.agreement().iter_rows()}
    n = len(PAIRS)
    assert found["PercentAgreement"] == pytest.approx(sum(h == m for h, m in PAIRS.values()) / n)
    h, m = (np.array(x, float) for x in zip(*PAIRS.values(), strict=True))
    quadratic = 1 - ((h - m) ** 2).mean() / (h.var() + m.var() + (h.mean() - m.mean()) ** 2)
    assert found["CohenKappa(weights='quadratic')"] == pytest.approx(quadratic)
    assert JUDGES.agreement()["n_resampled"].to_list() == [30] * 5
    for grade, given, count, share, *_ in JUDGES.confusion().iter_rows():
        assert count == sum(p == (grade, given) for p in PAIRS.values())
        assert share == pytest.approx(count / sum(p[0] == grade for p in PAIRS.values()))
    bias = dict(JUDGES.bias().select("grade", "bias").iter_rows())
    assert bias == pytest.approx({g: float((m - h)[h == g].mean()) for g in (0.0, 1.0, 2.0)})
    every = JUDGES.bias("all")
    of_query = [np.mean([m - h for (p, _), (h, m) in PAIRS.items() if p == q]) for q in sorted({q for q, _ in PAIRS})]
    # Queries have as many documents each: the mean of their means.
    assert every["se"].item() == pytest.approx(np.std(of_query, ddof=1) / math.sqrt(30))
    assert JUDGES.bias("query")["bias"].to_list() == pytest.approx(of_query)
    top = JUDGES.bias("system", depth=3)
    assert top["n"].to_list() == [
        sum(
            (q, d) in PAIRS
            for q, d in RUN.filter(run_id=s)
            .sort("score", descending=True)
            .group_by("query_id")
            .head(3)
            .select("query_id", "doc_id")
            .iter_rows()
        )
        for s in "abc"
    ]


def test_systems_and_their_places() -> None:
    systems = JUDGES.systems("nDCG@5")
    assert systems["human"].to_list() == pytest.approx(ir.evaluate(HUMAN, RUN, "nDCG@5").summary()["value"].to_list())
    filled = pl.concat(
        [HUMAN, LLM.filter(pl.col("query_id") < "q30").join(HUMAN, on=["query_id", "doc_id"], how="anti")]
    )
    assert systems["filled"].to_list() == pytest.approx(ir.evaluate(filled, RUN, "nDCG@5").summary()["value"].to_list())
    orders = {r["judgments"]: r for r in JUDGES.orders("nDCG@5").iter_rows(named=True)}
    swaps = sum(
        (systems["human"][i] - systems["human"][j]) * (systems["llm"][i] - systems["llm"][j]) < 0
        for i in range(3) for j in range(i)
    )  # fmt: skip
    assert orders["llm"]["swaps"] == swaps
    assert orders["llm"]["tau"] == pytest.approx((3 - 2 * swaps) / 3)
    from scipy.stats import ttest_rel

    wide = ir.evaluate(HUMAN, RUN, "nDCG@5").per_unit().pivot("run_id", index="query_id", values="value")
    places = JUDGES.places("nDCG@5", correction="none")
    for a, b, p in places.select("run_a", "run_b", "p_human").iter_rows():
        assert p == pytest.approx(ttest_rel(wide[a].to_numpy(), wide[b].to_numpy()).pvalue)
    assert dict(places.select(pl.concat_str("run_a", "run_b"), "status").iter_rows())["bc"] == "kept"


def test_powered_means() -> None:
    found = JUDGES.powered("nDCG@5")
    human = ir.evaluate(HUMAN, RUN, "nDCG@5").per_unit()
    model = ir.evaluate(LLM, RUN, "nDCG@5").per_unit()
    for run, value in found.select("run_id", "value").iter_rows():
        y = human.filter(run_id=run)["value"].to_numpy()
        f = model.filter(run_id=run).sort("query_id")["value"].to_numpy()
        assert value == pytest.approx(prediction_powered(y, f[:30], f[30:]).value)
    assert found["status"].to_list() == ["ok"] * 3
    assert (found["width"] < 1).all()
    alone = JUDGES.powered("nDCG@5", method="human")
    assert alone["value"].to_list() == pytest.approx(
        human.group_by("run_id").agg(pl.col("value").mean()).sort("run_id")["value"].to_list()
    )
    differences = JUDGES.powered("nDCG@5", method="ppi", differences=True)
    assert differences["weight"].to_list() == [1.0] * 3
    one = dict(JUDGES.powered("nDCG@5", method="ppi").select("run_id", "value").iter_rows())
    assert differences["value"].to_list() == pytest.approx(
        [one["a"] - one["b"], one["a"] - one["c"], one["b"] - one["c"]]
    )


def test_leaving_raters_out() -> None:
    """A rater who turns the grades around changes the ranking of the systems; without them it is right."""
    flipped = HUMAN.with_columns(relevance=2 - pl.col("relevance"))
    frame = pl.concat([f.with_columns(rater_id=pl.lit(r)) for r, f in (("x", HUMAN), ("y", HUMAN), ("bad", flipped))])
    ratings = ir.Ratings(frame, unit="doc_id", rating="relevance", level="interval")
    found = ir.rater_effect(ratings, RUN, "nDCG@5", method="mean")
    assert found["rater_id"][0] == "bad" or found["n_changed"].n_unique() == 1
    left = ratings.without(["bad"]).judgments(method="mean")
    assert left["relevance"].to_list() == HUMAN.sort("query_id", "doc_id")["relevance"].to_list()
    assert found["n_judged"].to_list() == [HUMAN.height] * 3
    assert found["n_pairs"].to_list() == [3] * 3


def test_what_cannot_be_meant_is_told() -> None:
    for error, told, call in (
        (MismatchedTables, "No document is judged by both", lambda: ir.judges(HUMAN.head(1), LLM.tail(1))),
        (MismatchedTables, "twice", lambda: ir.judges(pl.concat([HUMAN, HUMAN]), LLM)),
        (NotDefined, "There are no runs", lambda: ir.judges(HUMAN, LLM).systems()),
        (UnknownName, "no method 'pp'", lambda: JUDGES.powered(method="pp")),
        (UnknownName, "by is 'run'", lambda: JUDGES.bias("run")),
    ):
        with pytest.raises(error, match=told):
            call()
