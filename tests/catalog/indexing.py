"""The index of the measures: `python -m tests.catalog.indexing` (`make index`) writes `ireval_frames/catalog/index.py`.

Modules and names keep their order in the file, which is that of the catalog: what most people want comes first.  New
measures stand where their module has them, new modules at the end of their family; move their lines by hand.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterable
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.catalog import index as measure_index
from ireval_frames.catalog.registry import FAMILIES
from ireval_frames.declaration import Definition

PACKAGE = "ireval_frames"
HEAD = '''"""Which module declares each measure, by family; measures are listed in this order.

Written by `make index`.  Names include aliases; below, the names that trec_eval has for measures.
"""

'''
WIDTH = 120


def declared() -> list[Definition]:
    """Every measure of the package, from all modules of its families."""
    for family in FAMILIES:
        package = importlib.import_module(f"{PACKAGE}.{family}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    return [d for d in catalog.definitions() if stands_in_its_module(d)]


def stands_in_its_module(definition: Definition) -> bool:
    """Whether the package's own code declares it, rather than an example of a docstring."""
    function = inspect.unwrap(getattr(definition.function, "func", definition.function))
    return not definition.is_own and "<doctest" not in function.__code__.co_filename


def by_module(definitions: Iterable[Definition]) -> dict[str, list[Definition]]:
    """The measures by the module that declares them, in the order of the index."""
    known = [
        (f, name)
        for f, modules in measure_index.MEASURES.items()
        for names in modules.values()
        for name in names.split()
    ]
    order = {of: i for i, of in enumerate(known)}
    out: dict[str, list[Definition]] = {}
    for one in definitions:
        out.setdefault(one.module.removeprefix(f"{PACKAGE}."), []).append(one)
    first = {m: min(order.get((d.family, d.name), len(order)) for d in found) for m, found in out.items()}
    return {m: out[m] for m in sorted(out, key=lambda m: first[m])}


def entry(module: str, names: Iterable[str], indent: int) -> str:
    """A line of the index, or several where it is long."""
    pad, text = " " * indent, " ".join(names)
    line = f'{pad}"{module}": "{text}",\n'
    if len(line) <= WIDTH:
        return line
    # As the formatter has it: quotes, and blanks between the parts.
    room = WIDTH - indent - 4 - 2
    parts = [text] if len(text) <= room else textwrap.wrap(text, room - 1, break_on_hyphens=False)
    out = [part + " " * (part is not parts[-1]) for part in parts]
    return f'{pad}"{module}": (\n' + "".join(f'{pad}    "{one}"\n' for one in out) + f"{pad}),\n"


def text() -> str:
    """The text of the index."""
    modules = by_module(declared())
    out = HEAD + "MEASURES: dict[str, dict[str, str]] = {\n"
    for family in FAMILIES:
        out += f'    "{family}": {{\n'
        for module, found in modules.items():
            if found[0].family == family:
                out += entry(module, [n for d in found for n in (d.name, *d.aliases)], 8)
        out += "    },\n"
    out += "}\nTREC_NAMES: dict[str, str] = {\n"
    for module, found in modules.items():
        if names := [trec.name for d in found for trec in d.trec]:
            out += entry(module, names, 4)
    return out + "}\n"


if __name__ == "__main__":
    Path(measure_index.__file__).write_text(text(), encoding="utf-8", newline="\n")
