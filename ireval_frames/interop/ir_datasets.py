"""Datasets of ir_datasets as tables, and back; also the tuples that ir_measures takes and returns.

A dataset of its catalog is read by name: `ir.io.scan_qrels("irds:antique/test")`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import polars as pl

from ireval_frames.errors import MissingColumn, WrongType, listed
from ireval_frames.interop.tables import integer_grades, package, qrels_rows, run_rows, topic_rows
from ireval_frames.io.datasets import judgments, queries_of, scored_documents


def from_qrels(
    source: Any, *, second: Literal["iteration", "subtopic_id"] | None = None, relevance: type[int | float] = int
) -> pl.LazyFrame:
    """The judgments of a dataset, or tuples such as `ir_measures.Qrel`, as a lazy frame.

    Args:
        source: a dataset that has judgments, or tuples with the fields query_id, doc_id and relevance.
        second: a further field to keep; subtopics are always kept.
        relevance: int, or float for decimal grades.

    Raises:
        MissingColumn: the dataset has no judgments, or the tuples lack a field.
        WrongType: the source is neither.

    Source: ir_datasets (MacAvaney and others, SIGIR 2021); ir_measures (MacAvaney and others, ECIR 2022).

    Example:
        >>> import ir_measures
        >>> from_qrels([ir_measures.Qrel("q1", "a", 2)]).collect().rows()
        [('q1', 'a', 2)]
    """
    return judgments(*_dataset(source, "qrels", ("query_id", "doc_id", "relevance")), second, relevance)


def from_run(source: Any) -> pl.LazyFrame:
    """The scored documents of a dataset, or tuples such as `ir_measures.ScoredDoc`, as a lazy frame.

    Args:
        source: a dataset that has scored documents, or tuples with the fields query_id, doc_id and score.

    Raises:
        MissingColumn: the dataset has none, or the tuples lack a field.
        WrongType: the source is neither.

    Example:
        >>> import ir_measures
        >>> from_run([ir_measures.ScoredDoc("q1", "a", 2.5)]).collect().rows()
        [('q1', 'a', 2.5)]
    """
    return scored_documents(*_dataset(source, "scoreddocs", ("query_id", "doc_id", "score")))


def from_queries(source: Any) -> pl.LazyFrame:
    """The queries of a dataset, or tuples such as its own, as a lazy frame: query_id and all fields of text.

    Args:
        source: a dataset that has queries, or tuples with a field query_id.

    Raises:
        MissingColumn: the dataset has none, or the tuples lack the field.
        WrongType: the source is neither.
    """
    return queries_of(*_dataset(source, "queries", ("query_id",)))


def from_values(values: Iterable[Any], *, run_id: str) -> pl.DataFrame:
    """The values of `ir_measures.iter_calc`, to compare (`ir.compare`) or to plot.

    Args:
        values: its tuples of query_id, measure and value.
        run_id: the name of the system.

    Returns:
        run_id, query_id, measure, value.

    Example:
        >>> import ireval_frames as ir, ir_measures
        >>> qrels, run = ir.examples.ranking()
        >>> values = ir_measures.iter_calc([ir_measures.RR], qrels.to_pandas(), run.to_pandas())
        >>> from_values(values, run_id="bm25").rows()
        [('bm25', 'q', 'RR', 1.0)]
    """
    rows = [(run_id, v.query_id, str(v.measure), float(v.value)) for v in values]
    types = {"run_id": pl.String, "query_id": pl.String, "measure": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, types, orient="row")


def to_dataset(qrels: Any = None, run: Any = None, queries: Any = None, *, run_id: str | None = None) -> Any:
    """An `ir_datasets.Dataset` of tables, for tools that read such datasets.

    Args:
        qrels: judgments with integer grades: a frame of any kind, a relation, or a path.
        run: the scored documents, likewise.
        queries: a table of query_id and text.
        run_id: which run, where the table has several.

    Raises:
        EngineError: ir_datasets is not installed.
        NotDefined: there are several runs and no `run_id`, or judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: a table is invalid.

    Example:
        >>> import ireval_frames as ir
        >>> dataset = to_dataset(*ir.examples.ranking())  # doctest: +SKIP
        >>> next(dataset.qrels_iter()), next(dataset.scoreddocs_iter()).doc_id  # doctest: +SKIP
        (GenericQrel(query_id='q', doc_id='d1', relevance=1), 'd1')
    """
    formats, providers = package("ir_datasets.formats", "ir_datasets"), []
    if qrels is not None:
        rows = integer_grades(qrels_rows(qrels), "ir_datasets")
        providers.append(_provider(formats, "Qrels", "qrels", formats.GenericQrel, rows, qrels_defs=lambda _: {}))
    if run is not None:
        rows = run_rows(run, run_id)[0]
        providers.append(_provider(formats, "ScoredDocs", "scoreddocs", formats.GenericScoredDoc, rows))
    if queries is not None:
        providers.append(_provider(formats, "Queries", "queries", formats.GenericQuery, topic_rows(queries)))
    return package("ir_datasets").Dataset(*providers)


def _provider(formats: Any, base: str, part: str, row: Any, rows: pl.DataFrame, **more: Any) -> Any:
    """One part of a dataset, which iterates over the rows of a frame."""

    def rows_iter(_: Any) -> Iterator[Any]:
        return map(row._make, rows.iter_rows())

    methods = {f"{part}_iter": rows_iter, f"{part}_cls": lambda _: row, f"{part}_count": lambda _: rows.height, **more}
    return type(f"Frame{base}", (getattr(formats, f"Base{base}"),), methods)()


class _Tuples:
    """Tuples with the methods of a dataset."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = rows

    def __getattr__(self, name: str) -> Any:
        if name.startswith("has_"):
            return lambda: True
        if name.endswith("_cls"):
            return lambda: type(self._rows[0])
        if name.endswith("_iter"):
            return lambda: iter(self._rows)
        raise AttributeError(name)


def _dataset(source: Any, part: str, fields: Sequence[str]) -> tuple[Any, str]:
    """An object with the methods of a dataset, and its name for errors."""
    if hasattr(source, f"has_{part}"):
        return source, source.dataset_id() if hasattr(source, "dataset_id") else "given"
    rows = list(source) if isinstance(source, Iterable) and not isinstance(source, str) else []
    if not rows or not hasattr(rows[0], "_fields"):
        raise WrongType(
            f"It is of type {type(source).__name__}, and neither a dataset nor a list of named tuples.",
            f"Pass ir_datasets.load(…), or tuples with the fields {listed(fields)}.",
        )
    absent = [f for f in fields if f not in rows[0]._fields]
    if absent:
        raise MissingColumn(f"The tuples have no field {listed(absent)} (they have: {listed(rows[0]._fields)}).")
    return _Tuples(rows), f"of {type(rows[0]).__name__}"
