"""The code that CONTRIBUTING.md shows is in the file that it names, and every path that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# The line before a block names the file; a line `...` stands for omitted lines.
SHOWN = re.findall(r"^`([\w/]+\.py)`[^\n]*:\n\n```python\n(.*?)```", TEXT, re.MULTILINE | re.DOTALL)


def missing(shown: str, text: str) -> list[str]:
    """The parts between omitted lines that do not follow each other in the text."""
    at, out = 0, []
    for part in re.split(r"^ *\.\.\.\n", shown, flags=re.MULTILINE):
        position = text.find(part, at)
        if position < 0:
            out.append(part)
        else:
            at = position + len(part)
    return out


def test_every_block_names_its_file() -> None:
    assert len(SHOWN) == TEXT.count("```python") >= 3


def test_missing_parts_are_detected() -> None:
    assert missing("a\n...\nc\n", "a\nb\nc\n") == []
    assert missing("a\nc\n", "a\nb\nc\n") == ["a\nc\n"]
    assert missing("c\n...\na\n", "a\nb\nc\n") == ["a\n"]


@pytest.mark.parametrize("path, shown", SHOWN, ids=[path for path, _ in SHOWN])
def test_blocks_are_of_their_files(path: str, shown: str) -> None:
    assert missing(shown, (ROOT / path).read_text(encoding="utf-8")) == []


def test_named_paths_exist() -> None:
    named = set(re.findall(r"`((?:tests|docs|ireval_frames|data|benchmarks|notebooks|requirements)/[\w./]*)`", TEXT))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
