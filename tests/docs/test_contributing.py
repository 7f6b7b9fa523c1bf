"""What CONTRIBUTING.md shows of a file stands in that file, and every place it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# The line before a block names the file first; `...` alone in a line stands for lines that are left out.
SHOWN = re.findall(r"^`([\w/]+\.py)`[^\n]*:\n\n```python\n(.*?)```", TEXT, re.MULTILINE | re.DOTALL)


def missing(shown: str, text: str) -> list[str]:
    """The first lines that do not follow in the text, of each part between lines that are left out."""
    at, out = 0, []
    for part in re.split(r"^ *\.\.\.\n", shown, flags=re.MULTILINE):
        found = text.find(part, at)
        if found < 0:
            out.append(part)
        else:
            at = found + len(part)
    return out


def test_every_block_names_its_file() -> None:
    assert len(SHOWN) == TEXT.count("```python") >= 3


def test_what_is_missing_is_seen() -> None:
    assert missing("a\n...\nc\n", "a\nb\nc\n") == []
    assert missing("a\nc\n", "a\nb\nc\n") == ["a\nc\n"]
    assert missing("c\n...\na\n", "a\nb\nc\n") == ["a\n"]


@pytest.mark.parametrize("path, shown", SHOWN, ids=[path for path, _ in SHOWN])
def test_blocks_are_of_their_files(path: str, shown: str) -> None:
    assert missing(shown, (ROOT / path).read_text(encoding="utf-8")) == []


def test_places_are_there() -> None:
    named = set(re.findall(r"`((?:tests|docs|ireval_frames|data|benchmarks|notebooks|requirements)/[\w./]*)`", TEXT))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
