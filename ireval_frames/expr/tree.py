"""An expression as a small tree, written with Polars' names for its operations.

Nothing is computed here: each engine translates the tree (`expr/reading.py`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter, WrongType
from ireval_frames.expr.namespaces import Lists, Structs, Texts, Times
from ireval_frames.expr.node import Node

# Of several rows: an aggregate over all rows of a group, or over those up to the row itself.
AGGREGATES = frozenset(
    ("sum", "mean", "max", "min", "count", "len", "n_unique", "any", "all", "null_count", "median", "std", "var",
     "quantile", "any_value")
)  # fmt: skip
RUNNING = frozenset(("cum_sum", "cum_prod", "cum_max", "cum_min", "cum_count", "shift", "rank"))


def _binary(op: str) -> Callable[[Expr, Any], Expr]:
    def method(self: Expr, other: Any) -> Expr:
        return Expr(op, (self, other if isinstance(other, Expr) else lit(other)))

    return method


def _reflected(op: str) -> Callable[[Expr, Any], Expr]:
    def method(self: Expr, other: Any) -> Expr:
        return Expr(op, (lit(other), self))

    return method


def _unary(op: str) -> Callable[[Expr], Expr]:
    def method(self: Expr) -> Expr:
        return Expr(op, (self,))

    return method


class Expr(Node):
    """A value per row, made of columns, numbers and operations; the methods mean what Polars' methods of the name mean.

    Expressions are made by `col`, `lit` and `when`, and never change.  `==` makes an expression, too: whether two
    compute the same thing is decided by `key`.

    >>> from ireval_frames.expr import col, when
    >>> gain = when(col("grade") > 0).then(2.0 ** col("grade") - 1.0).otherwise(0.0)
    >>> gain
    (((2 ^ grade) - 1) if (grade > 0) else 0)
    >>> sorted(gain.columns)
    ['grade']
    """

    __slots__ = ()

    args: tuple[Expr, ...]

    def apply(self, op: str, *operands: Any, **options: Any) -> Expr:
        """The result of an operation on this expression and further operands."""
        return Expr(op, (self, *map(operand, operands)), options)

    @property
    def output_name(self) -> str:
        """The name that its values get by themselves."""
        if self.op in ("alias", "col"):
            return str(self.options["name"])
        return self.args[0].output_name if self.args else self.op

    def without_alias(self) -> Expr:
        """The expression without the names that it gives its values in the end."""
        return self.args[0].without_alias() if self.op == "alias" else self

    __add__, __radd__ = _binary("add"), _reflected("add")
    __sub__, __rsub__ = _binary("sub"), _reflected("sub")
    __mul__, __rmul__ = _binary("mul"), _reflected("mul")
    __truediv__, __rtruediv__ = _binary("truediv"), _reflected("truediv")
    __floordiv__, __rfloordiv__ = _binary("floordiv"), _reflected("floordiv")
    __mod__, __rmod__ = _binary("mod"), _reflected("mod")
    __pow__, __rpow__ = _binary("pow"), _reflected("pow")
    __and__, __rand__ = _binary("and"), _reflected("and")
    __or__, __ror__ = _binary("or"), _reflected("or")
    __gt__, __ge__, __lt__, __le__ = _binary("gt"), _binary("ge"), _binary("lt"), _binary("le")
    __eq__, __ne__ = _binary("eq"), _binary("ne")  # type: ignore[assignment]  # as in Polars
    __neg__, __invert__ = _unary("neg"), _unary("not")
    __hash__ = Node.__hash__

    # ---- of a row

    def abs(self) -> Expr:
        """The absolute value."""
        return self.apply("abs")

    def alias(self, name: str) -> Expr:
        """The same values under a name."""
        return self.apply("alias", name=name)

    def cast(self, dtype: Any) -> Expr:
        """In a type of Polars."""
        return Expr("cast", (self,), {"dtype": dtype() if isinstance(dtype, type) else dtype})

    def ceil(self) -> Expr:
        """The smallest whole number that is not below."""
        return self.apply("ceil")

    def clip(self, lower_bound: Any = None, upper_bound: Any = None) -> Expr:
        """No less than one bound, and no more than the other; null stays null."""
        if lower_bound is None:
            return self if upper_bound is None else self.apply("clip_upper", column_or_literal(upper_bound))
        if upper_bound is None:
            return self.apply("clip_lower", column_or_literal(lower_bound))
        return self.apply("clip", column_or_literal(lower_bound), column_or_literal(upper_bound))

    def cos(self) -> Expr:
        """The cosine."""
        return self.apply("cos")

    def exp(self) -> Expr:
        """E to the power of the value."""
        return self.apply("exp")

    def fill_null(self, value: Any) -> Expr:
        """The value, or another one where it is null."""
        return self.apply("fill_null", operand(value))

    def floor(self) -> Expr:
        """The largest whole number that is not above."""
        return self.apply("floor")

    def is_between(self, lower_bound: Any, upper_bound: Any, closed: str = "both") -> Expr:
        """Whether it lies between two bounds: `closed` is "both", "left", "right" or "none"."""
        bounds = (column_or_literal(lower_bound), column_or_literal(upper_bound))
        return Expr("is_between", (self, *bounds), {"closed": closed})

    def is_finite(self) -> Expr:
        """Whether it is neither infinite nor NaN."""
        return self.apply("is_finite")

    def is_in(self, other: Iterable[Any]) -> Expr:
        """Whether it is one of these values."""
        return self.apply("is_in", other=list(other))

    def is_nan(self) -> Expr:
        """Whether it is NaN."""
        return self.apply("is_nan")

    def is_null(self) -> Expr:
        """Whether it is null."""
        return self.apply("is_null")

    def log(self, base: float = math.e) -> Expr:
        """The logarithm: -inf of 0, NaN of less."""
        return self.apply("log", base=base)

    def round(self, decimals: int = 0) -> Expr:
        """Rounded to N decimals, halves to the even number."""
        return self.apply("round", decimals=decimals)

    def sin(self) -> Expr:
        """The sine."""
        return self.apply("sin")

    def sqrt(self) -> Expr:
        """The square root; NaN of less than 0."""
        return self.apply("sqrt")

    # ---- of all rows, or with `over` of those of a group

    def all(self) -> Expr:
        """Whether all are true; nulls are passed over."""
        return self.apply("all")

    def any(self) -> Expr:
        """Whether one is true; nulls are passed over."""
        return self.apply("any")

    def any_value(self) -> Expr:
        """One of the values, whichever."""
        return self.apply("any_value")

    def count(self) -> Expr:
        """The number of values that are not null."""
        return self.apply("count")

    def max(self) -> Expr:
        """The largest value."""
        return self.apply("max")

    def mean(self) -> Expr:
        """The mean of the values that are not null."""
        return self.apply("mean")

    def median(self) -> Expr:
        """The median."""
        return self.apply("median")

    def min(self) -> Expr:
        """The smallest value."""
        return self.apply("min")

    def n_unique(self) -> Expr:
        """The number of distinct values; null counts as one."""
        return self.apply("n_unique")

    def null_count(self) -> Expr:
        """The number of nulls."""
        return self.apply("null_count")

    def quantile(self, quantile: float, interpolation: str = "linear") -> Expr:
        """A quantile."""
        return self.apply("quantile", quantile=quantile, interpolation=interpolation)

    def std(self, ddof: int = 1) -> Expr:
        """The standard deviation."""
        return self.apply("std", ddof=ddof)

    def sum(self) -> Expr:
        """The sum; of nothing 0."""
        return self.apply("sum")

    def var(self, ddof: int = 1) -> Expr:
        """The variance."""
        return self.apply("var", ddof=ddof)

    # ---- in an order of rows: with `over(…, order_by=…)`

    def cum_count(self, *, reverse: bool = False) -> Expr:
        """The number of values up to the row that are not null."""
        return self.apply("cum_count", reverse=reverse)

    def cum_max(self, *, reverse: bool = False) -> Expr:
        """The largest value up to the row."""
        return self.apply("cum_max", reverse=reverse)

    def cum_min(self, *, reverse: bool = False) -> Expr:
        """The smallest value up to the row."""
        return self.apply("cum_min", reverse=reverse)

    def cum_prod(self, *, reverse: bool = False) -> Expr:
        """The product up to the row."""
        return self.apply("cum_prod", reverse=reverse)

    def cum_sum(self, *, reverse: bool = False) -> Expr:
        """The sum up to the row."""
        return self.apply("cum_sum", reverse=reverse)

    def rank(self, method: str = "average", *, descending: bool = False) -> Expr:
        """The rank from 1: `method` is "average", "min", "max", "dense" or "ordinal"; null has none."""
        return self.apply("rank", method=method, descending=descending)

    def shift(self, n: int) -> Expr:
        """The value n rows before."""
        return self.apply("shift", n=n)

    def over(self, *partition_by: str | Iterable[str], order_by: str | Iterable[str] = ()) -> Expr:
        """Among the rows that are equal in these columns, in this order: of each aggregate in the expression.

        Raises:
            InvalidParameter: nothing in it looks at several rows.
        """
        keys = [k for names in partition_by for k in ((names,) if isinstance(names, str) else names)]
        order = (order_by,) if isinstance(order_by, str) else tuple(order_by)
        out = _over(self, {"partition_by": tuple(keys), "order_by": order})
        if out is self:
            raise InvalidParameter(f"{self!r} looks at one row, so it has no window.", "Write col(…).sum().over(…).")
        return out

    # ---- of texts, lists, times and structs

    @property
    def dt(self) -> Times:
        """What is known of times and durations."""
        return Times(self)

    @property
    def list(self) -> Lists:
        """What is known of lists."""
        return Lists(self)

    @property
    def str(self) -> Texts:
        """What is known of texts."""
        return Texts(self)

    @property
    def struct(self) -> Structs:
        """The fields of structs."""
        return Structs(self)


def operand(value: Any) -> Expr:
    """A value beside an operator: a text is a text."""
    return value if isinstance(value, Expr) else lit(value)


def column_or_literal(value: Any) -> Expr:
    """A value where Polars takes a text for the name of a column."""
    return col(value) if isinstance(value, str) else operand(value)


@functools.lru_cache(maxsize=4096)
def col(name: str) -> Expr:
    """A column.

    >>> from ireval_frames.expr import col
    >>> col("grade") / 2.0
    (grade / 2)
    """
    return Expr("col", (), {"name": name})


def lit(value: Any, dtype: Any = None) -> Expr:
    """The same value in every row, of a type of Polars where one is given.

    >>> from ireval_frames.expr import lit
    >>> lit(1.0)
    1
    """
    if isinstance(value, Expr):
        return value if dtype is None else value.cast(dtype)
    if isinstance(value, pl.Expr) or (type(value).__name__ == "Expr" and type(value).__module__[:8] == "narwhals"):
        tool = type(value).__module__.partition(".")[0].title()
        raise WrongType(
            f"{value!r} is an expression of {tool}.",
            "Write it with the expressions of this package: from ireval_frames.expr import col, lit, when",
        )
    return Expr("lit", (), {"value": value, "dtype": dtype() if isinstance(dtype, type) else dtype})


def _over(expr: Expr, window: Mapping[str, Any]) -> Expr:
    if expr.op in AGGREGATES or expr.op in RUNNING:
        return Expr("over", (expr,), window)
    args = tuple(_over(a, window) for a in expr.args) if expr.op != "over" else expr.args
    same = all(a is b for a, b in zip(args, expr.args, strict=True))
    return expr if same else Expr(expr.op, args, expr.options)
