"""What DuckDB says and most databases do not, in words that all have."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from ireval_frames.dialects.columns import Columns, values_of
from ireval_frames.dialects.dialect import Parsed, as_number, cast

_LARGEST = "1.7976931348623157e308"
# A product by logarithms, with zeros and signs counted beside; null where all values are null.
_PRODUCT = (
    "CASE WHEN count(CASE WHEN {x} = 0 THEN 1 END){over} > 0 THEN 0e0 ELSE"
    " CASE WHEN count(CASE WHEN {x} < 0 THEN 1 END){over} % 2 = 1 THEN -1e0 ELSE 1e0 END"
    " * exp(sum(CASE WHEN {x} <> 0 THEN ln(abs({x})) END){over}) END"
)


def simplify(tree: exp.Expr, has: Collection[str]) -> None:
    """Say products, compensated sums and finiteness otherwise, but for those that the database has."""
    for some in list(tree.find_all(exp.IgnoreNulls)):
        # Some value is one that is not null; the words for it say so where they must.
        some.replace(some.this)
    for node in reversed(list(tree.find_all(exp.Anonymous))):
        name = node.name.lower()
        if name in has or name not in ("product", "fsum", "isfinite"):
            continue
        value = node.expressions[0]
        if name == "fsum":
            node.replace(exp.Sum(this=value))
        elif name == "isfinite":
            node.replace(_parsed("(abs({x}) <= {largest})", x=value, largest=_LARGEST))
        else:
            window = node.parent if isinstance(node.parent, exp.Window) else None
            over = window.sql("duckdb").removeprefix(node.sql("duckdb")) if window else ""
            (window or node).replace(_parsed(f"({_PRODUCT})", x=value, over=over))


def give_types(tree: exp.Expr, columns: Columns, *, one_number: bool) -> None:
    """Write conditions that are cast to numbers as numbers; with `one_number` let no value be of two number types."""
    for node in list(tree.walk()):
        known = (
            columns.of(node) if isinstance(node, (exp.Cast, exp.Case, exp.Coalesce, exp.Greatest, exp.Least)) else None
        )
        if known is None or known.kind not in ("double", "integer"):
            continue
        if isinstance(node, exp.Cast):
            if columns.of(node.this).kind == "boolean":
                node.set("this", as_number(node.this))
        elif one_number and known.kind == "double":
            for value in values_of(node):
                if columns.of(value).kind == "integer" and not isinstance(value, exp.Literal):
                    value.replace(cast(value.copy(), "DOUBLE"))


def _parsed(text: str, *, x: exp.Expr, **more: str) -> exp.Expr:
    inner = x.sql("duckdb")
    return exp.maybe_parse(text.format(x=inner if isinstance(x, exp.Column) else f"({inner})", **more), dialect=Parsed)
