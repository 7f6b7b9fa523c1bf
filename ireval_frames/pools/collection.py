"""Which judged documents a collection contains, and which of its documents were never judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.documents import TEXTS
from ireval_frames.columns.schema import QRELS, canonical, resolve
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.displayed import Displayed, read
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import InvalidValue, listed, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io.reading import streams
from ireval_frames.io.storage.places import located
from ireval_frames.items.inputs import same_kinds
from ireval_frames.judgments import KEYS, read_judgments
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.ratios import indicator, ratio

# The number of dangling ids that are shown in words.
SHOWN = 5


class CollectionCoverage(Displayed):
    """What judgments and the documents of a collection have in common (`collection_coverage`)."""

    def __init__(self, engine: Engine, documents: Frame, judged: Frame) -> None:
        self._engine, self._documents = engine, documents
        known = documents.with_columns(present=lit(1.0))
        joined = engine.join(judged, known, ("doc_id",), "left")
        self._judged = joined.with_columns(present=col("present").fill_null(0.0))

    def summary(self) -> pl.DataFrame:
        """One row: the numbers of documents and judgments, and two shares.

        Returns:
            n_documents: different documents of the collection; n_judged: of these, those that are judged for a query;
            n_never_judged: the others; n_dangling: judged documents that the collection does not have; n_queries,
            n_judgments (pairs of query and document), n_dangling_judgments, n_relevant and n_dangling_relevant: these
            pairs, relevant ones; coverage: the share of relevant pairs whose document the collection has, null where
            there are none; judged_share: n_judged/n_documents.
        """
        return self._summary

    @cached_property
    def _summary(self) -> pl.DataFrame:
        engine = self._engine
        n = {"n_documents": engine.numbers(engine.group(self._documents, (), [_count("n")]))["n"]}
        by_document = engine.group(self._judged, ("doc_id",), [Aggregate("present", "max", col("present"))])
        present = [Aggregate("n_judged", "sum", col("present")), Aggregate("n_dangling", "sum", 1.0 - col("present"))]
        n |= engine.numbers(engine.group(by_document, (), present))
        totals = self._per_query.drop("query_id", "coverage").sum().row(0, named=True)
        counts = {c: int(v or 0) for c, v in n.items()}
        n_relevant, lacking = totals["n_relevant"], totals["n_dangling_relevant"]
        return pl.DataFrame(
            [
                {
                    "n_documents": counts["n_documents"],
                    "n_judged": counts["n_judged"],
                    "n_never_judged": counts["n_documents"] - counts["n_judged"],
                    "n_dangling": counts["n_dangling"],
                    "n_queries": self._per_query.height,
                    **{c: totals[c] for c in COUNTS},
                    "coverage": (n_relevant - lacking) / n_relevant if n_relevant else None,
                    "judged_share": counts["n_judged"] / counts["n_documents"],
                }
            ],
            schema_overrides={"coverage": pl.Float64},
        )

    def per_query(self) -> pl.DataFrame:
        """A row per judged query: n_judgments, n_relevant, those whose document is missing, and coverage.

        Returns:
            query_id, n_judgments, n_dangling_judgments, n_relevant, n_dangling_relevant, and coverage: the share of the
            relevant documents that the collection has, null where the query has none.
        """
        return self._per_query

    @cached_property
    def _per_query(self) -> pl.DataFrame:
        missing = 1.0 - col("present")
        relevant = col("is_relevant")
        aggregates = [
            _count("n_judgments"),
            Aggregate("n_dangling_judgments", "sum", missing),
            Aggregate("n_relevant", "sum", relevant),
            Aggregate("n_dangling_relevant", "sum", relevant * missing),
        ]
        rows = self._engine.group(self._judged, ("query_id",), aggregates)
        present = col("n_relevant") - col("n_dangling_relevant")
        counts: dict[str, Expr] = {c: col(c).cast(pl.Int64) for c in COUNTS}
        out = rows.select("query_id", **counts, coverage=ratio(present, col("n_relevant")))
        return self._engine.collect(out).sort("query_id")

    def dangling(self) -> pl.DataFrame:
        """The judgments of documents that the collection does not have: query_id, doc_id, relevance."""
        return self._engine.collect(self._judged.filter(col("present") == 0.0).select(*KEYS, "relevance")).sort(KEYS)

    def never_judged(self) -> pl.DataFrame:
        """The documents of the collection that are judged for no query: doc_id."""
        judged = self._judged.select("doc_id").unique().with_columns(is_judged=lit(1.0))
        rows = self._engine.join(self._documents, judged, ("doc_id",), "left")
        return self._engine.collect(rows.filter(col("is_judged").is_null()).select("doc_id")).sort("doc_id")

    def _displays(self) -> Sequence[pl.DataFrame | str]:
        """The numbers in words, and the queries whose judgments name missing documents."""
        row = self._summary.row(0, named=True)
        judged = f"{row['n_judged']:,} of {row['n_documents']:,} documents are judged for a query"
        others = row["n_never_judged"]
        lines = [f"{judged}; {others:,} {'was' if others == 1 else 'were'} never judged."]
        dangling = row["n_dangling"]
        if not dangling:
            return ["\n".join([*lines, "The collection has all judged documents."])]
        names = self.dangling()["doc_id"].unique(maintain_order=True).to_list()
        is_in = "s are" if dangling > 1 else " is"
        part = f"They are {row['n_dangling_relevant']:,} of {row['n_relevant']:,} relevant judgments."
        lines.append(
            f"{dangling:,} judged document{is_in} not in the collection: {listed(map(repr, names), SHOWN)}. {part}"
        )
        lacking = self._per_query.filter(pl.col("n_dangling_judgments") > 0)
        return ["\n".join(lines), lacking]

    def __str__(self) -> str:
        return "\n".join(part if isinstance(part, str) else read(part) for part in self._displays())


COUNTS = ("n_judgments", "n_dangling_judgments", "n_relevant", "n_dangling_relevant")


def collection_coverage(
    docs: Any,
    qrels: Any,
    *,
    rel: float = 1.0,
    columns: Columns | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CollectionCoverage:
    """Which judged documents a collection contains, and which of its documents were never judged.

    Coverage is the share of relevant judged documents that the collection has, from 0 to 1.  A judged document that it
    does not have (a dangling id) can be retrieved by no system, and still counts in recall, AP and the ideal order of
    nDCG.

    Args:
        docs: the documents: a table with doc_id, or files, as of `ir.io.scan_documents`.
        qrels: the judgments, as of `ir.evaluate`.  Negative grades (pooled, not judged) are no judgments; of several
            grades of a document for a query, by subtopic or assessor, the largest counts.
        rel: the lowest grade that counts as relevant.
        columns: names of the tables' columns where they differ from ours; for both tables, or by table (docs, qrels).
        engine: "polars", "duckdb" or "spark"; by default where the documents are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables, or paths.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Returns:
        what prints as sentences, and gives tables: `summary()`, `per_query()`, `dangling()` (judgments of documents
        that the collection does not have) and `never_judged()`.

    Raises:
        NothingInCommon: the collection has none of the judged documents.
        MissingColumn, MismatchedTables, InvalidValue: a table has no ids, of another type, or null ones.
        FileError, MalformedFile: a file cannot be read.

    Source: coverage is the first of the six criteria of Cleverdon, Mills and Keen, Factors determining the performance
    of indexing systems, 1966.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> docs = pl.DataFrame({"doc_id": ["a", "b", "c"]})
        >>> qrels = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["a", "b", "z"], "relevance": [1, 0, 1]})
        >>> coverage = ir.pools.collection_coverage(docs, qrels)
        >>> coverage.summary().select("n_documents", "n_judged", "n_dangling", "coverage").row(0)
        (3, 2, 1, 0.5)
        >>> coverage.dangling().rows(), coverage.never_judged()["doc_id"].to_list()
        ([('q', 'z', 1.0)], ['c'])
    """
    names = TableNames(columns, {"docs": (TEXTS,), "qrels": (QRELS,)})
    docs, qrels = (located(table, storage_options) for table in (docs, qrels))
    where = open_engine(docs, engine, con)
    with where.errors():
        documents = where.compute_once(_documents(docs, where, names).unique())
        judgments = read_judgments(qrels, where, names)
        names.check_used()
        documents, judgments = same_kinds({"docs": documents, "qrels": judgments}, {"doc_id": "doc_id"})
        _require_ids(where, documents, "docs", ("doc_id",))
        _require_ids(where, judgments, "qrels", KEYS)
        pairs = where.group(judgments, KEYS, [Aggregate("relevance", "max", col("relevance"))])
        is_relevant = indicator(col("relevance") >= rel)
        pairs = where.compute_once(pairs.with_columns(is_relevant=is_relevant))
        _require_common(where, documents, pairs)
        return CollectionCoverage(where, documents, pairs)


def _documents(docs: Any, engine: Engine, names: TableNames) -> Frame:
    own: Any = names.of("docs")

    def scan(path: Any) -> pl.LazyFrame:
        nonlocal own
        frame = io.scan_documents(path, columns=own)
        own = names.unused("docs")
        return frame

    frame = open_source(Source(docs, "docs", Read(scan, lambda _: None, streams)), engine)
    resolved = resolve(TEXTS, list(frame.columns), own)
    return frame.select(*canonical(TEXTS, frame, {"doc_id": resolved["doc_id"]}))


def _require_ids(engine: Engine, frame: Frame, table: str, columns: Sequence[str]) -> None:
    """Refuse null ids, which no document has.

    Raises:
        InvalidValue: there are some.
    """
    for column in columns:
        n = engine.numbers(engine.group(frame.filter(col(column).is_null()), (), [_count("n")]))["n"]
        if n:
            raise InvalidValue(
                f"Column {column!r} of the {table} table is null in {int(n):,} row{'s' * (n > 1)}.",
                rows_to_fix(table, column, ".is_null()"),
            )


def _require_common(engine: Engine, documents: Frame, judged: Frame) -> None:
    """Refuse a collection that has none of the judged documents.

    Raises:
        NothingInCommon: it has none.
    """
    if engine.collect(engine.join(judged.select("doc_id"), documents, ("doc_id",), "inner").head(1)).height:
        return
    ids = [
        engine.collect(frame.select("doc_id").unique().sort("doc_id").head(COMPARED_IDS))["doc_id"].to_list()
        for frame in (documents, judged)
    ]
    one, other = (Side(table, "doc_id", some) for table, some in zip(("docs", "qrels"), ids, strict=True))
    raise nothing_in_common("The collection has none of the judged documents", one, other)


def _count(name: str) -> Aggregate:
    return Aggregate(name, "count", lit(1.0))
