"""A measure as a table macro: the plan of its declaration, with parameters in the place of its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames.declaration import Measure
from ireval_frames.engines import expressions
from ireval_frames.engines.sql_names import identifier, string
from ireval_frames.engines.sql_parameters import marked
from ireval_frames.engines.sql_values import literal, number
from ireval_frames.errors import IrevalError, NotDefined
from ireval_frames.macros.tables import SHAPES, Shape
from ireval_frames.macros.writing import MacroText, Option
from ireval_frames.parameters import LARGEST_WHOLE, REQUIRED, Parameter

POSITIVE = Option("positive", "VARCHAR")
# Values that a parameter is tried with: the text must be the same for all that it takes.
TRIED = (10, 17, 0.5, 0.25, 1.5, 3.0)


@dataclass(frozen=True)
class Macro:
    """A table macro.

    Attributes:
        name: its name, without what is put before it.
        tables: its arguments that name tables.
        options: its other arguments.
        body: the statement.
        sentence: what it gives, for its comment.
    """

    name: str
    tables: tuple[str, ...]
    options: tuple[Option, ...]
    body: str
    sentence: str

    def text(self, prefix: str) -> str:
        """The statements that make it."""
        arguments = ", ".join([*map(identifier, self.tables), *(o.declared for o in self.options)])
        name = prefix + self.name
        return (
            f"CREATE OR REPLACE MACRO {name}({arguments}) AS TABLE (\n{self.body}\n);\n"
            f"COMMENT ON MACRO TABLE {name} IS {string(self.sentence)};\n"
        )


def measure_macro(measure: Measure) -> Macro:
    """The macro of a measure: a row per run and unit, with its value.

    Raises:
        NotDefined: the measure is no query, or reads what macros have no table for.
    """
    refused: Exception | None = None
    for shape in SHAPES:
        if shape.family != measure.definition.family or not _fits(shape, measure):
            continue
        try:
            return _macro(shape, measure)
        except IrevalError as error:
            refused = error
    raise NotDefined(
        f"There is no macro of {measure}: {refused or 'it reads tables that macros have no arguments for.'}",
        "Evaluate it in Python.",
    ) from refused


def _fits(shape: Shape, measure: Measure) -> bool:
    """Whether the tables have what a measure reads beyond labels and predictions."""
    given = {c.name for columns in shape.tables.values() for c in columns}
    scored = "score" in given and shape.family == "labels"
    return set(measure.definition.reads) <= given and scored == ("score" in measure.definition.reads)


def _macro(shape: Shape, measure: Measure) -> Macro:
    options = dict(_options(measure))
    while True:
        found = _agreed(shape, measure, options)
        if isinstance(found, tuple):
            break
        options = {name: o for name, o in options.items() if name not in found}
    body, taken = found
    used = [option.option for option in options.values()] + ([POSITIVE] if shape.positive else [])
    if clash := taken & {o.name.lower() for o in used}:
        raise NotDefined(f"The plan has columns named as its parameters: {', '.join(sorted(clash))}.", "")
    fixed = [f"{n}={v!r}" for n, v in measure.values if n not in options]
    sentence = measure.definition.sentence + (f" With {', '.join(fixed)}." if fixed else "")
    return Macro(name_of(measure, options), tuple(shape.tables), tuple(used), _guarded(body, used), sentence)


def name_of(measure: Measure, options: Mapping[str, Any]) -> str:
    """The name of a measure's macro: its own, with the values that are no parameters."""
    family = measure.definition.family
    words = [] if family == "ranking" else [family]
    words.append(measure.name)
    for name, value in measure.values:
        if name not in options:
            words += [name, "".join(c if c.isalnum() else "_" for c in str(value))]
    if measure.aggregation != measure.definition.aggregation:
        words.append(measure.aggregation)
    return "_".join(words).lower()


@dataclass(frozen=True)
class _Tried:
    """A parameter that may become one of the macro."""

    option: Option
    values: tuple[Any, ...]
    sql: str = ""


@dataclass(frozen=True)
class _Asked(Measure):
    """A measure of which some values are parameters; it is written with their defaults."""

    said: str = ""

    def __str__(self) -> str:
        return self.said


def _options(measure: Measure) -> Iterator[tuple[str, _Tried]]:
    """The numbers among a measure's parameters."""
    given = dict(measure.values)
    for name, parameter in measure.definition.parameters.items():
        default = given.get(name, parameter.default)
        values = [v for v in _convertible(parameter) if v != default]
        is_cutoff = name == "cutoff"
        if default is not REQUIRED and default is not None:
            values = [v for v in values if type(v) is type(default)]
            values.insert(0, default)
        elif default is None and not is_cutoff:
            continue
        if len(values) < 2 or isinstance(values[0], bool) or not isinstance(values[0], (int, float)):
            continue
        whole = isinstance(values[0], int)
        called = "k" if is_cutoff else name
        text = "" if default is REQUIRED else "NULL" if default is None else literal(default).sql
        check, must = _bounds(called, parameter, whole=whole)
        option = Option(called, "BIGINT" if whole else "DOUBLE", text, check, must)
        # No cutoff is one that no list reaches.
        sql = f"coalesce({called}, {LARGEST_WHOLE})" if default is None else ""
        yield name, _Tried(option, tuple(values[:3]), sql)


def _convertible(parameter: Parameter) -> Iterator[Any]:
    for value in TRIED:
        try:
            yield parameter.convert(value)
        except (ValueError, TypeError):
            continue


def _bounds(name: str, parameter: Parameter, *, whole: bool) -> tuple[str, str]:
    """The condition that values fulfil, and in words."""
    written = identifier(name)
    low, high = parameter.low, parameter.high if parameter.high < LARGEST_WHOLE else math.inf
    above, below = (">", "<") if parameter.open_ends else (">=", "<=")
    parts = [(above, low)] if low > -math.inf else []
    parts += [(below, high)] if high < math.inf else []
    shown = [str(int(v)) if float(v).is_integer() else repr(v) for _, v in parts]
    condition = " AND ".join(f"{written} {sign} {v}" for (sign, _), v in zip(parts, shown, strict=True))
    words = " and ".join(f"{sign} {v}" for (sign, _), v in zip(parts, shown, strict=True))
    return condition, f"a {'whole ' if whole else ''}number {words}" if words else ""


def _agreed(shape: Shape, measure: Measure, tried: Mapping[str, _Tried]) -> tuple[str, set[str]] | set[str]:
    """The text that all values of the parameters give; or the parameters of which the text depends on the value."""
    first = {name: one.values[0] for name, one in tried.items()}
    looked_at: set[str] = set()
    text = _text(shape, measure, tried, first, looked_at)
    if not looked_at:
        looked_at = {n for n, one in tried.items() if not _is_alike(shape, measure, tried, first, n, one, text)}
    return looked_at or text


def _is_alike(
    shape: Shape,
    measure: Measure,
    tried: Mapping[str, _Tried],
    first: Mapping[str, Any],
    name: str,
    one: _Tried,
    text: tuple[str, set[str]],
) -> bool:
    """Whether other values of a parameter give the same text, unseen by Python."""
    looked_at: set[str] = set()
    return all(
        _text(shape, measure, tried, {**first, name: v}, looked_at) == text and not looked_at for v in one.values[1:]
    )


def _text(
    shape: Shape, measure: Measure, tried: Mapping[str, _Tried], values: Mapping[str, Any], looked_at: set[str]
) -> tuple[str, set[str]]:
    """The statement for some values of the parameters, and the columns of its stages."""
    given = dict(measure.values)
    for name, value in values.items():
        given[name] = marked(value, name, looked_at, tried[name].sql or identifier(tried[name].option.name))
    needed = {n: one.values[0] for n, one in tried.items() if not one.option.default}
    said = str(Measure.of(measure.definition, {**dict(measure.values), **needed}, measure.aggregation))
    asked = _Asked(measure.definition, tuple(given.items()), measure.aggregation, said)
    options = [t.option for t in tried.values()]
    more = {}
    if shape.positive:
        options.append(POSITIVE)
        more["positive"] = marked("positive", "positive", set())
    engine = MacroText(shape.doors(), options)
    with engine.errors():
        subject = shape.subject(**shape.empty(), **more)
        built = subject.build(asked=[asked])(engine, [asked])
        frame = built.ready().frame
        named = {built.named.get(k, k): expressions.column(k) for k in built.keys}
        return engine.written(frame.select(**named, value=nw.col("m0")))


def _guarded(body: str, options: Sequence[Option]) -> str:
    """The statement, refusing values that a parameter does not take."""
    whens = [
        f"WHEN NOT ({o.check}) THEN error({string(f'{o.name} must be {o.must}.')})" for o in options if o.check
    ]
    return f"SELECT * FROM (\n{body}\n)\nWHERE CASE {' '.join(whens)} ELSE TRUE END" if whens else body


__all__ = ["Macro", "measure_macro", "number"]
