"""What operations make of floats and of whole numbers, where databases treat them otherwise than Polars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ireval_frames.engines.sql.values import Text, ValueKind, of_other_kind

# Their values are floats, or whole, whatever they are made of.
_FLOAT = frozenset(
    [
        *("truediv", "ratio", "ceil", "cos", "exp", "floor", "log", "sin", "sqrt"),
        *("mean", "mean_horizontal", "median", "quantile", "std", "var", "list.get", "struct.field"),
    ]
)
_INTEGER = frozenset(
    ("count", "cum_count", "dt.total_microseconds", "len", "list.len", "n_unique", "null_count", "rank")
)
# Their values are what their operands are.
_LIKE = frozenset(
    [
        *("abs", "add", "alias", "any_value", "clip", "clip_lower", "clip_upper", "coalesce", "cum_max", "cum_min"),
        *("cum_prod", "cum_sum", "fill_null", "floordiv", "max", "max_horizontal", "min", "min_horizontal", "mod"),
        *("mul", "neg", "pow", "round", "shift", "sub", "sum", "sum_horizontal", "when_then"),
    ]
)


def of_type(dtype: Any) -> ValueKind:
    """Of a type of Polars; decimal numbers count as floats, since they may have a fraction."""
    if dtype.is_float() or dtype.is_decimal():
        return "float"
    return "integer" if dtype.is_integer() else "other"


def of_value(value: Any) -> Callable[[], ValueKind]:
    """Of a literal."""
    known: Mapping[type, ValueKind] = {float: "float", int: "integer"}
    return lambda: known.get(type(value), "other")


def of_operation(name: str, args: Sequence[Text], options: Mapping[str, Any]) -> Callable[[], ValueKind]:
    """Of what an operation makes of its operands."""
    if name in _FLOAT:
        return lambda: "float"
    if name == "cast":
        return lambda: of_type(options["dtype"])
    if name in _INTEGER:
        return lambda: "float" if options.get("method") == "average" else "integer"
    if name not in _LIKE:
        return of_other_kind
    operands = args[1:] if name == "when_then" else args

    def of_operands() -> ValueKind:
        kinds = {operand.kind() for operand in operands if operand.sql != "NULL"}
        return "float" if "float" in kinds else "integer" if "integer" in kinds else "other"

    return of_operands


def to_integer(dtype: Any) -> bool:
    """Whether values of a type are whole numbers."""
    return of_type(dtype) == "integer"


def of_column(kinds: Callable[[str], ValueKind] | None, column: str) -> Callable[[], ValueKind]:
    """Of a column, asked when it matters; of one that nobody knows, floats."""
    return lambda: "float" if kinds is None else kinds(column)
