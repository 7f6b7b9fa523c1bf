"""Whole answers: equal to a gold answer, or containing one."""

from __future__ import annotations

from ireval_frames.answers.context import AnswerContext
from ireval_frames.answers.parameters import NORMALIZE, with_queries
from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col
from ireval_frames.parameters import UPWARDS, flag
from ireval_frames.ratios import indicator

SQUAD = "Rajpurkar et al., 2016; 2018 (SQuAD)"


@measure(
    "answers",
    "ExactMatch",
    at="",
    aliases=("EM",),
    parameters=with_queries(normalize=NORMALIZE),
    undefined=None,
    formula="max over gold answers g of [g = p]",
    source=SQUAD,
)
def ExactMatch(q: AnswerContext, normalize: str, queries: str) -> Expr:
    """Whether the predicted answer is equal to a gold answer, both normalised.

    A query without a gold answer has 1 if the predicted answer is empty.  `normalize="squad"` writes small letters,
    and drops ASCII punctuation, the articles a, an, the, and repeated spaces, in this order; `"triviaqa"` puts
    spaces in place of punctuation, of _ and of quotes; `"multilingual"` drops all punctuation of Unicode, keeps
    articles, and takes each Chinese or Japanese character as a word; `"none"` compares texts as they are.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Answers(*ir.examples.answers()).evaluate("ExactMatch ExactMatch(normalize='none')")
        >>> ev.summary()["value"].to_list()
        [0.6, 0.2]
    """
    equal = indicator(q.gold_text(normalize) == q.predicted_text(normalize))
    return q.value(q.best(equal, normalize, indicator(q.no_text(normalize))), queries)


@measure(
    "answers",
    "Contains",
    at="",
    parameters=with_queries(
        normalize=NORMALIZE, whole_words=flag(default=False, what="the gold answer must be whole words")
    ),
    undefined=None,
    formula="max over gold answers g of [g within p]",
    source="Gao et al., 2023 (ALCE)",
)
def Contains(q: AnswerContext, normalize: str, *, whole_words: bool, queries: str) -> Expr:
    """Whether the predicted answer contains a gold answer, both normalised.

    For long answers: any text around the gold answer is allowed.  An empty gold answer is contained in an empty text
    only.  Without `whole_words` "us" is contained in "industry".

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Answers(*ir.examples.answers()).evaluate("Contains").summary()["value"].to_list()
        [0.8]
    """
    contained = q.contained(normalize, whole_words=whole_words)
    return q.value(q.best(contained, normalize, indicator(q.no_text(normalize))), queries)


@measure(
    "answers",
    "NumAnswers",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="gold answers",
    source="counted",
)
def NumAnswers(q: AnswerContext) -> Expr:
    """The number of distinct gold answers of a query that are not empty.

    Range: 0 upwards.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Answers(*ir.examples.answers()).evaluate("NumAnswers").per_unit()["value"].to_list()
        [1.0, 3.0, 1.0, 2.0, 0.0]
    """
    return q.tables.gold.sum(indicator(col("answer") != ""), into=q.tables.documents)
