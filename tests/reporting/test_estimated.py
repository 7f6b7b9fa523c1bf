"""Reports and pictures of results that have intervals of their own: their numbers, in words, tables and marks."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.comparison.text.tables import number, signed
from ireval_frames.errors import InvalidParameter
from ireval_frames.reporting.cells import cell, name
from tests.reporting import cases
from tests.reporting.reading import Reader


def read(result: object, tmp_path: Path) -> Reader:
    return Reader(ir.report(result, tmp_path / "r.html").read_text("utf-8"))


@pytest.mark.parametrize("family", cases.ESTIMATED)
def test_reports_hold_the_tables_and_draw_them(family: str, tmp_path: Path) -> None:
    result = cases.ESTIMATED[family]()
    shown = read(result, tmp_path)
    rows = result.table() if family == "experiment" else result.summary()
    table = shown.table("All rows")
    # Of an experiment's many columns those that fit on paper.
    rows = rows.select(table.header)
    assert {"difference", "verdict"} < {*rows.columns} or table.header == result.summary().columns
    assert table.rows == [[cell(v, c).text for c, v in row.items()] for row in rows.rows(named=True)]
    assert shown.finding
    assert [t for t, _ in shown.tags].count("svg") == 1
    assert "How it was computed" in shown.texts["summary"]
    with pytest.raises(InvalidParameter, match="names no systems to compare"):
        ir.report(result, tmp_path / "r.html", baseline="a")


def test_an_experiment_is_reported_with_its_certainty(tmp_path: Path) -> None:
    analysis = cases.hostile_experiment()
    texts = {read(analysis, tmp_path).finding, *read(analysis, tmp_path).texts["p"]}
    for row in analysis.table().rows(named=True):
        (sentence,) = [t for t in texts if f"a difference of {signed(row['difference'])} (" in t]
        assert f"is {number(row['value'])} in {name(row['variant']).text}" in sentence
        assert sentence.endswith(f": {name(row['variant']).text} is {row['verdict']}.")


def test_the_highest_value_is_reported(tmp_path: Path) -> None:
    estimates = cases.hostile_counterfactual()
    rows = estimates.summary()
    best = rows.filter(estimator="IPS").sort("value").row(-1, named=True)
    finding = read(estimates, tmp_path).finding
    assert finding.startswith(f"by DCG@2 IPS, {name(best['run_id']).text} has the highest of 2 systems,")
    assert f"{number(best['value'])} (95% normal interval" in finding
    drawn = ir.plots.systems.frame(estimates)
    expected = rows.select("run_id", pl.format("{} {}", "measure", "estimator"), "value", "low", "high", "n_pages")
    assert sorted(drawn.drop("group").rows()) == sorted(expected.rows())
    with pytest.raises(InvalidParameter, match="values of systems"):
        ir.plots.effects.frame(estimates)
    with pytest.raises(InvalidParameter, match="have their intervals"):
        ir.plots.systems.frame(estimates, confidence=0.9)


def test_whom_clicks_prefer_is_reported(tmp_path: Path) -> None:
    test = cases.hostile_interleaving()
    (row,) = test.summary().rows(named=True)
    finding = read(test, tmp_path).finding
    assert f"is {signed(row['delta'])} (95% normal interval" in finding
    (drawn,) = ir.plots.effects.frame(test).rows(named=True)
    assert (drawn["difference"], drawn["low"], drawn["high"]) == (row["delta"], row["low"], row["high"])
    significant = row["low"] > 0 or row["high"] < 0
    assert finding.endswith("the difference is not significant.") is not significant
    assert (drawn["verdict"] == "not significant") is not significant


def test_ratings_have_their_intervals(tmp_path: Path) -> None:
    ev = ir.Ratings(ir.examples.ratings()).evaluate("FleissKappa GwetAC1")
    table = read(ev, tmp_path).table("Values, the best first; low and high: the 95% interval, over units")
    expected = {r["measure"]: (number(r["ci_low"]), number(r["ci_high"])) for r in ev.intervals().rows(named=True)}
    ends = zip(table.column("low"), table.column("high"), strict=True)
    assert dict(zip(table.column("measure"), ends, strict=True)) == expected


@pytest.mark.parametrize("make, why", [
    (lambda: ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("Silhouette"), "copies of a point"),
    (lambda: ir.Organization(*ir.examples.ranking(), unit=()).evaluate("RS"), "copies of a document"),
])  # fmt: skip
def test_why_there_are_no_intervals_is_reported(make: object, why: str, tmp_path: Path) -> None:
    assert any(why in text for text in read(make(), tmp_path).texts["p"])  # type: ignore[operator]


def test_an_error_names_what_has_a_report(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="A Propensities has no report") as caught:
        ir.report(ir.clicks.propensities(cases.click_log()), tmp_path / "r.html")
    assert caught.value.hint == "Pass its table: ir.report(result.table())"
    with pytest.raises(InvalidParameter, match="A int has no report") as caught:
        ir.report(1, tmp_path / "r.html")
    assert "Interleaving" in caught.value.hint
