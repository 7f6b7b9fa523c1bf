"""The index says where each measure is declared."""

from __future__ import annotations

import re
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.catalog import index as measure_index
from tests.catalog import indexing


def test_it_is_what_the_modules_declare() -> None:
    there = Path(measure_index.__file__).read_text(encoding="utf-8")
    assert indexing.text() == there, "Write it anew: make index"


def test_the_modules_name_their_measures() -> None:
    """A module that only provides the function of a measure would not declare it when it is imported."""
    root = Path(measure_index.__file__).parent.parent
    for modules in measure_index.MEASURES.values():
        for module, names in modules.items():
            source = root.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
            assert [n for n in names.split() if not re.search(rf"""["']{re.escape(n)}["']""", source)] == []


def test_names_are_found() -> None:
    for definition in catalog.definitions():
        for name in (definition.name, *definition.aliases):
            assert catalog.find(name, definition.family) is definition
