"""Measures of all lists together: in groups, with weights, and in resamples of users."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from tests.oracles import recommendations as oracle
from tests.recommendations.cases import Case, make_case

CASE = make_case(5, runs=2)
POOLED = (
    "CatalogCoverage@3 UserCoverage(at_least=3) ItemGini@3 ExposureGini(browsing='geometric', p=0.85)@4 ItemEntropy@2 "
    "ItemEntropy(normalized=True)@3 Personalization@3 Personalization(over='lengths')@2 SelfInformation@3 "
    "BiasDisparity(feature='g1')@3 PopularityLift@3 NumRecommended@3 ILD@3 Miscalibration@3 HitRate@2"
)


def of_users(case: Case, run: str, users: list[Any], measure: ir.Measure) -> float | None:
    values = [oracle.value(measure.name, case.data(run), users, **measure.arguments())]
    return values[0]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_all_users_and_groups_of_them(engine: str) -> None:
    frames = CASE.frames()
    users = frames["users"].with_columns(part=pl.int_range(pl.len()) % 3)
    for by, parts in (((), [(None, users)]), (("part",), [(n, users.filter(part=n)) for n in range(3)])):
        evaluation = ir.Recommendations(**{**frames, "users": users}, by=by, engine=engine).evaluate(POOLED)
        rows = {tuple(r[:-3]): r[-3] for r in evaluation.summary().rows()}
        for run in CASE.runs:
            for part, some in parts:
                for m in evaluation.measures:
                    value = rows[(run, *([] if part is None else [part]), str(m))]
                    assert value == pytest.approx(of_users(CASE, run, some["user_id"].to_list(), m), abs=1e-12), m


def test_users_of_weight_2_are_two_users() -> None:
    frames = CASE.frames()
    weights = [1 + n % 2 for n in range(len(CASE.users))]
    users = frames["users"].with_columns(weight=pl.Series(weights))
    copies = [u for u, w in zip(CASE.users, weights, strict=True) for _ in range(w)]
    evaluation = ir.Recommendations(**{**frames, "users": users}).evaluate(POOLED)
    rows = {r[:2]: r[2] for r in evaluation.summary().rows()}
    for run in CASE.runs:
        for m in evaluation.measures:
            assert rows[(run, str(m))] == pytest.approx(of_users(CASE, run, copies, m), abs=1e-12), m


def test_resamples_evaluate_the_drawn_users() -> None:
    """Every replicate is the value of the users that it draws, each as often as it is drawn, the same in both runs."""
    from ireval_frames.resampling.draws import unit_weights
    from ireval_frames.resampling.subjects import Resampled

    subject = ir.Recommendations(**CASE.frames())
    population = Resampled.of(subject, POOLED, None, None, None, None, None, None, None).population()
    weights = np.stack([unit_weights(population.members, 3, r) for r in range(4)])
    counts = np.zeros((4, population.rows.height))
    counts[:, population.members.row] = weights[:, population.members.unit] * population.members.count
    values = population.values(counts)
    ids = population.units["user_id"].to_list()
    for r in range(4):
        drawn = [u for u, n in zip(ids, weights[r], strict=True) for _ in range(int(n))]
        for g, run in enumerate(population.groups["run_id"]):
            for i, m in enumerate(population.measures):
                expected = of_users(CASE, run, drawn, m)
                expected = np.nan if expected is None else expected
                assert values[r, g, i] == pytest.approx(expected, abs=1e-12, nan_ok=True), m


def test_intervals_and_comparison_of_pooled_measures() -> None:
    subject = ir.Recommendations(**CASE.frames())
    table = ir.resampling.bootstrap(subject, "ItemGini@3", n_resamples=30, seed=1).table()
    assert table["run_id"].to_list() == ["run0", "run1"]
    assert table["n_resampled"].to_list() == [len(CASE.users)] * 2
    assert (table["ci_low"] <= table["ci_high"]).all()
    compared = ir.resampling.bootstrap(subject, "ItemGini@3", n_resamples=30, seed=1).compare("run0")
    difference = table["value"][1] - table["value"][0]
    assert compared["difference"].item() == pytest.approx(difference, abs=1e-12)


def test_comparisons_tell_what_has_no_value_per_user() -> None:
    evaluation = ir.Recommendations(**CASE.frames()).evaluate("ItemGini@3 MIUF@3")
    assert evaluation.compare().table()["measure"].to_list() == ["MIUF@3"]
    assert "ItemGini@3 is pooled over user_id in summaries, and not compared here" in evaluation.compare().explain()
    with pytest.raises(ir.errors.NotDefined, match=r"ItemGini@3 is pooled(.|\n)*bootstrap\(ev\)\.compare"):
        ir.Recommendations(**CASE.frames()).evaluate("ItemGini@3").compare().table()


def test_a_picture_says_which_measures_no_user_has() -> None:
    tables = ir.examples.recommendations()
    runs = pl.concat([tables["recs"].with_columns(run_id=pl.lit(run)) for run in "ab"])
    ev = ir.Recommendations(**{**tables, "recs": runs}).evaluate("MIUF@3 ItemGini@3")
    title = ir.plots.systems(ev).to_dict()["title"]
    assert title["text"] == "2 systems by MIUF@3"
    assert title["subtitle"][-1] == "not drawn, as no user has a value: ItemGini@3"
