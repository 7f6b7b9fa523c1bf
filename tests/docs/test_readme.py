"""What README.md and CONTRIBUTING.md name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_every_language_is_shown() -> None:
    assert {b.language for b in blocks(README.read_text(encoding="utf-8")) if b.expected} == {"python", "sql", "sh"}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_make_targets_exist(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = [inline or line for inline, line in re.findall(r"`(make [^`]+)`|^\s*(make .+)$", text, re.MULTILINE)]
    named = {word for command in commands for word in re.split(r"#|  |\|\|", command)[0].split()[1:] if word.isalpha()}
    assert named
    assert named <= targets


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "data/README.md"])
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / page).parent / path).exists(), path
