"""Whether values are floats or integers, where databases treat these otherwise than Polars does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ireval_frames.engines.sql.values import Text, ValueKind, other_kind

# Operations with floats, or integers, for results whatever the operands are.
_FLOAT = frozenset(
    [
        *("truediv", "ratio", "ceil", "cos", "exp", "floor", "log", "sin", "sqrt"),
        *("mean", "mean_horizontal", "median", "quantile", "std", "var", "list.get", "struct.field"),
    ]
)
_INTEGER = frozenset(
    ("count", "cum_count", "dt.total_microseconds", "len", "list.len", "n_unique", "null_count", "rank")
)
# Operations whose results have the kind of their operands.
_LIKE = frozenset(
    [
        *("abs", "add", "alias", "any_value", "clip", "clip_lower", "clip_upper", "coalesce", "cum_max", "cum_min"),
        *("cum_prod", "cum_sum", "fill_null", "floordiv", "max", "max_horizontal", "min", "min_horizontal", "mod"),
        *("mul", "neg", "pow", "round", "shift", "sub", "sum", "sum_horizontal", "when_then"),
    ]
)


def of_type(dtype: Any) -> ValueKind:
    """The kind of a Polars type; decimals count as floats, since they may have a fraction."""
    if dtype.is_float() or dtype.is_decimal():
        return "float"
    return "integer" if dtype.is_integer() else "other"


def of_value(value: Any) -> Callable[[], ValueKind]:
    """The kind of a literal."""
    known: Mapping[type, ValueKind] = {float: "float", int: "integer"}
    return lambda: known.get(type(value), "other")


def of_operation(name: str, args: Sequence[Text], options: Mapping[str, Any]) -> Callable[[], ValueKind]:
    """The kind of an operation's result."""
    if name in _FLOAT:
        return lambda: "float"
    if name == "cast":
        return lambda: of_type(options["dtype"])
    if name in _INTEGER:
        return lambda: "float" if options.get("method") == "average" else "integer"
    if name not in _LIKE:
        return other_kind
    operands = args[1:] if name == "when_then" else args

    def of_operands() -> ValueKind:
        kinds = {operand.kind() for operand in operands if operand.sql != "NULL"}
        return "float" if "float" in kinds else "integer" if "integer" in kinds else "other"

    return of_operands


def to_integer(dtype: Any) -> bool:
    """Whether a type is an integer type."""
    return of_type(dtype) == "integer"


def of_column(kinds: Callable[[str], ValueKind] | None, column: str) -> Callable[[], ValueKind]:
    """The kind of a column, looked up on demand; floats if nothing is known of it."""
    return lambda: "float" if kinds is None else kinds(column)
