"""Rules for the rows of judgments and runs, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.columns.suggestions import PLACEHOLDER, likely
from ireval_frames.engines.base import Rule
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, listed, rows_to_fix
from ireval_frames.expr import col
from ireval_frames.ranking.inputs.facets import FACETS


def our_name(table: str, column: str) -> str:
    """The name of a column where the user has no other."""
    del table
    return column


def run_rules(columns: Sequence[str], called: Callable[[str, str], str] = our_name) -> tuple[Rule, ...]:
    """The rules of a run: no null ids, no null or NaN scores.

    Args:
        columns: the columns of the run.
        called: the user's name of a table's column, for errors.
    """
    rules = [_no_null("run", c, called) for c in columns if c != "score" and not c.startswith("by_")]
    if "score" in columns:
        score = col("score")
        rules.append(
            Rule(
                score.is_null() | score.is_nan(),
                _bad("run", "score", called, "null or NaN", "scores must be numbers", ".is_nan()"),
            )
        )
    return tuple(rules)


def qrels_rules(facets: Sequence[str] = (), called: Callable[[str, str], str] = our_name) -> tuple[Rule, ...]:
    """The rules of judgments: no null ids, no null or infinite grades; `called` as of `run_rules`."""
    grade, allowed = col("relevance"), ("null or not finite", "grades must be numbers")
    return (
        *(_no_null("qrels", c, called) for c in ("query_id", *facets, "doc_id")),
        Rule(
            grade.is_null() | ~grade.is_finite(),
            _bad("qrels", "relevance", called, *allowed, ".is_nan()", ".is_infinite()"),
        ),
    )


def duplicate_documents(rows: pl.DataFrame, count: int, unread: Sequence[str] = ()) -> DuplicateRows:
    """The error of documents that are twice in one list.

    Args:
        rows: some of these rows.
        count: the number of such rows.
        unread: columns of the run that are not read, one of which may name runs.
    """
    keys = [c for c in ("run_id", "query_id", "doc_id") if c in rows.columns]
    examples = _listed(rows.select(keys).unique(maintain_order=True))
    (column,) = likely(["run_id"], unread)
    column = unread[0] if column == PLACEHOLDER and unread else column
    hint = (
        ("If a column names the runs, write which one: ", Argument("columns", {"run_id": column}), ". ")
        if unread
        else ()
    )
    return DuplicateRows(
        f"The run has {count} rows with the same document and query as another row: {examples}.",
        Hint(*hint, "Keep the best rank of each: ", Argument("policy", "duplicates=best"), "."),
    )


def duplicate_judgments(rows: pl.DataFrame, count: int, unread: Sequence[str] = ()) -> DuplicateRows:
    """The error of documents that are judged twice for one query (and subtopic, and assessor).

    Args:
        rows: some of these documents, with the number `n` of their judgments.
        count: the number of such documents.
        unread: facets in the table that are not read.
    """
    keys = [c for c in ("query_id", *FACETS, "doc_id") if c in rows.columns]
    if "assessor_id" in unread:
        return several_assessors("A measure", rows, count)
    hint = f'Keep one of each: qrels.group_by({", ".join(map(repr, keys))}).agg(pl.col("relevance").max()).'.replace(
        "'", '"'
    )
    if "iteration" in unread:
        column = Argument("columns", {"subtopic_id": "iteration"}, option=("second", "subtopic_id"))
        hint = Hint(hint, " If the column 'iteration' names subtopics or assessors, write which: ", column, ".")
    n = f" ({rows['n'].sum()} rows)" if rows.height == count else ""
    documents = f"{count} documents" if count > 1 else "a document"
    return DuplicateRows(
        f"The qrels judge {documents} more than once{n}: {_listed(rows.select(keys), count)}.",
        hint,
    )


def several_assessors(measure: str, rows: pl.DataFrame, count: int) -> DuplicateRows:
    """The error of documents judged by several assessors, for a measure without `assessors=`."""
    name = "AP" if measure == "A measure" else measure.partition("@")[0].partition("(")[0]
    return DuplicateRows(
        f"{measure} takes one judgment per document, but {count} documents have several, by different assessors:"
        f" {_listed(rows.select('query_id', 'doc_id').unique(maintain_order=True))}.",
        f'Average over the assessors: {name}(assessors="mean"); or take the largest grade: {name}(assessors="max").',
    )


def _listed(rows: pl.DataFrame, count: int | None = None) -> str:
    """The first rows, and how many of `count` are left out."""
    shown = [", ".join(f"{k} {v!r}" for k, v in row.items()) for row in rows.iter_rows(named=True)]
    return listed(shown, 3, count)


def _no_null(table: str, column: str, called: Callable[[str, str], str]) -> Rule:
    return Rule(col(column).is_null(), _bad(table, column, called, "null", "every row needs one"))


def _bad(
    table: str, column: str, called: Callable[[str, str], str], what: str, allowed: str, *tests: str
) -> Callable[[pl.DataFrame, int], InvalidValue]:
    def name(ours: str) -> str:
        return called(table, "rank" if ours == "given_rank" else ours)

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        first = ", ".join(f"{name(k)} {v!r}" for k, v in rows.row(0, named=True).items())
        text = f"Column {name(column)!r} of the {table} table is {what} in {count} rows; {allowed}. The first: {first}."
        return InvalidValue(text, rows_to_fix(table, name(column), ".is_null()", *tests))

    return error
