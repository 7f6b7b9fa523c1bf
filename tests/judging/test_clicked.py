"""Judgments of clicks against those of people: scikit-learn, SciPy, and loops."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn import metrics

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MissingColumn, NothingInCommon

RNG = np.random.default_rng(2)
QUERIES, EACH = 25, 8
BOTH = pl.DataFrame(
    {
        "query_id": np.repeat(np.arange(QUERIES), EACH),
        "doc_id": np.tile(np.arange(EACH), QUERIES),
        "human": RNG.integers(0, 4, QUERIES * EACH),
    }
).with_columns(clicks=((pl.col("human") * 0.15 + pl.Series(RNG.random(QUERIES * EACH)) * 0.5) * 20).round() / 20)
HUMAN = BOTH.select("query_id", "doc_id", relevance="human")
CLICKS = BOTH.filter((pl.col("doc_id") > 0) | (pl.col("query_id") < 5)).select("query_id", "doc_id", relevance="clicks")
COMMON = BOTH.join(CLICKS, on=["query_id", "doc_id"], how="semi")


def ndcg(part: pl.DataFrame, k: int) -> float:
    """Ties by id, from the largest."""
    rows = sorted(part.select("clicks", "doc_id", "human").rows(), reverse=True)
    best = sorted((g for *_, g in rows), reverse=True)
    dcg = [sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k])) for grades in ([g for *_, g in rows], best)]
    return dcg[0] / dcg[1] if dcg[1] else 0.0


def test_values() -> None:
    actual = ir.judging.click_agreement(CLICKS, HUMAN, cutoff=3, rel=2, n_resamples=200)
    value = dict(actual.select("measure", "value").rows())
    clicks, human = COMMON["clicks"].to_numpy(), COMMON["human"].to_numpy()
    of_query = COMMON.partition_by("query_id")
    expected = {
        "ROCAUC": metrics.roc_auc_score(human >= 2, clicks),
        "Pearson": stats.pearsonr(clicks, human).statistic,
        "Spearman": np.nanmean([stats.spearmanr(p["clicks"], p["human"]).statistic for p in of_query]),
        "Tau": np.nanmean([stats.kendalltau(p["clicks"], p["human"]).statistic for p in of_query]),
        "nDCG@3": np.mean([ndcg(p, 3) for p in of_query]),
        "Coverage": COMMON.height / BOTH.height,
    }
    graded = ir.judging.people_grades(CLICKS, HUMAN).join(HUMAN, on=["query_id", "doc_id"])
    ours, reference = graded["relevance"].cast(int), graded["relevance_right"]
    expected["PercentAgreement"] = (ours == reference).mean()
    expected["CohenKappa"] = metrics.cohen_kappa_score(ours, reference)
    expected["CohenKappa(weights='quadratic')"] = metrics.cohen_kappa_score(ours, reference, weights="quadratic")
    assert value == pytest.approx(expected, rel=1e-9)
    some = actual.filter(pl.col("measure") != "Coverage")
    assert some.select((pl.col("ci_low") < pl.col("value")) & (pl.col("value") < pl.col("ci_high"))).to_series().all()
    assert actual.select("n_queries", "n").row(0) == (QUERIES, COMMON.height)
    assert actual.select("n_queries", "n").row(-1) == (QUERIES, BOTH.height)


def test_grades_as_people_gave() -> None:
    """Without ties as many of each grade as people gave, in the order of clicks; ties have one grade."""
    clicks = COMMON.with_columns(relevance=pl.col("clicks") + pl.int_range(pl.len()) * 1e-9)
    graded = ir.judging.people_grades(clicks.select("query_id", "doc_id", "relevance"), HUMAN)
    assert sorted(graded["relevance"]) == sorted(COMMON["human"].cast(pl.Float64))
    ordered = graded.join(clicks, on=["query_id", "doc_id"]).sort("relevance_right")["relevance"]
    assert ordered.is_sorted()
    tied = ir.judging.people_grades(CLICKS, HUMAN).join(COMMON, on=["query_id", "doc_id"])
    assert tied.group_by("clicks").agg(pl.col("relevance").n_unique())["relevance"].max() == 1
    confusion = ir.judging.judges(HUMAN, graded).confusion()
    assert confusion["count"].sum() == COMMON.height


def test_intervals_hold_the_truth() -> None:
    """Pearson's interval over 60 samples of 40 queries, of a correlation known from many."""
    rng, held, truth = np.random.default_rng(5), 0, 0.6
    for _ in range(60):
        shared = rng.normal(size=(40, 1))
        human = shared * 0.5 + rng.normal(size=(40, 5)) * math.sqrt(0.75)
        clicks = truth * human + math.sqrt(1 - truth**2) * rng.normal(size=(40, 5))
        both = pl.DataFrame({"query_id": np.repeat(np.arange(40), 5), "clicks": clicks.ravel(), "human": human.ravel()})
        low, high = _pearson_interval(both)
        held += low <= truth <= high
    assert held >= 51


def _pearson_interval(both: pl.DataFrame) -> tuple[float, float]:
    from ireval_frames.judging.clicked import _pearson

    return _pearson(both, 400, 1, 0.95).select("ci_low", "ci_high").row(0)


def test_models_and_coec() -> None:
    log = ir.Impressions(ir.examples.click_log())
    people = pl.DataFrame({"query_id": [1, 1, 1], "doc_id": ["a", "b", "c"], "relevance": [0, 2, 1]})
    coec = ir.judging.click_agreement(log.rates(by=["query_id", "doc_id"]), people, relevance="coec", n_resamples=20)
    assert coec["value"][0] == 1.0
    model = log.fit("SDBN")
    assert ir.judging.click_agreement(model, people, n_resamples=20).equals(
        ir.judging.click_agreement(model.judgments(), people, n_resamples=20)
    )


def test_nothing_to_compare() -> None:
    """What is undefined is null; what cannot be meant is refused."""
    flat = ir.judging.click_agreement(CLICKS, HUMAN.with_columns(relevance=pl.lit(1)), n_resamples=20)
    undefined = flat.filter(pl.col("value").is_null())["measure"].to_list()
    assert undefined[:4] == ["ROCAUC", "Pearson", "Spearman", "Tau"]
    assert not flat.select(pl.selectors.float().is_nan().any()).row(0)[0]
    with pytest.raises(NothingInCommon, match="is judged by both"):
        ir.judging.click_agreement(CLICKS, HUMAN.with_columns(pl.col("query_id") + 1000))
    with pytest.raises(MissingColumn, match="no column 'coec'"):
        ir.judging.click_agreement(CLICKS, HUMAN, relevance="coec")
    with pytest.raises(InvalidParameter, match="n_resamples is 1"):
        ir.judging.click_agreement(CLICKS, HUMAN, n_resamples=1)


def test_integers_of_a_log_match_the_text_of_a_file() -> None:
    as_text = HUMAN.with_columns(pl.col("query_id", "doc_id").cast(pl.String))
    expected = ir.judging.click_agreement(
        CLICKS.with_columns(pl.col("query_id", "doc_id").cast(pl.String)), as_text, n_resamples=20
    )
    assert ir.judging.click_agreement(CLICKS, as_text, n_resamples=20).equals(expected)
