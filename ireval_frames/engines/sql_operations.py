"""Operations of single rows as DuckDB's SQL, with the meaning that Polars gives them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ireval_frames.engines import sql_kinds
from ireval_frames.engines.sql_names import string
from ireval_frames.engines.sql_values import (
    AND,
    ATOM,
    COMPARED,
    NOT,
    OR,
    PLUS,
    TIMES,
    UNARY,
    Text,
    literal,
    number,
    type_name,
)
from ireval_frames.errors import NotDefined

# The operator, how strongly it binds, and whether the right operand must bind more strongly.
BINARY = {
    "add": ("+", PLUS, False),
    "sub": ("-", PLUS, True),
    "mul": ("*", TIMES, False),
    "truediv": ("/", TIMES, True),
    "gt": (">", COMPARED, True),
    "ge": (">=", COMPARED, True),
    "lt": ("<", COMPARED, True),
    "le": ("<=", COMPARED, True),
    "eq": ("=", COMPARED, True),
    "ne": ("<>", COMPARED, True),
    "and": ("AND", AND, False),
    "or": ("OR", OR, False),
}
Written = Callable[[Text | None, Sequence[Text], Mapping[str, Any]], Text]


def unwritten(what: str) -> NotDefined:
    """The error of an operation that has no words."""
    return NotDefined(
        f"DuckDB is not told {what}: it has no SQL text here.",
        'Say it in other operations, or evaluate in Polars: engine="polars".',
    )


def binary(operator: str, left: Text, right: Text) -> Text:
    """Two operands with a sign between them."""
    sign, binds, strict = BINARY[operator]
    if binds == COMPARED:
        # Compared numbers need no exponent: whole ones mean the same.
        left, right = (_whole(side) for side in (left, right))
        return Text(f"{left.within(COMPARED + 1)} {sign} {right.within(COMPARED + 1)}", COMPARED)
    # Sums and products of floats are what their order makes them, so a right operand of the same kind keeps brackets.
    after = binds if sign in ("AND", "OR") and not strict else binds + 1
    return Text(f"{left.within(binds)} {sign} {right.within(after)}", binds)


def _whole(side: Text) -> Text:
    if isinstance(side.value, float) and side.value.is_integer() and abs(side.value) < 1e15:
        return Text(str(int(side.value)), side.binds, side.value)
    return side


def _when(_: Text | None, others: Sequence[Text], __: Mapping[str, Any]) -> Text:
    end = f" ELSE {others[2].sql}" if len(others) > 2 and others[2].sql != "NULL" else ""
    return Text(f"CASE WHEN {others[0].sql} THEN {others[1].sql}{end} END", ATOM)


def _call(function: str) -> Written:
    def written(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
        inner = [*([before] if before else []), *others]
        if len(inner) == 1:
            return inner[0]
        return Text(f"{function}({', '.join(t.sql for t in inner)})", ATOM)

    return written


def _joined(sign: str) -> Written:
    binds = AND if sign == "AND" else OR

    def written(_: Text | None, others: Sequence[Text], __: Mapping[str, Any]) -> Text:
        return Text(f" {sign} ".join(o.within(binds + 1) for o in others), binds) if len(others) > 1 else others[0]

    return written


def _summed(terms: Sequence[Text]) -> str:
    return " + ".join(f"coalesce({t.sql}, 0)" for t in terms)


def _present(terms: Sequence[Text]) -> str:
    return " + ".join(f"CASE WHEN {t.within(COMPARED + 1)} IS NULL THEN 0 ELSE 1 END" for t in terms)


def _clipped(function: str) -> Written:
    """`greatest` and `least` pass over nulls, and clipping keeps them."""

    def written(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
        inner = _given(before)
        made = f"{function}({inner.sql}, {others[0].sql})"
        return Text(f"CASE WHEN {inner.within(COMPARED + 1)} IS NOT NULL THEN {made} END", ATOM)

    return written


def _clip(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    inner = _given(before)
    made = f"greatest(least({inner.sql}, {others[1].sql}), {others[0].sql})"
    return Text(f"CASE WHEN {inner.within(COMPARED + 1)} IS NOT NULL THEN {made} END", ATOM)


def _log(before: Text | None, _: Sequence[Text], options: Mapping[str, Any]) -> Text:
    """DuckDB refuses the logarithm of 0 and of less."""
    inner, base = _given(before), float(options["base"])
    text = inner.within(COMPARED + 1)
    value = f"ln({inner.sql})" + ("" if base == math.e else f" / {number(math.log(base))}")
    return Text(
        f"CASE WHEN {text} > 0 THEN {value} WHEN {text} = 0 THEN {number(-math.inf)} WHEN {text} < 0 THEN"
        f" {number(math.nan)} END",
        ATOM,
    )


def _sqrt(before: Text | None, _: Sequence[Text], __: Mapping[str, Any]) -> Text:
    inner = _given(before)
    text = inner.within(COMPARED + 1)
    return Text(f"CASE WHEN {text} < 0 THEN {number(math.nan)} ELSE sqrt({inner.sql}) END", ATOM)


def _is_in(before: Text | None, _: Sequence[Text], options: Mapping[str, Any]) -> Text:
    inner = _given(before).within(COMPARED + 1)
    values = [literal(v).sql for v in options["other"]]
    return Text(
        f"{inner} IN ({', '.join(values)})" if values else f"{inner} IS NULL AND NULL", COMPARED if values else AND
    )


def _between(before: Text | None, others: Sequence[Text], options: Mapping[str, Any]) -> Text:
    inner, closed = _given(before), options["closed"]
    low = binary("ge" if closed in ("both", "left") else "gt", inner, others[0])
    high = binary("le" if closed in ("both", "right") else "lt", inner, others[1])
    return Text(f"{low.sql} AND {high.sql}", AND)


def divisor(before: Text, below: Text) -> Text:
    """A divisor; whole numbers divided by 0 are null in Polars."""
    if below.value or before.kind() != "integer" or below.kind() != "integer":
        return below
    return Text(f"nullif({below.sql}, 0)", ATOM)


def _integer(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Polars rounds quotients of floats down."""
    above = _given(before)
    return Text(f"floor({above.within(TIMES)} / {divisor(above, others[0]).within(TIMES + 1)})", ATOM)


def _remainder(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Polars' remainders have the sign of the divisor, and DuckDB's that of the dividend."""
    above = _given(before)
    below = divisor(above, others[0]).within(TIMES + 1)
    return Text(f"({above.within(TIMES)} % {below} + {below}) % {below}", TIMES)


def _cast(before: Text | None, _: Sequence[Text], options: Mapping[str, Any]) -> Text:
    """Polars drops what stands behind the point where floats become whole numbers, and DuckDB rounds them."""
    inner, dtype = _given(before), options["dtype"]
    cut = sql_kinds.to_integer(dtype) and inner.kind() == "float"
    return Text(f"CAST({f'trunc({inner.sql})' if cut else inner.sql} AS {type_name(dtype)})", ATOM)


def rounded(function: str) -> Written:
    """Halves are rounded to the even number; the function does that for whole numbers."""

    def written(before: Text | None, _: Sequence[Text], options: Mapping[str, Any]) -> Text:
        inner, power = _given(before), number(10.0 ** options["decimals"])
        if inner.kind() == "integer":
            return inner
        if not options["decimals"]:
            return Text(function.format(f"CAST({inner.sql} AS DOUBLE)"), ATOM)
        return Text(f"{function.format(f'{inner.within(TIMES)} * {power}')} / {power}", TIMES)

    return written


def joined_text(literal_of: Callable[[str], str]) -> Written:
    """Texts one after another; null if one of them is, unless nulls are passed over."""

    def written(_: Text | None, others: Sequence[Text], options: Mapping[str, Any]) -> Text:
        separator = literal_of(options["separator"])
        if options["ignore_nulls"]:
            return Text(f"concat_ws({separator}, {', '.join(t.sql for t in others)})", ATOM)
        between = f" || {separator} || " if options["separator"] else " || "
        return Text(between.join(t.within(PLUS + 1) for t in others), PLUS - 1)

    return written


def _power(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    return Text(f"pow({_given(before).sql}, {others[0].sql})", ATOM)


def _substring(text: str, offset: int, length: int | None) -> str:
    if offset < 0:
        raise unwritten(f"str.slice from {offset}")
    return f"substring({text}, {offset + 1})" if length is None else f"substring({text}, {offset + 1}, {length})"


def _given(before: Text | None) -> Text:
    if before is None:
        raise unwritten("an operation of no column")
    return before


WRITTEN: dict[str, Written] = {
    "when_then": _when,
    "all_horizontal": _joined("AND"),
    "any_horizontal": _joined("OR"),
    "max_horizontal": _call("greatest"),
    "min_horizontal": _call("least"),
    "sum_horizontal": lambda _, o, __: Text(_summed(o), PLUS),
    "mean_horizontal": lambda _, o, __: Text(f"({_summed(o)}) / nullif({_present(o)}, 0)", TIMES),
    "coalesce": _call("coalesce"),
    "fill_null": _call("coalesce"),
    "len": lambda *_: Text("count(*)", ATOM),
    "n_unique": lambda b, *_: Text(
        f"count(DISTINCT {_given(b).sql}) + max(CASE WHEN {_given(b).sql} IS NULL THEN 1 ELSE 0 END)", PLUS
    ),
    "alias": lambda b, *_: _given(b),
    "cast": _cast,
    "is_null": lambda b, *_: Text(f"{_given(b).within(COMPARED + 1)} IS NULL", COMPARED),
    "__invert__": lambda b, *_: Text(f"NOT {_given(b).within(NOT)}", NOT),
    "__neg__": lambda b, *_: Text(f"-{_given(b).within(ATOM)}", UNARY),
    "__pow__": _power,
    "__rpow__": lambda b, o, x: _power(o[0], [_given(b)], x),
    "__floordiv__": _integer,
    "__mod__": _remainder,
    "round": rounded("round_even({}, 0)"),
    "clip": _clip,
    "clip_lower": _clipped("greatest"),
    "clip_upper": _clipped("least"),
    "log": _log,
    "sqrt": _sqrt,
    "is_in": _is_in,
    "is_between": _between,
    "list.get": lambda b, _, o: Text(f"list_extract({_given(b).sql}, {o['index'] + 1})", ATOM),
    "dt.total_microseconds": lambda b, *_: Text(f"epoch_us({_given(b).sql})", ATOM),
    "struct.field": lambda b, _, o: Text(f"struct_extract({_given(b).sql}, {string(o['name'])})", ATOM),
    "concat_str": joined_text(string),
    "str.contains": lambda b, o, x: Text(
        f"{'contains' if x['literal'] else 'regexp_matches'}({_given(b).sql}, {o[0].sql})", ATOM
    ),
    "str.slice": lambda b, _, x: Text(_substring(_given(b).sql, x["offset"], x["length"]), ATOM),
    "str.starts_with": lambda b, o, _: Text(f"starts_with({_given(b).sql}, {o[0].sql})", ATOM),
    "std": lambda b, _, o: Text(f"{'stddev_samp' if o['ddof'] else 'stddev_pop'}({_given(b).sql})", ATOM),
    "median": lambda b, *_: Text(f"median({_given(b).sql})", ATOM),
    "quantile": lambda b, _, o: Text(f"quantile_cont({_given(b).sql}, {number(o['quantile'])})", ATOM),
    "var": lambda b, _, o: Text(f"{'var_samp' if o['ddof'] else 'var_pop'}({_given(b).sql})", ATOM),
}
