"""From retrieval to the answer: at which step nuggets are lost."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.columns.nuggets import QUERY
from ireval_frames.columns.schema import DOC_ID, RUN_ID, Schema, resolve
from ireval_frames.columns.suggestions import renaming
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    MismatchedTables,
    NothingInCommon,
    OverlapWarning,
    warn,
)
from ireval_frames.io.reading import TABLE
from ireval_frames.nuggets.recall import LEVEL, STRICT, NuggetRecall
from ireval_frames.nuggets.steps import LOSSES, Chain
from ireval_frames.nuggets.subject import Nuggets
from ireval_frames.parameters import whole
from ireval_frames.runs import Runs

CITED = Schema("citations", (RUN_ID, QUERY, DOC_ID), ())


def chain(
    answers: Nuggets,
    passages: Nuggets,
    run: Any,
    citations: Any = None,
    *,
    level: str = "all",
    strict: bool = False,
    cutoff: int | None = None,
    retrieval: Any = None,
) -> Chain:
    """Where nuggets are lost between the collection and the answer.

    A nugget is in passages if a judged passage supports it, retrieved if one of the run's passages does, cited if one
    that the answer cites does.  What the answer does not earn of it is lost at the first step that has not got it.

    Args:
        answers: the nuggets with the labels of answers.
        passages: the nuggets with the labels of passages: `ir.Nuggets(nuggets, labels, run="doc_id")`.
        run: the passages that were retrieved: [run_id] query_id doc_id, and a score or rank.  Without runs it is that
            of all answers.
        citations: the passages that answers cite: [run_id] query_id doc_id, as often as they like; optional.
        level: how much nuggets count, as in `NuggetRecall`.
        strict: partial support is none, of answers and of passages.
        cutoff: only so many passages of each list; by default all.
        retrieval: measures of retrieval for the same runs and queries: `ir.evaluate(qrels, run, "nDCG@10")`.

    Returns:
        The chain: `queries`, `summary()`, `losses()` and `effects()`.

    Raises:
        InvalidParameter: answers or passages are no `ir.Nuggets`, or a parameter is not allowed.
        MismatchedTables: only one of the tables has runs, or ids are text in one of them only.
        NothingInCommon: no answer has a list of passages, or is of a query that `retrieval` evaluates.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> nuggets, assignments, _ = ir.examples.nuggets()
        >>> passages = assignments.with_columns(doc_id=pl.format("d{}", "nugget_id"), label=pl.lit("support"))
        >>> run = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d3", "d1"], "rank": [1, 2, 1]})
        >>> steps = ir.nuggets.chain(
        ...     ir.Nuggets(nuggets, assignments), ir.Nuggets(nuggets, passages, run="doc_id"), run
        ... )
        >>> steps.queries.select("query_id", "retrieved", "answered", "not_retrieved", "not_stated").rows()
        [('q1', 0.5, 0.625, 0.125, 0.25), ('q2', 0.5, 0.5, 0.0, 0.5)]
    """
    for name, subject in (("answers", answers), ("passages", passages)):
        if not isinstance(subject, Nuggets):
            raise InvalidParameter(
                f"{name} is {type(subject).__name__}; it must be ir.Nuggets.", "Write ir.Nuggets(nuggets, assignments)."
            )
    LEVEL.check("level", level)
    STRICT.check("strict", strict)
    whole(None, "passages of each list").check("cutoff", cutoff)
    parts, values = _answered(answers, level, strict=strict)
    supported = passages.qrels(strict=strict).filter(pl.col("relevance") == 1)
    supported = supported.select("query_id", "doc_id", nugget_id="subtopic_id")
    for column in ("query_id", "nugget_id"):
        supported = _in_one_type(supported, parts, column, "labels of passages")
    lists = {"retrieved": _retrieved(run, cutoff)}
    if citations is not None:
        lists["cited"] = _cited(citations)
    parts = parts.join(_marked(supported.select("query_id", "nugget_id"), "in_passages"), on=["query_id", "nugget_id"],
                       how="left")  # fmt: skip
    for step, documents in lists.items():
        retrieved = _in_one_type(documents, supported, "doc_id", f"{step} passages", "labels of passages")
        keys = _shared_keys(parts, retrieved, step)
        for column in keys:
            retrieved = _in_one_type(retrieved, parts, column, f"{step} passages")
        if parts.join(retrieved, on=keys, how="semi").is_empty():
            raise NothingInCommon(
                f"No answer has a list of {step} passages.", f"Compare the ids: {step}.{keys[0]} and answers.{keys[0]}."
            )
        if step == "retrieved":
            _warn_of_missing(parts, retrieved)
        nuggets = retrieved.join(supported, on=["query_id", "doc_id"]).select(*keys, "nugget_id")
        parts = parts.join(_marked(nuggets, step), on=[*keys, "nugget_id"], how="left")
    queries = _summed(parts.with_columns(pl.col("in_passages", *lists).fill_null(value=False)), lists)
    names: list[str] = []
    if retrieval is not None:
        queries, names = _beside(queries, retrieval)
    return Chain(queries, names, values)


def _answered(answers: Nuggets, level: str, *, strict: bool) -> tuple[pl.DataFrame, int]:
    """A row per nugget and answer with its weight and credit; and the number of answers without a recall."""
    recall = answers.evaluate(NuggetRecall(level=level, strict=strict), by=()).per_unit()
    nuggets = answers.credits(level=level, strict=strict, by=())
    query = next(c for c in recall.columns if c not in ("run_id", "measure", "value"))
    keys = [c for c in ("run_id", query) if c in nuggets.columns]
    known = recall.filter(pl.col("value").is_not_null())
    rows = nuggets.join(known, on=keys, how="semi", maintain_order="left").filter(pl.col("credit").is_not_null())
    return rows.rename({query: "query_id"}), recall.height - known.height


def _retrieved(run: Any, cutoff: int | None) -> pl.DataFrame:
    engine = open_engine(run, None, None)
    with engine.errors(), renaming():
        runs = Runs(run, engine)
        ranked = runs.ranked(runs.frame, cutoff)
        rows = engine.collect(ranked.rows().select("run_id", "query_id", "doc_id"))
    return rows if runs.several else rows.drop("run_id")


def _cited(citations: Any) -> pl.DataFrame:
    engine = open_engine(citations, None, None)
    with engine.errors(), renaming():
        frame = open_source(Source(citations, CITED.name, TABLE), engine)
        named = resolve(CITED, list(frame.columns))
        rows = engine.collect(frame.lazy())
    return rows.select(**{ours: pl.col(theirs) for ours, theirs in named.items()}).drop_nulls("doc_id").unique()


def _marked(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    return rows.unique().with_columns(pl.lit(value=True).alias(name))


def _in_one_type(rows: pl.DataFrame, other: pl.DataFrame, column: str, what: str, beside: str = "") -> pl.DataFrame:
    """The rows, with a column of the type that another table has: by default that of the answers.

    Raises:
        MismatchedTables: one is text, and the other is not.
    """
    one, two = rows.schema[column], other.schema[column]
    if one == two:
        return rows
    if (one == pl.String) != (two == pl.String) and not isinstance(one, pl.Categorical | pl.Enum):
        raise MismatchedTables(
            f"Column {column!r} of the {what} is {one}, and that of the {beside or 'answers'} {two}, so none can be "
            "equal.",
            f'Give both one type: frame.with_columns(pl.col("{column}").cast(pl.String))',
        )
    return rows.with_columns(pl.col(column).cast(two))


def _shared_keys(parts: pl.DataFrame, retrieved: pl.DataFrame, step: str) -> list[str]:
    """The columns by which answers and lists are joined.

    Raises:
        MismatchedTables: lists have runs, and answers have none.
    """
    if "run_id" in retrieved.columns and "run_id" not in parts.columns:
        raise MismatchedTables(
            f"The {step} passages have a column of runs, and the answers have none.",
            Hint("Name it: ", Argument("run", "run_id", "ir.Nuggets(nuggets, assignments, {})"), "."),
        )
    return [c for c in ("run_id", "query_id") if c in retrieved.columns]


def _warn_of_missing(parts: pl.DataFrame, retrieved: pl.DataFrame) -> None:
    """Warn of answers that have no list of passages."""
    all_of = parts.select(c for c in ("run_id", "query_id") if c in parts.columns).unique(maintain_order=True)
    on = [c for c in all_of.columns if c in retrieved.columns]
    without = all_of.join(retrieved, on=on, how="anti", maintain_order="left")
    if without.height:
        first = ", ".join(f"{name} {value!r}" for name, value in without.row(0, named=True).items())
        warn(
            f"{without.height} of {all_of.height} answers have no retrieved passages, such as {first}; their nuggets "
            "count as not retrieved.",
            OverlapWarning,
        )


def _summed(parts: pl.DataFrame, lists: Any) -> pl.DataFrame:
    """The shares of each answer."""
    keys = [c for c in ("run_id", "query_id") if c in parts.columns]
    weight, credit = pl.col("weight"), pl.col("credit")
    lost = weight * (1.0 - credit)
    have = ["in_passages", *lists]
    # A passage that was retrieved or cited is in the collection, judged or not; each step needs those before it.
    step_lost, before = {}, pl.lit(value=True)
    for step, name in zip(have, LOSSES, strict=False):
        step_lost[name] = before & ~pl.col(step)
        before &= pl.col(step)
    step_lost["not_stated"] = before
    total = weight.sum()
    shares = {s: pl.when(pl.col(s)).then(weight).otherwise(0.0).sum() / total for s in have}
    shares["answered"] = (weight * credit).sum() / total
    losses = {n: pl.when(where).then(lost).otherwise(0.0).sum() / total for n, where in step_lost.items()}
    alone = pl.when(pl.col("retrieved")).then(0.0).otherwise(weight * credit).sum() / total
    return parts.group_by(keys, maintain_order=True).agg(**shares, **losses, unsupported=alone).sort(keys)


def _beside(queries: pl.DataFrame, retrieval: Any) -> tuple[pl.DataFrame, list[str]]:
    """The measures of an evaluation as columns.

    Raises:
        InvalidParameter: it is no evaluation of queries, nor its values.
        MismatchedTables: it has runs, and the answers have none.
        NothingInCommon: it is of other runs or queries.
    """
    values = retrieval.per_unit() if hasattr(retrieval, "per_unit") else retrieval
    if not isinstance(values, pl.DataFrame) or not {"query_id", "measure", "value"} <= set(values.columns):
        raise InvalidParameter(
            f"retrieval is {type(retrieval).__name__}; it must be an evaluation of queries, or its values per query.",
            'Write retrieval=ir.evaluate(qrels, run, "nDCG@10").',
        )
    on = _shared_keys(queries, values, "evaluated")
    for column in on:
        values = _in_one_type(values, queries, column, "evaluated lists")
    if queries.join(values, on=on, how="semi").is_empty():
        raise NothingInCommon(
            "No answer is of a query that retrieval= evaluates.",
            f"Compare the ids: retrieval.{on[0]} and answers.{on[0]}.",
        )
    names = values["measure"].unique(maintain_order=True).to_list()
    wide = values.pivot("measure", index=on, values="value").select(*on, *names)
    return queries.join(wide, on=on, how="left", maintain_order="left"), names
