"""What is said of a database: which words it has for ours, and what its statements need besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from ireval_frames.dialects.known import Known


class Parsed(DuckDB):
    """DuckDB's grammar as we write it: a column may be called "all", and we order by columns only."""

    SUPPORTS_ORDER_BY_ALL = False


Word = Callable[[Any], exp.Expr]
"""What a function becomes."""


def same(node: exp.Expr) -> exp.Expr:
    """The function itself, which sqlglot writes."""
    return node


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A database's words.

    Attributes:
        name: what `dialect=` calls it.
        title: what it is called.
        writer: the dialect of sqlglot that writes it.
        words: what becomes of a function, by its name in DuckDB's parsed text.
        collated: a column of text, or of lists of it, in the order of its bytes, where that is not the only order.
        keeps: which named SELECTs are made once: those that DuckDB is told to keep ("ours"), all that are read more
            than once ("all"), or none, since there is no word for it.
        hashed_nulls: it joins nulls with nulls fast only if that is said with plain equality.
        exact_literals: its `1e0` is a decimal number and no double.
        one_number: a whole number and a double have no type in common.
        named_joins: columns of a join keep their names only if they are given them.
        reserved: words, in capitals, that must be quoted beside those that sqlglot knows.
        quoted_differ: a quoted name in small letters is another one than the same unquoted, so only `reserved` words
            are quoted.
        types: what its types are called, by the names that sqlglot has for them; "" for those that it has not.
        national: texts are written N'…'.
        signed_zeros: -0.0 and 0.0 are in groups of their own.
        partitions_doubles: windows are cut by doubles.
        orders_literals: it can plan the order of a union by a column that holds literals.
        strict_squares: a square that rounds to 0 or to infinity is an error.
        not_finite: the cast of a text that is infinity or no number.
        conditions: conditions are values, which columns may hold.
        longest_name: in bytes.
        cuts_names: of a table's longer name it keeps so many bytes, without an error.
        refused_in_names: characters that names of columns must not have.
        end: what a statement ends with.
        orders_views: a view may be ordered.
        unnested: puts the values of a list into the FROM clause, where they cannot stand among the columns.
    """

    name: str
    title: str
    writer: str
    words: Mapping[str, Word] = field(default_factory=dict, hash=False)
    collated: Callable[[exp.Expr, bool], exp.Expr] | None = None
    keeps: str = ""
    hashed_nulls: bool = False
    exact_literals: bool = False
    one_number: bool = False
    named_joins: bool = False
    reserved: frozenset[str] = frozenset()
    quoted_differ: bool = False
    types: Mapping[str, str] = field(default_factory=dict, hash=False)
    national: bool = False
    signed_zeros: bool = False
    partitions_doubles: bool = True
    orders_literals: bool = True
    strict_squares: bool = False
    not_finite: Word = same
    conditions: bool = True
    longest_name: int = 0
    cuts_names: bool = False
    refused_in_names: str = ""
    end: str = ""
    orders_views: bool = True
    unnested: Callable[[exp.Alias, Known], None] | None = None


def call(name: str, *arguments: exp.Expr | str | int) -> exp.Anonymous:
    """A call of one of the database's own functions."""
    return exp.Anonymous(this=name, expressions=[_argument(a) for a in arguments])


def called(name: str) -> Word:
    """The function of another name that takes the same arguments."""
    return lambda node: call(name, *arguments(node))


def arguments(node: exp.Func) -> list[exp.Expr]:
    """The arguments of a function in their order."""
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    given = [node.args.get(name) for name in node.arg_types]
    flat = [v for value in given for v in (value if isinstance(value, list) else [value])]
    return [v for v in flat if isinstance(v, exp.Expr)]


def written(template: str) -> Word:
    """A word as text in DuckDB's grammar, with `{0}`, `{1}` … for the arguments."""

    def word(node: exp.Func) -> exp.Expr:
        inner = [f"({a.sql('duckdb')})" for a in arguments(node)]
        return exp.maybe_parse(f"({template.format(*inner)})", dialect=Parsed)

    return word


def cast(node: exp.Expr, to: str) -> exp.Cast:
    """A cast that the writer puts into its own type's name."""
    return exp.Cast(this=node, to=exp.DataType.build(to, dialect="duckdb"))


def as_number(test: exp.Expr) -> exp.Case:
    """A condition as 1 and 0, and null where it is null."""
    no = exp.Not(this=exp.Paren(this=test.copy()))
    branches = [(test.copy(), 1), (no, 0)]
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
