"""What a property is tested on: suites, their cases and measures, and engines; `--measure` and `--families` select."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.errors import nearest
from tests.contract.kit.suite import ENGINES, Suite

# The measures of `--measure` and `--families`; none is all.
_selected: list[Definition] = []


def select_measure(name: str) -> None:
    """Restrict the kit to the measures of a name or alias, in every family; a variant stands for its measure.

    Raises:
        LookupError: no family has it.
    """
    bare = re.split(r"[(@]", name, maxsplit=1)[0].strip().lower().rpartition(".")[2]
    _selected[:] = [d for d in catalog.definitions() if bare in {n.lower() for n in (d.name, *d.aliases)}]
    if not _selected:
        names = [n for d in catalog.definitions() for n in (d.name, *d.aliases)]
        near = (
            nearest(name, names) or "A new one is declared in a file of its family: CONTRIBUTING.md, Adding a measure."
        )
        raise LookupError(f"no family declares a measure {name!r}. {near}")


def select_families(families: Iterable[str]) -> None:
    """Restrict the kit to the measures of some families."""
    _selected[:] = [d for d in catalog.definitions() if d.family in {*families}]


def is_one_measure() -> bool:
    """Whether `--measure` selects measures of one name."""
    return len({d.name for d in _selected}) == 1


def selected(definitions: Iterable[Definition]) -> list[Definition]:
    """Those of the measures that are selected."""
    return [d for d in definitions if not _selected or d in _selected]


@functools.cache
def all_suites() -> tuple[Suite, ...]:
    """All suites, whatever is selected."""
    from tests.contract.suites import SUITES

    return SUITES


def suites(property: str = "") -> list[Suite]:
    """The selected suites; not those that skip the property."""
    return [s for s in all_suites() if selected(s.definitions) and property not in s.skip]


def measure_names(suite: Suite) -> list[str]:
    """The selected measures of a suite."""
    return [d.name for d in selected(suite.definitions)]


def main_cases(suite: Suite) -> list[str]:
    """The main cases of a suite that a selected measure has variants for."""
    return [case for case in suite.main or suite.cases if suite.measures(case)]


def parametrize(
    name: str = "", values: Callable[[Suite], Iterable[Any]] | None = None, *, engines: bool = True, property: str = ""
) -> Any:
    """Parametrize a test by suite, by a value of each suite, and by engine.

    Args:
        name: the parameter beside `suite`, such as "measure" or "case".
        values: its values for a suite.
        engines: whether the test runs on every engine.
        property: suites that have it in `Suite.skip` are left out.
    """
    rows: list[tuple[Any, ...]] = [(s,) for s in suites(property)]
    if values is not None:
        rows = [(s, value) for (s,) in rows for value in values(s)]
    if engines:
        rows = [(*row, engine) for row in rows for engine in ENGINES]
    names = ["suite", *([name] if values is not None else []), *(["engine"] if engines else [])]
    ids = ["-".join(map(str, row)) for row in rows]
    return pytest.mark.parametrize(",".join(names), rows if len(names) > 1 else [s for (s,) in rows], ids=ids)
