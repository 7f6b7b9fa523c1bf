"""Judgments and runs of any kind as frames in memory, fit for tools that keep one number for each document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from ireval_frames.columns.schema import QRELS, RUN, Schema, canonical, missing, resolve
from ireval_frames.engines.inputs.frames import names_files
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    MissingColumn,
    NotDefined,
    UnknownName,
    best_of_each,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.io import scan_qrels, scan_queries, scan_run
from ireval_frames.io.reading import TABLE
from ireval_frames.items.checks import exact

_SCANS: dict[str, Callable[..., pl.LazyFrame]] = {"run": scan_run, "qrels": scan_qrels}
# Columns of judgments that give one document several grades.
_FACETS = ("subtopic_id", "assessor_id", "subgroup_id")


def run_rows(given: Any, run_id: str | None = None) -> tuple[pl.DataFrame, str | None]:
    """One run: query_id and doc_id as text, score; best first, as measures rank it; and what it is called.

    Args:
        given: a frame of any kind, a relation, or a path; without scores the negative rank is one.
        run_id: which run, where the table has several; where it has no such column, the name.

    Raises:
        NotDefined: there are several runs, and none is named.
        UnknownName: there is no run of that name.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is at fault.
    """
    table = _canonical(given, RUN)
    if "score" not in table.columns:
        if "rank" not in table.columns:
            raise missing(RUN, "score", table.columns)
        table = table.with_columns(score=-pl.col("rank").cast(pl.Float64))
    name = run_id
    if "run_id" in table.columns and table.height:
        name = _chosen(table["run_id"].unique().sort().to_list(), run_id)
        table = table.filter(pl.col("run_id").eq_missing(pl.lit(name)))
    rows = _sound(table, "run", "score").sort("query_id", "score", "doc_id", descending=[False, True, True])
    return rows, None if name is None else str(name)


def qrels_rows(given: Any) -> pl.DataFrame:
    """Judgments: query_id and doc_id as text, relevance, whole numbers where all are; by query and document.

    Raises:
        NotDefined: they are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is at fault.
    """
    table = _canonical(given, QRELS)
    for facet in _FACETS:
        if facet in table.columns and table[facet].n_unique() > 1:
            raise NotDefined(
                f"The judgments have a column {facet}, and other tools know one grade for each document.",
                f'Take one of them: qrels.filter(pl.col("{facet}") == {table[facet][0]!r}).drop("{facet}")',
            )
    rows = _sound(table, "qrels", "relevance").sort("query_id", "doc_id")
    whole = rows.select((pl.col("relevance").floor() == pl.col("relevance")).all()).item()
    return rows.with_columns(pl.col("relevance").cast(pl.Int64)) if whole else rows


def topic_rows(given: Any) -> pl.DataFrame:
    """Queries: query_id and text, which other tools also call qid and query.

    Raises:
        MissingColumn: there is no text.
    """
    rows = any_rows(scan_queries(given) if names_files(given) else given, "queries")
    key = next((c for c in ("query_id", "qid") if c in rows.columns), None)
    text = next((c for c in ("text", "query") if c in rows.columns), None)
    if key is None or text is None:
        raise MissingColumn(
            f"The queries have no columns query_id and text (they have: {listed(rows.columns, 20)}).",
            'Rename them: queries.rename({"title": "text"})',
        )
    return rows.select(pl.col(key).cast(pl.String).alias("query_id"), pl.col(text).alias("text"))


def any_rows(given: Any, name: str) -> pl.DataFrame:
    """A table of any kind, collected, with its own columns."""
    engine = PolarsEngine()
    with engine.errors():
        return engine.collect(open_source(Source(given, name, TABLE), engine, any_names=True))


def whole_grades(rows: pl.DataFrame, tool: str) -> pl.DataFrame:
    """Judgments for a tool whose grades are whole numbers.

    Raises:
        InvalidValue: some are not.
    """
    if rows.schema["relevance"] != pl.Int64:
        bad = rows.filter(pl.col("relevance") != pl.col("relevance").floor())["relevance"]
        raise InvalidValue(
            f"{tool} takes whole grades; {bad.len()} are not, the first is {bad[0]}.",
            'Round them: qrels.with_columns(pl.col("relevance").round().cast(pl.Int64))',
        )
    return rows


def _canonical(given: Any, schema: Schema) -> pl.DataFrame:
    engine = PolarsEngine()
    given = _SCANS[schema.name](given) if names_files(given) else given
    with engine.errors():
        frame = open_source(Source(given, schema.name, TABLE), engine, any_names=True)
        found = resolve(schema, frame.columns)
        run_checks(engine, exact(frame, found["score"]) if "score" in found else [])
        return engine.collect(frame.select(*canonical(schema, frame, found)))


def _chosen(names: list[Any], run_id: Any) -> Any:
    if run_id is None and len(names) == 1:
        return names[0]
    if run_id is None:
        raise NotDefined(
            f"The table has {len(names)} runs ({listed(names)}), and other tools take one at a time.",
            Hint("Name one: ", Argument("run_id", names[0])),
        )
    if run_id not in names:
        raise UnknownName(f"There is no run {run_id!r}.", nearest(str(run_id), map(str, names)))
    return run_id


def _sound(table: pl.DataFrame, name: str, number: str) -> pl.DataFrame:
    """The three columns, if each document has one finite number in a query."""
    rows = table.select(pl.col("query_id", "doc_id").cast(pl.String), pl.col(number).cast(pl.Float64))
    for column in ("query_id", "doc_id"):
        if rows[column].null_count():
            raise InvalidValue(
                f"{rows[column].null_count()} rows of the {name} table have no {column}.",
                rows_to_fix(name, column, ".is_null()"),
            )
    bad = rows.filter(pl.col(number).is_null() | ~pl.col(number).is_finite())
    if bad.height:
        raise InvalidValue(
            f"{bad.height} rows of the {name} table have no finite {number}; the first is query "
            f"{bad['query_id'][0]!r}, document {bad['doc_id'][0]!r}.",
            rows_to_fix(name, number, ".is_null()", ".is_infinite()", ".is_nan()"),
        )
    twice = rows.filter(pl.struct("query_id", "doc_id").is_duplicated())
    if twice.height:
        raise DuplicateRows(
            f"The {name} table has document {twice['doc_id'][0]!r} of query {twice['query_id'][0]!r} more than once, "
            f"among {twice.height} such rows.",
            best_of_each(name, ("query_id", "doc_id"), number),
        )
    return rows
