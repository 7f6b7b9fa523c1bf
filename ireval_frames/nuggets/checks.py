"""What tables of nuggets must not hold, with the line to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import (
    Argument,
    Code,
    DuplicateRows,
    Hint,
    InvalidValue,
    MismatchedTables,
    OverlapWarning,
    rows_to_fix,
    warn,
)
from ireval_frames.expr import Expr, col, lit
from ireval_frames.nuggets.context import FAILED, NOT_SUPPORT, OKAY, PARTIAL, SUPPORT, VITAL
from ireval_frames.nuggets.tables import NuggetTables
from ireval_frames.ratios import indicator

WORDS = {"importance": (VITAL, OKAY), "label": (SUPPORT, PARTIAL, NOT_SUPPORT)}


def row_checks(tables: NuggetTables) -> Iterator[Check]:
    """What is checked in the rows."""
    inputs = tables.inputs
    sides = {"gold": (inputs.rows["gold"], "importance"), "predicted": (inputs.predicted, "label")}
    for side, (rows, column) in sides.items():
        yield _nugget(rows, inputs.schemas[side].name, inputs.columns[side]["nugget_id"])
        if column in inputs.columns[side]:
            yield _word(tables, rows, side, column)
    if "nugget_weight" in inputs.columns["gold"]:
        yield _weight(tables)
    yield unique_key(inputs.rows["gold"], _of_no_run(tables), _twice_a_nugget(tables))
    yield unique_key(inputs.predicted, tables.predicted.keys, _twice_a_label(tables))
    yield Check(_without_nugget(tables), col("known").is_null(), _unknown(tables))
    if inputs.answers is not None:
        yield unique_key(inputs.answers, tables.keys, _twice_an_answer(inputs.columns_of_answers))
        if "length" in inputs.answers.columns:
            yield _length(inputs.answers, inputs.columns_of_answers.get("length"))
    if tables.policy.missing == "error":
        yield Check(without_answer(tables), col("known").is_null(), _missing)
    if tables.policy.unassigned == "error":
        yield Check(without_label(tables), col("known").is_null(), _unassigned)


def _nugget(rows: Frame, table: str, name: str) -> Check:
    def error(_: pl.DataFrame, count: int) -> InvalidValue:
        have = "row has" if count == 1 else "rows have"
        return InvalidValue(
            f"{count:,} {have} no nugget: column {name!r} of the {table} table is null.",
            rows_to_fix(table, name, ".is_null()"),
        )

    return Check(rows, col("nugget_id").is_null(), error)


def _word(tables: NuggetTables, rows: Frame, side: str, column: str) -> Check:
    """Labels and importance are words of ours."""
    table, name = tables.inputs.schemas[side].name, tables.inputs.columns[side][column]
    words = (*WORDS[column], *([FAILED] if tables.policy.failed != "error" else []))

    def error(bad: pl.DataFrame, count: int) -> InvalidValue:
        value = bad[column][0]
        what = f"Column {name!r} of the {table} table holds {value!r} in {count:,} row{'s' * (count > 1)}"
        if value == FAILED:
            return InvalidValue(
                f"{what}: a judge's reply that could not be read.",
                Hint("Choose how it counts: ", Argument("policy", f"failed={NOT_SUPPORT}"), ", or ",
                     Argument("policy", "failed=skip"), "."),
            )  # fmt: skip
        if value is None:
            return InvalidValue(f"{what}; allowed: {', '.join(words)}.", rows_to_fix(table, name, ".is_null()"))
        line = f'{table}.with_columns(pl.col("{name}").replace({{"{value}": "{words[0]}"}}))'
        return InvalidValue(
            f"{what}; allowed: {', '.join(words)}.",
            Hint("Write our words: ", Code(line, f"{value!r} as one of these, in the file"), "."),
        )

    return Check(rows, ~_one_of(column, words), error)


def _one_of(column: str, words: tuple[str, ...]) -> Expr:
    out = col(column) == words[0]
    for word in words[1:]:
        out |= col(column) == word
    return out.fill_null(False)  # noqa: FBT003 - of a condition


def _weight(tables: NuggetTables) -> Check:
    name, weight = tables.inputs.columns["gold"]["nugget_weight"], col("nugget_weight")

    def error(rows: pl.DataFrame, _: int) -> InvalidValue:
        return InvalidValue(
            f"Column {name!r} of the nuggets table holds {rows['nugget_weight'][0]}; weights must be finite and not "
            "negative.",
            rows_to_fix("nuggets", name, ".is_null()", ".is_nan()", ".is_infinite()", " < 0"),
        )

    return Check(tables.inputs.rows["gold"], weight.is_null() | ~weight.is_finite() | (weight < 0), error)


def _length(answers: Frame, name: str | None) -> Check:
    length = col("length")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        what = f"{count:,} answer{'s' * (count > 1)} of the answers table"
        return InvalidValue(
            f"{what} {'have' if count > 1 else 'has'} the length {rows['length'][0]}, such as that of query "
            f"{rows['item_id'][0]!r}; lengths must be finite and not negative.",
            rows_to_fix("answers", name or "length", ".is_null()", ".is_nan()", ".is_infinite()", " < 0"),
        )

    return Check(answers, length.is_null() | ~length.is_finite() | (length < 0), error)


def _names(tables: NuggetTables, side: str, *keys: str) -> list[str]:
    """The user's names of the columns of a table that are there."""
    columns = tables.inputs.columns[side]
    return [columns[k] for k in keys if k in columns]


def _twice_a_nugget(tables: NuggetTables) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    keys = _names(tables, "gold", "query_id", "nugget_id")

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f"; {count:,} nuggets are" if count > 1 else ""
        return DuplicateRows(
            f"The nugget {rows['nugget_id'][0]!r} of query {rows['item_id'][0]!r} is in {rows['n'][0]} rows of the "
            f"nuggets table{more}.",
            f"Keep one: nuggets.unique({keys}); or weigh nuggets by the votes of several assessors: "
            "ir.nuggets.pyramid(nuggets)",
        )

    return error


def _twice_a_label(tables: NuggetTables) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    columns = tables.inputs.columns["predicted"]
    missing = [Argument(ours, name) for ours, name in (("run", "run_id"), ("judge", "judge")) if name not in columns]
    keys = _names(tables, "predicted", "run_id", "query_id", "nugget_id", "judge")

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        row = rows.row(0, named=True)
        of_run = f" by run {row['run_id']!r}" if "run_id" in row else ""
        of_judge = f" of judge {row['judge']!r}" if "judge" in row else ""
        more = f"; {count:,} nuggets have several" if count > 1 else ""
        what = (
            f"The nugget {row['nugget_id']!r} has {row['n']} labels{of_judge} for the answer to query "
            f"{row['item_id']!r}{of_run}{more}."
        )
        if not missing:
            return DuplicateRows(what, f"Keep one of each: assignments.unique({keys})")
        words = " and ".join({"run": "of runs", "judge": "of judges"}[a.name] for a in missing)
        return DuplicateRows(
            what,
            Hint(f"Name the column {words}: ", *_joined(missing), f"; or keep one: assignments.unique({keys})"),
        )

    return error


def _joined(arguments: list[Argument]) -> list[Argument | str]:
    return [part for a in arguments for part in (", ", a)][1:]


def _twice_an_answer(columns: Mapping[str, str]) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    keys = [columns[k] for k in ("run_id", "query_id") if k in columns]

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f"; {count:,} queries have several" if count > 1 else ""
        return DuplicateRows(
            f"The query {rows['item_id'][0]!r} has {rows['n'][0]} rows in the answers table{more}.",
            f"Keep one: answers.unique({keys})",
        )

    return error


def _unknown(tables: NuggetTables) -> Callable[[pl.DataFrame, int], MismatchedTables]:
    left, right = (_names(tables, side, "query_id", "nugget_id") for side in ("predicted", "gold"))
    on = f"on={left}" if left == right else f"left_on={left}, right_on={right}"

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        what = "row labels a nugget" if count == 1 else "rows label nuggets"
        return MismatchedTables(
            f"{count:,} {what} that the nuggets table has not, such as {rows['nugget_id'][0]!r} of query "
            f"{rows['item_id'][0]!r}.",
            f'Add the nuggets, or leave the rows out: assignments.join(nuggets, {on}, how="semi")',
        )

    return error


def _missing(rows: pl.DataFrame, count: int) -> MismatchedTables:
    of_run = f" of run {rows['run_id'][0]!r}" if "run_id" in rows.columns else ""
    has = "query has" if count == 1 else "queries have"
    return MismatchedTables(
        f"{count:,} {has} no answer, such as {rows['item_id'][0]!r}{of_run}.",
        Hint("Choose how they count: ", Argument("policy", "missing=zero"), ", or ",
             Argument("policy", "missing=skip"), "."),
    )  # fmt: skip


def _unassigned(rows: pl.DataFrame, count: int) -> MismatchedTables:
    has = "nugget has" if count == 1 else "nuggets have"
    return MismatchedTables(
        f"{count:,} {has} no label for an answer, such as {rows['nugget_id'][0]!r} of query {rows['item_id'][0]!r}.",
        Hint("Choose how they count: ", Argument("policy", "unassigned=not_support"), ", or ",
             Argument("policy", "unassigned=skip"), "."),
    )  # fmt: skip


# ---- what is not there


def _answered(tables: NuggetTables) -> Frame:
    inputs = tables.inputs
    known = inputs.distinct(inputs.predicted.select(*tables.keys))
    if inputs.answers is not None:
        known = inputs.distinct(concat([known, inputs.answers.select(*tables.keys)]))
    return known.with_columns(known=lit(1.0))


def without_answer(tables: NuggetTables) -> Frame:
    """The queries, with a column `known` that is null where there is no answer."""
    return tables.inputs.engine.join(tables.inputs.items, _answered(tables), tables.keys, "left")


def without_label(tables: NuggetTables) -> Frame:
    """The nuggets of answered queries, with a column `known` that is null where there is no label."""
    inputs = tables.inputs
    labelled = inputs.distinct(inputs.predicted.select(*tables.nugget_keys)).with_columns(known=lit(1.0))
    answered = inputs.engine.join(inputs.gold, _answered(tables).drop("known"), tables.keys, "inner")
    return inputs.engine.join(answered, labelled, tables.nugget_keys, "left")


def _of_no_run(tables: NuggetTables) -> tuple[str, ...]:
    """What identifies a row of the nuggets table."""
    return tuple(k for k in tables.nugget_keys if k in tables.inputs.rows["gold"].columns and k != "run_id")


def _without_nugget(tables: NuggetTables) -> Frame:
    """The labels, with a column `known` that is null where the query has no such nugget."""
    inputs = tables.inputs
    keys = _of_no_run(tables)
    nuggets = inputs.distinct(inputs.rows["gold"].select(*keys)).with_columns(known=lit(1.0))
    return inputs.engine.join(inputs.predicted, nuggets, keys, "left")


def warn_of_unassigned(tables: NuggetTables) -> None:
    """Warn of nuggets without a label where others have the label that they are not supported."""
    inputs, engine = tables.inputs, tables.inputs.engine
    # Statements that run later have no rows yet, and drawn queries were counted before.
    if inputs.drawn or engine.enforces(()):
        return
    labels = inputs.predicted.with_columns(none=indicator(col("label") == NOT_SUPPORT))
    if tables.several_judges:
        labels = engine.group(labels, tables.nugget_keys, [Aggregate("none", "sum", col("none"))])
    sums = [Aggregate("n_none", "sum", col("none")), Aggregate("n_labels", "count", lit(1.0))]
    of_query = tuple(k for k in _of_no_run(tables) if k != "nugget_id")
    each = engine.group(inputs.rows["gold"], of_query, [Aggregate("n", "count", lit(1.0))])
    answered = engine.join(_answered(tables), each, of_query, "inner")
    nuggets = engine.group(answered, (), [Aggregate("n_nuggets", "sum", col("n"))])
    counts = engine.numbers(engine.join(engine.group(labels, (), sums), nuggets, (), "inner"))
    n, n_labels, n_none = (int(counts[name] or 0) for name in ("n_nuggets", "n_labels", "n_none"))
    if n_none and n > n_labels:
        warn(
            f"{n - n_labels:,} of {n:,} nuggets have no label for an answer, and count as not supported; policy "
            "unassigned=skip leaves them out, unassigned=error refuses them.",
            OverlapWarning,
        )


def number(tables: NuggetTables, rows: Frame) -> int:
    """The number of rows that are not `known`."""
    counted = tables.plan.engine.collect(rows.select(n=indicator(col("known").is_null())))
    return int(counted["n"].sum())
