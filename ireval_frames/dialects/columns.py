"""The types of a statement's columns, and whether they can be null.

A statement is a list of common table expressions over each other and over tables of known types, so one pass in their
order gives the columns of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sqlglot import exp

from ireval_frames.dialects.dialect import Sources, ValueType

_KINDS = {
    "text": ("VARCHAR", "TEXT", "CHAR"),
    "double": ("DOUBLE", "FLOAT"),
    "boolean": ("BOOLEAN",),
    "integer": (
        "BIGINT",
        "INT",
        "SMALLINT",
        "TINYINT",
        "UBIGINT",
        "UINT",
        "USMALLINT",
        "UTINYINT",
        "INT128",
        "UINT128",
    ),
}
_KIND_OF_TYPE = {getattr(exp.DataType.Type, name): kind for kind, names in _KINDS.items() for name in names}
_CONDITIONS = (
    exp.EQ,
    exp.NEQ,
    exp.GT,
    exp.GTE,
    exp.LT,
    exp.LTE,
    exp.And,
    exp.Or,
    exp.Not,
    exp.In,
    exp.IsNan,
    exp.LogicalAnd,
    exp.LogicalOr,
)
_OPERATIONS = (exp.Add, exp.Sub, exp.Mul, exp.Mod, exp.Div, exp.DPipe)
_NUMBERED = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Count, exp.Length)
# Their result has the type of their argument.
_SAME_TYPE = (
    *(exp.Max, exp.Min, exp.AnyValue, exp.IgnoreNulls, exp.Abs, exp.Distinct, exp.Lag, exp.Lead, exp.Nullif),
    *(exp.Sum, exp.Trunc, exp.Lower, exp.Trim),
)
_LISTS = (exp.Array, exp.List, exp.Anonymous, exp.GenerateSeries)


class Columns:
    """The columns of every SELECT of a statement, and the types of its expressions."""

    def __init__(self, tree: exp.Expr, sources: Sources) -> None:
        self._tables: dict[str, Mapping[str, ValueType]] = dict(sources)
        self._scopes: dict[int, dict[str, Mapping[str, ValueType]]] = {}
        # The tables of a SELECT as the conditions of its joins see them.
        self._joined: dict[int, dict[str, Mapping[str, ValueType]]] = {}
        # Tables and columns from which WHERE removes nulls.
        self._filtered: dict[int, set[tuple[str, str]]] = {}
        for cte in (tree.args.get("with_") or exp.With(expressions=[])).expressions:
            self._tables[cte.alias] = self._columns(cte.this)
        self.outputs = self._columns(tree)
        """The columns of the result."""

    def of(self, node: exp.Expr) -> ValueType:
        """The type of an expression."""
        match node:
            case exp.Column():
                return self._column(node)
            case exp.Literal():
                kind = "text" if node.is_string else "integer" if node.is_int else "double"
                return ValueType(kind, nullable=False, literal=kind == "double")
            case exp.Cast():
                return ValueType(_kind(node.to), self.of(node.this).nullable)
            case exp.Case() | exp.Coalesce() | exp.Greatest() | exp.Least():
                return self._one_of(node)
            case exp.Window() | exp.Paren() | exp.Neg():
                return self.of(node.this)
            case exp.Explode():
                return self._exploded(node.this)
            case exp.Binary() if isinstance(node, _OPERATIONS):
                return self._of_two(node)
        return self._of_function(node)

    def _one_of(self, node: exp.Expr) -> ValueType:
        inner = [self.of(v) for v in values_of(node)]
        nulls = [k.nullable for k in inner]
        if isinstance(node, exp.Case):
            return replace(_first(inner), nullable=node.args.get("default") is None or any(nulls))
        return replace(_first(inner), nullable=all(nulls))

    def _of_two(self, node: exp.Binary) -> ValueType:
        inner = [self.of(node.left), self.of(node.right)]
        null = any(k.nullable for k in inner)
        if isinstance(node, exp.DPipe):
            return ValueType("text", null)
        if not isinstance(node, exp.Div) and all(k.kind == "integer" for k in inner):
            return ValueType("integer", null)
        return ValueType("double", null or isinstance(node, exp.Div), literal=_first(inner).literal)

    def _of_function(self, node: exp.Expr) -> ValueType:
        if isinstance(node, (exp.Boolean, exp.Is, exp.NullSafeEQ)):
            return ValueType("boolean", nullable=False)
        if isinstance(node, _CONDITIONS):
            return ValueType("boolean")
        if isinstance(node, _NUMBERED):
            return ValueType("integer", nullable=False)
        if isinstance(node, _SAME_TYPE):
            inside = node.expressions[0] if isinstance(node, exp.Distinct) else node.this
            return replace(self.of(inside), nullable=True)
        if isinstance(node, exp.GroupConcat):
            return ValueType("text")
        return ValueType("double") if isinstance(node, exp.Func) and not isinstance(node, _LISTS) else ValueType()

    def of_table(self, select: exp.Select, table: str) -> Mapping[str, ValueType]:
        """The columns of a table that a SELECT reads, by the name that it has there."""
        return self._scopes[id(select)][table]

    # ---- within

    def _columns(self, query: exp.Expr) -> Mapping[str, ValueType]:
        if isinstance(query, exp.SetOperation):
            left, right = self._columns(query.left), self._columns(query.right)
            return {
                name: replace(_first([one, other]), nullable=one.nullable or other.nullable)
                for (name, one), other in zip(left.items(), right.values(), strict=True)
            }
        if not isinstance(query, exp.Select):
            return {}
        tables = list(self._from(query))
        self._joined[id(query)] = {name: columns for name, columns, _ in tables}
        scope = self._scopes[id(query)] = {
            name: {c: replace(k, nullable=True) for c, k in columns.items()} if left else columns
            for name, columns, left in tables
        }
        self._filtered[id(query)] = {(_owner(scope, column), column.name) for column in _not_null(query)}
        out: dict[str, ValueType] = {}
        for item in query.expressions:
            if item.is_star:
                named = [item.table] if isinstance(item, exp.Column) else list(scope)
                for table in named:
                    out |= {c: self._filtered_type(query, (table, c), known) for c, known in scope[table].items()}
            else:
                out[item.alias_or_name] = self.of(item.unalias())
        return out

    def _from(self, query: exp.Select) -> Iterator[tuple[str, Mapping[str, ValueType], bool]]:
        """The tables that are read: their names and columns, and whether their rows may be missing."""
        first = query.args.get("from_")
        if first is not None:
            yield *self._table(first.this), False
        for join in query.args.get("joins") or ():
            yield *self._table(join.this), join.side == "LEFT"

    def _table(self, node: exp.Expr) -> tuple[str, Mapping[str, ValueType]]:
        if isinstance(node, exp.Table):
            return node.alias_or_name, self._tables.get(table_name(node), {})
        if isinstance(node, exp.Subquery):
            return node.alias_or_name, self._columns(node.this)
        if isinstance(node, exp.Values):
            rows = [[self.of(v) for v in row.expressions] for row in node.expressions]
            columns = zip(node.args["alias"].columns, zip(*rows, strict=True), strict=True)
            return node.alias_or_name, {
                c.name: replace(_first(types), nullable=any(k.nullable for k in types)) for c, types in columns
            }
        return node.alias_or_name, {}

    def _column(self, node: exp.Column) -> ValueType:
        query = node.find_ancestor(exp.Select)
        scopes = self._joined if node.find_ancestor(exp.Join, exp.Select) is not query else self._scopes
        scope = scopes.get(id(query), {})
        owner = _owner(scope, node)
        known = scope.get(owner, {}).get(node.name)
        return ValueType() if known is None else self._filtered_type(query, (owner, node.name), known)

    def _filtered_type(self, query: Any, column: tuple[str, str], known: ValueType) -> ValueType:
        return replace(known, nullable=False) if column in self._filtered.get(id(query), ()) else known

    def _exploded(self, node: exp.Expr) -> ValueType:
        if isinstance(node, exp.GenerateSeries):
            return ValueType("integer", nullable=False)
        return self.of(node).item or ValueType()


def values_of(node: exp.Expr) -> list[exp.Expr]:
    """The values that a CASE, `coalesce`, `greatest` or `least` chooses from."""
    if isinstance(node, exp.Case):
        default = node.args.get("default")
        return [branch.args["true"] for branch in node.args["ifs"]] + ([default] if default else [])
    return [node.this, *node.expressions]


def table_name(table: exp.Table) -> str:
    """A table's name with its schema, as one text."""
    return ".".join(part.name for part in table.parts)


def _kind(dtype: exp.DataType) -> str:
    return _KIND_OF_TYPE.get(dtype.this, "")


def _first(types: Any) -> ValueType:
    """The type of several values: a known one, of numbers a double, and rather no literal."""
    known = [k for k in types if k.kind or k.item]
    return min(known, key=lambda k: (k.kind != "double", k.literal), default=ValueType())


def _owner(scope: Mapping[str, Mapping[str, ValueType]], column: exp.Column) -> str:
    """The table that a column belongs to."""
    return column.table or next((name for name, columns in scope.items() if column.name in columns), "")


def _not_null(query: exp.Select) -> Iterator[exp.Column]:
    """The columns from which WHERE removes nulls."""
    where = query.args.get("where")
    for part in where.this.flatten() if where and isinstance(where.this, exp.And) else [where.this] if where else []:
        bare = part.unnest()
        if isinstance(bare, exp.Not) and isinstance(bare.this.unnest(), exp.Is):
            test = bare.this.unnest()
            if isinstance(test.this, exp.Column) and isinstance(test.expression, exp.Null):
                yield test.this
