"""The blocks of README.md and of the pages in docs/ run and print what the pages show."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
TEXTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
SHOWN = {name: of_page for name, text in TEXTS.items() if (of_page := blocks(text))}


def tidy(text: str) -> list[str]:
    """The lines without trailing blanks, and without empty lines at the start and end."""
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_pages_are_found() -> None:
    assert {"README.md", "docs/conventions.md", "docs/user_models.md"} <= SHOWN.keys()


# Pages that need a package of another tool.
EXTERNAL = tuple(page for page, shown in SHOWN.items() if any(block.needs for block in shown))
OTHERS = tuple(page for page in SHOWN if page not in EXTERNAL)
# Pages that are run in one process.
GROUPS = [EXTERNAL, OTHERS[::2], OTHERS[1::2]]


@functools.cache
def outputs(*pages: str) -> dict[str, list[str | None] | str]:
    """The output of the blocks of pages, in a process of their own."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        "PYTHONWARNINGS": "error",
        "COLUMNS": "120",
        # Trackers write into the page's folder.
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
    actual = outputs(*next(pages for pages in GROUPS if page in pages))[page]
    assert not isinstance(actual, str), actual
    for block, printed in zip(shown, actual, strict=True):
        if block.expected is not None and printed is not None:
            assert tidy(printed) == tidy(block.expected), f"the {block.language} block of line {block.line}"
