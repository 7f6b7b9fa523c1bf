"""Weights of nuggets from the votes of several assessors."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.columns.nuggets import IMPORTANCE, JUDGE, NUGGET, QUERY
from ireval_frames.columns.schema import Schema
from ireval_frames.columns.user_names import named_columns
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, MissingColumn, listed, rows_to_fix
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames, found_in
from ireval_frames.nuggets.context import OKAY, VITAL

VOTES = Schema("nuggets", (QUERY, NUGGET, IMPORTANCE, JUDGE), ())


def pyramid(
    nuggets: Any,
    *,
    query: str | None = None,
    nugget: str | None = None,
    importance: str | None = None,
    judge: str | None = None,
) -> pl.DataFrame:
    """The nugget pyramid: each nugget weighs as much as assessors call it vital, beside the query's best.

    weight = votes for vital ÷ the most votes that a nugget of the query has.

    Args:
        nuggets: a row per query, nugget and assessor, with the importance (vital or okay); without a column of
            assessors each row is a vote.
        query: the name of the column of queries, where it is not query_id.
        nugget: that of nuggets, where it is not nugget_id.
        importance: that of importance.
        judge: that of assessors.

    Returns:
        query_id nugget_id importance weight n_votes: `importance` is vital for a nugget that more than half of its
        assessors call so; `n_votes` is their number.  A query of which no nugget has a vote for vital has weights 0.

    Raises:
        MissingColumn: there is no importance.
        InvalidValue: importance is neither vital nor okay.
        DuplicateRows: an assessor has two rows for a nugget.

    Source: Lin & Demner-Fushman, 2006 (nugget pyramids; TREC QA 2006 and 2007).

    Example:
        >>> import polars as pl
        >>> votes = {"query_id": ["q"] * 4, "nugget_id": [1, 1, 2, 2], "judge": ["a", "b"] * 2}
        >>> frame = pl.DataFrame({**votes, "importance": ["vital", "vital", "vital", "okay"]})
        >>> pyramid(frame)["weight"].to_list()
        [1.0, 0.5]
    """
    engine = open_engine(nuggets, None, None)
    with engine.errors():
        table = open_source(Source(nuggets, VOTES.name, TABLE), engine)
        named = {"query_id": query, "nugget_id": nugget, "importance": importance, "judge": judge}
        matches = found_in(VOTES, table, ItemNames(named_columns(None, named)))
        frame = engine.collect(table).rename({theirs: ours for ours, theirs in matches.items() if theirs != ours})
    if "importance" not in matches:
        raise MissingColumn(
            f"The nuggets table has no column 'importance' (it has: {listed(frame.columns, 20)}).",
            Hint("Name it: ", Argument("importance", "their_name"), "."),
        )
    _refuse(frame, matches)
    keys = ["query_id", "nugget_id"]
    vital = pl.col("importance") == VITAL
    counted = frame.group_by(keys, maintain_order=True).agg(votes=vital.sum(), n_votes=pl.len())
    most = pl.col("votes").max().over("query_id")
    return counted.select(
        *keys,
        importance=pl.when(2 * pl.col("votes") > pl.col("n_votes")).then(pl.lit(VITAL)).otherwise(pl.lit(OKAY)),
        weight=pl.when(most > 0).then(pl.col("votes") / most).otherwise(0.0),
        n_votes=pl.col("n_votes").cast(pl.Int64),
    )


def _refuse(frame: pl.DataFrame, matches: dict[str, str]) -> None:
    """Refuse votes that are none, and those of one assessor for one nugget.

    Raises:
        InvalidValue: importance is neither vital nor okay.
        DuplicateRows: an assessor has two rows for a nugget.
    """
    for name in ("query_id", "nugget_id"):
        if n := frame[name].null_count():
            raise InvalidValue(
                f"Column {matches[name]!r} of the nuggets table is null in {n:,} row{'s' * (n > 1)}.",
                rows_to_fix("nuggets", matches[name], ".is_null()"),
            )
    text = frame["importance"].cast(pl.String)
    wrong = text.filter(~text.is_in([VITAL, OKAY]).fill_null(value=False))
    if wrong.len():
        value, name = (
            frame["importance"].filter(~text.is_in([VITAL, OKAY]).fill_null(value=False))[0],
            matches["importance"],
        )
        line = f'nuggets.with_columns(pl.col("{name}").cast(pl.String).replace({{"{value}": "{VITAL}"}}))'
        raise InvalidValue(
            f"Column {name!r} of the nuggets table holds {value!r} in {wrong.len():,} row{'s' * (wrong.len() > 1)}; "
            f"allowed: {VITAL}, {OKAY}.",
            rows_to_fix("nuggets", name, ".is_null()") if value is None else f"Write our words: {line}.",
        )
    if "judge" in matches:
        keys = ["query_id", "nugget_id", "judge"]
        twice = frame.filter(frame.select(keys).is_duplicated())
        if twice.height:
            row = twice.row(0, named=True)
            raise DuplicateRows(
                f"The assessor {row['judge']!r} has several rows for nugget {row['nugget_id']!r} of query "
                f"{row['query_id']!r}; {twice.height:,} rows are so.",
                f"Keep one of each: nuggets.unique({[matches[k] for k in keys]})",
            )
