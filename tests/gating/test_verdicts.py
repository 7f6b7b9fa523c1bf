"""Verdicts equal plain loops, for both directions, few and many units, constant and identical differences."""

from __future__ import annotations

import random
import statistics
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from tests.gating import oracle

Pairs = tuple[list[float], list[float]]


def run_gate(
    before: list[float], after: list[float], rules: Any, *, falling: bool = False, **options: Any
) -> ir.gating.Gate:
    frames = [pl.DataFrame({"query_id": range(len(v)), "value": v}) for v in (before, after)]
    return ir.gate(*frames, rules, lower_is_better="value" if falling else (), **options)


def cases() -> list[Pairs]:
    """No change, a constant shift, small and large losses and gains, of 8 and of 40 units."""
    out = []
    for n in (8, 40):
        for seed, (shift, spread) in enumerate(
            [(0, 0), (-0.05, 0), (-0.02, 0.01), (-0.3, 0.1), (0.3, 0.1), (0.03, 0.1), (-0.03, 0.1)]
        ):
            draw = random.Random(100 * n + seed)
            before = [draw.uniform(0.2, 0.8) for _ in range(n)]
            out.append((before, [b + shift + draw.uniform(-spread, spread) for b in before]))
    return out


@pytest.mark.parametrize("falling", [False, True])
@pytest.mark.parametrize("case", range(14))
def test_verdicts(case: int, *, falling: bool) -> None:
    before, after = cases()[case]
    loss = [(a - b) if falling else (b - a) for b, a in zip(before, after, strict=True)]
    p = oracle.p_two_sided(loss)
    rules = {
        "value >= 0.5": oracle.point("floor", before, after, 0.5, falling=falling),
        "value <= 0.5": oracle.point("ceiling", before, after, 0.5, falling=falling),
        "value drop <= 0.01": oracle.point("drop", before, after, 0.01, falling=falling),
        "value drop <= 5%": oracle.point("share", before, after, 0.05, falling=falling),
        "value same within 0.05": oracle.point("same within", before, after, 0.05, falling=falling),
        "units value worst <= 2": oracle.point("worst", before, after, 2, falling=falling),
        "value non-inferior within 0.03": oracle.non_inferior(loss, 0.03),
        "value non-inferior within 0.2": oracle.non_inferior(loss, 0.2),
    }
    g = run_gate(before, after, [*rules, "value no significant loss"], falling=falling)
    table = g.table()
    verdicts = dict(table.select("rule", "verdict").iter_rows())
    no_loss = verdicts.pop("value no significant loss")
    assert verdicts == rules
    # The p-value of a margin is of that margin.
    for margin in (0.03, 0.2):
        of = table.filter(rule=f"value non-inferior within {margin}").row(0, named=True)
        if of["status"] == "ok":
            assert of["p_value"] == pytest.approx(oracle.p_below(loss, margin), abs=1e-9)
        else:
            assert of["p_value"] == (0.0 if of["verdict"] == "pass" else 1.0)
    assert (no_loss == "fail") == (p <= 0.05 and statistics.fmean(loss) > 0)
    row = table.filter(kind="no significant loss").row(0, named=True)
    assert row["p_adjusted"] == pytest.approx(p, abs=1e-12)
    assert (no_loss == "pass") == (no_loss != "fail" and (-row["ci_high"] if falling else row["ci_low"]) >= 0)
    assert (row["wins"], row["losses"]) == (sum(x < -1e-12 for x in loss), sum(x > 1e-12 for x in loss))
    assert g.exit_code == (3 if "fail" in [*rules.values(), no_loss] or "undecided" in rules.values() else 0)


def test_intervals_and_detectable_difference() -> None:
    before, after = cases()[-1]
    d = [a - b for b, a in zip(before, after, strict=True)]
    n, se = len(d), statistics.stdev(d) / len(d) ** 0.5
    table = run_gate(before, after, "value no significant loss; value non-inferior within 0.1").table()
    for row, level in zip(table.iter_rows(named=True), (0.975, 0.95), strict=True):
        width = scipy.stats.t.ppf(level, n - 1) * se
        assert row["ci_low"] == pytest.approx(statistics.fmean(d) - width)
        assert row["ci_high"] == pytest.approx(statistics.fmean(d) + width)
        # The margin at which a one-sided t test has power 0.8.
        power = scipy.stats.nct.sf(scipy.stats.t.ppf(0.95, n - 1), n - 1, row["detectable_difference"] / se)
        assert power == pytest.approx(0.8, abs=1e-6)


def test_holm_over_measures_runs_and_segments() -> None:
    draw = random.Random(5)
    rows = [
        {"lang": lang, "query_id": f"{lang}{q}", "run_id": run, "measure": m, "value": draw.random()}
        for lang, q in [(lang, q) for lang in ("de", "en") for q in range(7)]
        for run in "ab"
        for m in ("AP", "RR")
    ]
    old = pl.DataFrame(rows)
    new = old.with_columns(pl.col("value") - pl.Series([draw.uniform(-0.05, 0.1) for _ in rows]))
    table = ir.gate(old, new, by="lang").table()
    assert table.height == 2 * 2 * 3
    p = []
    for row in table.iter_rows(named=True):
        of = []
        for frame in (old, new):
            part = frame.filter(pl.col("run_id") == row["candidate"], pl.col("measure") == row["measure"])
            of.append((part if row["lang"] is None else part.filter(pl.col("lang") == row["lang"]))["value"])
        p.append(oracle.p_two_sided((of[1] - of[0]).to_list()))
    assert table["p_value"].to_list() == pytest.approx(p)
    assert table["p_adjusted"].to_list() == pytest.approx(oracle.holm(p))
    assert set(table["segment"].to_list()) == {None, "lang=de", "lang=en"}
    only = ir.gate(old, new, "AP no significant loss over all units; RR drop <= 0.1 in each segment", by="lang").table()
    assert only.select("measure", "lang").unique().sort("measure", "lang").rows() == [
        ("AP", None), ("RR", "de"), ("RR", "en"),
    ]  # fmt: skip


def test_clusters_are_their_means() -> None:
    draw = random.Random(2)
    frame = pl.DataFrame(
        {"user": [i // 3 for i in range(27)], "page": range(27), "value": [draw.random() for _ in range(27)]}
    )
    other = frame.with_columns(pl.col("value") * 0.9)
    actual = ir.gate(frame, other, "value no significant loss", unit=["user", "page"], cluster="user").table()
    means = [f.group_by("user", maintain_order=True).agg(pl.col("value").mean()) for f in (frame, other)]
    expected = ir.gate(*means, "value no significant loss", unit="user").table()
    assert actual.drop("status").equals(expected.drop("status"))


def test_three_worst_units() -> None:
    g = run_gate([0.5, 0.6, 0.7, 0.8, 0.9], [0.4, 0.7, 0.3, 0.6, 0.9], "value same within 0.15")
    assert g.worst().select("unit", "value").rows() == [("2", 0.3), ("3", 0.6), ("0", 0.4)]
    assert g.table()["reason"][0] == "2 of 5 units differ by more than 0.15: 2, 3"


def test_the_last_digits_are_no_difference() -> None:
    before = [0.5, 0.6, 0.7, 0.8]
    g = run_gate(before, [0.4, 0.5 - 1e-16, 0.6 + 1e-16, 0.8 + 1e-16], "value no significant loss")
    assert g.worst()["unit"].to_list() == ["0", "1", "2"]
    same = run_gate(before, [b + 1e-16 for b in before], "value no significant loss; value same within 0").table()
    assert same["difference"].to_list() == [0.0, 0.0]
    assert same["wins"].to_list() == [0, 0]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=9), st.randoms())
def test_order_of_rows_changes_nothing_and_all_is_explained(pairs: list[Any], order: random.Random) -> None:
    before, after = [b / 10 for b, _ in pairs], [a / 10 for _, a in pairs]
    rules = "value no significant loss; value non-inferior within 0.1; value drop <= 0.1; units value worst <= 1"
    rules += "; value same within 0.2"
    g = run_gate(before, after, rules)
    frames = [pl.DataFrame({"query_id": range(len(v)), "value": v}) for v in (before, after)]
    places = list(range(len(pairs)))
    order.shuffle(places)
    assert ir.gate(frames[0][places], frames[1], rules).table().equals(g.table())
    for row in g.table().iter_rows(named=True):
        assert row["verdict"] in ("pass", "fail", "undecided")
        assert row["reason"]
        assert row["p_value"] is not None or row["status"] != "ok"
    # A candidate that is better in each unit by a tenth never fails what the other passes.
    better = run_gate(before, [a + 0.1 for a in after], rules.replace("; value same within 0.2", ""))
    for row, of_better in zip(g.table().iter_rows(named=True), better.table().iter_rows(named=True), strict=False):
        assert of_better["passed"] or not row["passed"]


def test_the_cases_have_all_verdicts() -> None:
    for falling in (False, True):
        actual = {
            (len(before), oracle.non_inferior([(a - b) * (1 if falling else -1) for b, a in pairs], margin))
            for before, after in cases()
            for pairs in [list(zip(before, after, strict=True))]
            for margin in (0.03, 0.2)
        }
        assert actual == {(n, verdict) for n in (8, 40) for verdict in ("pass", "fail", "undecided")}


def test_few_units() -> None:
    rng = np.random.default_rng(4)
    for n, needed, margin in ((2, 6, 5), (4, 6, 5), (5, 6, 0), (6, 0, 0)):
        before = rng.random(n)
        after = before - 0.3 - rng.random(n)
        g = run_gate(before.tolist(), after.tolist(), ["value no significant loss", "value non-inferior within 0.1"])
        rows = {row["kind"]: row for row in g.table().iter_rows(named=True)}
        assert rows["no significant loss"]["verdict"] == ("undecided" if needed else "fail")
        # Even a loss in every unit is not significant with so few.
        assert (f"the randomization test needs {needed}" in str(g)) == bool(needed)
        assert (rows["no significant loss"]["detectable_difference"] is None) == bool(margin)
        assert (f"the randomization test needs {margin}" in rows["non-inferior within"]["reason"]) == bool(margin)
    # A constant loss in few units is no more certain than another.
    for n in (2, 5, 6):
        before = rng.random(n)
        g = (
            run_gate(before.tolist(), (before - 0.25).tolist(), ["value no significant loss"])
            .table()
            .row(0, named=True)
        )
        assert g["verdict"] == ("fail" if n == 6 else "undecided")
        assert (g["p_value"] == 2 ** (1 - n)) == (n < 6)
    # Of five units all must gain: Φ(δ)⁵ = 0.8.
    before = rng.random(5)
    d = rng.normal(size=5)
    actual = run_gate(before.tolist(), (before + d).tolist(), ["value no significant loss"]).table()[
        "detectable_difference"
    ][0]
    assert actual / d.std(ddof=1) == pytest.approx(scipy.stats.norm.ppf(0.8**0.2), rel=0.05)


def test_same_within_is_not_of_rounding() -> None:
    before, after = [0.3, 0.7, 0.1, 0.9], [0.4, 0.8, 0.2, 0.8]
    g = run_gate(before, after, ["value same within 0.1", "units value worst <= 0 by 0.1", "value drop <= 0.1"])
    assert set(g.table()["verdict"]) == {"pass"}
    assert run_gate(before, [*after[:3], 0.79], ["value same within 0.1"]).table()["verdict"].to_list() == ["fail"]
