"""Narwhals' expressions as SQL text, with the meaning that Polars gives them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions
from ireval_frames.engines.expressions import Window
from ireval_frames.engines.sql_names import identifier, string
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
_BINARY = {
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
_RUNNING = {"cum_sum": "sum", "cum_prod": "product", "cum_max": "max", "cum_min": "min", "cum_count": "count"}
_AGGREGATES = {
    "sum": "coalesce(sum({0}){1}, 0)",
    "mean": "avg({0}){1}",
    "max": "max({0}){1}",
    "min": "min({0}){1}",
    "count": "count({0}){1}",
    "all": "coalesce(bool_and({0}){1}, TRUE)",
    "any": "coalesce(bool_or({0}){1}, FALSE)",
    "null_count": "count(CASE WHEN {0} IS NULL THEN 1 END){1}",
    "any_value": "any_value({0}){1}",
}
_FUNCTIONS = {
    "abs": "abs({0})",
    "exp": "exp({0})",
    "floor": "floor({0})",
    "ceil": "ceil({0})",
    "is_nan": "isnan({0})",
    "is_finite": "isfinite({0})",
    "list.len": "len({0})",
    "sin": "sin({0})",
    "cos": "cos({0})",
}


def sql(expr: nw.Expr, columns: Mapping[str, str] | None = None, *, beside: bool = False) -> str:
    """The expression as SQL of DuckDB.

    Args:
        expr: what to write.
        columns: the texts of columns that are not simply their names.
        beside: it stands beside columns, so that an aggregate is one over all rows.
    """
    return expressions.translated(expr, SQLWords(columns or {}, beside=beside)).sql


class SQLWords:
    """DuckDB's words; another database has others for some operations.

    Attributes:
        written: operations that are written by a function.
        functions: those that are a function's call.
        aggregates: those of several rows.
    """

    written: ClassVar[Mapping[str, Written]]
    functions: ClassVar[Mapping[str, str]] = _FUNCTIONS
    aggregates: ClassVar[Mapping[str, str]] = _AGGREGATES

    def __init__(self, columns: Mapping[str, str], *, beside: bool) -> None:
        self._columns, self._beside = columns, beside

    @staticmethod
    def unwritten(what: str) -> NotDefined:
        """The error of an operation that has no words."""
        return NotDefined(
            f"DuckDB is not told {what}: it has no SQL text here.",
            'Say it in other operations, or evaluate in Polars: engine="polars".',
        )

    def column(self, name: str) -> Text:
        """A column's text, or its name."""
        return Text(self._columns.get(name) or identifier(name), ATOM)

    def literal(self, value: Any, dtype: Any) -> Text:
        """A value, cast to its type where one is given."""
        if dtype is not None:
            return Text(f"CAST({literal(value).sql} AS {type_name(dtype)})", ATOM)
        return literal(value)

    def operation(
        self, name: str, before: Text | None, others: Sequence[Text], options: Mapping[str, Any], window: Window | None
    ) -> Text:
        """An operation, over a window where one is given."""
        if window is None and self._beside and (name in self.aggregates or name in ("len", "n_unique", "rank")):
            window = Window((), ())
        if window is not None or name in _RUNNING or name == "shift":
            return self._windowed(name, before, others, options, window or Window((), ()))
        if name in self.written:
            return self.written[name](before, others, options)
        if before is None:
            raise self.unwritten(name)
        operator = name.strip("_")
        if operator in _BINARY:
            return _binary(operator, before, others[0])
        if operator.removeprefix("r") in _BINARY:
            return _binary(operator.removeprefix("r"), others[0], before)
        if name in self.functions:
            return Text(self.functions[name].format(before.sql), ATOM)
        if name not in self.aggregates:
            raise self.unwritten(name)
        return Text(self.aggregates[name].format(before.sql, ""), ATOM)

    def _windowed(
        self, name: str, before: Text | None, others: Sequence[Text], options: Mapping[str, Any], window: Window
    ) -> Text:
        inner = before.sql if before else ""
        over = self._over(window, options)
        if name == "shift":
            n = options["n"]
            return Text(f"{'lag' if n >= 0 else 'lead'}({inner}, {abs(n)}) OVER ({over})", ATOM)
        if name in _RUNNING:
            running = f"{_RUNNING[name]}({inner}) OVER ({over} ROWS UNBOUNDED PRECEDING)"
            if name == "cum_count" or (before is not None and before.value is not None):
                return Text(running, ATOM)
            return Text(
                f"CASE WHEN {before.within(COMPARED + 1) if before else ''} IS NOT NULL THEN {running} END", ATOM
            )
        if name == "len":
            return Text(f"count(*) OVER ({over})", ATOM)
        if name == "rank":
            return _rank(inner, over, options)
        if name == "n_unique":
            nulls = f"max(CASE WHEN {inner} IS NULL THEN 1 ELSE 0 END) OVER ({over})"
            return Text(f"count(DISTINCT {inner}) OVER ({over}) + {nulls}", PLUS)
        return Text(self.aggregates[name].format(inner, f" OVER ({over})"), ATOM)

    def _over(self, window: Window, options: Mapping[str, Any]) -> str:
        parts = []
        if window.keys:
            parts.append("PARTITION BY " + ", ".join(self.column(k).sql for k in window.keys))
        if window.order:
            ends = " DESC NULLS LAST" if options.get("reverse", False) else " ASC NULLS FIRST"
            parts.append("ORDER BY " + ", ".join(self.column(k).sql + ends for k in window.order))
        return " ".join(parts)


def _rank(value: str, over: str, options: Mapping[str, Any]) -> Text:
    """Equal values share a rank; nulls have none."""
    direction = "DESC NULLS LAST" if options["descending"] else "ASC NULLS LAST"
    placed = f"OVER ({over} ORDER BY {value} {direction})"
    alike = f"count(*) OVER ({over + ', ' if over else 'PARTITION BY '}{value})"
    ranks = {
        "min": f"rank() {placed}",
        "dense": f"dense_rank() {placed}",
        "ordinal": f"row_number() {placed}",
        "max": f"rank() {placed} + {alike} - 1",
        "average": f"rank() {placed} + ({alike} - 1) / 2e0",
    }
    return Text(f"CASE WHEN {value} IS NOT NULL THEN {ranks[options['method']]} END", ATOM)


def _binary(operator: str, left: Text, right: Text) -> Text:
    sign, binds, strict = _BINARY[operator]
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
        return Text(f"{function}({', '.join(t.sql for t in inner)})", ATOM)

    return written


def _joined(sign: str) -> Written:
    binds = AND if sign == "AND" else OR

    def written(_: Text | None, others: Sequence[Text], __: Mapping[str, Any]) -> Text:
        return Text(f" {sign} ".join(o.within(binds + 1) for o in others), binds) if len(others) > 1 else others[0]

    return written


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
    low = _binary("ge" if closed in ("both", "left") else "gt", inner, others[0])
    high = _binary("le" if closed in ("both", "right") else "lt", inner, others[1])
    return Text(f"{low.sql} AND {high.sql}", AND)


def _integer(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Polars rounds quotients of floats down."""
    return Text(f"floor({_given(before).within(TIMES)} / {others[0].within(TIMES + 1)})", ATOM)


def _remainder(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Polars' remainders have the sign of the divisor, and DuckDB's that of the dividend."""
    below = others[0].within(TIMES + 1)
    return Text(f"({_given(before).within(TIMES)} % {below} + {below}) % {below}", TIMES)


def _power(before: Text | None, others: Sequence[Text], _: Mapping[str, Any]) -> Text:
    return Text(f"pow({_given(before).sql}, {others[0].sql})", ATOM)


def _substring(text: str, offset: int, length: int | None) -> str:
    if offset < 0:
        raise SQLWords.unwritten(f"str.slice from {offset}")
    return f"substring({text}, {offset + 1})" if length is None else f"substring({text}, {offset + 1}, {length})"


def _given(before: Text | None) -> Text:
    if before is None:
        raise SQLWords.unwritten("an operation of no column")
    return before


_WRITTEN: dict[str, Written] = {
    "when_then": _when,
    "all_horizontal": _joined("AND"),
    "any_horizontal": _joined("OR"),
    "max_horizontal": _call("greatest"),
    "min_horizontal": _call("least"),
    "coalesce": _call("coalesce"),
    "fill_null": _call("coalesce"),
    "len": lambda *_: Text("count(*)", ATOM),
    "n_unique": lambda b, *_: Text(
        f"count(DISTINCT {_given(b).sql}) + max(CASE WHEN {_given(b).sql} IS NULL THEN 1 ELSE 0 END)", PLUS
    ),
    "alias": lambda b, *_: _given(b),
    "cast": lambda b, _, o: Text(f"CAST({_given(b).sql} AS {type_name(o['dtype'])})", ATOM),
    "is_null": lambda b, *_: Text(f"{_given(b).within(COMPARED + 1)} IS NULL", COMPARED),
    "__invert__": lambda b, *_: Text(f"NOT {_given(b).within(NOT)}", NOT),
    "__neg__": lambda b, *_: Text(f"-{_given(b).within(ATOM)}", UNARY),
    "__pow__": _power,
    "__rpow__": lambda b, o, x: _power(o[0], [_given(b)], x),
    "__floordiv__": _integer,
    "__mod__": _remainder,
    "round": lambda b, _, o: Text(f"round({_given(b).sql}, {o['decimals']})", ATOM),
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
    "concat_str": lambda _, o, x: Text(
        (f" || {string(x['separator'])} || " if x["separator"] else " || ").join(t.within(PLUS + 1) for t in o),
        PLUS - 1,
    ),
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
SQLWords.written = _WRITTEN
