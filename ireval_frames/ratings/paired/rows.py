"""The rows of paired comparisons: their checks, and who won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Whole
from ireval_frames.errors import InvalidValue, WrongType, listed

# What the column of winners may hold besides the items.
FIRST, SECOND = ("a", "left", "first", "model_a"), ("b", "right", "second", "model_b")
GOOD, BAD = ("tie", "both", "equal", "draw"), ("bothbad", "both_bad", "tie (bothbad)", "neither")
TIES = GOOD + BAD


def outcomes(rows: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """Rows with `score`: 1 where the first item won, ½ for a tie; `bad` says that neither was good.

    Args:
        rows: the comparisons under our names.
        names: the user's names of columns by ours, for errors.

    Raises:
        WrongType: items of both columns have types that cannot be equal, or lengths are no numbers.
        InvalidValue: an item is missing or stands against itself, or a winner is neither item nor a tie, or may be the
            item of that name or the item in that place.
    """
    rows = _typed(rows, names)
    one, other = names["item_a"], names["item_b"]
    a, b = (pl.col(c).cast(pl.String) for c in ("item_a", "item_b"))
    if missing := _count(rows, a.is_null() | b.is_null()):
        raise InvalidValue(
            f"{missing:,} comparisons lack an item.",
            f'Leave them out: frame.drop_nulls(["{one}", "{other}"])',
        )
    if same := _count(rows, a == b):
        raise InvalidValue(
            f"{same:,} comparisons are of an item with itself.",
            f'Leave them out: frame.filter(pl.col("{one}") != pl.col("{other}"))',
        )
    if "winner" not in rows.columns:
        return _scored(rows, names["score"])
    winner = pl.col("winner").cast(pl.String)
    word = winner.str.to_lowercase()
    score = (
        pl.when(winner == a).then(1.0)
        .when(winner == b).then(0.0)
        .when(word.is_in(FIRST)).then(1.0)
        .when(word.is_in(SECOND)).then(0.0)
        .when(winner.is_null() | word.is_in(TIES)).then(0.5)
    )  # fmt: skip
    out = rows.with_columns(score=score, bad=(score == 0.5) & word.is_in(BAD).fill_null(value=False))
    if out["score"].null_count():
        wrong = out.filter(pl.col("score").is_null())
        n = _count(out, pl.col("score").is_null())
        raise InvalidValue(
            f"{n:,} comparisons have a winner that is none of their items, such as {wrong['winner'][0]!r}.",
            f"Write one of the items, 'a', 'b', or a tie: {listed(TIES)}.",
        )
    _refuse_two_meanings(out)
    return out


def _refuse_two_meanings(rows: pl.DataFrame) -> None:
    """Refuse winners such as "a" that are names of items here and places of items there.

    Raises:
        InvalidValue: a comparison has the winner "a" as a place, another as the item "a" in the second place.
    """
    winner = pl.col("winner").cast(pl.String)
    first, second = (pl.col(c).cast(pl.String) == winner for c in ("item_a", "item_b"))
    word = winner.str.to_lowercase()
    places = rows.filter(~first & ~second & word.is_in([*FIRST, *SECOND]))
    names = rows.filter((first & word.is_in(SECOND)) | (second & word.is_in(FIRST)))
    if places.height and names.height:
        name, place = names.row(0, named=True), places.row(0, named=True)
        raise InvalidValue(
            f"Winners are places and items of the same name: {name['winner']!r} of {name['item_a']!r} and "
            f"{name['item_b']!r} may be either, and {place['winner']!r} of {place['item_a']!r} and {place['item_b']!r} "
            "is a place.",
            "Write the names of the items that won, or name the items otherwise.",
        )


def _scored(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Rows whose scores are between 0 and 1."""
    if not rows.schema["score"].is_numeric() and rows.height:
        raise WrongType(
            f"Column {name!r} of the comparisons is {rows.schema['score']}; scores are numbers from 0 to 1.",
            f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.Float64))',
        )
    bad = pl.lit(value=False)
    if "both_bad" in rows.columns:
        if rows.schema["both_bad"] != pl.Boolean and rows.height:
            raise WrongType(
                f"Column 'both_bad' of the comparisons is {rows.schema['both_bad']}; it must hold true or false.",
                "Convert it, or rename it.",
            )
        bad = (pl.col("both_bad") & (pl.col("score") == 0.5)).fill_null(value=False)
    rows = rows.with_columns(pl.col("score").cast(pl.Float64), bad=bad)
    good = pl.col("score").is_between(0, 1) & pl.col("score").is_not_nan()
    if n := _count(rows, good.not_().fill_null(value=True)):
        wrong = rows.filter(good.not_().fill_null(value=True))["score"][0]
        raise InvalidValue(
            f"{n:,} comparisons have a score that is not between 0 and 1, such as {wrong!r}.",
            f'Rescale them, or leave them out: frame.filter(pl.col("{name}").is_between(0, 1))',
        )
    return rows


def counted_ties(rows: pl.DataFrame, ties: str) -> pl.DataFrame:
    """The comparisons without the ties that do not count: "all" do, those where an item was "good", or "none"."""
    tied = pl.col("score") == 0.5
    return rows if ties == "all" else rows.filter(~tied if ties == "none" else ~pl.col("bad"))


def numbers_of_text(rows: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Columns of a text file as numbers where all of their values are numbers."""
    numbers = {c: rows[c].cast(pl.Float64, strict=False) for c in columns if rows.schema[c] == pl.String}
    return rows.with_columns(x.alias(c) for c, x in numbers.items() if x.null_count() == rows[c].null_count())


def refuse_missing(rows: pl.DataFrame, ours: str, name: str) -> None:
    """Refuse comparisons whose cluster or topic is null.

    Raises:
        InvalidValue: there are some.
    """
    if missing := _count(rows, pl.col(ours).is_null()):
        raise InvalidValue(
            f"{missing:,} comparisons have no {ours}: column {name!r} is null.",
            f'Leave them out: frame.drop_nulls("{name}")',
        )


def check_order(rows: pl.DataFrame) -> None:
    """Refuse comparisons without an order.

    Raises:
        InvalidValue: there are some.
    """
    order = pl.col("order").is_null()
    if rows.schema["order"].is_float():
        order = order | pl.col("order").is_nan()
    if missing := _count(rows, order):
        raise InvalidValue(
            f"{missing:,} comparisons have no order, which Elo's ratings need: its column is null or NaN.",
            "Drop these rows, or fill the column.",
        )


def coded(rows: pl.DataFrame) -> tuple[pl.Series, Whole, Whole]:
    """The items, sorted, and the indices of the first and the second item of each comparison."""
    items = pl.concat([rows["item_a"].alias("item_id"), rows["item_b"].alias("item_id")]).unique().sort()
    at = pl.DataFrame({"item": items}).with_row_index("at")
    a, b = (
        rows.select(item=c).join(at, on="item", how="left", maintain_order="left")["at"].to_numpy().astype(np.int64)
        for c in ("item_a", "item_b")
    )
    return items, a, b


def _typed(rows: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """Both items in one type."""
    one, other = (rows.schema[c] for c in ("item_a", "item_b"))
    if one.is_integer() and other.is_integer():
        rows = rows.cast({"item_a": pl.Int64, "item_b": pl.Int64})
    elif one != other and pl.Null not in (one, other):
        raise WrongType(
            f"Column {names['item_a']!r} is {one} and column {names['item_b']!r} is {other}, so they are never equal.",
            f'Give both one type: frame.with_columns(pl.col("{names["item_a"]}", "{names["item_b"]}").cast(pl.String))',
        )
    for name in ("length_a", "length_b"):
        dtype = rows.schema.get(name, pl.Int64)
        if not dtype.is_numeric() and dtype != pl.Null:
            raise WrongType(
                f"Column {names[name]!r} of the comparisons is {dtype}; lengths are numbers.",
                f'Count them: frame.with_columns(pl.col("{names[name]}").str.len_chars())',
            )
    return rows


def _count(rows: pl.DataFrame, condition: pl.Expr) -> int:
    """The number of comparisons that meet a condition; equal ones are one row."""
    return int(rows.filter(condition)["n"].sum())
