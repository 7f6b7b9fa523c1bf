"""Which file of the package imports which, read from their text: late imports count, those for types alone do not."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

PACKAGE = "ireval_frames"
HOUSE = Path(__file__).parents[2]
Graph = Mapping[str, set[str]]


def files(folder: str = PACKAGE) -> dict[str, Path]:
    """The files of the package, or of another folder, by the names they are imported by."""
    paths = sorted((HOUSE / folder).rglob("*.py"))
    return {".".join(p.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__"): p for p in paths}


def imported(source: str, known: Iterable[str]) -> set[str]:
    """The known files that this text imports when it runs, wherever in it."""
    out = set()
    for node in _running(ast.parse(source)):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            # What is no file itself stands in the file it is imported from.
            out |= {name if name in known else str(node.module) for name in names}
    return out & set(known)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below this one but the bodies of `if TYPE_CHECKING:`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id.endswith("TYPE_CHECKING"):
            for alternative in child.orelse:
                yield from (alternative, *_running(alternative))
        else:
            yield from (child, *_running(child))


@functools.cache
def graph() -> Graph:
    """Every file, and the files it imports."""
    known = files()
    return {name: imported(path.read_text("utf-8"), known) - {name} for name, path in known.items()}


def between_entries(of: Mapping[str, Iterable[str]], folder: str) -> Graph:
    """The imports among the files and folders in one folder, those of what stands deeper included."""

    def entry(name: str) -> str:
        return name.removeprefix(f"{folder}.").partition(".")[0]

    inside = [n for n in of if n.startswith(f"{folder}.")]
    out: dict[str, set[str]] = {entry(n): set() for n in inside}
    for name in inside:
        out[entry(name)] |= {entry(m) for m in of[name] if m.startswith(f"{folder}.")} - {entry(name)}
    return out
