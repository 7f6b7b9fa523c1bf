"""DuckDB's statement, parsed, rewritten for another database.

Every function must be in `COMMON` or in `Dialect.functions`; unknown ones are refused, not passed through.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from sqlglot import exp

from ireval_frames.dialects.columns import Columns, values_of
from ireval_frames.dialects.dialect import Dialect, Grammar, Sources, ValueType, as_number, cast, double, square
from ireval_frames.dialects.shaping import Shape
from ireval_frames.errors import NotDefined

# Functions and operators that mean the same in every database here, and that sqlglot writes.
COMMON = frozenset({
    "Abs", "And", "Avg", "Case", "Cast", "Ceil", "Coalesce", "Cos", "Count", "DenseRank", "Exp", "Floor", "Greatest",
    "If", "Lag", "Lead", "Least", "Ln", "Lower", "Max", "Min", "Nullif", "Or", "Pow", "Rank", "RowNumber", "Sin",
    "Sqrt", "Stddev", "StddevPop", "StddevSamp", "Sum", "Trunc", "Variance", "VariancePop",
})  # fmt: skip
# Doubles of doubles, decimal numbers of decimal numbers.
_TYPE_PRESERVING = (exp.Sum, exp.Avg, exp.Ln, exp.Exp, exp.Sqrt, exp.Pow)
_TYPED_OPERANDS = (exp.Div, exp.DPipe, exp.NullSafeEQ, *_TYPE_PRESERVING)
# What stands for null where two nulls are compared, by kind.
_NULL_SUBSTITUTES = {"text": exp.Literal.string(""), "integer": exp.Literal.number(0), "double": double(0.0)}

_LARGEST = "1.7976931348623157e308"
# A product by logarithms, with zeros and signs counted separately; null where all values are null.
_PRODUCT = (
    "CASE WHEN count(CASE WHEN {x} = 0 THEN 1 END){over} > 0 THEN 0e0 ELSE"
    " CASE WHEN count(CASE WHEN {x} < 0 THEN 1 END){over} % 2 = 1 THEN -1e0 ELSE 1e0 END"
    " * exp(sum(CASE WHEN {x} <> 0 THEN ln(abs({x})) END){over}) END"
)

Requesters = Callable[[str], str]
"""The measures that need a column, as text; empty where none is known."""


class Rewriting:
    """Rewrites one statement for a dialect."""

    def __init__(self, tree: exp.Expr, dialect: Dialect, sources: Sources, requesters: Requesters) -> None:
        _simplify(tree, dialect.functions)
        _unify_types(tree, Columns(tree, sources), single_number_type=dialect.single_number_type)
        self.tree, self.dialect, self.requesters = tree, dialect, requesters
        self.columns = Columns(tree, sources)
        self.shape = Shape(tree, dialect, sources, self.columns)
        self._operands: dict[int, list[ValueType]] = {}
        self._squares: set[int] = set()

    def run(self) -> exp.Expr:
        """The rewritten tree."""
        nodes = list(self.tree.walk())
        # Types of operands are noted before the operands are rewritten.
        for node in nodes:
            if isinstance(node, _TYPED_OPERANDS):
                operands = [node.this, node.args.get("expression")]
                self._operands[id(node)] = [self.columns.of(n) if n is not None else ValueType() for n in operands]
            if self.dialect.strict_squares and isinstance(node, exp.Mul) and self._is_square(node):
                self._squares.add(id(node))
        self.shape.before()
        for node in reversed(nodes):
            self._rewrite(node)
        self.shape.after()
        return self.tree

    def _rewrite(self, node: exp.Expr) -> None:
        match node:
            case exp.NullSafeEQ():
                node.replace(self._null_safe_equality(node))
            case exp.Mul() if id(node) in self._squares:
                node.replace(square(node.left, node))
            case exp.Div():
                self._divide(node)
            case exp.DPipe():
                self._concatenate(node)
            case exp.Not() if isinstance(node.this, exp.Is):
                # Not all databases read NOT x IS NULL as we do.
                node.replace(exp.Is(this=node.this.this, expression=exp.Not(this=node.this.expression)))
            case exp.Cast() if node.this.is_string and node.this.name in ("inf", "-inf", "nan"):
                node.replace(self.dialect.not_finite(node))
            case exp.Func():
                replacement = self._function(node)
                if replacement is not node:
                    node.replace(replacement)

    def _is_square(self, node: exp.Mul) -> bool:
        return node.left.unnest() == node.right.unnest() and self.columns.of(node).kind == "double"

    def _function(self, node: exp.Func) -> exp.Expr:
        """What the function becomes; itself where it is the same."""
        if self.dialect.decimal_literals and isinstance(node, _TYPE_PRESERVING):
            self._as_doubles(node)
        name = node.name.lower() if isinstance(node, exp.Anonymous) else type(node).__name__
        if name in self.dialect.functions:
            return self.dialect.functions[name](node)
        if name not in COMMON:
            raise self._unknown(node, f"the function {name.lower()}")
        return node

    def _as_doubles(self, node: exp.Func) -> None:
        operands = self._operands[id(node)]
        integers = all(k.kind == "integer" for k in operands if k.kind) and not isinstance(node, (exp.Sum, exp.Avg))
        if not integers and not any(k.kind != "integer" and not k.literal for k in operands if k.kind):
            node.set("this", cast(node.this, "DOUBLE"))

    def _null_safe_equality(self, node: exp.NullSafeEQ) -> exp.Expr:
        """Plain equality where one side is never null; else, with `hashed_nulls`, equality of substitutes for null."""
        left, right = node.left, node.right
        left_value, right_value = self._operands[id(node)]
        if not left_value.nullable or not right_value.nullable:
            return exp.EQ(this=left, expression=right)
        substitute = _NULL_SUBSTITUTES.get(left_value.kind)
        if not self.dialect.hashed_nulls or left_value.kind != right_value.kind or substitute is None:
            return exp.Paren(this=node.copy())
        filled = [exp.Coalesce(this=n.copy(), expressions=[substitute.copy()]) for n in (left, right)]
        nulls = [exp.Paren(this=exp.Is(this=n.copy(), expression=exp.Null())) for n in (left, right)]
        return exp.and_(
            exp.EQ(this=filled[0], expression=filled[1]), exp.EQ(this=nulls[0], expression=nulls[1]), copy=False
        )

    def _divide(self, node: exp.Div) -> None:
        """Division of floats, as in DuckDB; other databases divide integers to an integer."""
        operands = self._operands[id(node)]
        doubles = [k for k in operands if k.kind == "double" and not (self.dialect.decimal_literals and k.literal)]
        if not doubles:
            node.set("this", cast(node.this, "DOUBLE"))
        node.set("typed", value=True)
        node.set("safe", value=False)

    def _concatenate(self, node: exp.DPipe) -> None:
        for side, known in zip(("this", "expression"), self._operands[id(node)], strict=True):
            if known.kind != "text":
                node.set(side, cast(node.args[side], "VARCHAR"))
        node.set("safe", value=False)

    def _unknown(self, node: exp.Expr, what: str) -> NotDefined:
        alias = node.find_ancestor(exp.Alias)
        measures = self.requesters(alias.alias) if alias else ""
        return NotDefined(
            f"{f'{measures} needs' if measures else 'The statement needs'} {what}, which we cannot write for "
            f"{self.dialect.title}.",
            "Leave the measure out, or run the statement in DuckDB: sql() without dialect=.",
        )


def _simplify(tree: exp.Expr, has: Collection[str]) -> None:
    """Replace products, compensated sums and tests of finiteness, but for those that the database has."""
    for node in list(tree.find_all(exp.IgnoreNulls)):
        # any_value ignores nulls; the dialect's function adds that where it must be written.
        node.replace(node.this)
    for function in reversed(list(tree.find_all(exp.Anonymous))):
        name = function.name.lower()
        if name in has or name not in ("product", "fsum", "isfinite"):
            continue
        value = function.expressions[0]
        if name == "fsum":
            function.replace(exp.Sum(this=value))
        elif name == "isfinite":
            function.replace(_parsed("(abs({x}) <= {largest})", x=value, largest=_LARGEST))
        else:
            window = function.parent if isinstance(function.parent, exp.Window) else None
            over = window.sql("duckdb").removeprefix(function.sql("duckdb")) if window else ""
            (window or function).replace(_parsed(f"({_PRODUCT})", x=value, over=over))


def _unify_types(tree: exp.Expr, columns: Columns, *, single_number_type: bool) -> None:
    """Write conditions that are cast to numbers as CASE; with `single_number_type`, cast mixed branches to doubles."""
    for node in list(tree.walk()):
        known = (
            columns.of(node) if isinstance(node, (exp.Cast, exp.Case, exp.Coalesce, exp.Greatest, exp.Least)) else None
        )
        if known is None or known.kind not in ("double", "integer"):
            continue
        if isinstance(node, exp.Cast):
            if columns.of(node.this).kind == "boolean":
                node.set("this", as_number(node.this))
        elif single_number_type and known.kind == "double":
            for value in values_of(node):
                if columns.of(value).kind == "integer" and not isinstance(value, exp.Literal):
                    value.replace(cast(value.copy(), "DOUBLE"))


def _parsed(text: str, *, x: exp.Expr, **more: str) -> exp.Expr:
    inner = x.sql("duckdb")
    return exp.maybe_parse(text.format(x=inner if isinstance(x, exp.Column) else f"({inner})", **more), dialect=Grammar)
