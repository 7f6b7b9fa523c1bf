"""BLEU: the counts of n-grams are SacreBLEU's, in Python; they are summed over queries, and the score is a formula."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

import polars as pl

from ireval_frames.answers.context import AnswerContext
from ireval_frames.answers.parameters import with_queries
from ireval_frames.catalog import measure
from ireval_frames.declaration import POOLED
from ireval_frames.errors import EngineError
from ireval_frames.expr import Expr, any_horizontal, col, lit, when
from ireval_frames.parameters import choice, flag, whole
from ireval_frames.ratios import indicator, ratio

Step = Callable[[pl.DataFrame], pl.DataFrame]


def _scorer(**options: Any) -> Any:
    """The scorer of SacreBLEU.

    Raises:
        EngineError: it is not installed.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU as Scorer  # noqa: N811 - the measure has the name
    except ImportError as error:
        raise EngineError(
            "BLEU needs the package sacrebleu, which is not installed.", 'Install it: pip install "ireval-frames[bleu]"'
        ) from error
    return Scorer(**options)


def _names(order: int) -> list[str]:
    return [f"{what}_{n}" for what in ("matched", "ngrams") for n in range(1, order + 1)] + ["length", "reference"]


@functools.cache
def statistics(keys: tuple[str, ...], order: int, tokenize: str, *, lowercase: bool) -> Step:
    """A function from texts to the counts of n-grams and the lengths of each query.

    Args:
        keys: the columns that identify a query.
        order: the longest n-grams.
        tokenize: how SacreBLEU makes words.
        lowercase: whether small letters are compared.
    """
    scorer = _scorer(tokenize=tokenize, lowercase=lowercase, max_ngram_order=order, smooth_method="none")

    def counted(texts: pl.DataFrame) -> pl.DataFrame:
        """The n-grams that SacreBLEU counts."""
        queries = texts.group_by(keys, maintain_order=True).agg(pl.first("predicted_text"), "gold_text")
        rows = []
        for predicted, references in queries.select("predicted_text", "gold_text").iter_rows():
            score = scorer.corpus_score([predicted], [[reference] for reference in references])
            rows.append((*score.counts, *score.totals, score.sys_len, score.ref_len))
        values = pl.DataFrame(rows, schema=dict.fromkeys(_names(order), pl.Float64), orient="row")
        return queries.select(keys).hstack(values)

    return counted


def _statistics(q: AnswerContext, order: int, tokenize: str, *, lowercase: bool, queries: str) -> dict[str, Expr]:
    """The statistics of the current unit, by name, and the number of queries that have them."""
    texts = q.texts_beside_all()
    step = statistics(q.tables.keys, order, tokenize, lowercase=lowercase)
    names = _names(order)
    name = f"statistics_{order}_{tokenize}{'_lowercase' if lowercase else ''}"
    counts = q.tables.plan.applied(name, q.tables.keys, texts, step, dict.fromkeys(names, pl.Float64), by=q.tables.keys)
    documents = q.tables.documents
    out = {of: q.value(documents.lookup(col(of), of=counts), queries, missing=False) for of in names}
    known = indicator(~out["length"].is_null())
    return {of: q.over_documents(value) for of, value in out.items()} | {"queries": q.over_documents(known)}


@measure(
    "answers",
    "BLEU",
    at="",
    parameters=with_queries(
        tokenize=choice("13a", "none", "intl", "char", "zh", what="how SacreBLEU makes words of texts"),
        lowercase=flag(default=False, what="compare small letters"),
        order=whole(4, "the longest n-grams", low=1, high=9),
        smoothing=choice("exp", "none", what="a precision of 0 counts as half of the smallest, a quarter …; or as 0"),
        effective_order=flag(default=False, what="leave out n-grams that are longer than the text"),
    ),
    range=(0.0, 100.0),
    undefined=None,
    aggregation=POOLED,
    formula="100 · min(1, exp(1 − r/l)) · (Π_n matched_n / ngrams_n)^(1/N)",
    source="Papineni et al., 2002; SacreBLEU (Post, 2018)",
    runs="python",
    cost="the n-grams of each text, counted by SacreBLEU (the extra `bleu`)",
)
def BLEU(
    q: AnswerContext,
    tokenize: str,
    *,
    lowercase: bool,
    order: int,
    smoothing: str,
    effective_order: bool,
    queries: str,
) -> Expr:
    """BLEU as SacreBLEU computes it: the share of n-grams of the predicted answers that gold answers have.

    BLEU = 100·B·exp(Σ_{n≤N} ln(m_n/g_n) / N): of the g_n n-grams of predicted answers m_n are in a gold answer, each as
    often as there; B = exp(1 − r/l) where the predicted answers have fewer words, l, than the gold answers that are
    nearest in length, r, else 1.  The counts are SacreBLEU's, of texts that are not normalised, and are summed over
    queries, so summaries have its `corpus_score`; a query's own value is that of a corpus of one, often 0 for answers
    of fewer than four words: choose a smaller `order`, or `effective_order`.

    Columns: answer (text, or lists of it) in the gold table; answer (text) in the predicted table.
    Range: 0 to 100, higher is better.  Undefined where `queries=`, or `missing=skip`, leaves no query.

    Raises:
        EngineError: the package sacrebleu is not installed.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Answers(*ir.examples.answers()).evaluate("BLEU(order=2)").summary()["value"].round(2).item()
        46.77
    """
    of = _statistics(q, order, tokenize, lowercase=lowercase, queries=queries)
    matched, ngrams = ([of[f"{what}_{n}"] for n in range(1, order + 1)] for what in ("matched", "ngrams"))
    precisions, halvings = [], lit(0.0)
    for m, g in zip(matched, ngrams, strict=True):
        halvings = halvings + indicator((g > 0) & (m == 0))
        smoothed = ratio(lit(1.0), g * lit(2.0) ** halvings) if smoothing == "exp" else lit(0.0)
        precisions.append(when(m > 0).then(ratio(m, g)).when(g > 0).then(smoothed))
    known = reduce(add, [indicator(g > 0) for g in ngrams])
    logarithms = reduce(
        add, [when(p > 0).then(when(p > 0).then(p).otherwise(1.0).log()).otherwise(0.0) for p in precisions]
    )
    none = ~any_horizontal(*(m > 0 for m in matched)) | any_horizontal(
        *((p == 0).fill_null(value=False) for p in precisions)
    )
    if not effective_order:
        none |= known < order
    length, reference = of["length"], of["reference"]
    shorter = when(reference > length).then((1.0 - ratio(reference, length)).exp()).otherwise(1.0)
    score = 100.0 * shorter * ratio(logarithms, known).exp()
    return when(of["queries"] > 0).then(when(none).then(0.0).otherwise(score))
