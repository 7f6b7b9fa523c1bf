"""Files and folders hold one thing each, so none is long; oracles share no code with what they are held against."""

from __future__ import annotations

import ast
import sys
from collections import Counter

from tests.packaging.imports import HOUSE, PACKAGE

MOST = 350
MOST_IN_A_FOLDER = 20


def lengths() -> dict[str, int]:
    """The lines of every file of code."""
    paths = [p for folder in (PACKAGE, "tests", "benchmarks") for p in (HOUSE / folder).rglob("*.py")]
    return {p.relative_to(HOUSE).as_posix(): len(p.read_text("utf-8").splitlines()) for p in sorted(paths)}


def test_files_are_short() -> None:
    long = {path: n for path, n in lengths().items() if n > MOST}
    assert not long, f"Split what has more than {MOST} lines by what it holds: {long}"


def test_folders_are_small() -> None:
    paths = [p for p in (HOUSE / PACKAGE).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    counts = Counter(p.parent.relative_to(HOUSE).as_posix() for p in paths)
    large = {folder: n for folder, n in counts.items() if n > MOST_IN_A_FOLDER}
    assert not large, f"Split what has more than {MOST_IN_A_FOLDER} files by what it holds: {large}"


def test_oracles_share_no_code_with_the_package() -> None:
    allowed = {*sys.stdlib_module_names, "tests"}
    for path in (HOUSE / "tests" / "oracles").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= allowed, path
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert str(node.module).partition(".")[0] in allowed, path
                assert node.module.startswith("tests.oracles") or not node.module.startswith("tests"), path
