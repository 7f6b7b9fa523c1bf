"""docs/user_models.md names every measure of the family."""

from __future__ import annotations

import re
from pathlib import Path

from ireval_frames import catalog

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "user_models.md"


def test_every_measure_is_there() -> None:
    """The measures that take a measurement are the rows of the two tables of models."""
    rows = set(re.findall(r"^\| `(\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) - {
        "measurement",
        "EU",
        "ETU",
        "EC",
        "ETC",
        "ED",
    }
    assert rows == {d.name for d in catalog.definitions("ranking") if "measurement" in d.parameters}
