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
