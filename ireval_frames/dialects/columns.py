"""What the columns of a statement hold: their kind, and whether they can be null.

A statement of ours is a list of named SELECTs over each other and over tables whose types are known, so one look at
each, in their order, tells the columns of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sqlglot import exp

from ireval_frames.dialects.known import Known, Sources

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
_OF_TYPE = {getattr(exp.DataType.Type, name): kind for kind, names in _KINDS.items() for name in names}
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
# They give one of the values that they are given, or one of its kind.
_CHOSEN = (
    *(exp.Max, exp.Min, exp.AnyValue, exp.IgnoreNulls, exp.Abs, exp.Distinct, exp.Lag, exp.Lead, exp.Nullif),
    *(exp.Sum, exp.Trunc),
)
_LISTS = (exp.Array, exp.List, exp.Anonymous, exp.GenerateSeries)


class Columns:
    """The columns of every SELECT of a statement, and what its expressions hold."""

    def __init__(self, tree: exp.Expr, sources: Sources) -> None:
        self._tables: dict[str, Mapping[str, Known]] = dict(sources)
        self._scopes: dict[int, dict[str, Mapping[str, Known]]] = {}
        # The tables of a SELECT as the conditions of its joins see them.
        self._joined: dict[int, dict[str, Mapping[str, Known]]] = {}
        # The columns, after their tables, in which a WHERE leaves no nulls.
        self._filtered: dict[int, set[tuple[str, str]]] = {}
        for cte in (tree.args.get("with_") or exp.With(expressions=[])).expressions:
            self._tables[cte.alias] = self._columns(cte.this)
        self.outputs = self._columns(tree)
        """The columns that the statement gives."""

    def of(self, node: exp.Expr) -> Known:
        """What an expression holds."""
        match node:
            case exp.Column():
                return self._column(node)
            case exp.Literal():
                kind = "text" if node.is_string else "integer" if node.is_int else "double"
                return Known(kind, null=False, literal=kind == "double")
            case exp.Cast():
                return Known(_kind(node.to), self.of(node.this).null)
            case exp.Case() | exp.Coalesce() | exp.Greatest() | exp.Least():
                return self._one_of(node)
            case exp.Window() | exp.Paren() | exp.Neg():
                return self.of(node.this)
            case exp.Explode():
                return self._exploded(node.this)
            case exp.Binary() if isinstance(node, _OPERATIONS):
                return self._of_two(node)
        return self._of_function(node)

    def _one_of(self, node: exp.Expr) -> Known:
        inner = [self.of(v) for v in values_of(node)]
        nulls = [k.null for k in inner]
        if isinstance(node, exp.Case):
            return replace(_first(inner), null=node.args.get("default") is None or any(nulls))
        return replace(_first(inner), null=all(nulls))

    def _of_two(self, node: exp.Binary) -> Known:
        inner = [self.of(node.left), self.of(node.right)]
        null = any(k.null for k in inner)
        if isinstance(node, exp.DPipe):
            return Known("text", null)
        if not isinstance(node, exp.Div) and all(k.kind == "integer" for k in inner):
            return Known("integer", null)
        return Known("double", null or isinstance(node, exp.Div), literal=_first(inner).literal)

    def _of_function(self, node: exp.Expr) -> Known:
        if isinstance(node, (exp.Boolean, exp.Is, exp.NullSafeEQ)):
            return Known("boolean", null=False)
        if isinstance(node, _CONDITIONS):
            return Known("boolean")
        if isinstance(node, _NUMBERED):
            return Known("integer", null=False)
        if isinstance(node, _CHOSEN):
            inside = node.expressions[0] if isinstance(node, exp.Distinct) else node.this
            return replace(self.of(inside), null=True)
        if isinstance(node, exp.GroupConcat):
            return Known("text")
        return Known("double") if isinstance(node, exp.Func) and not isinstance(node, _LISTS) else Known()

    def of_table(self, select: exp.Select, table: str) -> Mapping[str, Known]:
        """The columns of a table that a SELECT reads, by the name that it has there."""
        return self._scopes[id(select)][table]

    # ---- within

    def _columns(self, query: exp.Expr) -> Mapping[str, Known]:
        if isinstance(query, exp.SetOperation):
            left, right = self._columns(query.left), self._columns(query.right)
            return {
                name: replace(_first([one, other]), null=one.null or other.null)
                for (name, one), other in zip(left.items(), right.values(), strict=True)
            }
        if not isinstance(query, exp.Select):
            return {}
        tables = list(self._from(query))
        self._joined[id(query)] = {name: columns for name, columns, _ in tables}
        scope = self._scopes[id(query)] = {
            name: {c: replace(k, null=True) for c, k in columns.items()} if left else columns
            for name, columns, left in tables
        }
        self._filtered[id(query)] = {(_owner(scope, column), column.name) for column in _not_null(query)}
        out: dict[str, Known] = {}
        for item in query.expressions:
            if item.is_star:
                named = [item.table] if isinstance(item, exp.Column) else list(scope)
                for table in named:
                    out |= {c: self._told(query, (table, c), known) for c, known in scope[table].items()}
            else:
                out[item.alias_or_name] = self.of(item.unalias())
        return out

    def _from(self, query: exp.Select) -> Iterator[tuple[str, Mapping[str, Known], bool]]:
        """The tables that are read: their names and columns, and whether their rows may be missing."""
        given = query.args.get("from_")
        if given is not None:
            yield *self._table(given.this), False
        for join in query.args.get("joins") or ():
            yield *self._table(join.this), join.side == "LEFT"

    def _table(self, node: exp.Expr) -> tuple[str, Mapping[str, Known]]:
        if isinstance(node, exp.Table):
            return node.alias_or_name, self._tables.get(table_name(node), {})
        if isinstance(node, exp.Subquery):
            return node.alias_or_name, self._columns(node.this)
        if isinstance(node, exp.Values):
            rows = [[self.of(v) for v in row.expressions] for row in node.expressions]
            columns = zip(node.args["alias"].columns, zip(*rows, strict=True), strict=True)
            return node.alias_or_name, {
                c.name: replace(_first(some), null=any(k.null for k in some)) for c, some in columns
            }
        return node.alias_or_name, {}

    def _column(self, node: exp.Column) -> Known:
        query = node.find_ancestor(exp.Select)
        scopes = self._joined if node.find_ancestor(exp.Join, exp.Select) is not query else self._scopes
        scope = scopes.get(id(query), {})
        owner = _owner(scope, node)
        known = scope.get(owner, {}).get(node.name)
        return Known() if known is None else self._told(query, (owner, node.name), known)

    def _told(self, query: Any, column: tuple[str, str], known: Known) -> Known:
        return replace(known, null=False) if column in self._filtered.get(id(query), ()) else known

    def _exploded(self, node: exp.Expr) -> Known:
        if isinstance(node, exp.GenerateSeries):
            return Known("integer", null=False)
        return self.of(node).of or Known()


def values_of(node: exp.Expr) -> list[exp.Expr]:
    """The values of which a CASE, `coalesce`, `greatest` or `least` gives one."""
    if isinstance(node, exp.Case):
        default = node.args.get("default")
        return [branch.args["true"] for branch in node.args["ifs"]] + ([default] if default else [])
    return [node.this, *node.expressions]


def table_name(table: exp.Table) -> str:
    """A table's name with its schema, as one text."""
    return ".".join(part.name for part in table.parts)


def _kind(dtype: exp.DataType) -> str:
    return _OF_TYPE.get(dtype.this, "")


def _first(some: Any) -> Known:
    """Of values of one type, one whose type is known; of numbers a double one, and rather no literal."""
    known = [k for k in some if k.kind or k.of]
    return min(known, key=lambda k: (k.kind != "double", k.literal), default=Known())


def _owner(scope: Mapping[str, Mapping[str, Known]], column: exp.Column) -> str:
    """The table that a column is of."""
    return column.table or next((name for name, columns in scope.items() if column.name in columns), "")


def _not_null(query: exp.Select) -> Iterator[exp.Column]:
    """The columns that a WHERE leaves no nulls in."""
    where = query.args.get("where")
    for part in where.this.flatten() if where and isinstance(where.this, exp.And) else [where.this] if where else []:
        bare = part.unnest()
        if isinstance(bare, exp.Not) and isinstance(bare.this.unnest(), exp.Is):
            test = bare.this.unnest()
            if isinstance(test.this, exp.Column) and isinstance(test.expression, exp.Null):
                yield test.this
