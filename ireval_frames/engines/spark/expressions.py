"""Expressions as Spark's SQL, with the meaning that Polars gives them, in ANSI mode and without it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.spark import values as spark_values
from ireval_frames.engines.spark.values import type_name
from ireval_frames.engines.sql import number_types
from ireval_frames.engines.sql.expressions import SQLDialect
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.operations import Writer, divisor, joined_text, replaced_text, rounded
from ireval_frames.engines.sql.values import AND, ATOM, COMPARED, PLUS, TIMES, Text, number
from ireval_frames.errors import NotDefined
from ireval_frames.expr.reading import Window

_INFINITE = number(math.inf)
# Floats of this size and more are whole.
_WHOLE = number(2.0**53)


class SparkDialect(SQLDialect):
    """Where Spark's SQL differs from DuckDB's.  Names are in double quotes until the statement is written."""

    writers: ClassVar[Mapping[str, Writer]]
    functions: ClassVar[Mapping[str, str]] = {
        **SQLDialect.functions,
        "floor": f"CASE WHEN abs({{0}}) < {_WHOLE} THEN CAST(floor({{0}}) AS DOUBLE) ELSE {{0}} END",
        "ceil": f"CASE WHEN abs({{0}}) < {_WHOLE} THEN CAST(ceil({{0}}) AS DOUBLE) ELSE {{0}} END",
        "is_nan": "CASE WHEN {0} IS NOT NULL THEN isnan({0}) END",
        "is_finite": f"abs({{0}}) < {_INFINITE}",
        "list.len": "array_size({0})",
        "list.min": "array_min({0})",
        "sqrt": "sqrt({0})",
    }
    title: ClassVar[str] = "Spark"
    aggregates: ClassVar[Mapping[str, str]] = {**SQLDialect.aggregates, "any_value": "any_value({0}, TRUE){1}"}
    grouped: ClassVar[Mapping[str, str]] = {
        **SQLDialect.grouped,
        "sum": "coalesce(sum({0}), 0e0)",
        "mean": "avg({0})",
        "any": "any_value({0}, TRUE)",
        "quantile": "percentile({0}, {1})",
        "value_at": "percentile_disc({1}) WITHIN GROUP (ORDER BY {0})",
    }
    ordered_sum: ClassVar[str] = (
        "aggregate(array_sort(collect_list(CASE WHEN {0} IS NOT NULL THEN named_struct('o', {1}, 't', CAST({0} AS"
        " DOUBLE)) END)), 0e0, (s, x) -> s + x.t)"
    )
    int_range: ClassVar[str] = "explode(sequence({0}, {1}))"

    @staticmethod
    def explode(values: str) -> str:
        """A row for each value of a list; null for lists that are null or empty."""
        return f"explode_outer({values})"

    @classmethod
    def explode_lists(cls, columns: Sequence[str], number: str) -> list[Mapping[str, str]]:
        """The columns of the SELECTs that explode several lists: first a list of structs, then their fields."""
        first = identifier(columns[0])
        fields = "".join(f", 'v{i}', get({identifier(c)}, i)" for i, c in enumerate(columns))
        elements = f"transform(sequence(0, size({first}) - 1), i -> named_struct('n', CAST(i + 1 AS BIGINT){fields}))"
        # A sequence down from 0 would not be empty.
        structs = {number: cls.explode(f"CASE WHEN size({first}) > 0 THEN {elements} END")}
        element = identifier(number)
        return [structs, {c: f"({element}).v{i}" for i, c in enumerate(columns)} | {number: f"({element}).n"}]

    @staticmethod
    def id_hash(column: str, seed: int) -> str:
        """The hash of `Engine.hashed`: the bytes of the MD5 are reversed, and the last bit is dropped."""
        digits = f"md5('{seed}:' || {identifier(column)})"
        reverse = " || ".join(f"substring({digits}, {at}, 2)" for at in range(31, 15, -2))
        return f"CAST(CAST(conv({reverse}, 16, 10) AS DECIMAL(20, 0)) div 2 AS BIGINT)"

    @staticmethod
    def unwritten(what: str) -> NotDefined:
        """The error for an operation without SQL text."""
        return NotDefined(
            f"{what} cannot be written in Spark's SQL.",
            "Use other operations, or evaluate in Polars: pass frame.toArrow() in place of the frame.",
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
    """Spark's SQL has no product: the exponential of a sum of logarithms, with the sign, unless a factor is 0."""
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
    """Division by 0 is an error or a null in Spark; here as in Polars ±∞ or NaN."""
    left, right = args
    above, below = left.within(TIMES), right.within(TIMES + 1)
    if right.value:
        return Text(f"{above} / {below}", TIMES)
    return Text(f"coalesce(try_divide({left.sql}, {right.sql}), {above} * {_INFINITE} + {below})", ATOM)


def _floor(args: Sequence[Text], options: Mapping[str, Any]) -> Text:
    above, below = args
    return Text(SparkDialect.functions["floor"].format(_quotient([above, divisor(above, below)], options).sql), ATOM)


def _remainder(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    """Remainders have the sign of the divisor in Polars, and of the dividend in Spark."""
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
        raise SparkDialect.unwritten(f"str.slice from {options['offset']}")
    length = "" if options["length"] is None else f", {options['length']}"
    return Text(f"substring({args[0].sql}, {options['offset'] + 1}{length})", ATOM)


def _n_unique(args: Sequence[Text], _: Mapping[str, Any]) -> Text:
    inner = args[0].sql
    return Text(f"count(DISTINCT {inner}) + max(CASE WHEN {inner} IS NULL THEN 1 ELSE 0 END)", PLUS)


def _refused(what: str) -> Writer:
    def written(*_: Any) -> Text:
        raise SparkDialect.unwritten(what)

    return written


SparkDialect.writers = {
    **{name: writer for name, writer in SQLDialect.writers.items() if name != "sqrt"},
    "truediv": _quotient,
    "ratio": lambda a, _: Text(f"try_divide({a[0].sql}, {a[1].sql})", ATOM),
    "floordiv": _floor,
    "mod": _remainder,
    "cast": lambda a, o: Text(f"CAST({a[0].sql} AS {type_name(o['dtype'])})", ATOM),
    "round": rounded("rint({})"),
    "is_in": _is_in,
    "n_unique": _n_unique,
    "concat_str": joined_text(spark_values.string),
    "list.get": lambda a, o: Text(f"get({a[0].sql}, {o['index']})", ATOM),
    "dt.total_microseconds": _refused("dt.total_microseconds"),
    "struct.field": lambda a, o: Text(f"({a[0].sql}).{spark_values.name(o['name'])}", ATOM),
    "str.contains": _contains,
    "str.replace_all": replaced_text("regexp_replace", spark_values.string, r"$\1"),
    "str.slice": _sliced,
    "str.split": lambda a, o: Text(f"split({a[0].sql}, {spark_values.string(re.escape(o['by']))})", ATOM),
    "str.strip_chars": lambda a, o: Text(f"trim(BOTH {spark_values.string(o['characters'])} FROM {a[0].sql})", ATOM),
    "str.starts_with": lambda a, _: Text(f"startswith({a[0].sql}, {a[1].sql})", ATOM),
    "quantile": lambda a, o: Text(f"percentile({a[0].sql}, {number(o['quantile'])})", ATOM),
}


def row_hash(frame: SQLFrame, columns: Sequence[str]) -> str:
    """Spark's hash of 64 bits, which ignores nulls, so it gets whether each value is null; -0.0 counts as 0.0."""
    terms = []
    for column in columns:
        name = identifier(column)
        terms += [f"{name} + 0e0" if frame.dtype(column).is_float() else name, f"{name} IS NULL"]
    return f"xxhash64({', '.join(terms or ['0'])})"
