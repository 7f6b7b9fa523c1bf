"""What tests of several folders need."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


# Tests of these folders share what they evaluate once, so one worker runs all of a folder.
TOGETHER = ("clusters", "constraints", "contract", "labels", "organization", "points", "similarity")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of such a folder together, but for those that make tables of their own."""
    for item in items:
        folder = item.path.parent.name
        if folder in TOGETHER and item.path.stem != "test_any_tables":
            item.add_marker(pytest.mark.xdist_group(folder))


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """Judgments, runs and outputs of other tools, which may not be copied into the project."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the reference data (../shared/data) are not there")
    return folder


@pytest.fixture(scope="session")
def worked_examples() -> Path:
    """The worked examples of teaching texts."""
    return ROOT / "data" / "worked"
