"""The longest common subsequences of words, in Python: the one part of ROUGE-L that is no query."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.answers.stemming import stemmed


@functools.cache
def common_subsequences(keys: tuple[str, ...], *, stemming: bool) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A function from pairs of texts to the lengths of their longest common subsequences, `in_order`.

    Args:
        keys: the columns that identify a pair.
        stemming: whether stems are compared.
    """

    def words(text: str) -> list[str]:
        out = text.split(" ") if text else []
        return [stemmed(w) for w in out] if stemming else out

    def lengths(pairs: pl.DataFrame) -> pl.DataFrame:
        """The longest common subsequence of the words of two texts."""
        texts = (pairs["gold_words"].to_list(), pairs["predicted_words"].to_list())
        values = [float(longest(words(a), words(b))) for a, b in zip(*texts, strict=True)]
        return pairs.select(keys).with_columns(pl.Series("in_order", values, dtype=pl.Float64))

    return lengths


def longest(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence: a bit of an integer per word of the first (Hyyrö 2004).

    >>> longest("the cat sat on the mat".split(), "the mat the cat".split())
    2
    """
    places: dict[str, int] = {}
    for i, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << i
    every = (1 << len(one)) - 1
    free = every
    for word in other:
        matches = free & places.get(word, 0)
        free = (free + matches | free - matches) & every
    return len(one) - free.bit_count()
