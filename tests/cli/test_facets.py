"""`ireval evaluate` and `ireval sql` on judgments by subtopic, of several assessors, and on preferences."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tests.cli.commands import invoke, lines

DIVERSE = "q a d1 1\nq a d2 1\nq b d2 1\nq c d5 1\nq a d3 0\n"
PREFS = "q x g d1 2.5\nq x g d2 1\nq x h d2 3\nq x h d5 1.0\n"
RUN = "q Q0 d1 1 3.0 t\nq Q0 d2 2 2.0 t\nq Q0 d3 3 1.0 t\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("div.qrels", DIVERSE), ("prefs.txt", PREFS), ("a.run", RUN)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def values(*arguments: object) -> dict[str, str]:
    """The figures of one run, by measure."""
    return dict(line.rsplit(None, 1) for line in lines(invoke("evaluate", *arguments))[1:])


@pytest.mark.usefixtures("folder")
def test_measures_of_an_ir_measures_command_line() -> None:
    """The second field is the subtopic because the measures ask for one; plain measures take the largest grade."""
    actual = values("div.qrels", "a.run", "α_nDCG@2", "ERR_IA@2", "StRecall@2", "MAP_IA", "P@2")
    assert actual == {
        "alpha_nDCG@2": "0.7398",
        "ERR_IA@2": "0.4667",
        "StRecall@2": "0.6667",
        "AP_IA": "0.5000",
        "P@2": "1.0000",
    }
    assert values("div.qrels", "a.run", "AP", "--second", "subtopic_id") == {"AP": "0.6667"}


@pytest.mark.usefixtures("folder")
def test_assessors() -> None:
    assert values("div.qrels", "a.run", "map_avgjg", "P(assessors='mean')@2") == {
        "AP(assessors='mean')": "0.5000",
        "P(assessors='mean')@2": "0.5000",
    }
    refused = invoke("evaluate", "div.qrels", "a.run", "AP", "--second", "assessor_id")
    assert refused.exit_code == 1
    assert 'AP(assessors="mean")' in refused.stderr


@pytest.mark.usefixtures("folder")
def test_what_the_field_names_is_said_or_asked() -> None:
    refused = invoke("evaluate", "div.qrels", "a.run", "AP")
    assert refused.exit_code == 1
    assert "--second subtopic_id" in refused.stderr
    refused = invoke("evaluate", "div.qrels", "a.run", "AP_IA", "map_avgjg")
    assert "may be either" in refused.stderr


@pytest.mark.usefixtures("folder")
def test_preferences() -> None:
    """Of d1 > d2 > d5 in two groups, d1 > d5 follows; d5 was not retrieved."""
    measures = ("prefs_num_prefs_poss", "prefs_simp", "prefs_simp_ret", "NumPrefs(retrieved=2)")
    assert values("prefs.txt", "a.run", *measures) == {
        "NumPrefs": "3", "PrefsSimp": "1.0000", "PrefsSimp(retrieved=2)": "1.0000", "NumPrefs(retrieved=2)": "1",
    }  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_sql() -> None:
    text = "\n".join(lines(invoke("sql", "--wide", "div.qrels", "a.run", "-m", "ERR_IA@2 AP")))
    assert [round(v, 4) for v in duckdb.sql(text).fetchall()[0][-2:]] == [0.4667, 0.6667]
