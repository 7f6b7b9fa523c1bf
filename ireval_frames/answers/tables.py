"""The tables of an evaluation of answers.

```
documents   a row per query: the unit
gold        a row per gold answer                        predicted   the predicted answer of a query
tokens      a row per word (or n-gram) of a text and its position, of either side
bags        a row per text and distinct word, with its number
```

There are tokens and bags for each way to make words of texts that a measure reads (`Words`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.answers.inputs import TEXTS, AnswerInputs
from ireval_frames.answers.normalization import normalized, words
from ireval_frames.answers.stemming import stems_of_words
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.expr import Expr, col, concat_str, when
from ireval_frames.plan import Table, exploded

if TYPE_CHECKING:
    from ireval_frames.conventions.answers import AnswerPolicy


@dataclass(frozen=True)
class Words:
    """How words are made of a text, and how many in a row are compared.

    Attributes:
        normalize: how texts are normalised.
        n: the number of words in a row.
        stemming: "porter" for stems in place of words, or "none".
    """

    normalize: str
    n: int = 1
    stemming: str = "none"

    @property
    def name(self) -> str:
        """Its part of the names of tables."""
        more = [f"{self.n}grams"] * (self.n > 1) + [self.stemming] * (self.stemming != "none")
        return "_".join([self.normalize.replace("-", "_"), *more])


class AnswerTables(DocumentTables):
    """The tables, made from the canonical inputs."""

    inputs: AnswerInputs
    policy: AnswerPolicy

    @cached_property
    def gold(self) -> Table:
        """The gold answers."""
        return self.plan.input("gold", (*self.keys, "answer_number"), self.inputs.gold)

    @cached_property
    def predicted(self) -> Table:
        """The predicted answers, one of each query."""
        return self.plan.input("predicted", self.keys, self.inputs.predicted)

    def side(self, side: str) -> Table:
        """The table of a side."""
        return self.gold if side == "gold" else self.predicted

    def text(self, side: str, normalize: str) -> Expr:
        """The texts of a side as they are compared."""
        return self.side(side).column(normalized(col(TEXTS[side]), normalize), f"{side}_{normalize}")

    def words(self, side: str, normalize: str) -> Expr:
        """The words of the texts of a side, with a space between two."""
        return self.side(side).column(words(col(TEXTS[side]), normalize), f"words_{normalize}")

    def predicted_at(self, table: Table, value: Expr) -> Expr:
        """A value of predicted answers at the rows of a table; null where a query has none."""
        return table.lookup(self.predicted.column(value), of=self.predicted)

    # ---- words

    def number_of_words(self, side: str, normalize: str) -> Expr:
        """The number of words of a text."""
        text = self.words(side, normalize)
        number = when(text == "").then(0.0).otherwise(text.str.split(" ").list.len().cast(pl.Float64))
        return self.side(side).column(number, "number_of_words")

    def tokens(self, side: str, of: Words) -> Table:
        """A row per word of a text, or per n-gram, of a side."""
        if of.n > 1:
            return self._grams(side, of)
        if of.stemming != "none":
            return self._stemmed(side, of)
        text = self.words(side, of.normalize)
        lists = when(text != "").then(text.str.split(" "))
        name = f"{side}_tokens_{of.name}"
        return exploded(self.plan, name, self.side(side), lists, value="token", number="position")

    def _grams(self, side: str, of: Words) -> Table:
        tokens = self.tokens(side, Words(of.normalize, 1, of.stemming))
        last, parts = col("token"), [col("token")]
        for _ in range(of.n - 1):
            last = tokens.over(last.shift(-1), self.side(side).keys, ["position"], "next_token")
            parts.append(last)
        gram = concat_str(*parts, separator=" ")
        name = f"{side}_tokens_{of.name}"
        return self.plan.selected(name, tokens.keys, tokens, ~last.is_null(), token=gram)

    def _stemmed(self, side: str, of: Words) -> Table:
        plain = Words(of.normalize)
        tokens = self.tokens(side, plain)
        parts = [(self.tokens(s, plain), {"token": col("token")}) for s in TEXTS]
        both = self.plan.concat(f"tokens_{plain.name}", ("token",), *parts)
        vocabulary = self.plan.grouped(f"vocabulary_{plain.name}", both, "token")
        adds = {"stem": pl.String}
        stems = self.plan.applied(f"stems_{plain.name}", ("token",), vocabulary, stems_of_words, adds, by=())
        stem = tokens.lookup(col("stem"), of=stems)
        return self.plan.selected(f"{side}_tokens_{of.name}", tokens.keys, tokens, token=stem)

    def bags(self, side: str, of: Words) -> Table:
        """A row per text and distinct word of a side."""
        tokens = self.tokens(side, of)
        return self.plan.grouped(f"{side}_bags_{of.name}", tokens, *self.side(side).keys, "token")

    def in_common(self, of: Words) -> Expr:
        """At the gold answers: the number of words that they have in common with the predicted answer."""
        gold, predicted = self.bags("gold", of), self.bags("predicted", of)
        own = self.tokens("gold", of).count(into=gold)
        other = gold.lookup(self.tokens("predicted", of).count(into=predicted), of=predicted)
        smaller = when(other < own).then(other).otherwise(own)
        return gold.sum(when(other.is_null()).then(0.0).otherwise(smaller), into=self.gold)
