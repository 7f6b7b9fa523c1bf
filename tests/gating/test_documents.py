"""Every document is parsed by a reader of its format, whatever the ids contain."""

from __future__ import annotations

import json
import math
import re
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.errors import UnknownName

UNUSUAL = [
    "@team", "a\n::error::x", "::error::x", "a\r\n##vso[task.complete result=Failed;]", "##teamcity[x 'y']",
    "##[error]x",
    "]]>", "<script>", "`|`", "| a | b |", "\x00\x1b[31m", "\u2028::warning::", "'|[]", "%0A", "\u202eright",
    "\ud7ffé😀", "",
    "https://x.y", "![i](http://x)", "``", "-->", "\ufffe", "a,b:c;d",
]  # fmt: skip
COMMANDS = re.compile(r"^\s*::|##\[|##vso\[|##teamcity\[", re.MULTILINE)


def unusual_gate(ids: list[str], run: str = "r", measure: str = "AP") -> ir.gating.Gate:
    """All units lose much, and one measure cannot be compared."""
    rows = {"query_id": [f"{i}{name}" for i, name in enumerate(ids)], "measure": measure, "run_id": run, "seg": ids}
    old, new = (pl.DataFrame({**rows, "value": [value] * len(ids)}) for value in (0.9, 0.1))
    alone = pl.DataFrame({"query_id": ids[:1], "measure": f"{measure}2", "run_id": run, "seg": ids[:1], "value": 0.5})
    return ir.gate(pl.concat([old, alone]), new, "drop <= 0.1; same within 0.1", by="seg")


@pytest.fixture(scope="module")
def g() -> ir.gating.Gate:
    return unusual_gate(UNUSUAL, "::error::run\n@all | `x` ]]>", "A`P|\n::error::")


def test_text_has_no_commands_and_no_control_characters(g: ir.gating.Gate) -> None:
    for text in (str(g), g.to_markdown(), g.to_junit(), g.to_json(), g.to_gitlab()):
        assert not COMMANDS.search(text)
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\ufffe]", str(g) + g.to_markdown() + g.to_junit()
    )


def test_json(g: ir.gating.Gate) -> None:
    content = json.loads(g.to_json())
    assert (content["passed"], content["exit_code"], content["outcome"]) == (False, 3, "failed")
    for row, rule in zip(g.table().iter_rows(named=True), content["rules"], strict=True):
        assert rule["candidate"] == "::error::run\n@all | `x` ]]>"
        assert {k: v for k, v in row.items() if k in rule and k != "segment"} == {
            k: rule[k] if not isinstance(row[k], float) or math.isfinite(row[k]) else row[k]
            for k in row
            if k in rule and k != "segment"
        }
        assert rule["segment"] == (None if row["segment"] is None else {"seg": row["seg"]})


def test_junit(g: ir.gating.Gate) -> None:
    root = ET.fromstring(g.to_junit())
    verdicts = g.table()["verdict"].to_list()
    cases = root.findall(".//testcase")
    assert len(cases) == len(verdicts)
    kinds = {"fail": "failure", "incomparable": "error", "pass": "system-out"}
    assert [case[0].tag for case in cases] == [kinds[v] for v in verdicts]
    suite = root.find("testsuite")
    assert suite is not None
    for of in (root, suite):
        counted = [of.get(n) for n in ("tests", "failures", "errors")]
        assert counted == [str(n) for n in (len(verdicts), verdicts.count("fail"), verdicts.count("incomparable"))]
    assert suite.get("skipped") == "0"
    assert len({case.get("name") for case in cases}) == len(cases)


def test_junit_skips_undecided_rules_that_pass() -> None:
    old = pl.DataFrame({"query_id": range(4), "AP": [0.1, 0.5, 0.3, 0.2]})
    new = old.with_columns(AP=pl.Series([0.2, 0.4, 0.4, 0.1]))
    actual = ET.fromstring(
        ir.gate(old, new, "AP no significant loss; AP no significant loss, undecided fails").to_junit()
    )
    assert [case[0].tag for case in actual.findall(".//testcase")] == ["skipped", "failure"]
    assert actual[0].get("skipped") == "1"


def test_junit_follows_its_schema(g: ir.gating.Gate) -> None:
    # The attributes and children that Jenkins' schema (junit-10.xsd) allows.
    allowed = {
        "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
        "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testcase"}),
        "testcase": ({"name", "time", "classname"}, {"skipped", "error", "failure", "system-out"}),
        **{name: ({"type", "message"}, set()) for name in ("skipped", "error", "failure")},
        "system-out": (set(), set()),
    }
    for element in ET.fromstring(g.to_junit()).iter():
        attributes, children = allowed[element.tag]
        assert set(element.keys()) <= attributes
        assert {child.tag for child in element} <= children


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_narrow_terminals(width: int) -> None:
    values = pl.DataFrame({"query_id": range(40), "AP": [0.1 + i / 50 for i in range(40)]})
    other = values.with_columns(AP=0.1 + pl.col("query_id") * 7 % 40 / 50)
    actual = ir.gate(values, other, "no significant loss; non-inferior within 0.2; drop <= 0.1")
    lines = actual.to_text(width).split("\n\n")[1].split("\n")
    assert max(map(len, lines)) <= max(width, 88)
    # The numbers are those of the table.
    row = actual.table().row(0, named=True)
    for number in (row["mean_baseline"], row["mean"], row["ci_low"], row["detectable_difference"]):
        assert f"{number:.4f}" in lines[1]
    assert actual.to_text(200) == str(actual)


def test_html_is_escaped(g: ir.gating.Gate) -> None:
    text = g._repr_html_()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert text.count("<tr>") == g.table().height + 1


def test_markdown_cells_and_limit(g: ir.gating.Gate) -> None:
    lines = g.to_markdown().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    # A bar that is no cell's end is escaped.
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {len(re.findall(r"\|", rows[1]))}
    for row in rows[2:]:
        assert "@all" not in re.sub(r"(`+) ?.*?(?<!`)\1(?!`)", "", row)
    for limit in (300, 1000, 5000):
        text = g.to_markdown(limit)
        assert len(text) <= limit
        assert text.startswith("### ❌ gate failed")
    assert "more rules" in g.to_markdown(1500)


def test_gitlab(g: ir.gating.Gate) -> None:
    actual = json.loads(g.to_gitlab())
    bad = g.table().filter(~pl.col("passed"))
    assert len({one["fingerprint"] for one in actual}) == len(actual) == bad.height
    assert {one["severity"] for one in actual} == {"major", "blocker"}
    assert all(set(one) == {"description", "check_name", "fingerprint", "severity", "location"} for one in actual)


def test_github(g: ir.gating.Gate) -> None:
    lines = g.annotations("github").splitlines()
    assert len(lines) == 10
    for line in lines:
        read = re.fullmatch(r"::error title=([^:,]*)::(.*)", line)
        assert read
        assert not re.search(r"%(?!25|0D|0A|3A|2C)", line)
    assert lines[-1] == f"::error title=gate::{(~g.table()['passed']).sum() - 9} more rules did not pass"


def test_azure_and_teamcity(g: ir.gating.Gate) -> None:
    for line in g.annotations("azure").splitlines():
        assert re.fullmatch(r"##vso\[task\.logissue type=error;\][^\x00-\x1f]*", line)
        assert line.count("##") == 1
        assert not re.search(r"%(?!AZP25|0D|0A)", line)
    for line in g.annotations("teamcity").splitlines():
        # Of the value all quotes and brackets are behind a bar.
        value = r"(?:[^|'\[\]\n\r]|\|['\[\]nr|]|\|0x[0-9A-F]{4})*"
        assert re.fullmatch(rf"##teamcity\[buildProblem description='{value}' identity='\w{{1,60}}'\]", line)
        assert line.isascii()
    with pytest.raises(UnknownName):
        g.annotations("jenkins")


def test_nothing_to_annotate() -> None:
    frame = pl.DataFrame({"query_id": [1], "AP": [0.5]})
    passed = ir.gate(frame, frame, "AP drop <= 0")
    assert [passed.annotations(name) for name in ("github", "azure", "teamcity")] == ["", "", ""]
    assert json.loads(passed.to_gitlab()) == []


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=3, unique=True), st.text(max_size=12))
def test_any_text(ids: list[str], run: str) -> None:
    actual = unusual_gate(ids, run)
    for text in (str(actual), actual.to_markdown(), actual.to_junit()):
        assert not COMMANDS.search(text)
    ET.fromstring(actual.to_junit())
    json.loads(actual.to_json())
    for service in ("github", "azure", "teamcity"):
        assert len(actual.annotations(service).splitlines()) == min(10, (~actual.table()["passed"]).sum())
