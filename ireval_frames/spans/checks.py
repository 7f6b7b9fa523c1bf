"""What tables of spans must not hold, with the line to write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.documents.inputs import SIDES
from ireval_frames.documents.positions import misplaced, no_position
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, OverlapWarning, listed, rows_to_fix, warn
from ireval_frames.expr import col, lit

if TYPE_CHECKING:
    from ireval_frames.spans.inputs import SpanInputs


def offsets(frame: Frame, side: str, names: Mapping[str, str], *, inclusive: bool) -> list[Check]:
    """Spans have a start and a later end, and positions count from 0.

    Args:
        frame: the spans under our names.
        side: the name of the table.
        names: the user's names of its columns.
        inclusive: whether the user's ends are the last positions.
    """
    start, end = names["start"], names["end"]

    def missing(rows: pl.DataFrame, count: int) -> InvalidValue:
        name = start if rows["start"][0] is None else end
        what = f"row of the {side} table has" if count == 1 else f"rows of the {side} table have"
        return InvalidValue(f"{count:,} {what} no {name!r}: it is null.", rows_to_fix("frame", name, ".is_null()"))

    def negative(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"Column {start!r} of the {side} table holds {rows['start'][0]}; positions count from 0.",
            rows_to_fix("frame", start, " < 0"),
        )

    def empty(rows: pl.DataFrame, count: int) -> InvalidValue:
        first, last = rows["start"][0], rows["end"][0] - inclusive
        where = f"{count:,} {'spans' if count > 1 else 'span'} of the {side} table"
        what = f"{where} {'end' if count > 1 else 'ends'} before {'they start' if count > 1 else 'it starts'}"
        if first == last and not inclusive:
            return InvalidValue(
                f"{where} {'have' if count > 1 else 'has'} no length: {start!r} and {end!r} are both {first}, and the "
                "end is the position after the last one.",
                Hint(
                    "If it is the last one itself, write ",
                    Argument("offsets", "inclusive", option=("inclusive", True)),
                    ".",
                ),
            )
        return InvalidValue(
            f"{what}, such as {first} to {last} in {rows['item_id'][0]!r}.",
            f'Look at them: {side}.filter(pl.col("{end}") {"<" if inclusive else "<="} pl.col("{start}"))',
        )

    return [
        Check(frame, col("start").is_null() | col("end").is_null(), missing),
        Check(frame, col("start") < 0, negative),
        Check(frame, col("end") <= col("start"), empty),
    ]


def position(values: Frame, side: str, name: str) -> Check:
    """Positions that are floats, or text of a file, are whole numbers.

    Args:
        values: the numbers, as `position`.
        side: the name of the table.
        name: the user's name of the column.
    """

    def error(rows: pl.DataFrame, count: int) -> Exception:
        return misplaced(side, name, rows["position"][0], count) or AssertionError(rows)

    return Check(values, no_position("position"), error)


def typed(frame: Frame, side: str, name: str) -> Check:
    """Spans have a type."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        what = f"span of the {side} table has" if count == 1 else f"spans of the {side} table have"
        return InvalidValue(
            f"{count:,} {what} no type: column {name!r} is null, such as at {rows['start'][0]} of "
            f"{rows['item_id'][0]!r}.",
            Hint("Leave them out: ", Argument("policy", "untyped=skip"), "; or count them as one more type: ",
                 Argument("policy", "untyped=type")),
        )  # fmt: skip

    return Check(frame, col("type").is_null(), error)


def once(frame: Frame, side: str, key: Sequence[str], rater: str | None = None) -> Check:
    """A document has one span of a place and type.

    Args:
        frame: the spans.
        side: the name of the table.
        key: what identifies a span.
        rater: the column of annotators, if the table has one.
    """
    of_one: tuple[Any, ...] = (
        f'The table has annotators: take one, {side}.filter(pl.col("{rater}") == …), or compare them: ',
        Argument("rater", rater, "ir.Spans(table, {})"), ". Or make equal spans one: ",
    ) if rater is not None else ("Make them one: ",)  # fmt: skip

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        row = rows.row(0, named=True)
        more = f"; {count:,} spans are" if count > 1 else ""
        of_type = "" if row["type"] is None else f" of type {row['type']!r}"
        return DuplicateRows(
            f"The span from {row['start']} to {row['end']}{of_type} is in {row['n']} rows of document "
            f"{row['item_id']!r} in the {side} table{more}.",
            Hint(*of_one, Argument("policy", "duplicates=merge"), "; or count each: ",
                 Argument("policy", "duplicates=count")),
        )  # fmt: skip

    return unique_key(frame, key, error)


def warn_of_types(inputs: SpanInputs) -> None:
    """Warn where each side has types that the other lacks: they may be of different names."""
    of_sides = [inputs.rows[side].select("type").with_columns(side=lit(side)) for side in SIDES]
    rows = inputs.engine.collect(inputs.distinct(concat(of_sides))).drop_nulls("type")
    gold, predicted = ({*rows.filter(side=side)["type"].cast(pl.String)} for side in SIDES)
    if gold - predicted and predicted - gold:
        never, unknown = (listed(map(repr, sorted(some)), 5) for some in (gold - predicted, predicted - gold))
        warn(
            f"Some types are on one side only: the predicted table never has {never}, and the gold table has no "
            f"{unknown}. Where they are names of one thing, write them alike; where not, policy "
            "overlap=allow leaves this out.",
            OverlapWarning,
        )


def fragments(distinct: Frame, side: str, owner: Sequence[str]) -> list[Check]:
    """The fragments of a span have one type, and do not overlap.

    Args:
        distinct: the distinct fragments.
        side: the name of the table.
        owner: the columns that identify a span of the user.
    """
    of_span = distinct.with_columns(
        n_types=col("type").n_unique().over(*owner),
        before=col("end").cum_max().over(*owner, order_by=["start", "end"]),
    )
    of_span = of_span.with_columns(before=col("before").shift(1).over(*owner, order_by=["start", "end"]))

    def several_types(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"The fragments of span {rows['span_id'][0]!r} of document {rows['item_id'][0]!r} in the {side} table have "
            f"{rows['n_types'][0]} types.",
            "Give all fragments of a span its type.",
        )

    def overlapping(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"Fragments of span {rows['span_id'][0]!r} of document {rows['item_id'][0]!r} in the {side} table overlap "
            f"at {rows['start'][0]}.",
            "Join them into one fragment, or give separate spans ids of their own.",
        )

    return [
        Check(of_span, col("n_types") > 1, several_types),
        Check(of_span, col("before") > col("start"), overlapping),
    ]
