"""A file imports only what stands above it on CONTRIBUTING's map, and no circle leads back to it."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.packaging.imports import HOUSE, PACKAGE, Graph, between_entries, files, graph, imported

FAMILIES = (
    "answers",
    "timings",
    "nuggets",
    "citations",
    "verdicts",
    "ranking",
    "similarity",
    "labels",
    "clusters",
    "coreference",
    "points",
    "organization",
    "ratings",
    "exposure",
    "recommendations",
    "clicks",
    "relations",
    "segmentation",
    "spans",
    "links",
)
# What speaks for the whole stands below all else.
DOORS = ("__init__", "__main__")


def floors() -> list[str]:
    """The files and folders of the package from the top down, as the map has them."""
    text = (HOUSE / "CONTRIBUTING.md").read_text("utf-8")
    table = text.partition("## The map")[2].partition("\n## ")[0]
    places = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    return [name.removesuffix(".py").rstrip("/") for row in places for name in re.findall(r"`(.+?)`", row)]


def house() -> Graph:
    """Files by their names inside the package."""
    short = {n: n.removeprefix(f"{PACKAGE}.") for n in graph()} | {PACKAGE: "__init__"}
    return {short[n]: {short[m] for m in of} for n, of in graph().items()}


def circle(of: Graph) -> list[str]:
    """A circle of imports, if there is one."""
    try:
        TopologicalSorter(of).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_import_at_run_time_is_seen() -> None:
    source = """
import p.a
from p import b
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from p.c import C
else:
    import p.e
def f():
    from p.d import g
"""
    assert imported(source, {"p", "p.a", "p.b", "p.c", "p.d", "p.e"}) == {"p.a", "p.b", "p.d", "p.e"}
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_the_map_shows_every_place() -> None:
    there = {name.partition(".")[0] for name in house()} - set(DOORS)
    assert sorted(floors()) == sorted(there)


def test_imports_go_up() -> None:
    order = {name: i for i, name in enumerate([*floors(), *DOORS])}
    at = {name: order[name.partition(".")[0]] for name in house()}
    assert [f"{n} imports {m}" for n, of in house().items() for m in of if at[m] > at[n]] == []


def test_families_know_nothing_of_each_other() -> None:
    wrong = [
        f"{n} imports {m}"
        for n, of in house().items()
        for m in of
        if (here := n.partition(".")[0]) in FAMILIES and (there := m.partition(".")[0]) in FAMILIES and there != here
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "folder", sorted({PACKAGE} | {name for name, path in files().items() if path.name == "__init__.py"})
)
def test_no_circles_in_a_folder(folder: str) -> None:
    within = {f"{PACKAGE}.{n}": {f"{PACKAGE}.{m}" for m in of} for n, of in house().items() if n not in DOORS}
    assert circle(between_entries(within, folder)) == []


def test_no_circles_of_files() -> None:
    assert circle(house()) == []
