"""What README.md and the pages under docs/ show is what happens."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
TEXTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
SHOWN = {name: found for name, text in TEXTS.items() if (found := blocks(text))}


def tidy(text: str) -> list[str]:
    """The lines without blanks at their ends, and without empty lines around."""
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_pages_are_found() -> None:
    assert {"README.md", "docs/conventions.md", "docs/user_models.md"} <= SHOWN.keys()


# Pages that need another tool's package.
EXTERNAL = tuple(page for page, shown in SHOWN.items() if any(block.needs for block in shown))
OTHERS = tuple(page for page in SHOWN if page not in EXTERNAL)
# Pages that are run in one process: few, so that none of these takes minutes.
TOGETHER = [EXTERNAL, *(OTHERS[i : i + 10] for i in range(0, len(OTHERS), 10))]


@functools.cache
def given(*pages: str) -> dict[str, list[str | None] | str]:
    """What the blocks of the pages give, in a process of their own."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
        "PYTHONWARNINGS": "error",
        "COLUMNS": "120",
        # Trackers keep what they are given in the page's folder.
        "MLFLOW_ALLOW_FILE_STORE": "true",
        "MLFLOW_TRACKING_URI": "file:mlruns",
        "TRACKIO_DIR": "trackio",
        "WANDB_SILENT": "true",
    }
    command = [sys.executable, "-m", "tests.docs.blocks", *pages]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("page", [*OTHERS, *(pytest.param(page, marks=pytest.mark.external) for page in EXTERNAL)])
def test_blocks(page: str) -> None:
    shown = SHOWN[page]
    if any(b.language == "sh" for b in shown) and not shutil.which("ireval", path=str(SCRIPTS)):
        pytest.skip("the command ireval is not installed beside this Python")
    found = given(*next(pages for pages in TOGETHER if page in pages))[page]
    assert not isinstance(found, str), found
    for block, printed in zip(shown, found, strict=True):
        if block.expected is not None and printed is not None:
            assert tidy(printed) == tidy(block.expected), f"the {block.language} block of line {block.line}"
