"""What a condition tells of numbers, so that Spark need not be told what else would happen to them.

Spark refuses to divide by 0, so a quotient has a second half for it, in which both operands stand again; within
`CASE WHEN d > 0` that half is never reached, and nested quotients repeat it: a long statement is a third shorter
without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ireval_frames.engines.sql_values import ATOM, Text

# Of these the operands are looked at in the row alone, so that what is known of it holds.
_BY_ROW = frozenset(
    [
        *("add", "sub", "mul", "truediv", "and", "or", "gt", "ge", "lt", "le", "eq", "ne", "neg", "not"),
        *("when_then", "all_horizontal", "any_horizontal", "max_horizontal", "min_horizontal"),
        *("abs", "alias", "cast", "coalesce", "exp", "fill_null", "floor", "is_null", "log", "sqrt"),
    ]
)
_COMPARED = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "ne": "<>", "eq": "="}


@dataclass(frozen=True)
class Unless:
    """A part of a text that may be shorter where a fact is known.

    Attributes:
        fact: as `other_than_zero` and `positive` say it.
        part: the part.
        shorter: what may stand in its place.
    """

    fact: str
    part: str
    shorter: Text


@dataclass(frozen=True)
class Known(Text):
    """Text with what may be shorter in it, and what it says of numbers.

    Attributes:
        parts: what may be shorter.
        holds: facts where it is true, of a condition.
        fails: facts, or nulls, where it is not true.
        apart: it is never 0.
        across: something in it looks at other rows, of which a condition on the row says nothing.
    """

    parts: tuple[Unless, ...] = ()
    holds: frozenset[str] = frozenset()
    fails: frozenset[str] = frozenset()
    apart: bool = False
    across: bool = False


def apart(text: Text) -> bool:
    """Whether a number is never 0, whatever the row."""
    return bool(text.value) or (isinstance(text, Known) and text.apart)


def other_than_zero(number: str) -> str:
    """The fact that a number, or what is null, is not 0."""
    return f"{number} <> 0"


def positive(number: str) -> str:
    """The fact that a number, or what is null, is above 0."""
    return f"{number} > 0"


def shortened(text: Text, facts: frozenset[str]) -> Text:
    """The text where the facts hold."""
    out = text
    for unless in _parts(text):
        if unless.fact not in facts:
            continue
        if out.sql == unless.part:
            out = replace(out, sql=unless.shorter.sql, binds=unless.shorter.binds)
        else:
            out = replace(out, sql=out.sql.replace(unless.part, unless.shorter.within(ATOM)))
    return out


def branches(others: Sequence[Text]) -> list[Text]:
    """Condition, value and other value, each with what is known where it is looked at."""
    condition = others[0]
    if not isinstance(condition, Known):
        return list(others)
    known = [condition.holds, condition.fails]
    return [condition, *(shortened(value, facts) for value, facts in zip(others[1:], known, strict=False))]


def told(name: str, operands: Sequence[Text], out: Text, *, across: bool) -> Text:
    """What an operation makes of its operands, with what they tell; `across` says whether it looks at other rows."""
    across = across or any(isinstance(operand, Known) and operand.across for operand in operands)
    if across or name not in _BY_ROW:
        # A part may stand in what looks at other rows, too, where it must stay as it is.
        return Known(out.sql, out.binds, out.value, out.kind, across=True) if across else out
    parts = tuple(dict.fromkeys([*_parts(out), *(unless for operand in operands for unless in _parts(operand))]))
    holds, fails = _facts(name, operands)
    never = name == "when_then" and _branches_apart(operands)
    if not (parts or holds or fails or never):
        return out
    return Known(out.sql, out.binds, out.value, out.kind, parts, holds, fails, never)


def _branches_apart(operands: Sequence[Text]) -> bool:
    """Whether neither branch is ever 0."""
    condition, *values = operands
    known = (condition.holds, condition.fails) if isinstance(condition, Known) else (frozenset[str](),) * 2
    never = [apart(v) or other_than_zero(v.sql) in facts for v, facts in zip(values, known, strict=False)]
    return len(values) > 1 and all(never)


def _parts(text: Text) -> tuple[Unless, ...]:
    return text.parts if isinstance(text, Known) else ()


def _facts(name: str, operands: Sequence[Text]) -> tuple[frozenset[str], frozenset[str]]:
    """What is known where the condition is true, and where it is not."""
    if name in _COMPARED:
        return _compared(_COMPARED[name], *operands)
    each = [(o.holds, o.fails) if isinstance(o, Known) else (frozenset[str](), frozenset[str]()) for o in operands]
    if name == "not":
        return each[0][1], each[0][0]
    if name in ("and", "all_horizontal"):
        return frozenset().union(*(holds for holds, _ in each)), frozenset()
    if name in ("or", "any_horizontal"):
        return frozenset(), frozenset().union(*(fails for _, fails in each))
    return frozenset(), frozenset()


def _compared(sign: str, left: Text, right: Text) -> tuple[frozenset[str], frozenset[str]]:
    if right.value is None or isinstance(right.value, bool):
        return frozenset(), frozenset()
    above = frozenset([other_than_zero(left.sql), positive(left.sql)])
    apart = frozenset([other_than_zero(left.sql)])
    nothing: frozenset[str] = frozenset()
    if right.value > 0:
        # NaN is the largest number.
        return (above if sign in (">", ">=", "=") else nothing), (above if sign in ("<", "<=") else nothing)
    if right.value < 0:
        return (apart if sign in ("<", "<=", "=") else nothing), (apart if sign in (">", ">=") else nothing)
    told = {">": (above, nothing), "<>": (apart, nothing), "=": (nothing, apart), "<": (apart, nothing)}
    return told.get(sign, (nothing, above if sign == "<=" else apart if sign == ">=" else nothing))
