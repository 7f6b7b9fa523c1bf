"""The measures by family and name.  Families register themselves."""

from __future__ import annotations

import copyreg
import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames import measure_text, trec_text
from ireval_frames.declaration import NOT_SAID, Definition, Measure, Runs, TrecName, read_by
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.parameters import Parameter

Function = Callable[..., nw.Expr]

_definitions: dict[tuple[str, str], Definition] = {}
_names: dict[str, dict[str, Definition]] = {}
_trec: dict[str, tuple[Definition, TrecName]] = {}
_later: dict[str, str] = {}
_evaluated: dict[str, str] = {}
_shared: dict[str, dict[str, Parameter]] = {}


def measure(
    family: str,
    name: str,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    aliases: Iterable[str] = (),
    at: str = "cutoff",
    range: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool | None = True,
    undefined: float | None = 0.0,
    aggregation: str = "mean",
    trec: Iterable[TrecName] = (),
    formula: str = "",
    source: str = "",
    runs: Runs | Callable[[Mapping[str, Any]], Runs] = "relational",
    cost: str = "",
    reads: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    check: Callable[[Measure, Mapping[str, Any]], None] | None = None,
    relevant: Callable[..., nw.Expr] | None = NOT_SAID,
    adapt: Callable[[Function], Function] | None = None,
    replace: bool = False,
) -> Callable[[Function], Measure]:
    """Declare a measure by a function that gets the family's context and the parameters, and returns an expression.

    Args:
        family: the family's name, such as `ranking`.
        name: the canonical name.
        parameters: by name, of the kinds in `ireval_frames.parameters`.
        aliases: further names that parse to the same measure.
        at: the parameter that is written after `@`.
        range: the smallest and largest value.
        higher_is_better: None where neither is better.
        undefined: the value where the expression is null; None leaves it undefined.
        aggregation: from units to one number.
        trec: the names trec_eval has for it.
        formula: the formula as text.
        source: the paper or tool that defines it.
        runs: `relational`, or `python` if it has a step in Python over rows of the plan; or a function of the
            parameters' values that says which.
        cost: what the step in Python costs, and when it is taken if tables decide that.
        reads: columns of the inputs that it reads beyond those that every measure of the family does.
        without: shared parameters of the family that it does not take.
        check: is handed a measure and its parameters, and refuses those that do not go together.
        relevant: of rankings: a function of the context, and of parameters by their names, that counts what there is to
            find in a query; where it is 0 the policy `no_relevant` decides.  None for measures that have a value
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

    if relevant is not None and relevant is not NOT_SAID:
        for argument in list(inspect.signature(relevant).parameters)[1:]:
            if argument not in (parameters or {}):
                raise InvalidParameter(
                    f"relevant= of {name} takes {argument!r}, which is not one of its parameters.",
                    "It takes the context, and parameters of the measure by their names: relevant=lambda q, rel: …",
                )

    def declare(function: Function) -> Measure:
        shared = {n: p for n, p in _shared.get(family, {}).items() if n not in without}
        definition = Definition(
            family=family,
            name=name,
            function=function if adapt is None else functools.wraps(function)(adapt(function)),
            parameters=dict(parameters or {}) | shared,
            aliases=tuple(aliases),
            at=at,
            range=range,
            higher_is_better=higher_is_better,
            undefined=undefined,
            aggregation=aggregation,
            trec=tuple(trec),
            formula=formula,
            source=source,
            runs=runs,
            cost=cost,
            reads=reads,
            check=check,
            relevant=relevant,
        )
        register(definition, replace=replace)
        return definition()

    return declare


def share(family: str, parameters: Mapping[str, Parameter]) -> None:
    """Give every measure of a family, declared from now on, further parameters.

    The subject acts on them, not the measure's function.
    """
    _shared.setdefault(family, {}).update(parameters)


def shared(family: str) -> dict[str, Parameter]:
    """The parameters that the measures of a family share."""
    return dict(_shared.get(family, {}))


def register(definition: Definition, *, replace: bool = False) -> None:
    """Put a definition into the catalog; with `replace`, in the place of that of its family and name.

    Raises:
        InvalidParameter: its name is no word, or a name or alias of it is another measure's.
    """
    family, name = definition.family, definition.name
    if not name.isidentifier():
        raise InvalidParameter(
            f"{name!r} is not a name for a measure; it must be one word of letters, digits and underscores.",
            "Write, say, 'Tired'.",
        )
    if replace:
        remove(family, name)
    taken = {n.lower(): d for n, d in _names.get(family, {}).items()}
    taken |= {n.lower(): d for n, (d, _) in _trec.items() if d.family == family}
    for one in (name, *definition.aliases, *(t.name for t in definition.trec)):
        if other := taken.get(one.lower()):
            what = f"{family} has a measure {one!r} already" + (f": {other.name}." if one != other.name else ".")
            same = one == name == other.name
            raise InvalidParameter(what, "Take another name" + (", or write replace=True." if same else "."))
    _definitions[family, name] = definition
    _names.setdefault(family, {}).update(dict.fromkeys((name, *definition.aliases), definition))
    _trec.update({t.name: (definition, t) for t in definition.trec})


def remove(family: str, name: str) -> None:
    """Take a measure out of the catalog, with its aliases; nothing happens if there is none."""
    found = _definitions.pop((family, name), None)
    for names in (_names.get(family, {}), _trec):
        for one in [n for n, d in names.items() if (d if isinstance(d, Definition) else d[0]) is found]:
            del names[one]


@contextmanager
def restored() -> Iterator[None]:
    """What is declared, replaced or removed inside is as it was after it."""
    # Families that were first looked for inside would be gone.
    _ensure_declared(None)
    tables: list[dict[Any, Any]] = [_definitions, _trec, *_names.values()]
    before = [dict(table) for table in tables]
    try:
        yield
    finally:
        for table, held in zip(tables, before, strict=True):
            table.clear()
            table.update(held)


def declare_lazily(family: str, module: str, evaluated: str) -> None:
    """Say which module declares a family, which is imported when one of its measures is looked for.

    Args:
        family: the family's name.
        module: the module.
        evaluated: the line that evaluates its measures, for errors.
    """
    _later[family], _evaluated[family] = module, evaluated


def _ensure_declared(family: str | None) -> None:
    """Import what declares a family, or all of them."""
    for name in [family] if family else list(_later):
        if module := _later.get(name):
            # Whoever asks while another thread imports it waits here; the module itself may ask while it declares.
            importlib.import_module(module)


def definitions(family: str | None = None) -> list[Definition]:
    """The declared measures, in the order of declaration."""
    _ensure_declared(family)
    return [d for (f, _), d in list(_definitions.items()) if family in (None, f)]


def attribute(name: str, family: str, module: str) -> Measure:
    """The measure of that name or alias, as an attribute of the module that speaks for its family.

    Raises:
        AttributeError: there is none.
    """
    _ensure_declared(family)
    found = _names.get(family, {}).get(name)
    if found is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return found()


def trec_names() -> dict[str, tuple[Definition, TrecName]]:
    """The names trec_eval has for measures of the catalog."""
    return dict(_trec)


def find(name: str, family: str | None = None) -> Definition:
    """The definition of that name or alias.

    Raises:
        UnknownName: none has it, or several families do.
    """
    _ensure_declared(family)
    families = [family] if family else list(_names)
    found = [_names[f][name] for f in families if name in _names.get(f, {})]
    if not found:
        lowered = [d for f in families for n, d in list(_names.get(f, {}).items()) if n.lower() == name.lower()]
        found = list(dict.fromkeys(lowered))
    if len(found) == 1:
        return found[0]
    if found:
        where = " or ".join(f"ir.{d.family}.{d.name}" for d in found)
        raise UnknownName(f"Several families have a measure {name!r}.", f"Say which: {where}.")
    _ensure_declared(None)
    if elsewhere := [(f, n) for f in _names for n in _names[f] if n.lower() == name.lower()]:
        of, name = next((pair for pair in elsewhere if pair[1] == name), elsewhere[0])
        line = _evaluated.get(of, f"ir.{of}.{name}")
        raise UnknownName(f"{name} is a measure of {of}, not of {family}.", f"Write {line.format(name)}.")
    known = [n for f in families for n in _names.get(f, {})] + (list(_trec) if family in (None, "ranking") else [])
    cut = {n: d.name for f in families for n, d in _names.get(f, {}).items() if d.at in d.parameters}
    near = measure_text.with_cutoff(name, cut) or nearest(name, known)
    raise UnknownName(f"There is no measure {name!r}.", near or "List them: ireval measures")


def parse(text: str, family: str | None = None) -> Measure:
    """The measure that a text writes: `nDCG@10`, `P(rel=2)@5`, `RBP(p=0.8)`, or a trec_eval name such as `ndcg_cut_10`.

    Args:
        text: what was written.
        family: where to look; by default in all, and a name of several is an error.

    Raises:
        UnknownName: there is no such measure or parameter, or several families have it.
        InvalidParameter: a value is not allowed, or the text cannot be read.

    Example:
        >>> from ireval_frames import parse
        >>> parse("ndcg_cut_10"), parse("AP( rel = 2 )@100")
        (nDCG@10, AP(rel=2)@100)
    """
    text = text.strip()
    trec = trec_text.one_of(text, _trec) if family in (None, "ranking") else None
    if trec is not None:
        return trec
    name, arguments, at = measure_text.parts(text)
    made = Measure.of(find(name, family), measure_text.arguments(text, arguments))
    return made if at is None else made @ measure_text.value(text, at)


def _written(measure: Measure) -> tuple[Callable[..., Measure], tuple[str, ...]]:
    """A measure is pickled and copied as what it is written, its function stays where it was declared."""
    definition = measure.definition
    if not definition.is_own:
        return parse, (str(measure), definition.family)
    return _of_module, (str(measure), definition.family, definition.name, definition.module)


def _of_module(text: str, family: str, name: str, module: str) -> Measure:
    """A measure of one's own, whose module is imported where it is not declared yet.

    Raises:
        UnknownName: the module is not there, or does not declare it.
    """
    _ensure_declared(family)
    if (family, name) not in _definitions:
        why = "is not imported here"
        if module != "__main__":
            try:
                importlib.import_module(module)
                why = "does not declare it here"
            except ImportError as error:
                why = f"cannot be imported here ({error})"
        if (family, name) not in _definitions:
            raise UnknownName(
                f"{text} is a measure of one's own, declared in the module {module!r}, which {why}.",
                f"Import it first: import {module}"
                if module != "__main__"
                else "Declare it in a module of its own, and import that in both programs.",
            )
    return parse(text, family)


copyreg.pickle(Measure, _written)
read_by(parse)


def parse_all(measures: str | Measure | Iterable[str | Measure], family: str | None = None) -> list[Measure]:
    """Measures from one text (blanks or commas between them), one measure, or several of either.

    A trec_eval name with several default suffixes (`ndcg_cut`) stands for all of them.

    Raises:
        UnknownName, InvalidParameter: as `parse`; also when nothing is asked for.
    """
    if isinstance(measures, Measure):
        return [measures]
    if isinstance(measures, Definition):
        return [measures()]
    if isinstance(measures, str):
        out = [m for part in measure_text.split(measures) for m in _written_as(part, family)]
    elif isinstance(measures, Iterable):
        out = [m for part in measures for m in parse_all(part, family)]
    else:
        raise InvalidParameter(f"{measures!r} is not a measure.", 'Write, for example, "nDCG@10 AP".')
    if not out:
        raise InvalidParameter("No measure was asked for.", 'Write, for example, "nDCG@10 AP".')
    return list(dict.fromkeys(out))


def _written_as(text: str, family: str | None) -> list[Measure]:
    """The measure of a text; of a bare trec_eval name that is no measure's own one for each of its default suffixes."""
    _ensure_declared(family)
    own = family not in (None, "ranking") or any(text in names for names in _names.values())
    return ([] if own else trec_text.all_of(text, _trec)) or [parse(text, family)]
