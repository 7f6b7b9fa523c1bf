"""A measure as a table macro: the plan of its declaration, with parameters in the place of its numbers.

A number becomes a parameter of the macro where the plan holds it as it is: where other values give the same text and
Python never looked at the value.  Elsewhere it stays what the measure says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames.declaration import Measure
from ireval_frames.engines import expressions
from ireval_frames.engines.sql_names import string
from ireval_frames.engines.sql_parameters import marked
from ireval_frames.errors import IrevalError, NotDefined
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.options import Option, Tried, numbers_of
from ireval_frames.macros.tables import SHAPES, Shape
from ireval_frames.macros.writing import MacroText

POSITIVE = Option("positive", "VARCHAR")
Written = tuple[str, set[str]]
"""A statement, and the columns of its stages."""


def measure_macro(measure: Measure) -> Macro:
    """The macro of a measure: a row per run and unit, with its value.

    Raises:
        NotDefined: the measure is no query, reads what macros have no table for, or lacks a parameter that must be
            told.

    Example:
        >>> import ireval_frames as ir
        >>> from ireval_frames.macros.making import measure_macro
        >>> made = measure_macro(ir.AP)
        >>> made.name, made.tables, [option.name for option in made.options]
        ('ap', ('qrels', 'run'), ['k', 'rel'])
    """
    refused: IrevalError | None = None
    for shape in SHAPES:
        if shape.family != measure.definition.family or not shape.holds(measure.definition.reads):
            continue
        try:
            made = _macro(shape, measure)
        except IrevalError as error:
            refused = refused or error
        else:
            if made is not None:
                return made
    raise NotDefined(
        f"There is no macro of {measure}: {refused.what if refused else 'it reads other tables than macros do.'}",
        (refused.hint if refused else "") or "Evaluate it in Python.",
    ) from refused


@dataclass(frozen=True)
class _Asked(Measure):
    """A measure of which some values are parameters; it is written with the first values that are tried."""

    said: str = ""

    def __str__(self) -> str:
        return self.said


def _macro(shape: Shape, measure: Measure) -> Macro | None:
    """The macro of a measure over tables of a shape; none if it does not read the shape's positive class."""
    tried = {one.name: one for one in numbers_of(measure)}
    while True:
        first = {name: one.values[0] for name, one in tried.items()}
        looked_at: set[str] = set()
        text = _text(shape, measure, tried, first, looked_at)
        looked_at = looked_at or {n for n in tried if not _is_alike(shape, measure, tried, n, text)}
        if not looked_at:
            break
        tried = {name: one for name, one in tried.items() if name not in looked_at}
    unread = {n for n, one in tried.items() if _text(shape, measure, {**tried, n: one.unread()}, first, set()) == text}
    tried = {name: one for name, one in tried.items() if name not in unread}
    if shape.positive and _text(shape, measure, tried, first, set(), positive="ireval_unread") == text:
        return None
    body, columns = text
    hidden = {n: one.renamed() for n, one in tried.items() if one.option.name.lower() in columns}
    if hidden:
        # In a macro the name of a parameter hides that of a column.
        tried |= hidden
        body, _ = _text(shape, measure, tried, first, set())
    options = [one.option for one in sorted(tried.values(), key=lambda one: one.name != "cutoff")]
    if shape.positive:
        check = f"{POSITIVE.name} IS NOT NULL AND {shape.is_class(POSITIVE.name)}"
        options = [replace(POSITIVE, check=check, must="one of the classes"), *options]
    fixed = [f"{n} = {v!r}" for n, v in measure.values if n not in tried]
    sentence = measure.definition.sentence + (f" With {', '.join(fixed)}." if fixed else "")
    return Macro(name_of(measure, tried), tuple(shape.tables), tuple(options), _guarded(body, options), sentence)


def name_of(measure: Measure, options: Mapping[str, Any]) -> str:
    """The name of a measure's macro: its own, its family's unless that is rankings, and the values it was asked with.

    Args:
        measure: the measure.
        options: the parameters that are those of the macro, whose values are no part of its name.
    """
    words = [] if measure.definition.family == "ranking" else [measure.definition.family]
    words.append(measure.name)
    for name, value in measure.values:
        if name not in options:
            words += [name, "".join(c if c.isalnum() else "_" for c in str(value)).strip("_")]
    if measure.aggregation != measure.definition.aggregation:
        words.append(measure.aggregation)
    return "_".join(words).lower()


def _is_alike(shape: Shape, measure: Measure, tried: Mapping[str, Tried], name: str, text: Written) -> bool:
    """Whether other values of a parameter give the same text, unseen by Python."""
    first = {n: one.values[0] for n, one in tried.items()}
    looked_at: set[str] = set()
    for value in tried[name].values[1:]:
        try:
            found = _text(shape, measure, tried, {**first, name: value}, looked_at)
        except IrevalError:
            return False
        if found != text or looked_at:
            return False
    return True


def _text(
    shape: Shape,
    measure: Measure,
    tried: Mapping[str, Tried],
    values: Mapping[str, Any],
    looked_at: set[str],
    positive: str = POSITIVE.name,
) -> Written:
    """The statement for some values of the parameters, and the columns of its stages."""
    given = dict(measure.values)
    for name, value in values.items():
        if name in tried:
            given[name] = marked(value, name, looked_at, tried[name].sql)
    needed = {n: one.values[0] for n, one in tried.items() if not one.option.default}
    said = str(Measure.of(measure.definition, {**dict(measure.values), **needed}, measure.aggregation))
    asked = _Asked(measure.definition, tuple(given.items()), measure.aggregation, said)
    return _written(shape, asked, [one.option for one in tried.values()], positive)


def _written(shape: Shape, measure: Measure, options: Sequence[Option], positive: str) -> Written:
    more = {"positive": marked("positive", positive, set())} if shape.positive else {}
    engine = MacroText(shape.doors(), [*options, *[POSITIVE] * shape.positive])
    with engine.errors():
        built = shape.subject(**shape.empty(), **more).build(asked=[measure])(engine, [measure])
        keys = {built.named.get(k, k): expressions.column(k) for k in built.keys}
        return engine.written(built.ready().frame.select(**keys, value=nw.col("m0")))


def _guarded(body: str, options: Sequence[Option]) -> str:
    """The statement, refusing values that a parameter does not take."""
    whens = [f"WHEN NOT ({o.check}) THEN error({string(f'{o.name} must be {o.must}.')})" for o in options if o.check]
    return f"SELECT * FROM (\n{body}\n)\nWHERE CASE {' '.join(whens)} ELSE TRUE END" if whens else body
