"""The user's tables of answers under our names: the gold answers of queries, and one predicted answer of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.columns.answers import GOLD_ANSWERS, PREDICTED_ANSWERS
from ireval_frames.columns.schema import UNTYPED, Schema, wrong_type
from ireval_frames.documents.inputs import DocumentInputs
from ireval_frames.engines.base import Engine
from ireval_frames.errors import WrongType
from ireval_frames.expr import Expr, col
from ireval_frames.items.class_types import is_list, values_of
from ireval_frames.items.inputs import ItemNames

# What the text of a row is called, by side.
TEXTS = {"gold": "answer", "predicted": "predicted_answer"}
# The column of the user's tables that holds it.
COLUMNS = {"gold": "answer", "predicted": "prediction"}


class AnswerInputs(DocumentInputs):
    """The queries of one evaluation, with their answers.

    Attributes:
        items: a row per query.
        gold: a row per distinct gold answer that is not null: keys, `item_id`, `answer_number`, `answer`.
        predicted: a row per query and run: keys, `item_id`, `predicted_answer`; null became an empty text.
    """

    ids, item_word = "queries", "query"
    document = "query_id"
    documents_of_gold = True

    def __init__(self, tables: Mapping[str, Any], names: ItemNames, engine: Engine) -> None:
        super().__init__((GOLD_ANSWERS, _predicted_answers(names.columns)), tables, names, engine)
        if is_list(self.frames["gold"], self.columns["gold"]["answer"]):
            self.gold = self.gold.explode("answer")
        # Rows have no order, and a gold answer that a query has twice counts once.
        number = col("answer").rank("ordinal").over(*self.keys, "item_id")
        golds = self.distinct(self.gold.filter(~col("answer").is_null()))
        self.gold = golds.with_columns(answer_number=number.cast(pl.Int64))
        self.predicted = self.predicted.with_columns(predicted_answer=col("predicted_answer").fill_null(""))

    def row(self, side: str) -> dict[str, Expr]:
        """The answer of a row.

        Raises:
            WrongType: it is no text.
        """
        name = self.columns[side][COLUMNS[side]]
        dtype = self.frames[side].dtype(name)
        of = values_of(dtype) if side == "gold" else dtype
        if isinstance(of, pl.Struct) and "text" in [field.name for field in of.fields]:
            raise WrongType(
                f"Column {name!r} of the {self.schemas[side].name} table is {dtype}; it must hold text.",
                f'Take the text of it: frame.with_columns(pl.col("{name}").struct.field("text").alias("answer"))',
            )
        if side == "predicted" and isinstance(dtype, pl.List | pl.Array):
            raise WrongType(
                f"Column {name!r} of the predicted table is {dtype}; it must hold text.",
                f'Take one answer: predicted.with_columns(pl.col("{name}").{_namespace(dtype)}.first())',
            )
        if of != pl.String and of not in UNTYPED and not isinstance(of, pl.Categorical | pl.Enum):
            allowed = "text, or lists of it" if side == "gold" else "text"
            raise wrong_type(self.schemas[side].name, name, dtype, allowed, "String")
        lists = is_list(self.frames[side], name)
        as_text = pl.List(pl.String) if lists else pl.String
        return {TEXTS[side]: col(name) if of == pl.String else col(name).cast(as_text)}


def _namespace(dtype: Any) -> str:
    return "arr" if isinstance(dtype, pl.Array) else "list"


def _predicted_answers(names: Mapping[str, str]) -> Schema:
    """The schema of predicted answers, which may be called as the gold ones are."""
    columns = (
        replace(c, aliases=(*c.aliases, names["answer"])) if c.name == "prediction" and "answer" in names else c
        for c in PREDICTED_ANSWERS.columns
    )
    return replace(PREDICTED_ANSWERS, columns=tuple(columns))
