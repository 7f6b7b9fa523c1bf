"""How measures are written: `P(rel=2)@5`, and several of them in one text."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Any

from ireval_frames.errors import InvalidParameter

# What Python's parser raises of text that is no value: a text may be nested more deeply than it can follow.
UNPARSED = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)
# Text of which Python's parser may warn before it is refused or read: `1or`, and a backslash that escapes nothing.
_WARNED_OF = re.compile(r"\\|[0-9][.]?[A-Za-z]")


def split(text: str) -> list[str]:
    """A list of measures cut at blanks and commas outside brackets; blanks around `(`, `)` and `@` bind."""
    out, current = [], ""
    for char, depth in zip(text, _depths(text), strict=True):
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


def parts(text: str) -> tuple[str, str, str | None]:
    """Name, text between the outer brackets, text after the last @.

    Raises:
        InvalidParameter: the brackets do not match.
    """
    body, at, depths = text, None, _depths(text)
    for i, (char, depth) in enumerate(zip(text, depths, strict=True)):
        if char == "@" and depth == 0:
            body, at = text[:i].strip(), text[i + 1 :].strip()
            break
    if depths and depths[-1] != 0:
        raise InvalidParameter(
            f"Measure {text!r} cannot be read: its brackets do not match.", "Write it like P(rel=2)@5."
        )
    name, bracket, inner = body.partition("(")
    if bracket and not inner.endswith(")"):
        raise InvalidParameter(f"Measure {text!r} cannot be read.", "Write it like P(rel=2)@5.")
    return name.strip(), inner[:-1] if bracket else "", at


def _depths(text: str) -> list[int]:
    """How many brackets are open behind each character; those of a text between quotes, within brackets, are none."""
    out: list[int] = []
    depth, quote, escaped = 0, "", False
    for char in text:
        if quote:
            quote, escaped = ("" if char == quote and not escaped else quote), char == "\\" and not escaped
        elif depth and char in "'\"":
            quote = char
        else:
            depth += (char in "([{") - (char in ")]}")
        out.append(depth)
    return out


def tree(text: str) -> ast.expr:
    """An expression of Python; its parser says nothing of what it would rather see written otherwise.

    Raises:
        UNPARSED: it is none.
    """
    if not _WARNED_OF.search(text):
        return ast.parse(text, mode="eval").body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def arguments(text: str, inner: str) -> dict[str, Any]:
    """The values between the brackets, by name.

    Raises:
        InvalidParameter: they are no name=value pairs, or text has no quotes.
    """
    if not inner.strip():
        return {}
    words: list[tuple[str | None, str]] = []
    try:
        call = tree(f"f({inner})")
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            words = [(k.arg, k.value.id) for k in call.keywords if isinstance(k.value, ast.Name)]
            if not words:
                return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except UNPARSED:
        pass
    if words:
        name, word = words[0]
        meant = next((c for c in ("True", "False", "None") if c.lower() == word.lower()), f"'{word}'")
        raise InvalidParameter(
            f"Measure {text!r} cannot be read: {word} is no value, and text has quotes.", f"Write {name}={meant}."
        )
    raise InvalidParameter(
        f"Measure {text!r} cannot be read: in brackets there must be name=value pairs.", "Write it like P(rel=2)@5."
    )


def value(text: str, at: str) -> Any:
    """The value after the @.

    Raises:
        InvalidParameter: it is none.
    """
    try:
        return ast.literal_eval(tree(at.strip()))
    except UNPARSED:
        raise InvalidParameter(
            f"Measure {text!r} cannot be read: after @ there must be a number.", "Write it like nDCG@10."
        ) from None


def with_cutoff(name: str, known: Mapping[str, str]) -> str:
    """The end of a sentence that proposes nDCG@10 for "NDCG10" or "ndcg_10"; empty where no measure is meant.

    Args:
        name: what was written.
        known: of every name or alias of a measure that has a cutoff the measure's name.
    """
    match = re.fullmatch(r"([a-z]+?)_?(\d+)", name.lower())
    measures = {measure for n, measure in known.items() if match and n.lower() == match[1]}
    return f"Did you mean {measures.pop()}@{match[2]}?" if match and len(measures) == 1 else ""
