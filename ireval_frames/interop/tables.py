"""Judgments, runs and queries as checked frames for other tools, and the optional packages themselves."""

from __future__ import annotations

import importlib
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
    EngineError,
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


def package(name: str, install: str | None = None) -> Any:
    """Import an optional package.

    Args:
        name: what it is imported as.
        install: its name for pip, if that differs.

    Raises:
        EngineError: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EngineError(
            f"This needs the package {name}, which is not installed.", f"Install it: pip install {install or name}"
        ) from error


def run_rows(run: Any, run_id: str | None = None) -> tuple[pl.DataFrame, str | None]:
    """One run and its name: query_id and doc_id as text, and score, in the order in which measures rank.

    Args:
        run: a frame of any kind, a relation, or a path; without scores, the score is the negative rank.
        run_id: which run, where the table has several; the name, where the table has no run_id.

    Raises:
        NotDefined: there are several runs, and `run_id` is missing.
        UnknownName: there is no run of that name.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid.
    """
    table = _canonical(run, RUN)
    if "score" not in table.columns:
        if "rank" not in table.columns:
            raise missing(RUN, "score", table.columns)
        table = table.with_columns(score=-pl.col("rank").cast(pl.Float64))
    name = run_id
    if "run_id" in table.columns and table.height:
        name = _select(table["run_id"].unique().sort().to_list(), run_id)
        table = table.filter(pl.col("run_id").eq_missing(pl.lit(name)))
    rows = _checked(table, "run", "score").sort("query_id", "score", "doc_id", descending=[False, True, True])
    return rows, None if name is None else str(name)


def qrels_rows(qrels: Any) -> pl.DataFrame:
    """Judgments sorted by query and document: query_id and doc_id as text, relevance as Int64 where all are integers.

    Raises:
        NotDefined: the judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid.
    """
    table = _canonical(qrels, QRELS)
    for facet in _FACETS:
        if facet in table.columns and table[facet].n_unique() > 1:
            raise NotDefined(
                f"The judgments have a column {facet}, and other tools take one grade per document.",
                f'Select one: qrels.filter(pl.col("{facet}") == {table[facet][0]!r}).drop("{facet}")',
            )
    rows = _checked(table, "qrels", "relevance").sort("query_id", "doc_id")
    all_integers = rows.select((pl.col("relevance").floor() == pl.col("relevance")).all()).item()
    return rows.with_columns(pl.col("relevance").cast(pl.Int64)) if all_integers else rows


def topic_rows(queries: Any) -> pl.DataFrame:
    """Queries: query_id and text, also from columns qid and query.

    Raises:
        MissingColumn: there is no text.
    """
    rows = any_rows(scan_queries(queries) if names_files(queries) else queries, "queries")
    key = next((c for c in ("query_id", "qid") if c in rows.columns), None)
    text = next((c for c in ("text", "query") if c in rows.columns), None)
    if key is None or text is None:
        raise MissingColumn(
            f"The queries have no columns query_id and text (they have: {listed(rows.columns, 20)}).",
            'Rename them: queries.rename({"title": "text"})',
        )
    return rows.select(pl.col(key).cast(pl.String).alias("query_id"), pl.col(text).alias("text"))


def any_rows(table: Any, name: str) -> pl.DataFrame:
    """A table of any kind as a frame, with its own columns."""
    engine = PolarsEngine()
    with engine.errors():
        return engine.collect(open_source(Source(table, name, TABLE), engine, any_names=True))


def integer_grades(rows: pl.DataFrame, tool: str) -> pl.DataFrame:
    """Check that grades are integers, for a tool that takes no others.

    Raises:
        InvalidValue: some are not.
    """
    if rows.schema["relevance"] != pl.Int64:
        bad = rows.filter(pl.col("relevance") != pl.col("relevance").floor())["relevance"]
        raise InvalidValue(
            f"{tool} takes integer grades; {bad.len()} are not, the first is {bad[0]}.",
            'Round them: qrels.with_columns(pl.col("relevance").round().cast(pl.Int64))',
        )
    return rows


def _canonical(table: Any, schema: Schema) -> pl.DataFrame:
    engine = PolarsEngine()
    table = _SCANS[schema.name](table) if names_files(table) else table
    with engine.errors():
        frame = open_source(Source(table, schema.name, TABLE), engine, any_names=True)
        names = resolve(schema, frame.columns)
        run_checks(engine, exact(frame, names["score"]) if "score" in names else [])
        return engine.collect(frame.select(*canonical(schema, frame, names)))


def _select(names: list[Any], run_id: Any) -> Any:
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


def _checked(table: pl.DataFrame, name: str, number: str) -> pl.DataFrame:
    """The three columns, checked: each document of a query has one finite number."""
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
    duplicates = rows.filter(pl.struct("query_id", "doc_id").is_duplicated())
    if duplicates.height:
        raise DuplicateRows(
            f"The {name} table has document {duplicates['doc_id'][0]!r} of query {duplicates['query_id'][0]!r} more "
            f"than once, among {duplicates.height} such rows.",
            best_of_each(name, ("query_id", "doc_id"), number),
        )
    return rows
