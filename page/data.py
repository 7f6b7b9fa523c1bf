"""What the page knows of the package: measures with their macros, columns and their names, and the examples.

python page/data.py FOLDER writes it as JSON.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from ireval_frames.macros.installing import FAMILIES, PREFIX, compare_macro, evaluate_macro, measures_of
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.measure_macro import measure_macro
from ireval_frames.macros.shapes import SUFFIXES

ROOT = Path(__file__).resolve().parents[1]


def measures() -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """The measures that have macros, one entry per macro, and the statements of each macro by its name."""
    texts = {(m["family"], m["name"]): m for m in ir.measures().to_dicts()}
    entries: list[dict[str, Any]] = []
    statements = {}
    for family in FAMILIES:
        for measure in measures_of(family):
            for suffix in SUFFIXES.get(family, ("",)):
                try:
                    macro = measure_macro(measure, suffix)
                except NotDefined:
                    continue
                statements[PREFIX + macro.name] = macro.statements(PREFIX)[:1]
                entries.append(_entry(texts[family, measure.name], measure, macro))
    for macro in (evaluate_macro(), compare_macro()):
        statements[PREFIX + macro.name] = macro.statements(PREFIX)[:1]
    return entries, statements


def _entry(text: dict[str, Any], measure: Any, macro: Macro) -> dict[str, Any]:
    """A measure as the page lists it."""
    keys = ("family", "name", "sentence", "formula", "source", "direction", "aliases", "aggregation")
    return {
        **{k: text[k] for k in keys},
        "range": [end if math.isfinite(end) else None for end in text["range"]],
        "fixed": {k: v for k, v in measure.values if k not in {o.name for o in macro.options}},
        "macro": PREFIX + macro.name,
        "tables": list(macro.tables),
        "options": [
            {"name": o.name, "type": o.type, "default": o.default, "allowed": o.allowed} for o in macro.options
        ],
    }


def write(folder: Path) -> None:
    """Write all of it into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    entries, statements = measures()
    catalog = {"version": ir.__version__, "measures": entries}
    for name, value in {"catalog": catalog, "macros": statements}.items():
        (folder / f"{name}.json").write_text(
            json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")), "utf-8"
        )
    examples = folder / "examples"
    examples.mkdir(exist_ok=True)
    demo = ROOT / "data" / "stdlib"
    shutil.copy(demo / "qrels.txt", examples / "qrels.txt")
    for run in sorted((demo / "runs").iterdir()):
        shutil.copy(run, examples / run.name)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
