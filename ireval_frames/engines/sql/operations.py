"""Operations of single rows as DuckDB's SQL, with the meaning that Polars gives them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ireval_frames.engines.quoting import string
from ireval_frames.engines.sql import number_types
from ireval_frames.engines.sql.values import (
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

# The operator, how strongly it binds, and whether the right operand needs brackets for an operator of equal strength.
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
Writer = Callable[[Sequence[Text], Mapping[str, Any]], Text]
# What a group of a pattern matched, in the text that replaces it.
_GROUP = re.compile(r"\$\{([0-9])\}")


def unwritten(what: str) -> NotDefined:
    """The error for an operation without SQL text."""
    return NotDefined(
        f"{what} cannot be written in DuckDB's SQL.",
        'Use other operations, or evaluate in Polars: engine="polars".',
    )


def binary(operator: str, left: Text, right: Text) -> Text:
    """A binary operator between two operands."""
    sign, binds, strict = BINARY[operator]
    if binds == COMPARED:
        # In comparisons whole numbers need no exponent.
        left, right = (_without_exponent(side) for side in (left, right))
        return Text(f"{left.within(COMPARED + 1)} {sign} {right.within(COMPARED + 1)}", COMPARED)
    # Sums and products of floats depend on their order, so a right operand of the same operator keeps its brackets.
    after = binds if sign in ("AND", "OR") and not strict else binds + 1
    return Text(f"{left.within(binds)} {sign} {right.within(after)}", binds)


def _without_exponent(side: Text) -> Text:
    if isinstance(side.value, float) and side.value.is_integer() and abs(side.value) < 1e15:
        return Text(str(int(side.value)), side.binds, side.value)
    return side


def _when(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    end = f" ELSE {args[2].sql}" if len(args) > 2 and args[2].sql != "NULL" else ""
    return Text(f"CASE WHEN {args[0].sql} THEN {args[1].sql}{end} END", ATOM)


def _call(function: str) -> Writer:
    def written(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
        return args[0] if len(args) == 1 else Text(f"{function}({', '.join(a.sql for a in args)})", ATOM)

    return written


def _joined(sign: str) -> Writer:
    binds = AND if sign == "AND" else OR

    def written(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
        return Text(f" {sign} ".join(a.within(binds + 1) for a in args), binds) if len(args) > 1 else args[0]

    return written


def _summed(terms: Sequence[Text]) -> str:
    return " + ".join(f"coalesce({t.sql}, 0)" for t in terms)


def _present(terms: Sequence[Text]) -> str:
    return " + ".join(f"CASE WHEN {t.within(COMPARED + 1)} IS NULL THEN 0 ELSE 1 END" for t in terms)


def _clipped(function: str) -> Writer:
    """`greatest` and `least` ignore nulls, clipping returns them."""

    def written(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
        inner, bound = args
        clipped = f"{function}({inner.sql}, {bound.sql})"
        return Text(f"CASE WHEN {inner.within(COMPARED + 1)} IS NOT NULL THEN {clipped} END", ATOM)

    return written


def _clip(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    inner, low, high = args
    clipped = f"greatest(least({inner.sql}, {high.sql}), {low.sql})"
    return Text(f"CASE WHEN {inner.within(COMPARED + 1)} IS NOT NULL THEN {clipped} END", ATOM)


def _log(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    """DuckDB has no logarithm of 0 or a negative number."""
    inner, base = args[0], float(options["base"])
    text = inner.within(COMPARED + 1)
    value = f"ln({inner.sql})" + ("" if base == math.e else f" / {number(math.log(base))}")
    return Text(
        f"CASE WHEN {text} > 0 THEN {value} WHEN {text} = 0 THEN {number(-math.inf)} WHEN {text} < 0 THEN"
        f" {number(math.nan)} END",
        ATOM,
    )


def _sqrt(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    inner = args[0]
    text = inner.within(COMPARED + 1)
    return Text(f"CASE WHEN {text} < 0 THEN {number(math.nan)} ELSE sqrt({inner.sql}) END", ATOM)


def _is_in(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    inner = args[0].within(COMPARED + 1)
    values = [literal(v).sql for v in options["other"]]
    return Text(
        f"{inner} IN ({', '.join(values)})" if values else f"{inner} IS NULL AND NULL", COMPARED if values else AND
    )


def _between(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    (inner, low, high), closed = args, options["closed"]
    above = binary("ge" if closed in ("both", "left") else "gt", inner, low)
    below = binary("le" if closed in ("both", "right") else "lt", inner, high)
    return Text(f"{above.sql} AND {below.sql}", AND)


def divisor(before: Text, below: Text) -> Text:
    """The divisor of integers, where 0 becomes null as in Polars."""
    if below.value or before.kind() != "integer" or below.kind() != "integer":
        return below
    return Text(f"nullif({below.sql}, 0)", ATOM)


def _integer(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """The floor of the quotient, also of floats."""
    above, below = args
    return Text(f"floor({above.within(TIMES)} / {divisor(above, below).within(TIMES + 1)})", ATOM)


def _remainder(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Remainders have the sign of the divisor in Polars, and of the dividend in DuckDB."""
    above, below = args[0], divisor(*args).within(TIMES + 1)
    return Text(f"({above.within(TIMES)} % {below} + {below}) % {below}", TIMES)


def _cast(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    """A cast from floats to integers truncates in Polars, and rounds in DuckDB."""
    inner, dtype = args[0], options["dtype"]
    cut = number_types.to_integer(dtype) and inner.kind() == "float"
    return Text(f"CAST({f'trunc({inner.sql})' if cut else inner.sql} AS {type_name(dtype)})", ATOM)


def rounded(function: str) -> Writer:
    """Rounds half to even, by a function that does so to whole numbers."""

    def written(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
        inner, power = args[0], number(10.0 ** options["decimals"])
        if inner.kind() == "integer":
            return inner
        if not options["decimals"]:
            return Text(function.format(f"CAST({inner.sql} AS DOUBLE)"), ATOM)
        return Text(f"{function.format(f'{inner.within(TIMES)} * {power}')} / {power}", TIMES)

    return written


def joined_text(literal_of: Callable[[str], str]) -> Writer:
    """Texts joined by a separator; null if one of them is, unless nulls are ignored."""

    def written(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
        separator = literal_of(options["separator"])
        if options["ignore_nulls"]:
            return Text(f"concat_ws({separator}, {', '.join(a.sql for a in args)})", ATOM)
        between = f" || {separator} || " if options["separator"] else " || "
        return Text(between.join(a.within(PLUS + 1) for a in args), PLUS - 1)

    return written


def replaced_text(function: str, literal_of: Callable[[str], str], group: str, more: str = "") -> Writer:
    """Text in which the matches of a pattern are replaced.

    Args:
        function: the database's function for patterns.
        literal_of: writes a text as a literal.
        group: how it writes the group of a number in the new text.
        more: what the function takes besides.
    """

    def written(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
        value, pattern = options["value"], literal_of(options["pattern"])
        if options["literal"]:
            return Text(f"replace({args[0].sql}, {pattern}, {literal_of(value)})", ATOM)
        if re.search(r"[\\$]", _GROUP.sub("", value)):
            raise unwritten(f"str.replace_all by {value!r}")
        return Text(f"{function}({args[0].sql}, {pattern}, {literal_of(_GROUP.sub(group, value))}{more})", ATOM)

    return written


def _substring(text: str, offset: int, length: int | None) -> str:
    if offset < 0:
        raise unwritten(f"str.slice from {offset}")
    return f"substring({text}, {offset + 1})" if length is None else f"substring({text}, {offset + 1}, {length})"


WRITERS: dict[str, Writer] = {
    "when_then": _when,
    "all_horizontal": _joined("AND"),
    "any_horizontal": _joined("OR"),
    "max_horizontal": _call("greatest"),
    "min_horizontal": _call("least"),
    "sum_horizontal": lambda a, _: Text(_summed(a), PLUS),
    "mean_horizontal": lambda a, _: Text(f"({_summed(a)}) / nullif({_present(a)}, 0)", TIMES),
    "coalesce": _call("coalesce"),
    "fill_null": _call("coalesce"),
    "len": lambda _, __: Text("count(*)", ATOM),
    "n_unique": lambda a, _: Text(
        f"count(DISTINCT {a[0].sql}) + max(CASE WHEN {a[0].sql} IS NULL THEN 1 ELSE 0 END)", PLUS
    ),
    "alias": lambda a, _: a[0],
    "param": lambda _, o: Text(o["sql"], ATOM),
    "ratio": lambda a, _: Text(f"{a[0].within(TIMES)} / nullif({a[1].sql}, 0)", TIMES),
    "cast": _cast,
    "is_null": lambda a, _: Text(f"{a[0].within(COMPARED + 1)} IS NULL", COMPARED),
    "not": lambda a, _: Text(f"NOT {a[0].within(NOT)}", NOT),
    "neg": lambda a, _: Text(f"-{a[0].within(ATOM)}", UNARY),
    "pow": lambda a, _: Text(f"pow({a[0].sql}, {a[1].sql})", ATOM),
    "floordiv": _integer,
    "mod": _remainder,
    "round": rounded("round_even({}, 0)"),
    "clip": _clip,
    "clip_lower": _clipped("greatest"),
    "clip_upper": _clipped("least"),
    "log": _log,
    "sqrt": _sqrt,
    "is_in": _is_in,
    "is_between": _between,
    "list.get": lambda a, o: Text(f"list_extract({a[0].sql}, {o['index'] + 1})", ATOM),
    "dt.total_microseconds": lambda a, _: Text(f"epoch_us({a[0].sql})", ATOM),
    "struct.field": lambda a, o: Text(f"struct_extract({a[0].sql}, {string(o['name'])})", ATOM),
    "concat_str": joined_text(string),
    "str.contains": lambda a, o: Text(
        f"{'contains' if o['literal'] else 'regexp_matches'}({a[0].sql}, {a[1].sql})", ATOM
    ),
    "str.len_chars": lambda a, _: Text(f"length({a[0].sql})", ATOM),
    "str.replace_all": replaced_text("regexp_replace", string, r"\\\1", ", 'g'"),
    "str.slice": lambda a, o: Text(_substring(a[0].sql, o["offset"], o["length"]), ATOM),
    "str.starts_with": lambda a, _: Text(f"starts_with({a[0].sql}, {a[1].sql})", ATOM),
    "str.split": lambda a, o: Text(f"string_split({a[0].sql}, {string(o['by'])})", ATOM),
    "str.strip_chars": lambda a, o: Text(f"trim({a[0].sql}, {string(o['characters'])})", ATOM),
    "std": lambda a, o: Text(f"{'stddev_samp' if o['ddof'] else 'stddev_pop'}({a[0].sql})", ATOM),
    "median": lambda a, _: Text(f"median({a[0].sql})", ATOM),
    "quantile": lambda a, o: Text(f"quantile_cont({a[0].sql}, {number(o['quantile'])})", ATOM),
    "var": lambda a, o: Text(f"{'var_samp' if o['ddof'] else 'var_pop'}({a[0].sql})", ATOM),
}
