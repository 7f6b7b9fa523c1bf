"""The values that trec_eval prints, added in its order, and the lines: name, query and value between tabs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat

import polars as pl

from ireval_frames import catalog
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.errors import DuplicateRows
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.summaries import GEOMETRIC_FLOOR
from ireval_frames.ranking import Rankings, strings
from ireval_frames.subject import request_of
from ireval_frames.trec_eval.exact import doubtful
from ireval_frames.trec_eval.names import Printed
from ireval_frames.trec_eval.options import Options
from ireval_frames.trec_eval.zscores import Zscores


@dataclass(frozen=True)
class Column:
    """The values of one name.

    Args:
        printed: the name, and how it is computed.
        values: the queries' values; their logarithms for a geometric mean.
        total: the summary; 0 for texts.
    """

    printed: Printed
    values: Sequence[float | str]
    total: float = 0.0


def evaluated(
    qrels: pl.DataFrame, run: pl.LazyFrame, printed: Sequence[Printed], options: Options, zscores: Zscores | None
) -> tuple[list[str], list[Column]]:
    """The queries in byte order, and their columns.

    Args:
        qrels: the judgments.
        run: the run, without run_id.
        printed: what to print.
        options: the options.
        zscores: means and deviations to express the values in; None for plain values.
    """
    n_judged, n_positive = qrels["query_id"].n_unique(), qrels.filter(pl.col("relevance") > 0).height
    qrels, run = _inputs(qrels, run, options)
    queries, columns = _columns(qrels, run, printed, options)
    n = n_judged if options.complete else len(queries)
    out = []
    for p, column in zip(printed, columns, strict=True):
        values = zscores.convert(p.name, queries, column) if zscores and p.parts else column
        total = _total(p, values, n) if n and p.shown != "query" and p.parts else 0.0
        if p.name == "num_q":
            total = float(n)
        elif p.name == "num_rel" and options.complete:
            # Counted in the judgments, where every positive grade is relevant.
            total = float(n_positive)
        out.append(Column(p, values, total))
    return queries, out


def _inputs(qrels: pl.DataFrame, run: pl.LazyFrame, options: Options) -> tuple[pl.DataFrame, pl.LazyFrame]:
    """The judgments and the run, as the options change them."""
    if options.only_query is not None:
        qrels = qrels.filter(pl.col("query_id") == options.only_query)
    if not options.preferences:
        # Every negative grade is the same: pooled, not judged.
        grade = pl.col("relevance")
        qrels = qrels.with_columns(pl.when(grade < 0).then(-2).otherwise(grade).alias("relevance"))
    if options.depth == 0:
        # Empty lists: the same queries, and a run without rows.
        queries = None if options.complete else run.select("query_id").unique().collect()
        return qrels if queries is None else qrels.join(queries, on="query_id", how="semi"), run.clear()
    return qrels, run


def _columns(
    qrels: pl.DataFrame, run: pl.LazyFrame, printed: Sequence[Printed], options: Options
) -> tuple[list[str], list[Sequence[float | str]]]:
    """The queries, and the values of each thing to print."""
    printed = [p if p.length is None else _string(p, p.length, qrels, run, options) for p in printed]
    measures = list(dict.fromkeys(m for p in printed for m in p.parts))
    one = "NumQ(assessors='max')" if "assessor_id" in qrels.columns else "NumQ"
    frame = _frame(qrels, run, measures or [one], options)
    queries = frame["query_id"].to_list()
    by_measure = {m: frame[str(m)].to_list() for m in measures}
    columns: list[Sequence[float | str]] = []
    for p in printed:
        parts = [by_measure[m] for m in p.parts]
        column = [p.combine(*row) for row in zip(*parts, strict=True)] if p.combine else parts[0] if parts else []
        if p.parts and p.parts[0].aggregation == "geometric":
            column = [math.log(max(float(value), GEOMETRIC_FLOOR)) for value in column]
        columns.append(_looped(p, queries, column, qrels, run, options) if p.loop else column)
    return queries, columns


def _string(p: Printed, length: int, qrels: pl.DataFrame, run: pl.LazyFrame, options: Options) -> Printed:
    """With its packed grades among the parts."""
    length = strings.effective_length(length, Rankings(qrels, run, policy=_policy(options)).evaluate)
    return replace(p, parts=tuple(strings.measures(length)), combine=partial(strings.unpacked, length))


def _frame(qrels: pl.DataFrame, run: pl.LazyFrame, measures: Sequence[str | Measure], options: Options) -> pl.DataFrame:
    """A row per query in byte order, a column per measure."""

    def evaluated(rows: pl.LazyFrame) -> pl.DataFrame:
        subject = Rankings(qrels, rows, policy=_policy(options))
        request = request_of(subject, catalog.parse_all(measures, subject.family))
        return Evaluation(replace(request, ordered=True)).per_unit(wide=True)

    try:
        return evaluated(run)
    except DuplicateRows:
        # Duplicates in queries without judgments are ignored.
        return evaluated(run.join(qrels.lazy().select("query_id").unique(), on="query_id", how="semi"))


def _looped(
    p: Printed,
    queries: list[str],
    column: Sequence[float | str],
    qrels: pl.DataFrame,
    run: pl.LazyFrame,
    options: Options,
) -> Sequence[float | str]:
    """The column, computed as a loop over each list where that may change a printed digit of it or of the mean."""
    numbers = [float(value) for value in column]
    all_queries = options.zscores is not None or (bool(numbers) and doubtful(_total(p, numbers, len(numbers))))
    queries_to_loop = [
        q for q, value in zip(queries, numbers, strict=True) if all_queries or (options.per_query and doubtful(value))
    ]
    if not queries_to_loop or p.loop is None:
        return column
    lists = grades(qrels, run, queries_to_loop, options)
    looped = {query: p.loop(lists.get(query, ())) for query in queries_to_loop}
    return [looped.get(query, value) for query, value in zip(queries, numbers, strict=True)]


def _policy(options: Options) -> RankingPolicy:
    # Version 9 counts missing queries in the means only, version 10 as queries that retrieved nothing relevant.
    missing = "zero" if options.depth == 0 or (options.complete and options.compat == "10") else "skip"
    unjudged = "skip" if options.judged_only and not options.preferences else "nonrelevant"
    # Preferences order equal scores by ids the other way round.
    ties = "doc_id" if options.preferences else "trec_eval"
    changes = {"missing": missing, "unjudged": unjudged, "ties": ties, "depth": options.depth or None}
    # trec_eval prints zeros for queries without results, and has its own message for no common query.
    changes["overlap"] = "allow"
    return RankingPolicy.named(f"trec_eval-{options.compat}").with_fields(changes)


def _total(p: Printed, column: Sequence[float | str], n: int) -> float:
    """The summary of the queries' values, added one after another, over `n` queries including missing ones."""
    total, aggregation = 0.0, p.parts[0].aggregation
    for value in column:
        total += float(value)
    if aggregation == "geometric":
        total += (n - len(column)) * math.log(GEOMETRIC_FLOOR)
        return math.exp(total / n)
    return total if aggregation == "sum" else total / n


def grades(
    qrels: pl.DataFrame, run: pl.LazyFrame, queries: Sequence[str], options: Options
) -> dict[str, list[float | None]]:
    """The grades of some queries' lists by rank; None for documents without judgment."""
    among = pl.col("query_id").is_in(queries)
    score = pl.col("score").cast(pl.Float32) if options.compat == "9" else pl.col("score")
    rows = (
        run.filter(among)
        .with_columns(score)
        .collect()
        .sort("query_id", "score", "doc_id", descending=[False, True, True])
    )
    top = rows.group_by("query_id", maintain_order=True).head(options.depth) if options.depth else rows
    judged = top.join(qrels.filter(among), on=["query_id", "doc_id"], how="left", maintain_order="left")
    if options.judged_only:
        judged = judged.filter(pl.col("relevance") >= 0)
    lists = judged.group_by("query_id", maintain_order=True).agg(pl.col("relevance").cast(pl.Float64))
    return dict(lists.iter_rows())


WIDTH = 22


def line(name: str, query: str, value: float | str, *, integer: bool = False) -> str:
    """A line, with four decimals, an integer, or text."""
    shown = value if isinstance(value, str) else f"{int(value)}" if integer else f"{value:6.4f}"
    return f"{name:<{WIDTH}}\t{query}\t{shown}\n"


def lines(queries: Sequence[str], columns: Sequence[Column], run_tag: str, options: Options) -> Iterator[str]:
    """The lines of the output, a query's at a time.

    Args:
        queries: the queries.
        columns: the printed values.
        run_tag: the value of `runid`.
        options: which lines are printed.
    """
    z = options.zscores is not None
    if options.per_query:
        yield from _per_query(queries, [c for c in columns if c.printed.shown != "all"], z=z)
    for column in columns if options.summary else ():
        p = column.printed
        if not p.parts:
            yield line(p.name, "all", run_tag)
        elif p.shown != "query":
            yield line(("Z" if z else "") + _padded(p.name), "all", column.total, integer=p.integer and not z)


def _per_query(queries: Sequence[str], columns: Sequence[Column], *, z: bool) -> Iterator[str]:
    # One format string for all lines of a query: there may be a hundred, for each of thousands of queries.
    form = "".join(_form(c, z=z) for c in columns)
    fields = [field for c in columns for field in (queries, c.values)]
    for row in zip(*fields, strict=True) if fields else repeat((), 0):
        yield form % row


def _form(column: Column, *, z: bool) -> str:
    p = column.printed
    name = _padded(p.name).replace("%", "%%")
    if p.shown == "query":
        return name + "\t%s\t'%s'\n"
    return ("Z" if z else "") + name + ("\t%s\t%d\n" if p.integer and not z else "\t%s\t%6.4f\n")


def _padded(name: str) -> str:
    return f"{name:<{WIDTH}}"
