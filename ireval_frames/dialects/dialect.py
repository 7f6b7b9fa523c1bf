"""What is said of a database: which words it has for ours, and what its statements need besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from ireval_frames.dialects.known import Known

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
        not_finite: the cast of a text that is infinity or no number.
        conditions: conditions are values, which columns may hold.
        longest_name: in bytes.
        refused_in_names: characters that names of columns must not have.
        end: what a statement ends with.
        orders_views: a view may be ordered.
        unnested: puts the values of a list into the FROM clause, where they cannot stand among the columns.
    """

    name: str
    title: str
    writer: str
    words: Mapping[str, Word] = field(default_factory=dict)
    collated: Callable[[exp.Expr, bool], exp.Expr] | None = None
    keeps: str = ""
    hashed_nulls: bool = False
    exact_literals: bool = False
    one_number: bool = False
    named_joins: bool = False
    reserved: frozenset[str] = frozenset()
    not_finite: Word = same
    conditions: bool = True
    longest_name: int = 0
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
        return exp.maybe_parse(f"({template.format(*inner)})", dialect="duckdb")

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


def _argument(value: exp.Expr | str | int) -> exp.Expr:
    if isinstance(value, str):
        return exp.Literal.string(value)
    return exp.Literal.number(value) if isinstance(value, int) else value
