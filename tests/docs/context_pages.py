"""The pages of contexts, `docs/contexts/`: what a measure of each family may ask for, made from the classes."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ireval_frames import per
from tests.docs.markdown import escaped

# By family: the file, the class that functions of measures are handed and what they call it, and what leads further.
CONTEXTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "ranking": ("ranking.context", (("Query", "q"),)),
    "labels": ("labels.context", (("LabelContext", "u"), ("Counts", "counts"))),
    "clusters": ("clusters.context", (("ClusterContext", "c"), ("Pairs", "c.pairs"))),
    "points": ("points.context", (("PointContext", "u"),)),
    "organization": ("organization.context", (("OrganizationContext", "d"),)),
    "ratings": ("ratings.context", (("RatingContext", "c"),)),
    "similarity": ("similarity.context", (("Pair", "pair"), ("Side", "pair.first"))),
    "clicks": ("clicks.context", (("ClickContext", "u"),)),
}


@dataclass(frozen=True)
class Attribute:
    """A public attribute of a context: how it is written, what it gives, and what that is."""

    written: str
    annotation: str
    sentence: str

    @cached_property
    def levels(self) -> list[str]:
        """What it has values for, in the words of `per`."""
        return re.findall(r"per\.(\w+)", self.annotation)

    @property
    def gives(self) -> str:
        """The same for people."""
        if self.levels:
            return " or ".join(dict.fromkeys(level.lower() for level in self.levels))
        return {"None": "nothing", "Table": "a table"}.get(self.annotation, f"`{self.annotation}`")


def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    return {Path("contexts.md"): _index()} | {Path("contexts") / f"{family}.md": _page(family) for family in CONTEXTS}


def _index() -> str:
    lines = [
        "# Contexts", "",
        "A measure of your own gets the context of its family ([a measure of your own](own_measures.md)); each page",
        "lists what it may ask for.", "",
        "| family | the function gets |", "|---|---|",
    ]  # fmt: skip
    for family, (_, names) in CONTEXTS.items():
        got = ", ".join(f"`{called}`: {name}" for name, called in names)
        lines.append(f"| [{family}](contexts/{family}.md) | {got} |")
    return "\n".join(lines) + "\n"


def classes(family: str) -> list[tuple[type, str]]:
    """The classes of a family's page, and what they are called in formulas."""
    file, names = CONTEXTS[family]
    module = importlib.import_module(f"ireval_frames.{file}")
    return [(getattr(module, name), called) for name, called in names]


def attributes(cls: type) -> list[Attribute]:
    """The public attributes, in the order of the file."""
    return [*_fields(cls), *_defined(cls)]


def _fields(cls: type) -> Iterator[Attribute]:
    """Those of a data class, with the words of its docstring."""
    if not is_dataclass(cls):
        return
    words = dict(re.findall(r"^ +(\w+): (.+)$", inspect.getdoc(cls) or "", re.MULTILINE))
    for name, annotation in inspect.get_annotations(cls).items():
        given = "per.Same" if annotation == "Ratio" else str(annotation).removesuffix(" | None")
        sentence = words[name]
        yield Attribute(name, given, sentence[0].upper() + sentence[1:])


def _defined(cls: type) -> Iterator[Attribute]:
    for name, value in vars(cls).items():
        function: Any = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        signature = inspect.signature(function)
        taken = [] if isinstance(value, property) else [p for n, p in signature.parameters.items() if n != "self"]
        written = f"{name}({', '.join(_taken(p) for p in taken)})" if not isinstance(value, property) else name
        sentence = (inspect.getdoc(function) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
        yield Attribute(written, str(signature.return_annotation).removesuffix(" | None") or "None", sentence)


def _taken(parameter: inspect.Parameter) -> str:
    name = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
    return name if parameter.default is parameter.empty else f"{name}={parameter.default!r}"


def _page(family: str) -> str:
    made = [(cls, called, attributes(cls)) for cls, called in classes(family)]
    lines = [f"# What a measure of {family} may ask for", ""]
    lines += ["An attribute is an expression, and asking for it puts a column into the plan.", ""]
    lines += ["| given per | |", "|---|---|"]
    used = {level for _, _, found in made for a in found for level in a.levels}
    lines += [f"| {level.lower()} | {says} |" for level, says in levels().items() if level in used]
    for cls, called, found in made:
        lines += ["", f"## `{called}`: {cls.__name__}", "", (inspect.getdoc(cls) or "").split("\n", maxsplit=1)[0], ""]
        lines += ["| attribute | given per | |", "|---|---|---|"]
        lines += [f"| `{called}.{a.written}` | {escaped(a.gives)} | {escaped(a.sentence)} |" for a in found]
    return "\n".join([*lines, ""])


def levels() -> dict[str, str]:
    """The words for what an expression has a value for, and what they mean, as `per` has them."""
    body = ast.parse(Path(per.__file__).read_text(encoding="utf-8")).body
    return {
        ast.unparse(one.targets[0]): str(ast.literal_eval(other.value))
        for one, other in itertools.pairwise(body)
        if isinstance(one, ast.Assign) and isinstance(other, ast.Expr)
    }
