"""A measure as a table macro: the plan of its declaration, with parameters in the place of its numbers.

A number becomes a parameter of the macro where the plan holds it as it is: where other values give the same text and
Python never looked at the value.  Elsewhere it stays what the measure says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames.declaration import Measure
from ireval_frames.engines.quoting import string
from ireval_frames.engines.sql.expressions import sql
from ireval_frames.errors import IrevalError, NotDefined
from ireval_frames.evaluation.request import plan_of
from ireval_frames.expr import col
from ireval_frames.expr.functions import param
from ireval_frames.expr.parameter import Looks, recorded
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.options import Tried, numbers_of
from ireval_frames.macros.shapes import POSITIVE, SHAPES, Shape
from ireval_frames.macros.writing import MacroText
from ireval_frames.subject import request_of


def measure_macro(measure: Measure, says: str = "") -> Macro:
    """The macro of a measure: a row per run and unit, with its value.

    Args:
        measure: the measure.
        says: what its name ends with, where a family has macros of several kinds of tables.

    Raises:
        NotDefined: the measure is no query, reads what macros have no table for, or lacks a parameter that must be
            told.

    Example:
        >>> import ireval_frames as ir
        >>> from ireval_frames.macros.making import measure_macro
        >>> made = measure_macro(ir.AP)
        >>> made.name, made.tables, [option.name for option in made.options]
        ('ap', ('qrels', 'run'), ['k', 'rel', 'duplicates'])
    """
    refused: IrevalError | None = None
    for shape in SHAPES:
        if (shape.family, shape.says) != (measure.definition.family, says) or not shape.holds(measure):
            continue
        try:
            made = _macro(shape, measure)
        except IrevalError as error:
            refused = error
        else:
            if made is not None:
                return made
    raise NotDefined(
        f"There is no macro of {measure}: {refused.what if refused else 'it reads other tables than macros do.'}",
        (refused.hint if refused else "") or "Evaluate it in Python.",
    ) from refused


@dataclass(frozen=True)
class _Asked(Measure):
    """A measure of which some values are parameters; it is written without them."""

    said: str = ""

    def __str__(self) -> str:
        return self.said


@dataclass(frozen=True)
class Written:
    """A statement in which each parameter stands after its mark.

    Attributes:
        text: the statement.
        columns: the columns of its stages.
        conditions: what Python found of the values, which must hold for others, too.
        looked_at: the parameters whose values Python looked at otherwise.
    """

    text: str
    columns: frozenset[str]
    conditions: tuple[str, ...]
    looked_at: frozenset[str]


def _macro(shape: Shape, measure: Measure) -> Macro | None:
    """The macro of a measure over tables of a shape; none if it does not read the shape's positive class."""
    tried = {one.name: one for one in numbers_of(measure)}
    while True:
        found = _written(shape, measure, tried, 0, said=not tried)
        if shape.positive and _mark(POSITIVE.name) not in found.text:
            return None
        unlike = found.looked_at or _unlike(shape, measure, tried, found)
        if not unlike:
            break
        tried = {name: one for name, one in tried.items() if name not in unlike}
    found = _written(shape, measure, tried, 0, said=True) if tried else found
    texts = [found.text, *found.conditions]
    tried = {name: one for name, one in tried.items() if any(_mark(name) in text for text in texts)}
    for name, one in tried.items():
        if one.option.name.lower() in found.columns:
            # In a macro the name of a parameter hides that of a column.
            tried[name] = one.renamed()
            texts = [text.replace(_mark(name) + one.sql, _mark(name) + tried[name].sql) for text in texts]
    texts = [_unmarked(text, [*tried, POSITIVE.name]) for text in texts]
    options = [one.option for one in sorted(tried.values(), key=lambda one: one.name != "cutoff")]
    options = [*(o for o in shape.options if not o.default), *options, *(o for o in shape.options if o.default)]
    fixed = [n for n in measure.definition.parameters if n not in tried]
    body = shape.guarded(texts[0], options, texts[1:])
    name = "_".join([name_of(measure, tried), *([shape.says] if shape.says else [])])
    return Macro(name, (*shape.tables, *shape.more), tuple(options), body, _sentence(measure, fixed))


def _sentence(measure: Measure, fixed: Sequence[str]) -> str:
    """What the macro gives, and how another is made where parameters are no parameters of it."""
    values = {n: v for n, v in measure.values if n in fixed}
    said = measure.definition.sentence
    said += f" With {', '.join(f'{n} = {v!r}' for n, v in values.items())}." if values else ""
    if not fixed:
        return said
    family = "" if measure.definition.family == "ranking" else f" --family {measure.definition.family}"
    line = f'ireval macros -m "{measure.name}({fixed[0]}=…)"{family}'
    return f"{said} Fixed: {', '.join(fixed)}; other values by {line}."


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


def _unlike(shape: Shape, measure: Measure, tried: Mapping[str, Tried], first: Written) -> set[str]:
    """The parameters of which other values give another text, or are looked at: all at once, then one by one."""
    if not tried or _is_alike(shape, measure, tried, first):
        return set()
    out: set[str] = set()
    for name in tried:
        one = {n: t if n == name else t.first_only() for n, t in tried.items()}
        if not _is_alike(shape, measure, one, first):
            out.add(name)
    # What differs together and not alone: none of them.
    return out or set(tried)


def _is_alike(shape: Shape, measure: Measure, tried: Mapping[str, Tried], first: Written) -> bool:
    try:
        return _written(shape, measure, tried, 1) == first
    except IrevalError:
        return False


def _written(shape: Shape, measure: Measure, tried: Mapping[str, Tried], at: int, *, said: bool = False) -> Written:
    """The statement for the values at a place of those that are tried; `said` with the texts of errors."""
    looks, given = Looks(), dict(measure.values)
    for name, one in tried.items():
        value = one.values[min(at, len(one.values) - 1)]
        given[name] = param(name, value, _mark(name) + one.sql)
    asked = _Asked(measure.definition, tuple(given.items()), measure.aggregation, str(measure))
    more: dict[str, Any] = {}
    options = [one.option for one in tried.values()]
    if shape.positive:
        more = {POSITIVE.name: _POSITIVE}
        options = [*options, POSITIVE]
    engine = MacroText(shape.doors(), options, shape.constants)
    with engine.errors(), recorded(looks):
        built = plan_of(request_of(shape.subject(**shape.empty(), **more), [asked]), engine)
        keys = {built.named.get(k, k): col(k) for k in built.keys}
        values = built.units().frame.select(**keys, value=col("m0"))
        for check in built.checks:
            check()
        text, columns = engine.written(values, said=said)
    conditions = tuple(sql(condition) for condition in looks.conditions.values())
    return Written(
        text.replace(string(_POSITIVE), _POSITIVE_SQL), frozenset(columns), conditions, frozenset(looks.names)
    )


def _mark(name: str) -> str:
    """What stands before a parameter while a macro is made."""
    return f"/*{name}*/"


# The positive class while a macro is made: what stands for a parameter in messages, too.
_POSITIVE_SQL = f"CAST({_mark(POSITIVE.name)}{POSITIVE.name} AS VARCHAR)"
_POSITIVE = f"«={_POSITIVE_SQL}»"


def _unmarked(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = text.replace(_mark(name), "")
    return text
