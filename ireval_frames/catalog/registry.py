"""The measures by family and name.

Modules declare them when they are imported, and are imported when one of their measures is looked up: the index has
the module of each.  Packages add measures of their own by entry points of the group `ireval_frames.measures`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ireval_frames.catalog import parsing
from ireval_frames.catalog.index import MEASURES, TREC_NAMES
from ireval_frames.catalog.other_names import written_here
from ireval_frames.declaration import Definition, Measure, TrecName
from ireval_frames.errors import Code, Hint, InvalidParameter, PluginWarning, UnknownName, listed, nearest, warn
from ireval_frames.parameters import Parameter

ENTRY_POINTS = "ireval_frames.measures"
# The line that evaluates a measure of each family, for errors.
FAMILIES = {
    "ranking": 'ir.evaluate(qrels, run, "{}")',
    "labels": 'ir.Labels(…).evaluate("{}")',
    "clusters": 'ir.Clusters(…).evaluate("{}")',
    "points": 'ir.Points(…).evaluate("{}")',
    "organization": 'ir.Organization(…).evaluate("{}")',
    "similarity": 'ir.Similarity(…).evaluate("{}")',
    "ratings": 'ir.Ratings(…).evaluate("{}")',
    "clicks": 'ir.Impressions(…).evaluate("{}")',
    "spans": 'ir.Spans(…).evaluate("{}")',
    "relations": 'ir.Relations(…).evaluate("{}")',
    "links": 'ir.Links(…).evaluate("{}")',
    "coreference": 'ir.Coreference(…).evaluate("{}")',
    "segmentation": 'ir.Segmentation(…).evaluate("{}")',
    "answers": 'ir.Answers(…).evaluate("{}")',
    "exposure": 'ir.FairExposure(…).evaluate("{}")',
    "recommendations": 'ir.Recommendations(…).evaluate("{}")',
    "timings": 'ir.Timings(…).evaluate("{}")',
    "nuggets": 'ir.Nuggets(…).evaluate("{}")',
    "citations": 'ir.Citations(…).evaluate("{}")',
    "verdicts": 'ir.verdicts.Verdicts(…).evaluate("{}")',
}
# The module whose `SHARED` are the parameters that every measure of a family has.
SHARED_IN = {"ranking": "ranking.inputs.facets"}


@dataclass
class Declared:
    """What has been declared so far."""

    definitions: dict[tuple[str, str], Definition] = field(default_factory=dict)
    names: dict[str, dict[str, Definition]] = field(default_factory=dict)
    """By family and name or alias."""
    trec: dict[str, tuple[Definition, TrecName]] = field(default_factory=dict)

    def copy(self) -> Declared:
        """An independent copy."""
        return Declared(dict(self.definitions), {f: dict(n) for f, n in self.names.items()}, dict(self.trec))


class Registry:
    """The measures by family and name.

    Each change replaces all of `_declared` under the lock, so that readers in other threads need none.  Nothing
    is imported while the lock is held.
    """

    def __init__(self) -> None:
        self._declared = Declared()
        self._lock = threading.RLock()
        self._entry_points: dict[str, str] | None = None

    # ---- declaring

    def shared(self, family: str) -> dict[str, Parameter]:
        """The parameters that every measure of a family has; the subject acts on them, not the measure's function."""
        module = SHARED_IN.get(family)
        return dict(importlib.import_module(_module(module)).SHARED) if module else {}

    def register(self, definition: Definition, *, replace: bool = False) -> None:
        """Add a definition; with `replace`, in the place of that of its family and name.

        Raises:
            InvalidParameter: its name is no word, or a name or alias of it is another measure's.
        """
        family, name = definition.family, definition.name
        if not name.isidentifier():
            raise InvalidParameter(
                f"{name!r} is not a name for a measure; it must be one word of letters, digits and underscores.",
                "Write, say, 'Tired'.",
            )
        names = (name, *definition.aliases, *(t.name for t in definition.trec))
        for one in names:
            self._import_declaring(one, [family])
        with self._lock:
            declared = self._declared.copy()
            if replace:
                _remove(declared, family, name)
            _refuse_known(declared, definition, names)
            declared.definitions[family, name] = definition
            declared.names.setdefault(family, {}).update(dict.fromkeys((name, *definition.aliases), definition))
            declared.trec.update({t.name: (definition, t) for t in definition.trec})
            self._declared = declared

    def remove(self, family: str, name: str) -> None:
        """Remove a measure with its aliases; nothing happens if there is none."""
        self._import_declaring(name, [family])
        with self._lock:
            declared = self._declared.copy()
            _remove(declared, family, name)
            self._declared = declared

    @contextmanager
    def restored(self) -> Iterator[None]:
        """What is declared, replaced or removed inside is as it was after it."""
        # Modules that are first imported inside would declare nothing after it.
        self._import_families(FAMILIES)
        before = self._declared
        try:
            yield
        finally:
            self._declared = before

    # ---- finding

    def definitions(self, family: str | None = None) -> list[Definition]:
        """The declared measures: those of the package in the order of its index, then others as they were declared."""
        self._import_families([family] if family else FAMILIES)
        definitions = [d for (f, _), d in self._declared.definitions.items() if family in (None, f)]
        return sorted(
            definitions, key=lambda d: len(_ORDER) if d.is_own else _ORDER.get((d.family, d.name), len(_ORDER))
        )

    def attribute(self, name: str, family: str, module: str) -> Measure:
        """The measure of that name or alias, as an attribute of the family's module.

        Raises:
            AttributeError: there is none.
        """
        if not name.startswith("_"):
            self._import_declaring(name, [family])
        definition = self._declared.names.get(family, {}).get(name)
        if definition is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return definition(**definition.fixed_by(name))

    def trec_names(self, text: str | None = None) -> Mapping[str, tuple[Definition, TrecName]]:
        """The names trec_eval has for measures; with a text, at least all those with which it begins."""
        if text is not None:
            self._import_declaring(text, ["ranking"])
            return self._declared.trec
        self._import_families(["ranking"])
        names = self._declared.trec
        return {name: names[name] for name in dict.fromkeys([*_BY_TREC_NAME, *names]) if name in names}

    def has(self, name: str, family: str | None = None) -> bool:
        """Whether a measure has exactly that name or alias."""
        families = [family] if family else list(FAMILIES)
        self._import_declaring(name, families)
        return any(name in names for f, names in self._declared.names.items() if family in (None, f))

    def find(self, name: str, family: str | None = None) -> Definition:
        """The definition of that name or alias.

        Raises:
            UnknownName: none has it, or several families do.
        """
        self._import_declaring(name, [family] if family else list(FAMILIES), exactly=True)
        tables = self._declared.names if family is None else {family: self._declared.names.get(family, {})}
        ordered = [tables[f] for f in (*FAMILIES, *(f for f in tables if f not in FAMILIES)) if f in tables]
        matches = [names[name] for names in ordered if name in names]
        if not matches:
            lowered = [d for names in tables.values() for n, d in names.items() if n.lower() == name.lower()]
            matches = list(dict.fromkeys(lowered))
        there = {d.family for d in matches}
        matches = [d for d in matches if d.same_in not in there]
        if len(matches) == 1:
            return matches[0]
        if matches:
            where = " or ".join(f"ir.{d.family}.{d.name}" for d in matches)
            raise UnknownName(f"Several families have a measure {name!r}.", f"Say which: {where}.")
        raise self._unknown(name, family)

    def _unknown(self, name: str, family: str | None) -> UnknownName:
        """The error that there is no measure of that name, with the family that has it or the nearest names."""
        if hint := self._written_here(name, family):
            return UnknownName(f"There is no measure {name!r}.", hint)
        self._import_declaring(name, list(FAMILIES))
        tables = self._declared.names
        ordered = [*FAMILIES, *(f for f in tables if f not in FAMILIES)]
        if elsewhere := [(f, n) for f in ordered for n in tables.get(f, ()) if n.lower() == name.lower()]:
            of, name = next((pair for pair in elsewhere if pair[1] == name), elsewhere[0])
            line = FAMILIES.get(of, f"ir.{of}.{name}")
            every = dict.fromkeys(f for f, _ in elsewhere)
            all_of = listed(dict.fromkeys(f for f, n in elsewhere if tables[f][n].same_in not in every))
            ours = self._ending_in(name, family)
            more = f" Of {family} there {'are' if len(ours) > 1 else 'is'} {listed(ours)}." if ours else ""
            return UnknownName(
                f"{name} is a measure of {all_of}, not of {family}.", f"Write {line.format(name)}.{more}"
            )
        self._import_families([family] if family else FAMILIES)
        declared, families = self._declared, [family] if family else list(self._declared.names)
        known = [n for f in families for n in declared.names.get(f, {})]
        known += list(declared.trec) if family in (None, "ranking") else []
        cut = {n: d.name for f in families for n, d in declared.names.get(f, {}).items() if d.at in d.parameters}
        near = parsing.with_cutoff(name, cut) or nearest(name, known)
        return UnknownName(f"There is no measure {name!r}.", near or _list_of(family))

    def _written_here(self, name: str, family: str | None) -> str:
        """The hint for a name that other tools have for a measure of this family, such as `f1_macro`."""
        families = [family] if family else list(FAMILIES)
        self._import_families(families)
        known = {
            n: n if d.fixed_by(n) else d.name for f in families for n, d in self._declared.names.get(f, {}).items()
        }
        return written_here(name, family, known)

    def _ending_in(self, name: str, family: str | None) -> list[str]:
        """The measures of a family whose names end in that of another family's measure."""
        names = self._declared.names.get(family or "", {}).values()
        return list(dict.fromkeys(d.name for d in names if d.name.lower().endswith(name.lower())))

    # ---- importing the modules that declare

    def _import_families(self, families: Iterable[str]) -> None:
        """Import all that declares measures of these families."""
        for family in families:
            for module in MEASURES.get(family, {}):
                importlib.import_module(_module(module))
        self._import_entry_points()

    def _import_declaring(self, name: str, families: Iterable[str], *, exactly: bool = False) -> None:
        """Import what declares a measure of this name in these families; also a name of trec_eval's.

        Args:
            name: the name, in any case.
            families: where to look.
            exactly: where one is written so, not those that differ in case.
        """
        modules: list[str] = []
        known = False
        written = exactly and any((family, name) in _ORDER for family in families)
        for family in families:
            if not written or (family, name) in _ORDER:
                modules += _BY_NAME.get((family, name.lower()), ())
            known = known or name in self._declared.names.get(family, {})
        if "ranking" in families:
            for start in (name, *[name[:i] for i, char in enumerate(name) if char in "_."]):
                modules += _BY_TREC_NAME.get(start, ())
        for module in modules:
            importlib.import_module(module)
        if not modules and not known:
            self._import_entry_points()

    def _import_entry_points(self) -> None:
        """Import the modules in which other packages declare measures; warns of those that cannot be imported."""
        if self._entry_points is None:
            points = importlib.metadata.entry_points(group=ENTRY_POINTS)
            self._entry_points = {point.module: point.name for point in points}
        for module, name in list(self._entry_points.items()):
            try:
                importlib.import_module(module)
            except Exception as error:  # noqa: BLE001 - whatever another package raises, ours goes on without it
                if self._entry_points.pop(module, None):
                    warn(
                        f"The measures of the entry point {name!r} are missing: importing {module} raises "
                        f"{type(error).__name__}: {error}",
                        PluginWarning,
                    )


def _list_of(family: str | None) -> Hint:
    """The line that lists the measures of a family, or all."""
    line = f'ir.measures("{family}")' if family else "ir.measures()"
    return Hint("List them: ", Code(line, f"ireval measures{f' --family {family}' if family else ''}"))


def _module(name: str) -> str:
    """The full name of a module of the package."""
    return f"{__name__.partition('.')[0]}.{name}"


def _remove(declared: Declared, family: str, name: str) -> None:
    definition = declared.definitions.pop((family, name), None)
    for one in [n for n, d in declared.names.get(family, {}).items() if d is definition]:
        del declared.names[family][one]
    for one in [n for n, (d, _) in declared.trec.items() if d is definition]:
        del declared.trec[one]


def _refuse_known(declared: Declared, definition: Definition, names: Iterable[str]) -> None:
    """Refuse names that another measure has, in any case.

    Raises:
        InvalidParameter: another measure has one.
    """
    family, name = definition.family, definition.name
    known = {n.lower(): d for n, d in declared.names.get(family, {}).items()}
    known |= {n.lower(): d for n, (d, _) in declared.trec.items() if d.family == family}
    for one in names:
        if other := known.get(one.lower()):
            what = f"{family} has a measure {one!r} already" + (f": {other.name}." if one != other.name else ".")
            same = one == name == other.name
            raise InvalidParameter(what, "Take another name" + (", or write replace=True." if same else "."))


def _modules_by_name() -> dict[tuple[str, str], list[str]]:
    """The modules of the index by family and lower-case name."""
    out: dict[tuple[str, str], list[str]] = {}
    for family, modules in MEASURES.items():
        for module, names in modules.items():
            for name in names.split():
                out.setdefault((family, name.lower()), []).append(_module(module))
    return out


_BY_NAME: dict[tuple[str, str], list[str]] = _modules_by_name()
_BY_TREC_NAME = {name: (_module(module),) for module, names in TREC_NAMES.items() for name in names.split()}
_ORDER: dict[Any, int] = {
    (family, name): i
    for i, (family, name) in enumerate(
        (family, name) for family, modules in MEASURES.items() for names in modules.values() for name in names.split()
    )
}
