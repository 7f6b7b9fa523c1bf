"""Token columns of Hugging Face: a row per sentence, with lists of tokens and of tags, or of numbers of tags."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn, WrongType, listed

# The columns of tags, tokens and ids, the likeliest first.
TAGS = ("ner_tags", "tags", "labels", "gold", "ner", "label")
TOKENS = ("tokens", "words", "token")
IDS = ("doc_id", "document_id", "id")
# The number of a token that has no tag, such as the second part of a word.
IGNORED = -100


def tokens_of_lists(
    frame: pl.DataFrame, gold: str | None, predicted: str | None, names: Sequence[str] | None
) -> pl.DataFrame:
    """A row per token: doc_id (or the number of the row), position, token, gold, predicted, and columns without lists.

    Args:
        frame: a row per sentence.
        gold: the column of tags, by default one of `TAGS`.
        predicted: a column of predicted tags.
        names: the names of numbers of tags.

    Raises:
        MissingColumn: there is no such column.
        WrongType: tags are numbers without names, or no lists.
        InvalidValue: a number has no name, or lists differ in length.
    """
    lists = [c for c, dtype in frame.schema.items() if isinstance(dtype, pl.List | pl.Array)]
    gold = gold or next((c for c in TAGS if c in lists), None)
    for name in (gold, predicted):
        if name is not None and name not in frame.columns:
            raise MissingColumn(
                f"There is no column {name!r}; there are: {listed(frame.columns, 20)}.", "Name one of them."
            )
    if gold is None or gold not in lists or predicted not in (None, *lists):
        other = gold if gold not in lists else predicted
        raise WrongType(
            f"Tags are lists, a row per sentence, and {f'column {other!r} has none' if other else 'there are none'}.",
            Hint("Name the column: ", Argument("gold", lists[0] if lists else "ner_tags")),
        )
    sides = {"gold": gold, **({} if predicted is None else {"predicted": predicted})}
    token = next((c for c in TOKENS if c in lists), None)
    columns = {**({} if token is None else {"token": token}), **sides}
    _refuse_other_lengths(frame, list(columns.values()))
    doc = next((c for c in IDS if c in frame.columns and c not in lists), None)
    plain = [c for c in frame.columns if c not in lists and c != doc and c not in columns]
    rows = frame.with_row_index("_row", offset=1)
    out = rows.select(
        (pl.col("_row").cast(pl.Int64) if doc is None else pl.col(doc)).alias("doc_id"),
        *(pl.col(c) for c in plain),
        position=pl.int_ranges(0, pl.col(gold).list.len().cast(pl.Int64)),
        **{ours: _list(name, frame.schema[name]) for ours, name in columns.items()},
    )
    out = out.filter(pl.col("gold").list.len() > 0).explode("position", *columns)
    numbers = [side for side in sides if out.schema[side].is_integer()]
    out = out.filter(*(pl.col(side) != IGNORED for side in numbers))
    for side in numbers:
        out = _named(out, side, sides[side], names)
    return out


def _list(name: str, dtype: Any) -> pl.Expr:
    return pl.col(name).arr.to_list() if isinstance(dtype, pl.Array) else pl.col(name)


def _refuse_other_lengths(frame: pl.DataFrame, columns: Sequence[str]) -> None:
    lengths = frame.select(pl.col(c).list.len().fill_null(0) for c in columns)
    for column in columns[1:]:
        differ = lengths.with_row_index("row", offset=1).filter(pl.col(column) != pl.col(columns[0]))
        if differ.height:
            row = differ.row(0, named=True)
            raise InvalidValue(
                f"In {differ.height:,} rows {columns[0]!r} and {column!r} differ in length, such as {row[columns[0]]} "
                f"and {row[column]} in row {row['row']}.",
                "Each token needs one of each.",
            )


def _named(out: pl.DataFrame, side: str, column: str, names: Sequence[str] | None) -> pl.DataFrame:
    """The tags as text."""
    if names is None:
        raise WrongType(
            f"Column {column!r} holds numbers of tags, and their names are not known.",
            Hint("Name them in order: ", Argument("names", ["O", "B-PER", "I-PER"])),
        )
    other = out[side].filter(~out[side].is_between(0, len(names) - 1))
    if len(other):
        raise InvalidValue(
            f"Column {column!r} holds {other[0]}, and names= has {len(names)} names, of 0 to {len(names) - 1}.",
            Hint("Name all: ", Argument("names", [*names, "B-TYPE"])),
        )
    numbered = dict(enumerate(names))
    return out.with_columns(pl.col(side).replace_strict(numbered, return_dtype=pl.String))


def names_in(metadata: Mapping[str, str], column: str) -> list[str] | None:
    """The names of a column's numbers in the metadata that Hugging Face writes into Parquet files."""
    try:
        features = json.loads(metadata["huggingface"])["info"]["features"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return _class_names(features.get(column))


def _class_names(feature: Any) -> list[str] | None:
    while isinstance(feature, Mapping | list):
        feature = feature[0] if isinstance(feature, list) else feature
        if isinstance(feature.get("names"), list):
            return [str(name) for name in feature["names"]]
        feature = feature.get("feature")
    return None
