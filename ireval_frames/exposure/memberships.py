"""The groups of documents, and the shares of groups that are the target.

A document may be in several groups: its shares add up to 1.  Of several attributes each combination of values is a
group, and a document's share of it is the product of its shares of the values, as in TREC Fair Ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import DuplicateRows, InvalidValue
from ireval_frames.expr import Expr, col, concat_str, lit

# The value of an attribute that a document has not, while it has others.
UNKNOWN = "unknown"
BETWEEN = " × "


def memberships(engine: Engine, rows: Frame, n: int) -> Frame:
    """[doc_id group share] from rows of documents with `attribute_0`, `attribute_1` … and a `weight`.

    Args:
        engine: where the rows are.
        rows: a row per document and value; a value is null where it is not known.
        n: the number of attributes.
    """
    rows = rows.filter(col("weight") > 0.0)
    shares = [_shares(engine, rows, f"attribute_{i}") for i in range(n)]
    if n == 1:
        return shares[0].select("doc_id", group=col("attribute_0"), share=col("share"))
    known = rows.select("doc_id", some=_some([f"attribute_{i}" for i in range(n)])).filter(col("some"))
    out = engine.group(known.select("doc_id"), ("doc_id",), ()).with_columns(product=lit(1.0))
    for i, of_one in enumerate(shares):
        out = engine.join(out, of_one, ("doc_id",), "left").with_columns(
            product=col("product") * col("share").fill_null(1.0),
            **{f"attribute_{i}": col(f"attribute_{i}").fill_null(UNKNOWN)},
        )
        out = out.drop("share")
    return out.select("doc_id", group=_combined(n), share=col("product"))


def _shares(engine: Engine, rows: Frame, attribute: str) -> Frame:
    """[doc_id attribute share]: the weights of a document's values over their sum."""
    known = rows.filter(~col(attribute).is_null()).select("doc_id", attribute, "weight")
    each = engine.group(known, ("doc_id", attribute), [Aggregate("of_value", "sum", col("weight"))])
    total = engine.group(known, ("doc_id",), [Aggregate("of_document", "sum", col("weight"))])
    joined = engine.join(each, total, ("doc_id",), "inner")
    return joined.select("doc_id", attribute, share=col("of_value") / col("of_document"))


def _some(columns: Sequence[str]) -> Expr:
    out = ~col(columns[0]).is_null()
    for column in columns[1:]:
        out = out | ~col(column).is_null()
    return out


def _combined(n: int) -> Expr:
    return concat_str(*(col(f"attribute_{i}") for i in range(n)), separator=BETWEEN)


def shares_of_target(
    engine: Engine, rows: Frame, n: int, query: Mapping[str, str], run: Frame
) -> tuple[Frame, list[Check]]:
    """[item_id] group share of the target, and the checks of its rows.

    Args:
        engine: where the rows are.
        rows: `attribute_0` … and the share as `weight`, and `item_id` where it differs by query.
        n: the number of attributes.
        query: the column of the query → the user's name of it, if there is one.
        run: a column of the lists; without any an empty target is no error.
    """
    group = _combined(n) if n > 1 else col("attribute_0")
    out = rows.select(*query, group=group, share=col("weight"))
    counted = engine.group(out, (*query, "group"), [Aggregate("n", "count", lit(1.0))])
    totals = engine.group(out, tuple(query), [Aggregate("total", "sum", col("share"))])
    totals = engine.join(totals, run.head(1), (), "inner")

    def of(wrong: pl.DataFrame) -> str:
        return f" of the query {wrong['item_id'][0]!r}" if query else ""

    def no_group(wrong: pl.DataFrame, count: int) -> InvalidValue:
        del wrong
        return InvalidValue(
            f"{count:,} row{'s' * (count > 1)} of the target table {'have' if count > 1 else 'has'} no group.",
            "Leave them out: target.drop_nulls()",
        )

    def twice(wrong: pl.DataFrame, count: int) -> DuplicateRows:
        del count
        return DuplicateRows(
            f"The target table has the group {wrong['group'][0]!r}{of(wrong)} in {wrong['n'][0]:.0f} rows.",
            "Write one share for each group.",
        )

    def not_one(wrong: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"The shares of the target{of(wrong)} add up to {wrong['total'][0]:.6g}; they must add up to 1.",
            'Divide them by their sum: target.with_columns(share=pl.col("share") / pl.col("share").sum()'
            + (f'.over("{query["item_id"]}"))' if query else ")"),
        )

    return out, [
        Check(out, col("group").is_null(), no_group),
        Check(counted, col("n") > 1.0, twice),
        Check(totals, (col("total") - 1.0).abs() > 1e-6, not_one),
    ]
