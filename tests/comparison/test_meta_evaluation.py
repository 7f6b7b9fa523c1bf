"""Robustness and strictness equal loops over pairs of topics and over outputs."""

from __future__ import annotations

import itertools
import math
import random
from statistics import fmean

import polars as pl
import pytest
import scipy.stats
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, NotDefined, UnknownName, WrongType

SCIPY = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr, "kendall": scipy.stats.kendalltau}


def values(seed: int, *, ties: bool = True) -> pl.DataFrame:
    rng = random.Random(seed)
    rows = [
        {
            "group": g,
            "run_id": f"run{s}",
            "query_id": t,
            "measure": m,
            "value": round(rng.random(), 1) if ties else rng.random(),
        }
        for g in ("x", "y")
        for m in ("AP", "RR", "P@5")
        for s in range(7)
        for t in range(6)
    ]
    # A topic on which all systems score the same, one that is undefined, and a system that lacks a topic.
    for row in rows:
        if row["query_id"] == 3 and row["measure"] == "RR":
            row["value"] = 0.3
        if row["query_id"] == 4 and row["measure"] == "P@5":
            row["value"] = None
        if row["query_id"] == 2 and row["run_id"] == "run5" and row["group"] == "y":
            row["value"] = None
    return pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=seed)


@pytest.mark.parametrize("correlation", SCIPY)
def test_robustness_is_the_mean_over_pairs_of_topics(correlation: str) -> None:
    frame = values(1)
    actual = ir.comparison.robustness(frame, correlation=correlation, by="group")
    assert actual.height == 6
    for row in actual.iter_rows(named=True):
        scores: dict[int, dict[str, float]] = {}
        for r in frame.filter(group=row["group"], measure=row["measure"]).drop_nulls().iter_rows(named=True):
            scores.setdefault(r["query_id"], {})[r["run_id"]] = r["value"]
        systems = sorted(set.intersection(*(set(s) for s in scores.values())))
        vectors = [[s[i] for i in systems] for s in scores.values()]
        varied = [v for v in vectors if len(set(v)) > 1]
        expected = fmean(SCIPY[correlation](a, b).statistic for a, b in itertools.combinations(varied, 2))
        assert row["robustness"] == pytest.approx(expected, abs=1e-12)
        assert (row["n_systems"], row["n_topics"], row["n_constant"]) == (
            len(systems),
            len(vectors),
            len(vectors) - len(varied),
        )
    assert actual.filter(group="y")["n_systems"].to_list() == [6, 6, 6]
    assert actual.filter(measure="RR")["n_constant"].to_list() == [1, 1]


@pytest.mark.parametrize("scale", ["raw", "quantile"])
def test_strictness_is_the_largest_difference(scale: str) -> None:
    frame = values(2)
    actual = ir.comparison.strictness(frame, scale=scale, by="group", lower_is_better="RR")
    for group in ("x", "y"):
        rows = frame.filter(group=group).drop_nulls().rows(named=True)
        value = {
            (r["run_id"], r["query_id"], r["measure"]): 1 - r["value"] if r["measure"] == "RR" else r["value"]
            for r in rows
        }
        if scale == "quantile":
            value = {key: _quantile(v, [w for k, w in value.items() if k[2] == key[2]]) for key, v in value.items()}
        for row in actual.filter(group=group).iter_rows(named=True):
            mine = {k: v for k, v in value.items() if k[2] == row["measure"]}
            differences = {
                (k[:2], o): v - w
                for k, v in mine.items()
                for (*at, o), w in value.items()
                if tuple(at) == k[:2] and o != row["measure"]
            }
            assert row["strictness"] == pytest.approx(max(differences.values()), abs=1e-12)
            shown = ((row["run_id"], row["query_id"]), row["other"])
            assert differences[shown] == pytest.approx(row["strictness"], abs=1e-12)
            assert row["value"] - row["other_value"] == pytest.approx(row["strictness"], abs=1e-12)


def _quantile(value: float, known: list[float]) -> float:
    below, ties = sum(v < value for v in known), sum(v == value for v in known)
    return (below + (ties - 1) / 2) / (len(known) - 1)


def test_of_an_evaluation() -> None:
    """Runs that are noisy in the same way on all topics; an evaluation knows its topics and groups."""
    rng = random.Random(3)
    qrels = pl.DataFrame(
        [{"query_id": f"q{t}", "doc_id": f"d{d}", "relevance": int(d % 4 == 0)} for t in range(5) for d in range(20)]
    )
    run = pl.DataFrame(
        [
            {"run_id": f"run{s}", "query_id": f"q{t}", "doc_id": f"d{d}", "score": (d % 4 == 0) + s * rng.random()}
            for s in range(6)
            for t in range(5)
            for d in range(20)
        ]
    )
    evaluation = ir.evaluate(qrels, run, "AP RR P@5")
    actual = ir.comparison.robustness(evaluation)
    assert actual["measure"].to_list() == ["AP", "RR", "P@5"]
    assert_frame_equal(actual, ir.comparison.robustness(evaluation.per_unit()), abs_tol=1e-12)
    assert actual["robustness"][0] > 0.3
    strict = ir.comparison.strictness(evaluation)
    assert strict.columns == ["measure", "strictness", "run_id", "query_id", "value", "other", "other_value"]
    assert strict.filter(measure="RR")["strictness"].item() > strict.filter(measure="AP")["strictness"].item()
    organized = ir.Organization(qrels, run).evaluate("RS Reliability Sensitivity")
    assert ir.comparison.strictness(organized).filter(measure="RS")["strictness"].item() < 1
    labels = pl.DataFrame(
        {
            "run_id": ["a", "b"] * 4,
            "part": [1, 1, 2, 2] * 2,
            "label": [0, 1] * 4,
            "prediction": [1, 0, 1, 1, 0, 0, 1, 1],
        }
    )
    errors = ir.Labels(labels, unit="part").evaluate("Accuracy ErrorRate")
    assert ir.comparison.strictness(errors)["strictness"].to_list() == pytest.approx([0.0, 0.0])


def test_few() -> None:
    frame = values(4)
    alone = ir.comparison.strictness(frame.filter(measure="AP"), by="group")
    assert alone["strictness"].to_list() == [None, None]
    one = ir.comparison.robustness(frame.filter(query_id=1), by="group")
    assert one["robustness"].to_list() == [None] * 6
    assert one["n_topics"].to_list() == [1] * 6
    nothing = ir.comparison.robustness(frame.clear(), by="group")
    assert nothing.columns == ["group", "measure", "robustness", "n_systems", "n_topics", "n_constant"]
    assert nothing.height == ir.comparison.strictness(frame.clear(), by="group").height == 0
    undefined = ir.comparison.robustness(frame.with_columns(value=pl.lit(math.nan)), by="group")
    assert undefined.select("robustness", "n_systems").unique().rows() == [(None, 0)]


def test_errors() -> None:
    frame = values(5)
    with pytest.raises(UnknownName, match="pearson"):
        ir.comparison.robustness(frame, correlation="person")
    with pytest.raises(UnknownName, match="scale"):
        ir.comparison.strictness(frame, scale="ranks")
    with pytest.raises(UnknownName, match="MAP"):
        ir.comparison.strictness(frame, by="group", lower_is_better="MAP")
    with pytest.raises(InvalidValue, match="several values"):
        ir.comparison.robustness(frame)
    with pytest.raises(MissingColumn, match="topic"):
        ir.comparison.robustness(frame, unit="topic")
    with pytest.raises(WrongType, match="numbers"):
        ir.comparison.robustness(frame.with_columns(pl.col("value").cast(pl.String)))
    with pytest.raises(WrongType, match="no table"):
        ir.comparison.strictness(3)
    with pytest.raises(InvalidParameter, match="quantile"):
        ir.comparison.strictness(frame.with_columns(pl.col("value") * 2), by="group")
    with pytest.raises(NotDefined, match="one system"):
        ir.comparison.robustness(ir.evaluate(*ir.examples.ranking(), "AP"))
