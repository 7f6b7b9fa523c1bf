"""Words that answers have in common, in any order."""

from __future__ import annotations

from ireval_frames.answers.context import AnswerContext
from ireval_frames.answers.exact import SQUAD
from ireval_frames.answers.parameters import NORMALIZE, with_queries
from ireval_frames.answers.tables import Words
from ireval_frames.catalog import measure
from ireval_frames.expr import Expr
from ireval_frames.parameters import number


@measure(
    "answers",
    "TokenF1",
    at="",
    parameters=with_queries(
        normalize=NORMALIZE, beta=number(1.0, "how much more recall counts than precision", low=0.0)
    ),
    undefined=None,
    formula="max over gold answers g of (1+β²)·common / (β²·|g| + |p|)",
    source=SQUAD,
)
def TokenF1(q: AnswerContext, normalize: str, beta: float, queries: str) -> Expr:
    """The F measure of the words of the predicted answer and of the gold answer that is nearest to it.

    F = (1+β²)·c / (β²·|g| + |p|), where c = Σ_w min(n_w(g), n_w(p)) counts the words that both have, |g| and |p| those
    of each; the best gold answer counts.  Where a text has no words, the policy `empty` decides: 1 if the other has
    none either (a query without an answer), else 0.  For `normalize` see `ExactMatch`; words are what spaces separate.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Answers(*ir.examples.answers()).evaluate("TokenF1 TokenF1(queries='answerable')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.7, 0.625]
    """
    overlap = q.overlap(Words(normalize))
    return q.value(q.best(overlap.f(beta), normalize, overlap.alone), queries)


@measure(
    "answers",
    "TokenP",
    at="",
    parameters=with_queries(normalize=NORMALIZE),
    undefined=None,
    formula="common / |p| for the gold answer of the highest F1",
    source=SQUAD,
)
def TokenP(q: AnswerContext, normalize: str, queries: str) -> Expr:
    """The share of the words of the predicted answer that the gold answer has: precision of words.

    P = c / |p|, with the words of `TokenF1`, for the gold answer with the highest F1; of several the highest P.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Answers(*ir.examples.answers()).evaluate("TokenP").summary()["value"].round(4).item()
        0.6667
    """
    overlap = q.overlap(Words(normalize))
    return q.value(q.best(overlap.precision, normalize, overlap.alone, by=overlap.f()), queries)


@measure(
    "answers",
    "TokenR",
    at="",
    parameters=with_queries(normalize=NORMALIZE),
    undefined=None,
    formula="common / |g| for the gold answer of the highest F1",
    source=SQUAD,
)
def TokenR(q: AnswerContext, normalize: str, queries: str) -> Expr:
    """The share of the words of the gold answer that the predicted answer has: recall of words.

    R = c / |g|, with the words of `TokenF1`, for the gold answer with the highest F1; of several the highest R.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 1, higher is better.  Undefined for queries that `queries=` leaves out, and, with `missing=skip`, for
    queries without a predicted answer.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Answers(*ir.examples.answers()).evaluate("TokenR").summary()["value"].round(4).item()
        0.8
    """
    overlap = q.overlap(Words(normalize))
    return q.value(q.best(overlap.recall, normalize, overlap.alone, by=overlap.f()), queries)
