"""What the page knows of the package: measures with their macros, columns and their names, and the examples.

python page/data.py FOLDER writes it as JSON.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import examples
from pictures import pictures
from tables import tables

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import IrevalError, NotDefined
from ireval_frames.macros.comparing import compare_macro
from ireval_frames.macros.installing import FAMILIES, PREFIX, evaluate_macro, measures_of
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.measure_macro import measure_macro
from ireval_frames.macros.shapes import SUFFIXES
from ireval_frames.parameters import REQUIRED

MOST_WITH_A_VARIANT = 30


def measures() -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """The measures that have macros, one entry per macro, and the statements of each macro by its name."""
    texts = {(m["family"], m["name"]): m for m in ir.measures().to_dicts()}
    entries: list[dict[str, Any]] = []
    statements = {}
    for family in FAMILIES:
        for measure in measured(family):
            for suffix in SUFFIXES.get(family, ("",)):
                try:
                    macro = measure_macro(measure, suffix)
                except NotDefined:
                    continue
                if PREFIX + macro.name not in statements:
                    statements[PREFIX + macro.name] = macro.statements(PREFIX)[:1]
                    entries.append(_entry(texts[family, measure.name], measure, macro, suffix and f"_{suffix}"))
    for macro in (evaluate_macro(), compare_macro()):
        statements[PREFIX + macro.name] = macro.statements(PREFIX)[:1]
    return entries, statements


def measured(family: str) -> list[Measure]:
    """The measures of a family that the page offers, where they have macros."""
    return [*measures_of(family), *_variants(family)]


def _variants(family: str) -> Iterator[Measure]:
    """Measures with one of the words or of the truth values that a parameter of their own allows.

    Conventions that most measures of a family have are left out.
    """
    definitions = list(catalog.definitions(family))
    common = Counter(name for d in definitions for name in d.parameters)
    for definition in definitions:
        for name, parameter in definition.parameters.items():
            if common[name] <= MOST_WITH_A_VARIANT:
                truth = (not parameter.default,) if isinstance(parameter.default, bool) else ()
                for value in (*parameter.choices, *truth):
                    if value != parameter.default:
                        try:
                            yield definition(**{name: value})
                        except IrevalError:
                            continue


def _entry(text: dict[str, Any], measure: Measure, macro: Macro, suffix: str) -> dict[str, Any]:
    """A measure as the page lists it."""
    options = [
        {
            "name": o.name,
            "parameter": "cutoff" if o.name == "k" else o.name.removeprefix("measure_"),
            "type": o.type,
            "default": o.default,
            "allowed": o.allowed,
        }
        for o in macro.options
    ]
    keys = ("family", "name", "sentence", "formula", "source", "direction", "aliases", "aggregation")
    return {
        **{k: text[k] for k in keys},
        "range": [end if math.isfinite(end) else None for end in text["range"]],
        "fixed": {k: v for k, v in measure.values if k not in {o["parameter"] for o in options}},
        "at": measure.definition.at,
        "parameters": {n: _json(p.default) for n, p in measure.definition.parameters.items()},
        "macro": PREFIX + macro.name,
        "tables": list(macro.tables),
        "suffix": suffix,
        "options": options,
    }


def _json(value: Any) -> Any:
    """A default as JSON has it; what is neither text nor a number is text, and null is required."""
    if value is REQUIRED:
        return None
    return value if isinstance(value, str | bool | int | float) else repr(value)


def write(folder: Path) -> None:
    """Write all of it into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    entries, statements = measures()
    values = {
        "catalog": {"version": ir.__version__, "measures": entries},
        "macros": statements,
        "pictures": pictures(),
        "tables": tables(),
    }
    for name, value in values.items():
        (folder / f"{name}.json").write_text(
            json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")), "utf-8"
        )
    examples.write(folder / "examples")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
