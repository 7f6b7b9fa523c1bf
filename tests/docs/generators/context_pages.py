"""The pages of contexts, `docs/contexts/`: the attributes that formulas of each family use, from the classes."""

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
from tests.docs.generators.markdown import escaped

# By family: the module, the class of the argument of formulas with its usual name, and classes of its attributes.
CONTEXTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "ranking": ("ranking.context", (("Query", "q"),)),
    "labels": ("labels.context", (("LabelContext", "u"), ("Counts", "counts"))),
    "clusters": ("clusters.context", (("ClusterContext", "c"), ("Pairs", "c.pairs"))),
    "exposure": ("exposure.context", (("ExposureContext", "c"),)),
    "recommendations": ("recommendations.context", (("RecommendationContext", "c"),)),
    "coreference": ("coreference.context", (("CoreferenceContext", "c"), ("Side", "c.gold"))),
    "relations": ("relations.context", (("RelationContext", "c"), ("Counts", "counts"))),
    "links": ("links.context", (("LinkContext", "c"), ("Counts", "counts"))),
    "points": ("points.context", (("PointContext", "u"),)),
    "organization": ("organization.context", (("OrganizationContext", "d"),)),
    "ratings": ("ratings.context", (("RatingContext", "c"),)),
    "answers": ("answers.context", (("AnswerContext", "q"), ("Overlap", "q.overlap(of)"))),
    "nuggets": ("nuggets.context", (("NuggetContext", "q"),)),
    "citations": ("citations.context", (("CitationContext", "c"), ("Cited", "supported(c, …)"))),
    "verdicts": ("verdicts.context", (("VerdictContext", "c"),)),
    "segmentation": (
        "segmentation.context",
        (("SegmentationContext", "c"), ("Windows", "c.windows(k)"), ("Edits", "c.edits(n)")),
    ),
    "similarity": ("similarity.context", (("Pair", "pair"), ("Side", "pair.first"))),
    "spans": ("spans.context", (("SpanContext", "c"), ("Shares", "shares"))),
    "timings": ("timings.context", (("TimingContext", "t"),)),
    "clicks": ("clicks.context", (("ClickContext", "u"),)),
}


@dataclass(frozen=True)
class Attribute:
    """A public attribute of a context: its name with parameters, its annotation and its description."""

    text: str
    annotation: str
    sentence: str

    @cached_property
    def levels(self) -> list[str]:
        """What it has a value for, as names of `per`."""
        return re.findall(r"per\.(\w+)", self.annotation)

    @property
    def value(self) -> str:
        """The same as text."""
        if self.levels:
            return " or ".join(dict.fromkeys(level.lower() for level in self.levels))
        return {"None": "nothing", "Table": "a table"}.get(self.annotation, f"`{self.annotation}`")


def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    return {Path("contexts.md"): _index()} | {Path("contexts") / f"{family}.md": _page(family) for family in CONTEXTS}


def _index() -> str:
    lines = [
        "# Contexts", "",
        "The formula of [a measure of your own](own_measures.md) takes the context of its family as its argument.",
        "Each page lists the attributes of one context.", "",
        "| family | argument |", "|---|---|",
    ]  # fmt: skip
    for family, (_, names) in CONTEXTS.items():
        arguments = ", ".join(f"`{variable}`: {name}" for name, variable in names)
        lines.append(f"| [{family}](contexts/{family}.md) | {arguments} |")
    return "\n".join(lines) + "\n"


def classes(family: str) -> list[tuple[type, str]]:
    """The classes of a family's page, and their usual names in formulas."""
    path, names = CONTEXTS[family]
    module = importlib.import_module(f"ireval_frames.{path}")
    return [(getattr(module, name), variable) for name, variable in names]


def attributes(cls: type) -> list[Attribute]:
    """The public attributes, in the order of the file."""
    return [*_fields(cls), *_methods(cls)]


def _fields(cls: type) -> Iterator[Attribute]:
    """The fields of a dataclass, described by its docstring."""
    if not is_dataclass(cls):
        return
    descriptions = dict(re.findall(r"^ +(\w+): (.+)$", inspect.getdoc(cls) or "", re.MULTILINE))
    for name, annotation in inspect.get_annotations(cls).items():
        level = "per.Same" if annotation == "Ratio" else str(annotation).removesuffix(" | None")
        sentence = descriptions[name]
        yield Attribute(name, level, sentence[0].upper() + sentence[1:])


def _methods(cls: type) -> Iterator[Attribute]:
    for name, value in vars(cls).items():
        function: Any = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        signature = inspect.signature(function)
        parameters = [_parameter(p) for n, p in signature.parameters.items() if n != "self"]
        text = name if isinstance(value, property) else f"{name}({', '.join(parameters)})"
        sentence = (inspect.getdoc(function) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
        yield Attribute(text, str(signature.return_annotation).removesuffix(" | None") or "None", sentence)


def _parameter(parameter: inspect.Parameter) -> str:
    name = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
    return name if parameter.default is parameter.empty else f"{name}={parameter.default!r}"


def _page(family: str) -> str:
    contexts = [(cls, variable, attributes(cls)) for cls, variable in classes(family)]
    lines = [f"# Attributes for measures of {family}", ""]
    lines += ["An attribute is an expression; using it adds its column to the plan.", ""]
    lines += ["| one value per | |", "|---|---|"]
    used = {level for _, _, members in contexts for a in members for level in a.levels}
    lines += [f"| {level.lower()} | {text} |" for level, text in levels().items() if level in used]
    for cls, variable, members in contexts:
        lines += [
            "",
            f"## `{variable}`: {cls.__name__}",
            "",
            (inspect.getdoc(cls) or "").split("\n", maxsplit=1)[0],
            "",
        ]
        lines += ["| attribute | one value per | |", "|---|---|---|"]
        lines += [f"| `{variable}.{a.text}` | {escaped(a.value)} | {escaped(a.sentence)} |" for a in members]
    return "\n".join([*lines, ""])


def levels() -> dict[str, str]:
    """The levels of `per`, and their descriptions."""
    body = ast.parse(Path(per.__file__).read_text(encoding="utf-8")).body
    return {
        ast.unparse(one.targets[0]): str(ast.literal_eval(other.value))
        for one, other in itertools.pairwise(body)
        if isinstance(one, ast.Assign) and isinstance(other, ast.Expr)
    }
