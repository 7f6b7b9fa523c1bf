"""Pandas frames of PyTerrier: results, judgments, topics, and values per query.

Results (qid, docno, score) and judgments (qid, docno, label) of PyTerrier are evaluated as they are.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import MissingColumn, listed
from ireval_frames.interop.tables import any_rows, package, qrels_rows, run_rows, topic_rows

# PyTerrier's names of columns, and ours.
_VALUES = {"name": "run_id", "qid": "query_id", "measure": "measure", "value": "value"}


def to_results(run: Any, *, run_id: str | None = None, queries: Any = None) -> Any:
    """A run as results of PyTerrier: a pandas frame of qid, docno, score and rank, which starts at 0.

    Args:
        run: a frame of any kind, a relation, or a path.
        run_id: which run, where the table has several.
        queries: a table of query_id and text; the text becomes the column `query`, which rerankers read.

    Raises:
        EngineError: pandas is not installed.
        NotDefined: there are several runs, and `run_id` is missing.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: a table is invalid.

    Source: PyTerrier (Macdonald and Tonellotto, ICTIR 2020), its data model.

    Example:
        >>> import ireval_frames as ir
        >>> results = to_results(ir.examples.ranking()[1])
        >>> results.head(2).to_dict("records")
        [{'qid': 'q', 'docno': 'd1', 'score': 5.0, 'rank': 0}, {'qid': 'q', 'docno': 'd2', 'score': 4.0, 'rank': 1}]
    """
    rows, _ = run_rows(run, run_id)
    ranks = pl.int_range(pl.len(), dtype=pl.Int64).over("query_id").alias("rank")
    rows = rows.select(pl.col("query_id").alias("qid"), pl.col("doc_id").alias("docno"), "score", ranks)
    if queries is not None:
        rows = rows.join(_topics(queries), on="qid", how="left", maintain_order="left")
    return _pandas(rows)


def to_qrels(qrels: Any) -> Any:
    """Judgments for PyTerrier: a pandas frame of qid, docno and label.

    Args:
        qrels: a frame of any kind, a relation, or a path.

    Raises:
        EngineError: pandas is not installed.
        NotDefined: the judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid.

    Example:
        >>> import ireval_frames as ir
        >>> to_qrels(ir.examples.ranking()[0]).columns.to_list()
        ['qid', 'docno', 'label']
    """
    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    return _pandas(qrels_rows(qrels).rename(names))


def to_topics(queries: Any) -> Any:
    """Queries as topics of PyTerrier: a pandas frame of qid and query.

    Args:
        queries: a frame of query_id and text, of any kind, or a path.

    Raises:
        EngineError: pandas is not installed.
        MissingColumn: there is no text.

    Example:
        >>> import polars as pl
        >>> to_topics(pl.DataFrame({"query_id": ["q1"], "text": ["two words"]})).to_dict("records")
        [{'qid': 'q1', 'query': 'two words'}]
    """
    return _pandas(_topics(queries))


def from_values(frame: Any) -> pl.DataFrame:
    """The values of `pt.Experiment(…, perquery=True)`, to compare (`ir.compare`) or to plot.

    Args:
        frame: columns name, qid, measure and value.

    Returns:
        run_id, query_id, measure, value, in the order of the frame.

    Raises:
        MissingColumn: a column is missing; means over queries have no qid.

    Example:
        >>> import polars as pl
        >>> values = pl.DataFrame({"name": ["bm25"], "qid": ["q1"], "measure": ["AP"], "value": [0.5]})
        >>> from_values(values.to_pandas()).rows()
        [('bm25', 'q1', 'AP', 0.5)]
    """
    rows = any_rows(frame, "values")
    absent = [name for name in _VALUES if name not in rows.columns]
    if absent:
        raise MissingColumn(
            f"The values have no column {listed(map(repr, absent))} (they have: {listed(rows.columns, 20)}).",
            "Evaluate per query: pt.Experiment(…, perquery=True)",
        )
    return rows.select(*_VALUES).rename(_VALUES).with_columns(pl.col("value").cast(pl.Float64))


def _topics(queries: Any) -> pl.DataFrame:
    return topic_rows(queries).rename({"query_id": "qid", "text": "query"})


def _pandas(rows: pl.DataFrame) -> Any:
    package("pandas")
    return rows.to_pandas()
