"""A dialect as a value: what DuckDB's functions become in it, and what else its statements need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB


class Grammar(DuckDB):
    """DuckDB's grammar as our statements use it: ORDER BY takes columns only, of which one may be called "all"."""

    SUPPORTS_ORDER_BY_ALL = False


@dataclass(frozen=True)
class ValueType:
    """What is known of a value in a statement.

    Attributes:
        kind: "text", "double", "integer", "boolean"; "" for other types, and where it is not known.
        nullable: whether it may be null.
        item: what a list holds.
        literal: a double that is made of literals and whole numbers.
    """

    kind: str = ""
    nullable: bool = True
    item: ValueType | None = None
    literal: bool = False


Sources = Mapping[str, Mapping[str, ValueType]]
"""The columns of tables, by the names that the statement has for them."""
Rewrite = Callable[[Any], exp.Expr]
"""Makes the dialect's expression of a function of DuckDB."""


def same(node: exp.Expr) -> exp.Expr:
    """The function as it is; sqlglot writes it."""
    return node


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A database's SQL, as it differs from DuckDB's.

    Attributes:
        name: the value of `dialect=`.
        title: the name of the database.
        writer: the dialect of sqlglot that writes its text.
        functions: what becomes of a function, by its name in sqlglot's tree of DuckDB's text.
        collated: a column of text, or of lists of text, compared by bytes; None where that is the only order.
        materializes: which common table expressions are computed once: those that DuckDB is told to materialize
            ("ours"), all that are read more than once ("all"), or none ("").
        hashed_nulls: IS NOT DISTINCT FROM is no hash join, so that nulls are joined by plain equality.
        decimal_literals: its `1e0` is a decimal number and no double.
        single_number_type: the branches of a CASE may not mix integers and doubles.
        aliases_join_columns: columns of a join lose their names unless each has an alias.
        reserved: words, in capitals, that must be quoted beside those that sqlglot knows.
        quoted_differ: a quoted name in small letters is another name than the same unquoted, so only `reserved` words
            are quoted.
        types: names of types, by the names that sqlglot has for them; "" for types that the database lacks.
        national: text literals are written N'…'.
        signed_zeros: GROUP BY distinguishes -0.0 from 0.0.
        partitions_doubles: PARTITION BY takes doubles.
        orders_literals: it can order a union by a column of literals.
        strict_squares: a square that rounds to 0 or to infinity is an error.
        not_finite: rewrites the cast of the text "inf", "-inf" or "nan" to a double.
        boolean_columns: columns may hold conditions.
        max_name_bytes: the longest name, in bytes; 0 for no limit.
        truncates_names: longer names of tables are cut to that length without an error.
        forbidden_in_names: characters that names of columns must not contain.
        suffix: what a statement ends with.
        orders_views: a view may be ordered.
        unnested: moves the values of a list into the FROM clause, where they cannot stand among the columns.
    """

    name: str
    title: str
    writer: str
    functions: Mapping[str, Rewrite] = field(default_factory=dict, hash=False)
    collated: Callable[[exp.Expr, bool], exp.Expr] | None = None
    materializes: str = ""
    hashed_nulls: bool = False
    decimal_literals: bool = False
    single_number_type: bool = False
    aliases_join_columns: bool = False
    reserved: frozenset[str] = frozenset()
    quoted_differ: bool = False
    types: Mapping[str, str] = field(default_factory=dict, hash=False)
    national: bool = False
    signed_zeros: bool = False
    partitions_doubles: bool = True
    orders_literals: bool = True
    strict_squares: bool = False
    not_finite: Rewrite = same
    boolean_columns: bool = True
    max_name_bytes: int = 0
    truncates_names: bool = False
    forbidden_in_names: str = ""
    suffix: str = ""
    orders_views: bool = True
    unnested: Callable[[exp.Alias, ValueType], None] | None = None


def call(name: str, *arguments: exp.Expr | str | int) -> exp.Anonymous:
    """A call of one of the database's own functions."""
    return exp.Anonymous(this=name, expressions=[_argument(a) for a in arguments])


def renamed(name: str) -> Rewrite:
    """A function of another name with the same arguments."""
    return lambda node: call(name, *arguments(node))


def arguments(node: exp.Func) -> list[exp.Expr]:
    """The arguments of a function in their order."""
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    values = [node.args.get(name) for name in node.arg_types]
    flat = [v for value in values for v in (value if isinstance(value, list) else [value])]
    return [v for v in flat if isinstance(v, exp.Expr)]


def template(text: str) -> Rewrite:
    """An expression in DuckDB's grammar, with `{0}`, `{1}` … for the arguments."""

    def rewrite(node: exp.Func) -> exp.Expr:
        inner = [f"({a.sql('duckdb')})" for a in arguments(node)]
        return exp.maybe_parse(f"({text.format(*inner)})", dialect=Grammar)

    return rewrite


def cast(node: exp.Expr, to: str) -> exp.Cast:
    """A cast to a type of DuckDB; the writer translates its name."""
    return exp.Cast(this=node, to=exp.DataType.build(to, dialect="duckdb"))


def as_number(test: exp.Expr) -> exp.Case:
    """A condition as 1 and 0, and null where it is null."""
    negated = exp.Not(this=exp.Paren(this=test.copy()))
    branches = [(test.copy(), 1), (negated, 0)]
    return exp.Case(ifs=[exp.If(this=when, true=exp.Literal.number(then)) for when, then in branches])


def double(value: float) -> exp.Expr:
    """A double as a literal."""
    text = repr(value)
    return exp.Literal.number(text if "e" in text else f"{text.removesuffix('.0')}e0")


def square(value: exp.Expr, squared: exp.Expr) -> exp.Case:
    """A square that rounds neither to 0 nor to infinity where the database refuses that."""
    size = exp.Abs(this=value.copy())
    small = exp.If(this=exp.LT(this=size, expression=double(1e-150)), true=double(0.0))
    large = exp.If(
        this=exp.GT(this=size.copy(), expression=double(1e154)), true=cast(exp.Literal.string("inf"), "DOUBLE")
    )
    return exp.Case(ifs=[small, large], default=squared.copy())


def _argument(value: exp.Expr | str | int) -> exp.Expr:
    if isinstance(value, str):
        return exp.Literal.string(value)
    return exp.Literal.number(value) if isinstance(value, int) else value
