"""The checks of tables of citations, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames.citations.errors_in_rows import of_nothing, sentence_of
from ireval_frames.citations.inputs import CitationInputs
from ireval_frames.citations.labels import ALONE, FULL, TOGETHER, WITHOUT
from ireval_frames.citations.tables import CitationTables
from ireval_frames.conventions.citations import CitationPolicy
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    MismatchedTables,
    NothingInCommon,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import col, lit, when
from ireval_frames.ratios import indicator


def checks(tables: CitationTables) -> list[Callable[[], None]]:
    """The checks in the order in which they run, with the first result."""
    return [lambda: run_checks(tables.plan.engine, declared(tables.inputs, tables.policy)), tables.plan.check]


def declared(inputs: CitationInputs, policy: CitationPolicy) -> Iterator[Check]:
    """The checks of the inputs, which run before those of the plan."""
    yield from inputs.checks
    yield unique_key(inputs.sentence_rows, inputs.join, _sentence_twice)
    yield from _citations(inputs)
    if policy.out_of_range == "error":
        yield Check(inputs.citations, col("doc_id").is_null(), of_nothing)
    yield from _labels(inputs, policy)


def _citations(inputs: CitationInputs) -> Iterator[Check]:
    """Citations are of sentences that exist, and have ranks from 1, each once in a sentence."""
    engine, answer = inputs.engine, tuple(k for k in inputs.join if k != "item_id")
    answers = inputs.distinct(inputs.sentence_rows.select(*answer)).with_columns(answered=lit(1.0))
    unmatched = engine.join(inputs.unmatched, answers, answer, "left")
    counted = engine.group(
        unmatched,
        (),
        [Aggregate("n", "count", lit(1.0)), Aggregate("n_answered", "sum", indicator(~col("answered").is_null()))],
    )
    yield Check(counted, (col("n") > 0) & (col("n_answered") == 0), _nothing_in_common("citations"))
    yield Check(unmatched, col("known").is_null() & ~col("answered").is_null(), _no_sentence)
    if inputs.ranked:
        column, rank = inputs.columns["citations"]["rank"], col("rank")
        bad = rank.is_null() | (rank < 1) | (rank != rank.floor())
        yield Check(inputs.citation_rows, bad, _no_rank(column))
        yield unique_key(inputs.citation_rows, (*inputs.join, "rank"), _rank_twice(column))


def _labels(inputs: CitationInputs, policy: CitationPolicy) -> Iterator[Check]:
    """Labels have a known word or number, of a passage, and one of each judge."""
    engine, rows = inputs.engine, inputs.support_rows
    column = inputs.columns["support"]["label"]
    dtype = inputs.frames["support"].dtype(column)
    text = not dtype.is_numeric()
    yield Check(rows, ~col("label").is_null() & col("level").is_null(), _no_level(column, policy.labels, text=text))
    about = [ALONE, TOGETHER, WITHOUT]
    if "passages" in inputs.columns["support"]:
        yield Check(rows, ~col("passages").is_in(about), _no_passages(inputs.columns["support"]["passages"]))
    yield Check(rows, col("doc_id").is_null() & (col("passages") != TOGETHER), _no_passage)
    if policy.labels == "known" and dtype != pl.Boolean:
        # Text files hold numbers as text.
        one = col("label").str.strip_chars(" ").is_in(["1", "1.0"]) if text else ~col("level").is_null()
        n = [Aggregate("n", "sum", indicator(one)), Aggregate("highest", "max", col("level"))]
        yield Check(engine.group(rows, (), n), (col("n") > 0) & (col("highest") < FULL), _no_full(column))
    # Labels of all passages together name none.
    named = rows.with_columns(doc_id=when(col("passages") != TOGETHER).then(col("doc_id")))
    keys = (*inputs.join, "doc_id", "passages", *(["judge"] if policy.judges == "mean" and inputs.judged else []))
    yield unique_key(named, keys, _label_twice(several_judges=inputs.judged and policy.judges == "error"))


def _sentence_twice(rows: pl.DataFrame, count: int) -> DuplicateRows:
    more = f" ({count:,} sentences have several)" if count > 1 else ""
    return DuplicateRows(
        f"The sentence {sentence_of(rows)} has {rows['n'][0]} rows{more}.",
        "Number the sentences of an answer, and name the systems in a column run_id where there are several.",
    )


def _nothing_in_common(table: str) -> Callable[[pl.DataFrame, int], NothingInCommon]:
    return lambda *_: NothingInCommon(
        f"No row of the {table} table is of an answer of the sentences table.",
        "Both name answers by the same ids: run_id, if there are runs, and query_id.",
    )


def _no_sentence(rows: pl.DataFrame, count: int) -> MismatchedTables:
    are = "citation is" if count == 1 else "citations are"
    return MismatchedTables(
        f"{count:,} {are} of sentences that their answer does not have, such as {sentence_of(rows)}.",
        "The sentences table has a row for each sentence of an answer, also for those without citations.",
    )


def _no_rank(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    return lambda rows, count: InvalidValue(
        f"Column {column!r} of the citations table holds {rows['rank'][0]} ({count:,} such rows); the citations of a "
        "sentence are numbered from 1.",
        rows_to_fix("citations", column, " < 1", ".is_null()"),
    )


def _rank_twice(column: str) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    return lambda rows, _: DuplicateRows(
        f"The sentence {sentence_of(rows)} has {rows['n'][0]} citations of {column} {rows['rank'][0]:g}.",
        "Number the citations of a sentence from 1, or leave the column out.",
    )


def _no_level(column: str, labels: str, *, text: bool) -> Callable[[pl.DataFrame, int], InvalidValue]:
    numbers = "0, 1" if labels == "binary" else "0, 1, 2"
    cast = "" if text else ".cast(pl.String)"
    return lambda rows, count: InvalidValue(
        f"Column {column!r} of the support table holds {rows['label'][0]!r} ({count:,} such rows); labels are "
        f"{numbers}, true and false, or words: full_support, partial_support, no_support.",
        f'Replace it: support.with_columns(pl.col("{column}"){cast}.replace({{{rows["label"][0]!r}: "no_support"}}))',
    )


def _no_passages(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    return lambda rows, count: InvalidValue(
        f"Column {column!r} of the support table holds {rows['passages'][0]!r} ({count:,} such rows); labels are about "
        f"{listed([ALONE, TOGETHER, WITHOUT])}.",
        'Write "alone" for the passage of doc_id, "together" for all passages of the sentence, "without" for all but '
        "that of doc_id.",
    )


def _no_passage(rows: pl.DataFrame, count: int) -> InvalidValue:
    are = "label has" if count == 1 else "labels have"
    return InvalidValue(
        f"{count:,} {are} no doc_id, such as one of sentence {sentence_of(rows)}, and only labels of all passages "
        "together have none.",
        'Name the passage, or write "together" into a column passages.',
    )


def _no_full(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    return lambda *_: InvalidValue(
        f"Column {column!r} of the support table holds no 2, which is full support; 1 is partial support.",
        Hint("If 1 is full support, write ", Argument("policy", "labels=binary"), "; if nothing has full support, ",
             Argument("policy", "labels=graded"), "."),
    )  # fmt: skip


def _label_twice(*, several_judges: bool) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        doc = "" if rows["doc_id"][0] is None else f" and passage {rows['doc_id'][0]!r}"
        more = f" ({count:,} such)" if count > 1 else ""
        what = f"The sentence {sentence_of(rows)}{doc} has {rows['n'][0]} labels{more}."
        if several_judges:
            return DuplicateRows(
                what,
                Hint("Take the mean of judges: ", Argument("policy", "judges=mean"), "; or one judge: "
                     'support.filter(pl.col("judge") == "name")'),
            )  # fmt: skip
        return DuplicateRows(what, "Keep one; or name who gave them in a column judge.")

    return error
