"""Our statement, parsed, in the words of another database.

Every function must have a word there: one that all databases have, or one of `Dialect.words`.  None is passed through.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ireval_frames.dialects.columns import Columns
from ireval_frames.dialects.dialect import Dialect, cast, double, square
from ireval_frames.dialects.known import Known, Sources
from ireval_frames.dialects.shaping import Shape
from ireval_frames.dialects.simplifying import give_types, simplify
from ireval_frames.errors import NotDefined

# Functions and grammar that every database here has with our meaning, and that sqlglot writes.
COMMON = frozenset({
    "Abs", "And", "Avg", "Case", "Cast", "Ceil", "Coalesce", "Cos", "Count", "DenseRank", "Exp", "Floor", "Greatest",
    "If", "Lag", "Lead", "Least", "Ln", "Max", "Min", "Nullif", "Or", "Pow", "Rank", "RowNumber", "Sin", "Sqrt",
    "Stddev", "StddevPop", "StddevSamp", "Sum", "Trunc", "Variance", "VariancePop",
})  # fmt: skip
# Of doubles they make doubles, of decimal numbers decimal ones.
_OF_THEIR_KIND = (exp.Sum, exp.Avg, exp.Ln, exp.Exp, exp.Sqrt, exp.Pow)
_SIDED = (exp.Div, exp.DPipe, exp.NullSafeEQ, *_OF_THEIR_KIND)
# Of every kind, a value that takes the place of null where two nulls are compared.
_IN_PLACE = {"text": exp.Literal.string(""), "integer": exp.Literal.number(0), "double": double(0.0)}

Asked = Callable[[str], str]
"""The measures that asked for a column, in words; empty where none is known."""


class Rewriting:
    """One statement on its way into a dialect."""

    def __init__(self, tree: exp.Expr, dialect: Dialect, sources: Sources, asked: Asked) -> None:
        simplify(tree, dialect.words)
        give_types(tree, Columns(tree, sources), one_number=dialect.one_number)
        self.tree, self.dialect, self.asked = tree, dialect, asked
        self.columns = Columns(tree, sources)
        self.shape = Shape(tree, dialect, sources, self.columns)
        self._sides: dict[int, list[Known]] = {}
        self._squares: set[int] = set()

    def made(self) -> exp.Expr:
        """The statement in the dialect's words, still a tree."""
        nodes = list(self.tree.walk())
        # What operands hold is told before they are said otherwise.
        for node in nodes:
            if isinstance(node, _SIDED):
                sides = [node.this, node.args.get("expression")]
                self._sides[id(node)] = [self.columns.of(n) if n is not None else Known() for n in sides]
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
                node.replace(self._same(node))
            case exp.Mul() if id(node) in self._squares:
                node.replace(square(node.left, node))
            case exp.Div():
                self._divided(node)
            case exp.DPipe():
                self._joined(node)
            case exp.Not() if isinstance(node.this, exp.Is):
                # Not all databases read NOT x IS NULL as we do.
                node.replace(exp.Is(this=node.this.this, expression=exp.Not(this=node.this.expression)))
            case exp.Cast() if node.this.is_string and node.this.name in ("inf", "-inf", "nan"):
                node.replace(self.dialect.not_finite(node))
            case exp.Func():
                made = self._word(node)
                if made is not node:
                    node.replace(made)

    def _is_square(self, node: exp.Mul) -> bool:
        return node.left.unnest() == node.right.unnest() and self.columns.of(node).kind == "double"

    def _word(self, node: exp.Func) -> exp.Expr:
        """The function in the dialect's words; itself where it is the same there."""
        if self.dialect.exact_literals and isinstance(node, _OF_THEIR_KIND):
            self._as_doubles(node)
        name = node.name.lower() if isinstance(node, exp.Anonymous) else type(node).__name__
        if name in self.dialect.words:
            return self.dialect.words[name](node)
        if name not in COMMON:
            raise self._unknown(node, f"the function {name.lower()}")
        return node

    def _as_doubles(self, node: exp.Func) -> None:
        sides = self._sides[id(node)]
        whole = all(k.kind == "integer" for k in sides if k.kind) and not isinstance(node, (exp.Sum, exp.Avg))
        if not whole and not any(k.kind != "integer" and not k.literal for k in sides if k.kind):
            node.set("this", cast(node.this, "DOUBLE"))

    def _same(self, node: exp.NullSafeEQ) -> exp.Expr:
        """Plain equality where one side is never null; what joins fast with nulls where that needs other words."""
        left, right = node.left, node.right
        one, other = self._sides[id(node)]
        if not one.null or not other.null:
            return exp.EQ(this=left, expression=right)
        if not self.dialect.hashed_nulls or one.kind != other.kind or one.kind not in _IN_PLACE:
            return exp.Paren(this=node.copy())
        value = _IN_PLACE[one.kind]
        filled = [exp.Coalesce(this=n.copy(), expressions=[value.copy()]) for n in (left, right)]
        nulls = [exp.Paren(this=exp.Is(this=n.copy(), expression=exp.Null())) for n in (left, right)]
        return exp.and_(
            exp.EQ(this=filled[0], expression=filled[1]), exp.EQ(this=nulls[0], expression=nulls[1]), copy=False
        )

    def _divided(self, node: exp.Div) -> None:
        """Division of floats, as DuckDB's; of two whole numbers other databases give a whole one."""
        sides = self._sides[id(node)]
        doubles = [k for k in sides if k.kind == "double" and not (self.dialect.exact_literals and k.literal)]
        if not doubles:
            node.set("this", cast(node.this, "DOUBLE"))
        node.set("typed", value=True)
        node.set("safe", value=False)

    def _joined(self, node: exp.DPipe) -> None:
        for side, known in zip(("this", "expression"), self._sides[id(node)], strict=True):
            if known.kind != "text":
                node.set(side, cast(node.args[side], "VARCHAR"))
        node.set("safe", value=False)

    def _unknown(self, node: exp.Expr, what: str) -> NotDefined:
        alias = node.find_ancestor(exp.Alias)
        who = self.asked(alias.alias) if alias else ""
        return NotDefined(
            f"{f'{who} needs' if who else 'The statement needs'} {what}, for which we have no word of "
            f"{self.dialect.title}.",
            "Leave the measure out, or run the statement in DuckDB: sql() without dialect=.",
        )
