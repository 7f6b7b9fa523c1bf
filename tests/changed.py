"""Runs the tests that a change can break: `make test CHANGED=1`, or `python -m tests.changed [FILE …] [-- PYTEST …]`.

Without files, those that differ from where the branch left `main` are taken, whether committed or not.  What is run is
chosen by the graph of imports, and is a part of what may fail; CONTRIBUTING says which.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.external import LEFT_OUT, holds_only_external, is_external
from tests.packaging import imports
from tests.packaging.imports import HOUSE, PACKAGE, Graph

FAMILIES = (
    "ranking",
    "similarity",
    "labels",
    "clusters",
    "coreference",
    "points",
    "organization",
    "ratings",
    "clicks",
    "relations",
    "segmentation",
    "spans",
)
# Every evaluation goes through these: a change is tried on the families that import it.
CORE = ("catalog", "columns", "conventions", "documents", "engines", "evaluation", "items", "kernels", "plan")
# Folders of tests beside the one of the same name.
MORE = {
    "clicks": ("click_models",),
    "engines": ("planner", "sql", "results"),
    "kernels": ("planner",),
    "plan": ("planner", "results"),
    "ratings": ("crowds",),
    "comparison": ("stats",),
}
ALWAYS = tuple(f"tests/packaging/test_{name}.py" for name in ("files", "floors", "hints", "surface"))
# Names alone, written by `make index`: what a new measure breaks hangs on the file that declares it.
INDEX = f"{PACKAGE}/catalog/index.py"
# Small files of every format, and what reads them.
FORMATS, OF_FORMATS = "data/formats/", ("io", "cli", "pools")
# A change here can break whatever there is.
COMPLETE = ("Makefile", "pyproject.toml", "requirements/", "tests/conftest.py", "tests/sharing.py", "data/")
CONTRACT = "tests/contract"


@dataclass
class Selection:
    """Files and folders of tests, nearest first, and the families that the contract is tried on."""

    paths: list[str] = field(default_factory=list)
    families: set[str] = field(default_factory=set)
    complete: bool = False

    def arguments(self) -> list[str]:
        """The arguments of pytest."""
        if self.complete:
            return ["-m", LEFT_OUT]
        contract = [CONTRACT, "--families", ",".join(sorted(self.families))] if self.families else []
        # The tests of a folder may need another tool whatever they test.
        own = any(holds_only_external(HOUSE / path) for path in self.paths)
        return [*([] if own else ["-m", LEFT_OUT]), *dict.fromkeys(self.paths), *contract]


def changed_files() -> list[str]:
    """The files that differ from the merge base with `main`, whether committed or not."""
    base = next((b for name in ("main", "origin/main") if (b := _git("merge-base", "HEAD", name))), ["HEAD"])
    names = [*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")]
    return sorted(set(names))


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=HOUSE, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


@functools.cache
def known() -> dict[str, Path]:
    """The files of the package and of its tests, by the names they are imported by."""
    return imports.files() | imports.files("tests")


@functools.cache
def users() -> Graph:
    """By file: the files that import it."""
    out: dict[str, set[str]] = {name: set() for name in known()}
    for name, path in known().items():
        for other in imports.imported(path.read_text("utf-8"), known()) - {name, PACKAGE}:
            out[other].add(name)
    return out


def reaching(names: Iterable[str], steps: int = sys.maxsize, end: str = "") -> list[str]:
    """These files and those that import one of them within so many steps, the nearest first.

    Nothing is followed beyond names that begin with `end`.
    """
    seen = dict.fromkeys(names)
    edge = list(seen)
    while edge and steps > 0:
        followed = [name for name in edge if not (end and name.startswith(end))]
        edge = list(dict.fromkeys(u for name in followed for u in sorted(users().get(name, ())) if u not in seen))
        seen |= dict.fromkeys(edge)
        steps -= 1
    return list(seen)


def select(files: Iterable[str]) -> Selection:
    """The tests that a change of these files can break."""
    out = Selection()
    for file in files:
        if file.startswith(FORMATS):
            out.paths += [f"tests/{folder}" for folder in OF_FORMATS]
        elif file.startswith((*COMPLETE, f"{PACKAGE}/__init__.py")):
            out.complete = True
        elif file == INDEX:
            out.paths.append("tests/catalog")
        elif file.startswith(f"{PACKAGE}/") and file.endswith(".py"):
            _of_package(file, out)
        elif file.startswith("tests/"):
            _of_tests(file, out)
        elif file.startswith(("docs/", "notebooks/", "README", "CONTRIBUTING")):
            out.paths.append("tests/docs")
    if out.paths:
        out.paths += ALWAYS
    return out


def _of_package(file: str, out: Selection) -> None:
    name = _module(file)
    room = name.partition(".")[2].partition(".")[0]
    near = reaching([name], 1)
    # What imports the file, or a file that does, or the package it is in.
    out.paths += _test_files(reaching([*near, f"{PACKAGE}.{room}"], 1))
    out.paths += [f"tests/{folder}" for folder in (room, *MORE.get(room, ())) if (HOUSE / "tests" / folder).is_dir()]
    named = [_relative(p) for how in ("", "_*") for p in sorted(HOUSE.glob(f"tests/*/test_{room}{how}.py"))]
    out.paths += [f for f in named if not f.startswith(CONTRACT) and not is_external(f)]
    # Their docstrings.
    out.paths += [_path(n) for n in near if n.startswith(f"{PACKAGE}.{room}")]
    if room in FAMILIES:
        out.families.add(room)
    elif room in CORE or (HOUSE / PACKAGE / f"{room}.py").is_file():
        reached = {n.split(".")[1] for n in reaching([name]) if n.startswith(f"{PACKAGE}.")} & set(FAMILIES)
        out.families |= reached
        out.paths += ["tests/results", "tests/catalog"] if reached else []


def _of_tests(file: str, out: Selection) -> None:
    """A file of tests itself; of what tests share, the files that import it."""
    if Path(file).name.startswith("test_"):
        out.paths += [file] if (HOUSE / file).is_file() else []
        return
    reached = reaching([_module(file)], end="tests.contract.") if file.endswith(".py") else []
    contract = any(n.startswith("tests.contract.") for n in reached)
    out.paths += _test_files(reached) or ([] if contract else [str(Path(file).parent)])
    if contract:
        own = {n.split(".")[1] for n in reached if n.startswith("tests.")} & set(FAMILIES)
        out.families |= own or set(FAMILIES)


def _test_files(names: Iterable[str]) -> list[str]:
    """The files of tests among them, but for those of the contract, and those that need other tools."""
    test_files = [_path(n) for n in names if n.startswith("tests.") and n.rpartition(".")[2].startswith("test_")]
    return [f for f in test_files if not f.startswith(CONTRACT) and not is_external(f)]


def _module(file: str) -> str:
    return ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")


def _path(name: str) -> str:
    return _relative(known()[name])


def _relative(path: Path) -> str:
    return path.relative_to(HOUSE).as_posix()


def main(arguments: list[str]) -> None:
    """Run pytest on what is selected."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    files = arguments[:at] or changed_files()
    chosen = select(files)
    if not (chosen.complete or chosen.paths or chosen.families):
        sys.stdout.write(f"No test is selected for {', '.join(files) or 'a tree without changes'}.\n")
        return
    command = [sys.executable, "-m", "pytest", *arguments[at + 1 :], *chosen.arguments()]
    sys.stdout.write(" ".join(command[1:]) + "\n")
    sys.stdout.flush()
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
