"""Declaring measures, parsing their names, and pickling them."""

from __future__ import annotations

import copyreg
import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ireval_frames.catalog import parsing
from ireval_frames.catalog import trec_names as trec_text
from ireval_frames.catalog.registry import Registry
from ireval_frames.declaration import POOLED, UNSPECIFIED, Definition, Measure, Runs, TrecName
from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.expr import Expr
from ireval_frames.parameters import Parameter

Function = Callable[..., Expr]

_registry = Registry()
attribute = _registry.attribute
definitions = _registry.definitions
find = _registry.find
has = _registry.has
register = _registry.register
remove = _registry.remove
restored = _registry.restored
shared = _registry.shared
trec_names = _registry.trec_names


def measure(
    family: str,
    name: str,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    aliases: Iterable[str] = (),
    named: Mapping[str, Mapping[str, Any]] | None = None,
    at: str = "cutoff",
    range: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool | None = True,
    undefined: float | None = 0.0,
    aggregation: str = "mean",
    pools: bool = False,
    trec: Iterable[TrecName] = (),
    formula: str = "",
    source: str = "",
    runs: Runs | Callable[[Mapping[str, Any]], Runs] = "relational",
    cost: str = "",
    reads: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    check: Callable[[Measure, Mapping[str, Any]], None] | None = None,
    same_in: str = "",
    relevant: Callable[..., Expr] | None = UNSPECIFIED,
    adapt: Callable[[Function], Function] | None = None,
    replace: bool = False,
) -> Callable[[Function], Measure]:
    """Declare a measure by a function that gets the family's context and the parameters, and returns an expression.

    Args:
        family: the family's name, such as `ranking`.
        name: the canonical name.
        parameters: by name, of the kinds in `ireval_frames.parameters`.
        aliases: further names that parse to the same measure.
        named: further names that parse to the measure with these values of parameters.
        at: the parameter that is written after `@`.
        range: the smallest and largest value.
        higher_is_better: None where neither is better.
        undefined: the value where the expression is null; None leaves it undefined.
        aggregation: from units to one number.
        pools: the function can be evaluated for several units together, whose sums the context then gives; it is what
            `aggregation="pooled"` means, which needs no `pools`.
        trec: the names trec_eval has for it.
        formula: the formula as text.
        source: the paper or tool that defines it.
        runs: `relational`, or `python` if it has a step in Python over rows of the plan; or a function of the
            parameters' values that decides.
        cost: what the step in Python costs, and when it is needed if tables decide that.
        reads: columns of the inputs that it reads beyond those that every measure of the family does.
        without: shared parameters of the family that it does not take.
        check: gets a measure and its parameters, and refuses those that do not go together.
        same_in: a family that has the same measure, and is meant where a name is of both and no family is named.
        relevant: of rankings: a function of the context, and of parameters by their names, that counts what a query
            has to find; where it is 0 the policy `no_relevant` decides.  None for measures that have a value
            whatever is relevant, such as counts.
        adapt: turns the decorated function into one of the family's context.
        replace: take the place of the measure of this name.

    Raises:
        InvalidParameter: the family has that name already, the name is no word, or a step in Python has no cost.
    """
    if runs == "python" and not cost:
        raise InvalidParameter(
            f"{name} has a step in Python, and its declaration does not say what that costs.",
            'Write cost="n log n in the documents of a query".',
        )

    if relevant is not None and relevant is not UNSPECIFIED:
        for argument in list(inspect.signature(relevant).parameters)[1:]:
            if argument not in (parameters or {}):
                raise InvalidParameter(
                    f"relevant= of {name} takes {argument!r}, which is not one of its parameters.",
                    "It takes the context, and parameters of the measure by their names: relevant=lambda q, rel: …",
                )

    def declare(function: Function) -> Measure:
        definition = Definition(
            family=family,
            name=name,
            function=function if adapt is None else functools.wraps(function)(adapt(function)),
            parameters=dict(parameters or {}) | {n: p for n, p in shared(family).items() if n not in without},
            aliases=(*aliases, *(named or {})),
            named=dict(named or {}),
            at=at,
            range=range,
            higher_is_better=higher_is_better,
            undefined=undefined,
            aggregation=aggregation,
            pools=pools or aggregation == POOLED,
            trec=tuple(trec),
            formula=formula,
            source=source,
            runs=runs,
            cost=cost,
            reads=reads,
            check=check,
            same_in=same_in,
            relevant=relevant,
        )
        register(definition, replace=replace)
        return definition()

    return declare


def parse(text: str, family: str | None = None) -> Measure:
    """The measure that a text writes: `nDCG@10`, `P(rel=2)@5`, `RBP(p=0.8)`, or a trec_eval name such as `ndcg_cut_10`.

    Args:
        text: what was written.
        family: where to look; by default in all, and a name of several is an error.

    Raises:
        UnknownName: there is no such measure or parameter, or several families have it.
        InvalidParameter: a value is not allowed, or the text cannot be read.

    Example:
        >>> from ireval_frames.catalog import parse
        >>> parse("ndcg_cut_10"), parse("AP( rel = 2 )@100")
        (nDCG@10, AP(rel=2)@100)
    """
    text = text.strip()
    trec = trec_text.one_of(text, trec_names(text)) if family in (None, "ranking") else None
    if trec is not None:
        return trec
    name, arguments, at = parsing.parts(text)
    definition = find(name, family)
    measure = Measure.of(definition, {**definition.fixed_by(name), **parsing.arguments(text, arguments)})
    return measure if at is None else measure @ parsing.value(text, at)


def _written(measure: Measure) -> tuple[Callable[..., Measure], tuple[str, ...]]:
    """A measure is pickled and copied as what it is written, its function stays where it was declared."""
    definition = measure.definition
    if not definition.is_own:
        return parse, (str(measure), definition.family)
    return _of_module, (str(measure), definition.family, definition.name, definition.module)


def _of_module(text: str, family: str, name: str, module: str) -> Measure:
    """A measure of one's own, whose module is imported where it is not declared yet.

    Raises:
        UnknownName: the module does not exist, or does not declare it.
    """
    if not has(name, family):
        why = "is not imported here"
        if module != "__main__":
            try:
                importlib.import_module(module)
                why = "does not declare it here"
            except ImportError as error:
                why = f"cannot be imported here ({error})"
        if not has(name, family):
            raise UnknownName(
                f"{text} is a measure of one's own, declared in the module {module!r}, which {why}.",
                f"Import it first: import {module}"
                if module != "__main__"
                else "Declare it in a module of its own, and import that in both programs.",
            )
    return parse(text, family)


copyreg.pickle(Measure, _written)


def parse_all(measures: str | Measure | Iterable[str | Measure], family: str | None = None) -> list[Measure]:
    """Measures from one text (blanks or commas between them), one measure, or several of either.

    A trec_eval name with several default suffixes (`ndcg_cut`) means all of them.

    Raises:
        UnknownName, InvalidParameter: as `parse`; also for an empty text.
    """
    if isinstance(measures, Measure):
        return [measures]
    if isinstance(measures, Definition):
        return [measures()]
    if isinstance(measures, str):
        out = [m for part in parsing.split(measures) for m in _written_as(part, family)]
    elif isinstance(measures, Iterable):
        out = [m for part in measures for m in parse_all(part, family)]
    else:
        raise InvalidParameter(f"{measures!r} is not a measure.", 'Write, for example, "nDCG@10 AP".')
    if not out:
        raise InvalidParameter("There is no measure.", 'Write, for example, "nDCG@10 AP".')
    return list(dict.fromkeys(out))


def _written_as(text: str, family: str | None) -> list[Measure]:
    """The measure of a text; of a bare trec_eval name that is no measure's own one for each of its default suffixes."""
    if family in (None, "ranking") and not has(text):
        return trec_text.all_of(text, trec_names(text)) or [parse(text, family)]
    return [parse(text, family)]
