"""What docs/user_models.md shows is what happens, and it names every measure of the family."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from ireval_frames import catalog
from tests.docs.blocks import blocks
from tests.docs.test_readme import tidy

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "user_models.md"


def test_blocks() -> None:
    command = [sys.executable, "-m", "tests.docs.blocks", str(PAGE)]
    environment = os.environ | {"PYTHONWARNINGS": "error", "COLUMNS": "120"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = blocks(PAGE.read_text(encoding="utf-8"))
    assert len(shown) == 3
    for block, given in zip(shown, json.loads(done.stdout), strict=True):
        assert block.expected is not None
        assert tidy(given) == tidy(block.expected), f"the block of line {block.line}"


def test_every_reader_is_there() -> None:
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
