"""What tests of several folders need."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


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
