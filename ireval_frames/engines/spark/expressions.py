"""Expressions as Spark's SQL text, with the meaning that Polars gives them, in ANSI mode and without it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ireval_frames.engines.spark import values as spark_values
from ireval_frames.engines.spark.values import type_name
from ireval_frames.engines.sql import number_types
from ireval_frames.engines.sql.expressions import SQLWords
from ireval_frames.engines.sql.operations import Written, divisor, joined_text, rounded
from ireval_frames.engines.sql.values import AND, ATOM, COMPARED, PLUS, TIMES, Text, ValueKind, number
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, reading
from ireval_frames.expr.reading import Window

_INFINITE = number(math.inf)
# Floats of this size and more are whole.
_WHOLE = number(2.0**53)


def spark_sql(expr: Expr, columns: Mapping[str, str] | None = None, *, beside: bool = False) -> str:
    """The expression as SQL of Spark: see `spark_sql_text`."""
    return spark_sql_text(expr, columns or {}, beside=beside).sql


def spark_sql_text(
    expr: Expr, columns: Mapping[str, str], kinds: Callable[[str], ValueKind] | None = None, *, beside: bool = False
) -> Text:
    """The expression as SQL of Spark.

    Args:
        expr: what to write.
        columns: the texts of columns that are not simply their names.
        kinds: what a column holds; asked only where it decides about the text.
        beside: it stands beside columns, so that an aggregate is one over all rows.
    """
    return reading.translated(expr, SparkWords(columns, beside=beside, kinds=kinds))


class SparkWords(SQLWords):
    """Where Spark says something else than DuckDB.  Names stand in double quotes until the statement is written."""

    written: ClassVar[Mapping[str, Written]]
    functions: ClassVar[Mapping[str, str]] = {
        **SQLWords.functions,
        "floor": f"CASE WHEN abs({{0}}) < {_WHOLE} THEN CAST(floor({{0}}) AS DOUBLE) ELSE {{0}} END",
        "ceil": f"CASE WHEN abs({{0}}) < {_WHOLE} THEN CAST(ceil({{0}}) AS DOUBLE) ELSE {{0}} END",
        "is_nan": "CASE WHEN {0} IS NOT NULL THEN isnan({0}) END",
        "is_finite": f"abs({{0}}) < {_INFINITE}",
        "list.len": "array_size({0})",
        "list.min": "array_min({0})",
        "sqrt": "sqrt({0})",
    }
    aggregates: ClassVar[Mapping[str, str]] = {**SQLWords.aggregates, "any_value": "any_value({0}, TRUE){1}"}

    @staticmethod
    def unwritten(what: str) -> NotDefined:
        """The error of an operation that has no words."""
        return NotDefined(
            f"Spark is not told {what}: it has no SQL text here.",
            "Say it in other operations, or evaluate in Polars: hand in frame.toArrow() in place of the frame.",
        )

    def literal(self, value: Any, dtype: Any) -> Text:
        """A value, cast to its type where one is given."""
        text = replace(spark_values.value(value), kind=number_types.of_value(value))
        if dtype is None:
            return text
        return Text(f"CAST({text.sql} AS {type_name(dtype)})", ATOM, kind=lambda: number_types.of_type(dtype))

    def _windowed(self, op: str, args: Sequence[Text], options: Mapping[str, Any], window: Window) -> Text:
        if op == "n_unique":
            over, inner = self._over(window, options), args[0].sql
            null = f"max(CASE WHEN {inner} IS NULL THEN 1 ELSE 0 END) OVER ({over})"
            return Text(f"size(collect_set({inner}) OVER ({over})) + {null}", PLUS)
        if op == "cum_prod":
            return _product(args[0], self._over(window, options))
        return super()._windowed(op, args, options, window)


def _product(inner: Text, over: str) -> Text:
    """Spark's SQL has no product: it is the exponential of a sum, with its sign, unless a factor is 0."""
    rows, factor = f"OVER ({over} ROWS UNBOUNDED PRECEDING)", inner.within(COMPARED + 1)
    zeros = f"sum(CASE WHEN {factor} = 0 THEN 1 ELSE 0 END) {rows}"
    sign = f"CASE WHEN sum(CASE WHEN {factor} < 0 THEN 1 ELSE 0 END) {rows} % 2 = 1 THEN -1e0 ELSE 1e0 END"
    size = f"exp(sum(ln(nullif(abs({inner.sql}), 0e0))) {rows})"
    return Text(
        f"CASE WHEN {factor} IS NOT NULL THEN CASE WHEN {zeros} > 0 THEN 0e0 ELSE {sign} * coalesce({size}, 1e0) END"
        " END",
        ATOM,
    )


def _quotient(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Spark divides by 0 with an error or a null, and Polars as floats are divided."""
    left, right = args
    above, below = left.within(TIMES), right.within(TIMES + 1)
    if right.value:
        return Text(f"{above} / {below}", TIMES)
    return Text(f"coalesce(try_divide({left.sql}, {right.sql}), {above} * {_INFINITE} + {below})", ATOM)


def _floor(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    above, below = args
    return Text(SparkWords.functions["floor"].format(_quotient([above, divisor(above, below)], options).sql), ATOM)


def _remainder(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Polars' remainders have the sign of the divisor, and Spark's that of the dividend."""
    above, below = args
    rest = f"try_mod({above.sql}, {below.sql})"
    return Text(f"try_mod({rest} + {below.within(PLUS + 1)}, {below.sql})", ATOM)


def _is_in(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    inner = args[0].within(COMPARED + 1)
    values = [spark_values.value(v).sql for v in options["other"]]
    if not values:
        return Text(f"{inner} IS NULL AND CAST(NULL AS BOOLEAN)", AND)
    return Text(f"{inner} IN ({', '.join(values)})", COMPARED)


def _contains(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    return Text(f"{'contains' if options['literal'] else 'regexp'}({args[0].sql}, {args[1].sql})", ATOM)


def _sliced(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    if options["offset"] < 0:
        raise SparkWords.unwritten(f"str.slice from {options['offset']}")
    length = "" if options["length"] is None else f", {options['length']}"
    return Text(f"substring({args[0].sql}, {options['offset'] + 1}{length})", ATOM)


def _counted(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    inner = args[0].sql
    return Text(f"count(DISTINCT {inner}) + max(CASE WHEN {inner} IS NULL THEN 1 ELSE 0 END)", PLUS)


def _refused(what: str) -> Written:
    def written(*_: Any) -> Text:
        raise SparkWords.unwritten(what)

    return written


SparkWords.written = {
    **{name: written for name, written in SQLWords.written.items() if name != "sqrt"},
    "truediv": _quotient,
    "ratio": lambda a, _: Text(f"try_divide({a[0].sql}, {a[1].sql})", ATOM),
    "floordiv": _floor,
    "mod": _remainder,
    "cast": lambda a, o: Text(f"CAST({a[0].sql} AS {type_name(o['dtype'])})", ATOM),
    "round": rounded("rint({})"),
    "is_in": _is_in,
    "n_unique": _counted,
    "concat_str": joined_text(spark_values.string),
    "list.get": lambda a, o: Text(f"get({a[0].sql}, {o['index']})", ATOM),
    "dt.total_microseconds": _refused("dt.total_microseconds"),
    "struct.field": lambda a, o: Text(f"({a[0].sql}).{spark_values.name(o['name'])}", ATOM),
    "str.contains": _contains,
    "str.slice": _sliced,
    "str.starts_with": lambda a, _: Text(f"startswith({a[0].sql}, {a[1].sql})", ATOM),
    "quantile": lambda a, o: Text(f"percentile({a[0].sql}, {number(o['quantile'])})", ATOM),
}
