"""The pages of measures list every measure, and the tools of every reference test."""

from __future__ import annotations

import re
from pathlib import Path

from ireval_frames import catalog
from tests.docs.generated import pages
from tests.docs.generators import measure_pages
from tests.reference import agreement
from tests.reference.differences import DIFFERENCES
from tests.reference.recording import recorded

USER_MODELS = Path(__file__).parents[2] / "docs" / "user_models.md"
# They compare other numbers than measures.
OTHER_NUMBERS = {"test_arenas.py", "test_differences.py", "test_obp.py", "test_pyclick.py", "test_ranx_fusion.py"}


def test_every_measure_is_there() -> None:
    for definition in catalog.definitions():
        rows = [
            line
            for line in pages()[Path("measures") / f"{definition.family}.md"].splitlines()
            if re.match(rf"\| `{definition.name}[`(@]", line)
        ]
        assert len(rows) == 1, definition.name
        assert definition.source.split(",")[0] in rows[0].replace("\\", "")
        assert len(re.split(r"(?<!\\)\|", rows[0])) == 9, definition.name


def test_every_reference_test_is_recorded() -> None:
    """Every file has a record, and every record has its test."""
    tests = {path.name: path.read_text(encoding="utf-8") for path in agreement.HERE.glob("test_*.py")}
    tests["test_trec_eval.py"] += (agreement.HERE.parent / "cli" / "test_trec_eval.py").read_text(encoding="utf-8")
    named = [test.rpartition("/")[2].split("::") for test in recorded()]
    assert {file for file, _ in named} == set(tests) - OTHER_NUMBERS
    assert [name for file, name in named if f"def {name}(" not in tests[file]] == []


def test_every_tool_and_measure_is_known() -> None:
    known = {f"{d.family}.{d.name}" for d in catalog.definitions()}
    agreements = [
        (tool, measure) for by in recorded().values() for tool, measures in by.items() for measure in measures
    ]
    assert {tool for tool, _ in agreements} == set(agreement.TOOLS)
    assert {measure for _, measure in agreements} <= known, "run: make docs"


def test_differences_are_shown_and_linked() -> None:
    for difference in DIFFERENCES:
        text = pages()[Path("measures") / f"{difference.family}.md"]
        anchor = measure_pages._anchor(difference.measure, difference.tool)
        assert f"### {difference.measure} and {difference.tool}\n" in text
        assert f"(#{anchor})" in text
        assert f"| {measure_pages._value(difference.their_value)} |" in text


def test_all_versions_are_known() -> None:
    """A new test dependency has none until the requirements are locked again."""
    assert all(agreement.versions().values())


def test_every_user_model_is_there() -> None:
    """The measures that take a measurement are the rows of the two tables of models."""
    rows = set(re.findall(r"^\| `(\w+)", USER_MODELS.read_text(encoding="utf-8"), re.MULTILINE)) - {
        "measurement",
        "EU",
        "ETU",
        "EC",
        "ETC",
        "ED",
    }
    assert rows == {d.name for d in catalog.definitions("ranking") if "measurement" in d.parameters}
