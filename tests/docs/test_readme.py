"""What README.md shows is what happens."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ireval_frames.policy import Policy
from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SCRIPTS = Path(sys.executable).parent


def tidy(text: str) -> list[str]:
    """The lines without blanks at their ends, and without empty lines around."""
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.skipif(
    not shutil.which("ireval", path=str(SCRIPTS)), reason="the command ireval is not installed beside this Python"
)
def test_blocks() -> None:
    environment = os.environ | {
        "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
        "PYTHONWARNINGS": "error",
        "COLUMNS": "120",
    }
    command = [sys.executable, "-m", "tests.docs.blocks", str(README)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for block, given in zip(blocks(README.read_text(encoding="utf-8")), json.loads(done.stdout), strict=True):
        if block.expected is not None:
            assert tidy(given) == tidy(block.expected), f"the {block.language} block of line {block.line}"


def test_every_language_is_shown() -> None:
    assert {b.language for b in blocks(README.read_text(encoding="utf-8")) if b.expected} == {"python", "sql", "sh"}


def policy_table() -> list[str]:
    """The conventions as the README has them, made from the fields of the policy."""
    rows = ["| convention | by default | choices | source |", "|---|---|---|---|"]
    for field in dataclasses.fields(Policy):
        data = field.metadata
        choices = ", ".join(f"`{c}`" for c in data.get("choices", ())) or f"`{field.default}`, or a number"
        rows.append(f"| `{field.name}` | {data['sentence']} | {choices} | {data['source']} |")
    return rows


def test_conventions() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    start = lines.index(policy_table()[0])
    assert lines[start : start + len(policy_table())] == policy_table()


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
