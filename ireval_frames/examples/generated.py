"""Tables of generated answers."""

from __future__ import annotations

import polars as pl


def citations() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The sentences of the answers to two questions, what they cite, and whether that supports them.

    Of the four sentences of the first answer one has full support, one partial support, one none, and one cites
    nothing; the second answer cites nothing.

    Example:
        >>> import ireval_frames as ir
        >>> sentences, citations, support = ir.examples.citations()
        >>> sentences.height, citations.height, support.height
        (5, 4, 4)
    """
    sentences = pl.DataFrame({"query_id": ["q1"] * 4 + ["q2"], "sentence_id": [1, 2, 3, 4, 1]})
    labels = [(1, "d1", 1, 2), (1, "d2", 2, 1), (2, "d3", 1, 1), (3, "d1", 1, 0)]
    cited = pl.DataFrame(labels, schema=["sentence_id", "doc_id", "rank", "label"], orient="row")
    cited = cited.insert_column(0, pl.lit("q1").alias("query_id"))
    return sentences, cited.drop("label"), cited.drop("rank")


def verdicts() -> pl.DataFrame:
    """Verdicts on the answers to two questions: on retrieved passages, claims and statements; some are unsure (idk).

    Example:
        >>> import ireval_frames as ir
        >>> verdicts = ir.examples.verdicts()
        >>> ir.verdicts.Verdicts(verdicts).evaluate("ContextRecall").summary()["value"].item()
        0.75
    """
    of_queries = {
        "q1": {"context": "yes no yes", "context_statement": "yes no", "reference_claim": "yes no",
               "answer_claim": "yes yes no", "answer_statement": "yes no", "context_agreement": "yes no"},
        "q2": {"context": "yes no", "reference_claim": "yes", "answer_claim": "yes idk", "answer_statement": "yes idk"},
    }  # fmt: skip
    rows = [
        (query, kind, rank, verdict)
        for query, of_kinds in of_queries.items()
        for kind, verdicts in of_kinds.items()
        for rank, verdict in enumerate(verdicts.split(), start=1)
    ]
    return pl.DataFrame(rows, schema=["query_id", "kind", "rank", "verdict"], orient="row")
