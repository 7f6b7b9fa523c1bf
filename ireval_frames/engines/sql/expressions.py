"""Expressions as SQL text, with the meaning that Polars gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ireval_frames.engines.quoting import identifier, md5
from ireval_frames.engines.sql import number_types
from ireval_frames.engines.sql.operations import BINARY, WRITERS, Writer, binary, unwritten
from ireval_frames.engines.sql.values import ATOM, COMPARED, PLUS, Text, ValueKind, each_row, literal, type_name
from ireval_frames.errors import NotDefined
from ireval_frames.expr import reading
from ireval_frames.expr.node import Node
from ireval_frames.expr.reading import Window

# Options that SQL can express, the default first; others are refused.
_OPTIONS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "quantile": {"interpolation": ("linear",)},
    "std": {"ddof": (1, 0)},
    "var": {"ddof": (1, 0)},
}
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
_GROUPED = {
    "sum": "coalesce(fsum({0}), 0e0)",
    "plain_sum": "coalesce(sum({0}), 0e0)",
    "count": "CAST(count(*) AS DOUBLE)",
    "present": "CAST(count({0}) AS DOUBLE)",
    # A compensated sum of infinite values is NaN.
    "mean": "CASE WHEN isfinite(avg({0})) THEN fsum({0}) / count({0}) ELSE avg({0}) END",
    "max": "max({0})",
    "min": "min({0})",
    "any": "any_value({0})",
    "quantile": "quantile_cont({0}, {1})",
    "value_at": "quantile_disc({0}, {1})",
    "variance": "var_samp({0})",
}
_FUNCTIONS = {
    "abs": "abs({0})",
    "exp": "exp({0})",
    "floor": "floor({0})",
    "ceil": "ceil({0})",
    "is_nan": f"isnan({each_row('{0}')})",
    "is_finite": f"isfinite({each_row('{0}')})",
    "list.len": "len({0})",
    "list.min": "list_min({0})",
    "sin": "sin({0})",
    "str.to_lowercase": "lower({0})",
    "cos": "cos({0})",
}


class SQLDialect:
    """DuckDB's SQL; another database overrides some operations.

    Args:
        columns: the texts of columns that are not simply their names.
        beside: the expression stands beside columns, so an aggregate is a window over all rows.
        kinds: the kind of a column's values, looked up only where the text depends on it.

    Attributes:
        title: the name of the database.
        writers: operations with a function that writes them.
        functions: those that are a function call.
        aggregates: those of several rows.
        grouped: aggregates of a group-by, of an expression and the position of a quantile.
        ordered_sum: a sum term by term, of an expression and the column of the order.
        int_range: a row for each integer from one column to another.
    """

    title: ClassVar[str] = "DuckDB"

    writers: ClassVar[Mapping[str, Writer]] = WRITERS
    functions: ClassVar[Mapping[str, str]] = _FUNCTIONS
    aggregates: ClassVar[Mapping[str, str]] = _AGGREGATES
    grouped: ClassVar[Mapping[str, str]] = _GROUPED
    ordered_sum: ClassVar[str] = "coalesce(sum({0} ORDER BY {1} ASC), 0e0)"
    int_range: ClassVar[str] = "unnest(range({0}, {1} + 1))"

    def __init__(
        self, columns: Mapping[str, str], *, beside: bool, kinds: Callable[[str], ValueKind] | None = None
    ) -> None:
        self._columns, self._beside, self._kinds = columns, beside, kinds

    @staticmethod
    def unwritten(what: str) -> NotDefined:
        """The error for an operation without SQL text."""
        return unwritten(what)

    @staticmethod
    def explode(values: str) -> str:
        """A row for each value of a list or an array; null for those that are null or empty."""
        return f"unnest(CASE WHEN len({values}) > 0 THEN {values}[:] ELSE [NULL] END)"

    @classmethod
    def explode_lists(cls, columns: Sequence[str], number: str) -> list[Mapping[str, str]]:
        """The columns of the SELECTs, one over the other, that explode several lists and number the positions."""
        positions = f"range(1, len({identifier(columns[0])}) + 1)"
        return [{c: cls.explode(identifier(c)) for c in columns} | {number: cls.explode(positions)}]

    @staticmethod
    def id_hash(column: str, seed: int) -> str:
        """The hash of `Engine.hashed`."""
        return md5(identifier(column), seed)

    def column(self, name: str) -> Text:
        """A column's text, or its name."""
        return Text(self._columns.get(name) or identifier(name), ATOM, kind=number_types.of_column(self._kinds, name))

    def literal(self, value: Any, dtype: Any) -> Text:
        """A value, cast to its type where one is given."""
        if dtype is not None:
            return Text(
                f"CAST({literal(value).sql} AS {type_name(dtype)})", ATOM, kind=lambda: number_types.of_type(dtype)
            )
        out = literal(value)
        return Text(out.sql, out.binds, out.value, number_types.of_value(value))

    def operation(self, op: str, args: Sequence[Text], options: Mapping[str, Any], window: Window | None) -> Text:
        """An operation, over a window where one is given.

        Raises:
            NotDefined: it, or an option of it, has no SQL text.
        """
        for option, values in _OPTIONS.get(op, {}).items():
            if options[option] not in values:
                raise self.unwritten(f"{op} with {option}={options[option]!r}")
        out = self._operation(op, args, options, window)
        return Text(out.sql, out.binds, out.value, number_types.of_operation(op, args, options))

    def _operation(self, op: str, args: Sequence[Text], options: Mapping[str, Any], window: Window | None) -> Text:
        if window is None and self._beside and (op in self.aggregates or op in ("len", "n_unique", "rank")):
            window = Window((), ())
        if window is not None or op in _RUNNING or op == "shift":
            return self._windowed(op, args, options, window or Window((), ()))
        if op in self.writers:
            return self.writers[op](args, options)
        if op in BINARY:
            return binary(op, *args)
        if op in self.functions:
            return Text(self.functions[op].format(args[0].sql), ATOM)
        if op not in self.aggregates:
            raise self.unwritten(op)
        return Text(self.aggregates[op].format(args[0].sql, ""), ATOM)

    def _windowed(self, op: str, args: Sequence[Text], options: Mapping[str, Any], window: Window) -> Text:
        over = self._over(window, options)
        if op == "len":
            return Text(f"count(*) OVER ({over})", ATOM)
        inner = args[0].sql
        if op == "shift":
            n = options["n"]
            return Text(f"{'lag' if n >= 0 else 'lead'}({inner}, {abs(n)}) OVER ({over})", ATOM)
        if op in _RUNNING:
            running = f"{_RUNNING[op]}({inner}) OVER ({over} ROWS UNBOUNDED PRECEDING)"
            if op == "cum_count" or args[0].value is not None:
                return Text(running, ATOM)
            return Text(f"CASE WHEN {args[0].within(COMPARED + 1)} IS NOT NULL THEN {running} END", ATOM)
        if op == "rank":
            return _rank(inner, over, options)
        if op == "n_unique":
            nulls = f"max(CASE WHEN {inner} IS NULL THEN 1 ELSE 0 END) OVER ({over})"
            return Text(f"count(DISTINCT {inner}) OVER ({over}) + {nulls}", PLUS)
        if op not in self.aggregates:
            raise self.unwritten(f"{op} over a window")
        return Text(self.aggregates[op].format(inner, f" OVER ({over})"), ATOM)

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
    ties = f"count(*) OVER ({over + ', ' if over else 'PARTITION BY '}{value})"
    ranks = {
        "min": f"rank() {placed}",
        "dense": f"dense_rank() {placed}",
        "ordinal": f"row_number() {placed}",
        "max": f"rank() {placed} + {ties} - 1",
        "average": f"rank() {placed} + ({ties} - 1) / 2e0",
    }
    return Text(f"CASE WHEN {value} IS NOT NULL THEN {ranks[options['method']]} END", ATOM)


def sql(expr: Node, dialect: type[SQLDialect] = SQLDialect) -> str:
    """The expression as SQL, with columns by their names."""
    return reading.translated(expr, dialect({}, beside=False)).sql
