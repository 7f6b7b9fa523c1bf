"""The checks of tables of answers, and their errors."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ireval_frames import expr
from ireval_frames.answers.tables import AnswerTables
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, MismatchedTables
from ireval_frames.expr import col, lit


def row_checks(tables: AnswerTables) -> Iterator[Check]:
    """What is checked in the rows."""
    inputs = tables.inputs
    column = inputs.columns["predicted"]["query_id"]

    def twice(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f" ({count} queries have several)" if count > 1 else ""
        return DuplicateRows(
            f"The query {rows['item_id'][0]!r} has {rows['n'][0]} predicted answers{more}.",
            f'Keep one: predicted.unique("{column}"); or name the systems that gave them in a column run_id.',
        )

    yield unique_key(inputs.predicted, tables.keys, twice)
    if tables.policy.missing == "error":
        yield Check(without_prediction(tables), col("known").is_null(), _missing)


def _missing(rows: pl.DataFrame, count: int) -> MismatchedTables:
    are = "query has" if count == 1 else "queries have"
    return MismatchedTables(
        f"{count:,} {are} no predicted answer, such as {rows['item_id'][0]!r}.",
        Hint("Choose how they count: ", Argument("policy", "missing=zero"), ", or ",
             Argument("policy", "missing=skip"), "."),
    )  # fmt: skip


def without_prediction(tables: AnswerTables) -> Frame:
    """The queries, with a column `known` that is null where there is no predicted answer."""
    inputs = tables.inputs
    predicted = inputs.predicted.select(*tables.keys).with_columns(known=lit(1.0))
    return inputs.engine.join(inputs.items, predicted, tables.keys, "left")


def number_without(tables: AnswerTables) -> int:
    """The number of queries without a predicted answer."""
    rows = without_prediction(tables).filter(col("known").is_null())
    counted: pl.DataFrame = tables.plan.engine.collect(rows.select(n=expr.len()))
    return int(counted.item())
