"""ROUGE: n-grams and longest common subsequences of words (Lin, 2004), as rouge-score computes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.answers.context import AnswerContext
from ireval_frames.answers.parameters import OF_ROUGE, SCORE, STEMMING, with_queries
from ireval_frames.answers.tables import Words
from ireval_frames.catalog import measure
from ireval_frames.declaration import Runs
from ireval_frames.expr import Expr

SOURCE = "Lin, 2004; rouge-score"
PARAMETERS = with_queries(score=SCORE, normalize=OF_ROUGE, stemming=STEMMING)


def _runs(arguments: Mapping[str, Any]) -> Runs:
    return "relational" if arguments["stemming"] == "none" else "python"


def _rouge(
    q: AnswerContext, n: int, score: str, normalize: str, stemming: str, queries: str, *, in_order: bool = False
) -> Expr:
    overlap = q.overlap(Words(normalize, n, stemming), in_order=in_order)
    f = overlap.f()
    if score == "F":
        best = q.best(f, normalize, overlap.alone)
    else:
        best = q.best(overlap.precision if score == "P" else overlap.recall, normalize, overlap.alone, by=f)
    return q.value(best, queries)


@measure(
    "answers",
    "ROUGE1",
    at="",
    aliases=("ROUGE-1",),
    parameters=PARAMETERS,
    undefined=None,
    formula="max over gold answers g of 2·common / (|g| + |p|)",
    source=SOURCE,
    runs=_runs,
    cost="the stem of each distinct word, with `stemming='porter'`",
)
def ROUGE1(q: AnswerContext, score: str, normalize: str, stemming: str, queries: str) -> Expr:
    """ROUGE-1: the words that the predicted answer and the nearest gold answer have in common.

    F = 2·c / (|g| + |p|), P = c / |p| or R = c / |g| (`score`), where c = Σ_w min(n_w(g), n_w(p)).  The gold answer
    with the highest F counts.  `normalize="rouge-score"` keeps the letters a to z and digits in small letters, all
    else separates words, so other scripts have none: write `normalize="multilingual"` for these.
    `stemming="porter"` compares stems of words of more than three letters.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> gold = pl.DataFrame({"query_id": ["q1"], "answer": ["police killed the gunman"]})
        >>> predicted = pl.DataFrame({"query_id": ["q1"], "answer": ["the gunman kills police"]})
        >>> ev = ir.Answers(gold, predicted).evaluate("ROUGE1 ROUGE1(stemming='porter')")
        >>> ev.summary()["value"].to_list()
        [0.75, 1.0]
    """
    return _rouge(q, 1, score, normalize, stemming, queries)


@measure(
    "answers",
    "ROUGE2",
    at="",
    aliases=("ROUGE-2",),
    parameters=PARAMETERS,
    undefined=None,
    formula="max over gold answers g of 2·common / (|g| + |p|), of pairs of words",
    source=SOURCE,
    runs=_runs,
    cost="the stem of each distinct word, with `stemming='porter'`",
)
def ROUGE2(q: AnswerContext, score: str, normalize: str, stemming: str, queries: str) -> Expr:
    """ROUGE-2: the pairs of words in a row that the predicted answer and the nearest gold answer have in common.

    As `ROUGE1`, of bigrams; a text of one word has none, so that its value is 0.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> gold = pl.DataFrame({"query_id": ["q1"], "answer": ["police killed the gunman"]})
        >>> predicted = pl.DataFrame({"query_id": ["q1"], "answer": ["the gunman kills police"]})
        >>> ir.Answers(gold, predicted).evaluate("ROUGE2").summary()["value"].round(4).item()
        0.3333
    """
    return _rouge(q, 2, score, normalize, stemming, queries)


@measure(
    "answers",
    "ROUGEL",
    at="",
    aliases=("ROUGE-L",),
    parameters=PARAMETERS,
    undefined=None,
    formula="max over gold answers g of 2·lcs(g, p) / (|g| + |p|)",
    source=SOURCE,
    runs="python",
    cost="the longest common subsequence of each two texts: their lengths multiplied, 64 words at a time",
)
def ROUGEL(q: AnswerContext, score: str, normalize: str, stemming: str, queries: str) -> Expr:
    """ROUGE-L: the longest sequence of words that both answers have in the same order, with gaps.

    As `ROUGE1`, with the length of the longest common subsequence for c.  The text is one sentence: rouge-score's
    "rougeL", not its "rougeLsum".

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> gold = pl.DataFrame({"query_id": ["q1"], "answer": ["police killed the gunman"]})
        >>> predicted = pl.DataFrame({"query_id": ["q1"], "answer": ["police kill the gunman"]})
        >>> ir.Answers(gold, predicted).evaluate("ROUGEL").summary()["value"].item()
        0.75
    """
    return _rouge(q, 1, score, normalize, stemming, queries, in_order=True)
