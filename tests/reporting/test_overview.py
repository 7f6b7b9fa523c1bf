"""The table of systems by measures: values, the best, and marks that follow from the pairs one by one."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.comparison.text.tables import number
from ireval_frames.reporting.overview import overview
from ireval_frames.reporting.page import Table
from ireval_frames.reporting.report import _findings
from tests.reporting import cases
from tests.reporting.reading import Reader

NAMES = tuple(f"run {i:02d}" for i in range(30))


def table_of(ev: ir.Evaluation, baseline: str | None = None) -> Table:
    findings = _findings(ev, baseline)
    table = overview(findings, findings.ordered())
    assert table is not None
    return table


def letters_of(mark: str, *, separated: bool) -> set[str]:
    """Every letter of a mark, those of ranges too."""
    every = ["a", *"bcdefghijklmnopqrstuvwxyz", *(f"a{c}" for c in "abcd")]
    out: set[str] = set()
    for part in mark.split() if separated else re.findall(r"\w–\w|\w", mark):
        first, _, last = part.partition("–")
        out |= {*every[every.index(first) : every.index(last or first) + 1]}
    return out


@pytest.mark.parametrize("n", [4, 30])
def test_letters_name_the_systems_that_one_is_better_than(n: int) -> None:
    ev = ir.evaluate(*cases.rankings(NAMES[:n], 80), "RR P@1")
    table, pairs = table_of(ev), ev.compare().table()
    assert table.header == ("", "run_id", "RR", "P@1")
    means = {(r, m): v for r, m, v in ev.summary().select("run_id", "measure", "value").rows()}
    letters = {row[1].text: row[0].text for row in table.rows}
    assert len(set(letters.values())) == len(letters) == n
    best_first = [row[2].text for row in table.rows]
    assert best_first == sorted(best_first, reverse=True)
    marked = 0
    for row in table.rows:
        for measure, cell in zip(table.header[2:], row[2:], strict=True):
            mean = means[row[1].text, measure]
            better_than = set()
            for pair in pairs.filter(measure=measure, significant=True).iter_rows(named=True):
                winner, loser = pair["system"], pair["baseline"]
                winner, loser = (winner, loser) if pair["difference"] > 0 else (loser, winner)
                better_than |= {letters[loser]} if winner == row[1].text else set()
            assert (cell.text, letters_of(cell.mark, separated=n > 26)) == (number(mean), better_than)
            marked += len(better_than)
            highest = max(v for (_, m), v in means.items() if m == measure)
            assert (cell.weight == "best") == (number(mean) == number(highest))
    assert marked > n


@pytest.mark.parametrize("down", [False, True])
def test_signs_say_what_is_better_and_worse_than_the_baseline(*, down: bool) -> None:
    of = {"low": 0.0, "base": 0.5, "same": 0.5, "high": 1.0}
    rows = [(q, run, v + (q * (i + 1) * 7 % 5) / 50) for i, (run, v) in enumerate(of.items()) for q in range(12)]
    frame = pl.DataFrame(rows, schema=["query_id", "run_id", "value"], orient="row")
    comparison = ir.compare(frame, baseline="base", lower_is_better=["value"] if down else ())
    findings = _findings(comparison, None)
    table = overview(findings, findings.ordered())
    assert table is not None
    assert table.header == ("run_id", "value↓" if down else "value")
    better, worse = ("low", "high") if down else ("high", "low")
    assert {row[0].text: row[1].mark for row in table.rows} == {better: "▲", "base": "", "same": "", worse: "▼"}
    assert "▲ ▼: significantly better, worse than base (t, holm, p at most 0.05)." in table.caption


def test_of_many_measures_and_few_systems_each_measure_is_a_row() -> None:
    names = [f"P@{k}" for k in range(1, 11)]
    table = table_of(ir.evaluate(*cases.rankings(), " ".join(names)))
    assert [row[0].text for row in table.rows] == names
    assert [head[:2] for head in table.header[1:]] == ["a ", "b ", "c "]


def test_groups_have_rows_of_their_own_and_undefined_values_a_dash() -> None:
    columns = {"query_id": [1, 2, 3, 4] * 3, "run_id": [*"aaaabbbbcccc"], "lang": ["en", "en", "de", "de"] * 3}
    frame = pl.DataFrame(columns | {"value": [0.1, 0.2, None, None, 0.3, 0.6, 0.5, 0.25, 0.2, 0.3, 0.1, 0.2]})
    findings = _findings(ir.compare(frame, by="lang", missing="intersect"), None)
    table = overview(findings, findings.ordered())
    assert table is not None
    assert [[c.text for c in row] for row in table.rows] == [
        ["lang = de", "a", "b", "0.3750"], ["lang = de", "b", "c", "0.1500"], ["lang = de", "c", "a", "–"],
        ["lang = en", "a", "b", "0.4500"], ["lang = en", "b", "c", "0.2500"], ["lang = en", "c", "a", "0.1500"],
    ]  # fmt: skip


def test_labels_are_marked_by_the_same_resampling_as_their_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases.blank_drawings(monkeypatch)
    rows = [(s, i, i % 2, (i % 2) ^ (i % k == 0)) for s, k in (("good", 20), ("bad", 2)) for i in range(100)]
    frame = pl.DataFrame(rows, schema=["run_id", "item_id", "label", "prediction"], orient="row")
    text = ir.report(ir.Labels(frame).evaluate("Accuracy"), tmp_path / "r.html").read_text("utf-8")
    table = Reader(text).table("Systems by measures")
    assert "(bootstrap, holm, p at most 0.05)" in table.caption
    assert [row[1:] for row in table.rows] == [["good", "0.9500b"], ["bad", "0.5000"]]


def test_a_table_of_many_systems_stays_open_and_long_ones_are_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases.blank_drawings(monkeypatch)
    ev = ir.evaluate(*cases.rankings(NAMES[:25]), "RR P@1")
    text = ir.report(ev, tmp_path / "r.html").read_text("utf-8")
    summary = text.partition('id="summary"')[2].partition("</section>")[0]
    first, picture, long = (summary.index(part) for part in ("Systems by measures", "<figure", "Values, the best"))
    assert first < picture < long
    before, _, after = summary.partition("(50 rows)</summary>")
    assert "Systems by measures" in before
    assert after.count("<table") == 1


def test_one_system_has_no_such_table() -> None:
    findings = _findings(ir.evaluate(*cases.rankings(("a",)), "RR"), None)
    assert overview(findings, findings.ordered()) is None
