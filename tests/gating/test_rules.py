"""Rules are read from text, mappings and TOML, and their text is read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ireval_frames.errors import FileError, InvalidParameter, IrevalError, MalformedFile, UnknownName
from ireval_frames.gating.rule_files import read_rules
from ireval_frames.gating.rules import EXAMPLES, OVERALL, SEGMENTS, Rule, parse_rules

NUMBERS = st.floats(0, 1e6, allow_nan=False).map(abs)
MEASURES = st.sampled_from(["", "AP", "nDCG@10", "F1(average='macro')", "P(rel=2, x=1)@5", "drop rate", "a same b"])

VERDICTS = st.sampled_from(["passes", "fails"])


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    kind = draw(st.sampled_from(list(EXAMPLES)))
    measure = draw(MEASURES if kind not in ("floor", "ceiling") else MEASURES.filter(bool))
    where = draw(st.sampled_from(["", OVERALL, SEGMENTS]))
    if kind == "no significant loss":
        return Rule(kind, measure, None, undecided=draw(VERDICTS), where=where)
    if kind == "non-inferior within":
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
def test_round_trip(rule: Rule) -> None:
    assert Rule.of(str(rule)) == rule


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_our_error(text: str) -> None:
    try:
        parsed = parse_rules(text)
    except IrevalError:
        return
    assert parse_rules([str(rule) for rule in parsed]) == parsed


def test_examples() -> None:
    assert Rule.of("AP drop <= 2.5%") == Rule("drop", "AP", 0.025, relative=True)
    assert Rule.of("units worst <= 3 by 0.2 in each segment") == Rule("worst", "", 3, loss=0.2, where=SEGMENTS)
    assert Rule.of({"rule": "no significant loss", "undecided": "fails", "where": OVERALL}) == Rule.of(
        "no significant loss over all units, undecided fails"
    )
    assert parse_rules("AP no significant loss; AP no significant loss\nRR >= .5") == (
        Rule.of("AP no significant loss"),
        Rule.of("RR >= 0.5"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "AP", "AP non-inferior within 0", "AP drop <= -1", "AP >= 1e999", "units worst <= 2.5",
        "AP >= 1, undecided fails",
        "no significant loss, undecided maybe", "AP as usual in last 2", "AP drop <= 1 from best of last 0",
        "AP drop <= 1 from best",
        "AP drop <= 1 from main", ">= 0.3", 5, {"undecided": "fails"}, [],
        {"rule": "no significant loss", "where": "here"},
    ],
)  # fmt: skip
def test_invalid_rules(text: object) -> None:
    with pytest.raises(InvalidParameter):
        parse_rules(text)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(
        'confidence = 0.9\nrules = ["no significant loss"]\n'
        '[[rule]]\nrule = "AP non-inferior within 0.1"\nundecided = "passes"\n'
    )
    rules = parse_rules("no significant loss; AP non-inferior within 0.1, undecided passes")
    assert read_rules(path) == (rules, {"confidence": 0.9})
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
        ('rules = ["no significant loss"]\nruels = ["no significant loss"]', "line 2 has 'ruels'"),
        ('rules = ["no significant loss"]\nconfidence = "high"', "line 2: confidence is 'high'"),
        ("confidence = true", "line 1: confidence is True"),
        ('rules = ["no significant loss"]\nby = [1]', r"line 2: by is \[1\]"),
        ('cluster = ["user"]', "line 1: cluster is"),
        ('rules = [\n "no significant loss",\n "AP drop <= -1",\n]', "line 3: 'AP drop <= -1' names -1"),
        ("rules = 5", "line 1: 5 is no rule"),
        ("rules = []", "names no rule"),
        ('[[rule]]\nrule = "AP no significant loss"\nundecidd = "fails"', "line 2: A rule has no 'undecidd'"),
        (
            '[[rule]]\nrule = "AP no significant loss"\nundecided = "maybe"',
            "line 2: 'AP no significant loss': undecided is 'maybe'",
        ),
        ('[[rule]]\nundecided = "fails"', "line 1: .* has no text of a rule"),
    ],
)
def test_errors_name_the_line(text: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(text)
    with pytest.raises((UnknownName, InvalidParameter), match=error):
        read_rules(path)
