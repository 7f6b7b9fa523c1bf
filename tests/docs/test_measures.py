"""The pages of measures have every measure, and every reference test has its tool there."""

from __future__ import annotations

import re
from pathlib import Path

from ireval_frames import catalog
from tests.docs import generated, measure_pages
from tests.reference import agreement
from tests.reference.differences import DIFFERENCES

PAGES = generated.pages()
# Reference tests that are read another way, or compare conventions.
NOT_READ = {"test_trec_eval", "test_preferences", "test_differences"}


def test_every_measure_is_there() -> None:
    for definition in catalog.definitions():
        rows = [
            line
            for line in PAGES[Path("measures") / f"{definition.family}.md"].splitlines()
            if re.match(rf"\| `{definition.name}[`(@]", line)
        ]
        assert len(rows) == 1, definition.name
        assert definition.source.split(",")[0] in rows[0].replace("\\", "")
        assert len(re.split(r"(?<!\\)\|", rows[0])) == 9, definition.name


def test_every_reference_test_is_read() -> None:
    files = {path.stem for path in agreement.HERE.glob("test_*.py")}
    assert files == {held.module for held in agreement.HELD} | NOT_READ


def test_every_file_names_measures() -> None:
    held = agreement.agreements()
    for tool in {h.tool for h in agreement.HELD} | {agreement.TREC_EVAL}:
        assert any(tool in tools for tools in held.values()), tool


def test_differences_are_shown_and_linked() -> None:
    for difference in DIFFERENCES:
        text = PAGES[Path("measures") / f"{difference.family}.md"]
        anchor = measure_pages._anchor(difference.measure, difference.tool)
        assert f"### {difference.measure} and {difference.tool}\n" in text
        assert f"(#{anchor})" in text
        assert f"| {measure_pages._value(difference.their_value)} |" in text


def test_all_versions_are_known() -> None:
    """Until the requirements are locked anew, a new test dependency has none."""
    assert all(agreement.versions().values())
