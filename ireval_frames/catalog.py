"""The measures by family and name, and the parsing of what people write.  Families register themselves."""

from __future__ import annotations

import ast
import copyreg
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.measure import NOT_SAID, Definition, Measure, Parameter, TrecName

_definitions: dict[tuple[str, str], Definition] = {}
_names: dict[str, dict[str, Definition]] = {}
_trec: dict[str, tuple[Definition, TrecName]] = {}
_promised: dict[str, str] = {}
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
    engines: tuple[str, ...] = ("polars", "duckdb"),
    reads: tuple[str, ...] = (),
    sequential: str = "",
    without: tuple[str, ...] = (),
    check: Callable[[Measure, Mapping[str, Any]], None] | None = None,
    relevant: Callable[..., nw.Expr] | None = NOT_SAID,
) -> Callable[[Callable[..., nw.Expr]], Measure]:
    """Declare a measure: the function takes the family's context and the parameters, and returns an expression.

    Args:
        family: the family's name, such as `ranking`.
        name: the canonical name.
        parameters: by name.
        aliases: further names that parse to the same measure.
        at: the parameter that is written after `@`.
        range: the smallest and largest value.
        higher_is_better: None where neither is better.
        undefined: the value where the expression is null; None leaves it undefined.
        aggregation: from units to one number.
        trec: the names trec_eval has for it.
        formula: the formula as text.
        source: the paper or tool that defines it.
        engines: where it runs.
        reads: columns of the inputs that it reads beyond those that every measure of the family does.
        sequential: what of it is a loop in Python over a small table, and its cost.
        without: shared parameters of the family that it does not take.
        check: is handed a measure and its parameters, and refuses those that do not go together.
        relevant: of rankings: a function of the context, and of parameters by their names, that counts what there is to
            find in a query; where it is 0 the policy `no_relevant` decides.  None for measures that have a value
            whatever is relevant, such as counts.
    """
    if relevant is not None and relevant is not NOT_SAID:
        for argument in list(inspect.signature(relevant).parameters)[1:]:
            if argument not in (parameters or {}):
                raise InvalidParameter(
                    f"relevant= of {name} takes {argument!r}, which is no parameter of it.",
                    "It takes the context, and parameters of the measure by their names: relevant=lambda q, rel: …",
                )

    def declare(function: Callable[..., nw.Expr]) -> Measure:
        shared = {n: p for n, p in _shared.get(family, {}).items() if n not in without}
        definition = Definition(
            family,
            name,
            function,
            dict(parameters or {}) | shared,
            tuple(aliases),
            at,
            range,
            higher_is_better,
            undefined,
            aggregation,
            tuple(trec),
            formula,
            source,
            engines,
            reads,
            sequential,
            check=check,
            relevant=relevant,
        )
        register(definition)
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


def register(definition: Definition) -> None:
    """Put a definition into the catalog; one of the same family and name is replaced."""
    _definitions[definition.family, definition.name] = definition
    names = _names.setdefault(definition.family, {})
    for name in (definition.name, *definition.aliases):
        names[name] = definition
    for trec in definition.trec:
        _trec[trec.name] = (definition, trec)


def promise(family: str, module: str) -> None:
    """Say which module declares a family; it is imported when one of its measures is looked for."""
    _promised[family] = module


def _kept(family: str | None) -> None:
    """Import what declares a family, or all of them."""
    for name in [family] if family else list(_promised):
        if module := _promised.pop(name, None):
            importlib.import_module(module)


def definitions(family: str | None = None) -> list[Definition]:
    """The declared measures, in the order of declaration."""
    _kept(family)
    return [d for (f, _), d in _definitions.items() if family in (None, f)]


def attribute(name: str, family: str, module: str) -> Measure:
    """The measure of that name as an attribute of its family's module, which only its declaration has to be read for.

    Raises:
        AttributeError: there is none.
    """
    found = next((d for d in definitions(family) if d.name == name), None)
    if found is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return found()


def trec_names() -> dict[str, tuple[Definition, TrecName]]:
    """The names trec_eval has for measures of the catalog."""
    return dict(_trec)


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
    trec = _parse_trec(text, family)
    if trec is not None:
        return trec
    name, inner, at = _split(text)
    definition = find(name, family)
    values = _arguments(text, inner)
    made = Measure.of(definition, values)
    return made if at is None else made @ _value(text, at)


def _written(measure: Measure) -> tuple[Callable[..., Measure], tuple[str, str]]:
    """A measure is pickled and copied as what it is written, its function stays where it was declared."""
    return parse, (str(measure), measure.definition.family)


copyreg.pickle(Measure, _written)


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
        out = [m for part in split(measures) for m in _parse_trec_family(part, family) or [parse(part, family)]]
    elif isinstance(measures, Iterable):
        out = [m for part in measures for m in parse_all(part, family)]
    else:
        raise InvalidParameter(f"{measures!r} is no measure.", 'Write, for example, "nDCG@10 AP".')
    if not out:
        raise InvalidParameter("No measure was asked for.", 'Write, for example, "nDCG@10 AP".')
    return list(dict.fromkeys(out))


def split(text: str) -> list[str]:
    """A list of measures cut at blanks and commas outside brackets; blanks around `(`, `)` and `@` bind."""
    out, current, depth = [], "", 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and (char.isspace() or char in ",;"):
            out.append(current)
            current = ""
        else:
            current += char
    out.append(current)
    joined: list[str] = []
    for part in filter(None, out):
        if joined and (part[0] in "(@" or joined[-1].endswith("@")):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def find(name: str, family: str | None = None) -> Definition:
    """The definition of that name or alias.

    Raises:
        UnknownName: none has it, or several families do.
    """
    _kept(family)
    families = [family] if family else list(_names)
    found = [_names[f][name] for f in families if name in _names.get(f, {})]
    if not found:
        lowered = [d for f in families for n, d in _names.get(f, {}).items() if n.lower() == name.lower()]
        found = list(dict.fromkeys(lowered))
    if len(found) == 1:
        return found[0]
    if found:
        where = " or ".join(f"ir.{d.family}.{d.name}" for d in found)
        raise UnknownName(f"Several families have a measure {name!r}.", f"Say which: {where}.")
    _kept(None)
    elsewhere = [f for f in _names if name in _names[f]]
    if elsewhere:
        raise UnknownName(
            f"{name} is a measure of {elsewhere[0]}, not of {family}.", "Evaluate it on tables of its family."
        )
    known = [n for f in families for n in _names.get(f, {})] + (list(_trec) if family in (None, "ranking") else [])
    raise UnknownName(f"There is no measure {name!r}.", nearest(name, known) or "List them: ireval measures")


def _split(text: str) -> tuple[str, str, str | None]:
    """Name, text between the outer brackets, text after the last @."""
    body, at = text, None
    depth = 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "@" and depth == 0:
            body, at = text[:i].strip(), text[i + 1 :].strip()
            break
    if depth != 0:
        raise InvalidParameter(
            f"Measure {text!r} cannot be read: its brackets do not match.", "Write it like P(rel=2)@5."
        )
    name, bracket, inner = body.partition("(")
    if bracket and not inner.endswith(")"):
        raise InvalidParameter(f"Measure {text!r} cannot be read.", "Write it like P(rel=2)@5.")
    return name.strip(), inner[:-1] if bracket else "", at


def _arguments(text: str, inner: str) -> dict[str, Any]:
    if not inner.strip():
        return {}
    try:
        call = ast.parse(f"f({inner})", mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError):
        pass
    raise InvalidParameter(
        f"Measure {text!r} cannot be read: between the brackets stand name=value pairs.", "Write it like P(rel=2)@5."
    )


def _value(text: str, at: str) -> Any:
    try:
        return ast.literal_eval(at)
    except (SyntaxError, ValueError):
        raise InvalidParameter(
            f"Measure {text!r} cannot be read: after @ stands a number.", "Write it like nDCG@10."
        ) from None


def _parse_trec_family(text: str, family: str | None) -> list[Measure]:
    """All the default suffixes of a bare trec_eval name that is no measure's own."""
    _kept(family)
    if family not in (None, "ranking") or text not in _trec or any(text in names for names in _names.values()):
        return []
    definition, trec = _trec[text]
    return (
        [Measure.of(definition, {**trec.fixed, trec.parameter: trec.convert(v)}) for v in trec.defaults]
        if trec.parameter
        else []
    )


def _parse_trec(text: str, family: str | None) -> Measure | None:
    """`map`, `ndcg_cut_10`, `P.5`, `iprec_at_recall_0.10`: one value each."""
    if family not in (None, "ranking") or "(" in text or "@" in text:
        return None
    if text in _trec:
        definition, trec = _trec[text]
        if trec.parameter and trec.defaults:
            return None
        return Measure.of(definition, trec.fixed)
    for separator in ("_", "."):
        for name in sorted(_trec, key=len, reverse=True):
            definition, trec = _trec[name]
            if text.startswith(name + separator) and trec.parameter:
                suffix = text[len(name) + 1 :]
                try:
                    value = trec.convert(int(suffix) if suffix.isdigit() else float(suffix))
                except ValueError:
                    continue
                return Measure.of(definition, {**trec.fixed, trec.parameter: value})
    return None
