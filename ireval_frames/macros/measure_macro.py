"""A measure as a table macro: the statement of its plan, with options in the place of numbers.

A number becomes an option where other values give the same statement, and Python code did not depend on the value.
Other numbers are fixed.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames.declaration import Measure
from ireval_frames.engines.quoting import identifier, string
from ireval_frames.engines.sql.expressions import sql
from ireval_frames.errors import IrevalError, NotDefined
from ireval_frames.evaluation.request import plan_of
from ireval_frames.expr import col
from ireval_frames.expr.functions import param
from ireval_frames.expr.parameter import Looks, recorded
from ireval_frames.macros.macro import Candidate, Macro, candidates_of
from ireval_frames.macros.shapes import POSITIVE, SHAPES, Shape
from ireval_frames.macros.statement import MacroText
from ireval_frames.subject import request_of


# A macro depends on its measure alone, and planning it takes longer than creating it.
@functools.cache
def measure_macro(measure: Measure, suffix: str = "") -> Macro:
    """The macro of a measure: a row per run and unit with its value.

    Args:
        measure: the measure.
        suffix: the end of its name, where a family has macros of several kinds of tables.

    Raises:
        NotDefined: the measure is not a query, reads tables that macros do not take, or lacks a required parameter.

    Example:
        >>> import ireval_frames as ir
        >>> from ireval_frames.macros.measure_macro import measure_macro
        >>> macro = measure_macro(ir.AP)
        >>> macro.name, macro.tables, [option.name for option in macro.options]
        ('ap', ('qrels', 'run'), ['k', 'rel', 'duplicates'])
    """
    failure: IrevalError | None = None
    for shape in SHAPES:
        if (shape.family, shape.suffix) != (measure.definition.family, suffix) or not shape.holds(measure):
            continue
        try:
            macro = _macro(shape, measure)
        except IrevalError as error:
            failure = error
        else:
            if macro is not None:
                return macro
    in_python = failure is not None and "step in Python" in failure.what
    raise NotDefined(
        f"There is no macro of {measure}: {failure.what if failure else 'it reads other tables than macros do.'}",
        (failure.hint if failure and not in_python else "") or "Leave it out, or evaluate it outside of SQL.",
    ) from failure


@dataclass(frozen=True)
class _ParameterizedMeasure(Measure):
    """A measure with parameters as values; its text is that of the original."""

    text: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Statement:
    """A statement in which each parameter follows its mark.

    Attributes:
        text: the statement.
        columns: the columns of its stages.
        conditions: comparisons that Python evaluated, which must hold for other values, too.
        inspected: parameters whose values Python used in another way.
    """

    text: str
    columns: frozenset[str]
    conditions: tuple[str, ...]
    inspected: frozenset[str]


def _macro(shape: Shape, measure: Measure) -> Macro | None:
    """The macro of a measure over tables of a shape; None if it does not read its positive class or further tables."""
    candidates = {c.name: c for c in candidates_of(measure)}
    while True:
        statement = _statement(shape, measure, candidates, 0, messages=not candidates)
        if shape.positive and _mark(POSITIVE.name) not in statement.text:
            return None
        if any(f"query_table({identifier(name)})" not in statement.text for name in shape.more):
            return None
        fixed_names = statement.inspected or _not_options(shape, measure, candidates, statement)
        if not fixed_names:
            break
        candidates = {name: c for name, c in candidates.items() if name not in fixed_names}
    statement = _statement(shape, measure, candidates, 0, messages=True) if candidates else statement
    texts = [statement.text, *statement.conditions]
    candidates = {name: c for name, c in candidates.items() if any(_mark(name) in text for text in texts)}
    for name, candidate in candidates.items():
        if candidate.option.name.lower() in statement.columns:
            # In a macro, the name of a parameter hides that of a column.
            renamed = candidates[name] = candidate.renamed()
            texts = [text.replace(_mark(name) + candidate.sql, _mark(name) + renamed.sql) for text in texts]
    texts = [_unmarked(text, [*candidates, POSITIVE.name]) for text in texts]
    options = [c.option for c in sorted(candidates.values(), key=lambda c: c.name != "cutoff")]
    options = [*(o for o in shape.options if not o.default), *options, *(o for o in shape.options if o.default)]
    fixed = [n for n in measure.definition.parameters if n not in candidates]
    body = shape.guarded(texts[0], options, texts[1:])
    name = "_".join([name_of(measure, candidates), *([shape.suffix] if shape.suffix else [])])
    return Macro(name, (*shape.tables, *shape.more), tuple(options), body, _sentence(measure, fixed))


def _sentence(measure: Measure, fixed: Sequence[str]) -> str:
    """The comment of the macro: the measure, its fixed parameters, and the command for other values of them."""
    values = {n: v for n, v in measure.values if n in fixed}
    sentence = measure.definition.sentence
    sentence += f" With {', '.join(f'{n} = {v!r}' for n, v in values.items())}." if values else ""
    if not fixed:
        return sentence
    family = "" if measure.definition.family == "ranking" else f" --family {measure.definition.family}"
    line = f'ireval macros -m "{measure.name}({fixed[0]}=…)"{family}'
    return f"{sentence} Fixed: {', '.join(fixed)}; other values by {line}."


def name_of(measure: Measure, options: Mapping[str, Any]) -> str:
    """The name of a measure's macro: its family unless that is rankings, its name, and its values.

    Args:
        measure: the measure.
        options: the parameters that are options of the macro, whose values are not in its name.
    """
    words = [] if measure.definition.family == "ranking" else [measure.definition.family]
    words.append(measure.name)
    for name, value in measure.values:
        if name not in options:
            words += [name, "".join(c if c.isalnum() else "_" for c in str(value)).strip("_")]
    if measure.aggregation != measure.definition.aggregation:
        words.append(measure.aggregation)
    return "_".join(words).lower()


def _not_options(shape: Shape, measure: Measure, candidates: Mapping[str, Candidate], expected: Statement) -> set[str]:
    """The parameters of which other values give another statement: all at once, then one by one."""
    if not candidates or _is_same(shape, measure, candidates, expected):
        return set()
    out: set[str] = set()
    for name in candidates:
        single = {n: c if n == name else c.default_only() for n, c in candidates.items()}
        if not _is_same(shape, measure, single, expected):
            out.add(name)
    # Where they differ only together, all are fixed.
    return out or set(candidates)


def _is_same(shape: Shape, measure: Measure, candidates: Mapping[str, Candidate], expected: Statement) -> bool:
    try:
        return _statement(shape, measure, candidates, 1) == expected
    except IrevalError:
        return False


def _statement(
    shape: Shape, measure: Measure, candidates: Mapping[str, Candidate], at: int, *, messages: bool = False
) -> Statement:
    """The statement for the values of candidates at an index, with or without the texts of errors."""
    looks, values = Looks(), dict(measure.values)
    for name, candidate in candidates.items():
        value = candidate.values[min(at, len(candidate.values) - 1)]
        values[name] = param(name, value, _mark(name) + candidate.sql)
    parameterized = _ParameterizedMeasure(measure.definition, tuple(values.items()), measure.aggregation, str(measure))
    more: dict[str, Any] = {}
    options = [c.option for c in candidates.values()]
    if shape.positive:
        more = {POSITIVE.name: _POSITIVE}
        options = [*options, POSITIVE]
    engine = MacroText(shape.selects(), options, shape.constants)
    with engine.errors(), recorded(looks):
        plan = plan_of(request_of(shape.subject(**shape.empty(), **more), [parameterized]), engine)
        keys = {plan.named.get(k, k): col(k) for k in plan.keys}
        rows = plan.units().frame.select(**keys, value=col("m0"))
        for check in plan.checks:
            check()
        text, columns = engine.macro_text(rows, messages=messages)
    conditions = tuple(sql(condition) for condition in looks.conditions.values())
    return Statement(
        text.replace(string(_POSITIVE), _POSITIVE_SQL), frozenset(columns), conditions, frozenset(looks.names)
    )


def _mark(name: str) -> str:
    """The comment before a parameter in a statement that is not finished."""
    return f"/*{name}*/"


# The positive class in a statement that is not finished, also in messages.
_POSITIVE_SQL = f"CAST({_mark(POSITIVE.name)}{POSITIVE.name} AS VARCHAR)"
_POSITIVE = f"«={_POSITIVE_SQL}»"


def _unmarked(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = text.replace(_mark(name), "")
    return text
