"""Metrics as text: `Mean(revenue, before=revenue_before) Ratio(clicks, pages)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from ireval_frames.catalog.parsing import UNPARSED, tree
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.experiments.metrics import KINDS, Metric

_WRITE = 'Write Mean(revenue), Ratio(clicks, pages), Proportion(converted), Capped(revenue, at=0.99) or "…" for a name.'


def metrics_of(metrics: str | Metric | Iterable[str | Metric]) -> tuple[Metric, ...]:
    """Metrics from values or text, without repetition, in their order.

    Raises:
        InvalidParameter: a text is no metric, two have one name, or there is none.
        UnknownName: there is no such kind of metric, or no such argument.
    """
    parts = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, str) else [metrics]
    parsed_metrics: dict[Metric, None] = {}
    for part in parts:
        for metric in parsed(part) if isinstance(part, str) else [part]:
            if not isinstance(metric, Metric):
                raise InvalidParameter(f"{metric!r} is no metric.", _WRITE)
            parsed_metrics[metric] = None
    if not parsed_metrics:
        raise InvalidParameter("No metric is named.", _WRITE)
    labels = [m.label for m in parsed_metrics]
    twice = [n for i, n in enumerate(labels) if n in labels[:i]]
    if twice:
        raise InvalidParameter(f"Two metrics are called {twice[0]!r}.", 'Name them: Mean("revenue", name="revenue")')
    return tuple(parsed_metrics)


def parsed(text: str) -> list[Metric]:
    """The metrics of a text.

    Raises:
        InvalidParameter: it does not parse.
        UnknownName: there is no such kind of metric, or no such argument.
    """
    try:
        listed = tree(f"[{_with_commas(text)}]")
    except UNPARSED:
        listed = ast.Constant(None)
    if not isinstance(listed, ast.List):
        raise InvalidParameter(f"{text!r} does not parse as metrics.", _WRITE)
    return [_metric(node, text) for node in listed.elts]


def _with_commas(text: str) -> str:
    """The text with commas between metrics, each of which ends with its bracket."""
    out, depth, quote = [], 0, ""
    for i, sign in enumerate(text):
        out.append(sign)
        if quote:
            quote = "" if sign == quote and text[i - 1] != "\\" else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            rest = text[i + 1 :].lstrip()
            if sign == ")" and depth == 0 and rest and not rest.startswith(","):
                out.append(",")
    return "".join(out)


def _metric(node: ast.expr, text: str) -> Metric:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise InvalidParameter(f"{text!r} does not parse as metrics.", _WRITE)
    name = node.func.id
    folded = {kind.lower(): kind for kind in KINDS}
    if name.lower() not in folded:
        raise UnknownName(f"There is no metric {name!r}.", nearest(name, KINDS))
    kind = KINDS[folded[name.lower()]]
    fields = list(kind.__dataclass_fields__)
    keywords = {k.arg or "**": _value(k.value, text) for k in node.keywords}
    for argument in keywords:
        if argument not in fields:
            raise UnknownName(f"{kind.__name__} has no argument {argument!r}.", nearest(argument, fields))
    try:
        return kind(*(_value(a, text) for a in node.args), **keywords)
    except TypeError as error:
        raise InvalidParameter(f"{text!r}: {error}.", _WRITE) from None


def _value(node: ast.expr, text: str) -> Any:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(_value(p, text) for p in parts)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    raise InvalidParameter(f"{text!r} does not parse as metrics.", _WRITE)
