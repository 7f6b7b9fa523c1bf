"""Rules are read from text, mappings and TOML, and written as they are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ireval_frames.errors import FileError, InvalidParameter, IrevalError, MalformedFile, UnknownName
from ireval_frames.gating.files import read_rules
from ireval_frames.gating.rules import FORMS, OVERALL, SEGMENTS, Rule, rules_of

NUMBERS = st.floats(0, 1e6, allow_nan=False).map(abs)
MEASURES = st.sampled_from(["", "AP", "nDCG@10", "F1(average='macro')", "P(rel=2, x=1)@5", "drop rate", "a same b"])

VERDICTS = st.sampled_from(["passes", "fails"])


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    kind = draw(st.sampled_from(list(FORMS)))
    measure = draw(MEASURES if kind not in ("floor", "ceiling") else MEASURES.filter(bool))
    where = draw(st.sampled_from(["", OVERALL, SEGMENTS]))
    if kind == "no harm":
        return Rule(kind, measure, None, undecided=draw(VERDICTS), where=where)
    if kind == "not worse by":
        limit = draw(NUMBERS.filter(bool))
        return Rule(kind, measure, limit, undecided=draw(VERDICTS), where=where)
    if kind == "worst":
        return Rule(kind, measure, float(draw(st.integers(0, 999))), loss=draw(NUMBERS), where=where)
    if kind == "as usual in last":
        return Rule(kind, measure, last=draw(st.integers(3, 99)), undecided=draw(VERDICTS), where=where)
    if kind == "drop" and (earlier := draw(st.sampled_from(["", "best", "median", "last passed"]))):
        last = 0 if earlier == "last passed" else draw(st.integers(1, 99))
        return Rule(kind, measure, draw(NUMBERS), undecided=draw(VERDICTS), where=where, earlier=earlier, last=last)
    return Rule(kind, measure, draw(NUMBERS), where=where)


@given(rules())
def test_what_is_written_is_read(rule: Rule) -> None:
    assert Rule.of(str(rule)) == rule


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_our_error(text: str) -> None:
    try:
        actual = rules_of(text)
    except IrevalError:
        return
    assert rules_of([str(rule) for rule in actual]) == actual


def test_forms() -> None:
    assert Rule.of("AP drop <= 2.5%") == Rule("drop", "AP", 0.025, relative=True)
    assert Rule.of("units worst <= 3 by 0.2 in each segment") == Rule("worst", "", 3, loss=0.2, where=SEGMENTS)
    assert Rule.of({"rule": "no harm", "undecided": "fails", "where": OVERALL}) == Rule.of(
        "no harm over all units, undecided fails"
    )
    assert rules_of("AP no harm; AP no harm\nRR >= .5") == (Rule.of("AP no harm"), Rule.of("RR >= 0.5"))


@pytest.mark.parametrize(
    "text",
    [
        "", "AP", "AP not worse by 0", "AP drop <= -1", "AP >= 1e999", "units worst <= 2.5", "AP >= 1, undecided fails",
        "no harm, undecided maybe", "AP as usual in last 2", "AP drop <= 1 from best of last 0",
        "AP drop <= 1 from best",
        "AP drop <= 1 from main", ">= 0.3", 5, {"undecided": "fails"}, {"rule": "no harm", "where": "here"}, [],
    ],
)  # fmt: skip
def test_what_is_no_rule(text: object) -> None:
    with pytest.raises(InvalidParameter):
        rules_of(text)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(
        'confidence = 0.9\nrules = ["no harm"]\n[[rule]]\nrule = "AP not worse by 0.1"\nundecided = "passes"\n'
    )
    expected = rules_of("no harm; AP not worse by 0.1, undecided passes")
    assert read_rules(path) == {"confidence": 0.9, "rules": expected}
    path.write_text("rules = [")
    with pytest.raises(MalformedFile):
        read_rules(path)
    path.write_bytes(b"\xff")
    with pytest.raises(MalformedFile):
        read_rules(path)
    with pytest.raises(FileError):
        read_rules(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "text, error",
    [
        ('rules = ["no harm"]\nruels = ["no harm"]', "line 2 says 'ruels'"),
        ('rules = ["no harm"]\nconfidence = "high"', "line 2: confidence is 'high'"),
        ("confidence = true", "line 1: confidence is True"),
        ('rules = ["no harm"]\nby = [1]', r"line 2: by is \[1\]"),
        ('cluster = ["user"]', "line 1: cluster is"),
        ('rules = [\n "no harm",\n "AP drop <= -1",\n]', "line 3: 'AP drop <= -1' names -1"),
        ("rules = 5", "line 1: 5 is no rule"),
        ("rules = []", "names no rule"),
        ('[[rule]]\nrule = "AP no harm"\nundecidd = "fails"', "line 2: A rule has no 'undecidd'"),
        ('[[rule]]\nrule = "AP no harm"\nundecided = "maybe"', "line 2: 'AP no harm': undecided is 'maybe'"),
        ('[[rule]]\nundecided = "fails"', "line 1: .* has no text of a rule"),
    ],
)
def test_errors_of_files_say_the_line(text: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(text)
    with pytest.raises((UnknownName, InvalidParameter), match=error):
        read_rules(path)
