"""How many queries and documents the judgments and a run have in common."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import Argument, NothingInCommon
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.expr import col, lit, when
from ireval_frames.overlap import SHOWN, Side, first_ids, nothing_in_common
from ireval_frames.ranking.checks import PolicyReport
from ireval_frames.ratios import indicator, ratio
from ireval_frames.results import TableQuery

# The number of documents on a result page.
FIRST_PAGE = 10


def overlap(report: PolicyReport) -> Overlap:
    """What judgments and run have in common; requested of the plan after all measures."""
    tables = report.tables
    with tables.plan.requesting("overlap"):
        judged = tables.units.lookup(tables.qrels.count(into=tables.judged_queries), of=tables.judged_queries)
        rows = tables.retrieved if tables.ranked_run.all_rows else tables.judged
        is_judged = indicator(~col("relevance").is_null())
        both = rows.sum(is_judged, into=tables.units) if tables.ranked_run.all_rows else rows.count(into=tables.units)
    return Overlap(
        tables.units,
        judged,
        both,
        None,
        "judged documents",
        ("qrels", "run"),
        report.policy.overlap == "allow",
        lambda: no_overlap(report),
        lambda: missing_queries(report),
        lambda n_without: mostly_judged(report, n_without),
    )


def mostly_judged(report: PolicyReport, n_without: float) -> bool:
    """Whether most of the top ten documents of the lists are judged.

    A list is taken to end with its last judged document; `n_without` lists have none, and count as ten documents.
    """
    engine, keys, page = report.engine, report.tables.list_keys, float(FIRST_PAGE)
    rank = col("rank").cast(pl.Float64)
    rows = report.tables.judged.frame().select(*keys, rank=rank)
    lists = [Aggregate("length", "max", rank), Aggregate("filled", "sum", indicator(rank <= page))]
    length = col("length")
    total = Aggregate("places", "sum", when(length < page).then(length).otherwise(page))
    in_all = [Aggregate("filled", "sum", col("filled")), total]
    numbers = engine.numbers(engine.group(engine.group(rows, keys, lists), (), in_all))
    return bool(2 * (numbers["filled"] or 0.0) > (numbers["places"] or 0.0) + page * n_without)


def no_overlap(report: PolicyReport) -> NothingInCommon:
    """The error that no judged document was retrieved: queries or documents have nothing in common."""
    engine, instead = report.engine, Argument("policy", "overlap=allow")
    judged_lists = report.known.filter(~col("is_judged").is_null()).select("query_id").unique()
    what = "No query of the run is judged"
    column, judged, retrieved = "query_id", report.tables.qrels_frame, report.tables.run_frame
    if engine.collect(judged_lists.head(1)).height:
        what = "No document that was retrieved for a judged query is judged for it"
        column = "doc_id"
        judged, retrieved = (engine.join(frame, judged_lists, ("query_id",), "inner") for frame in (judged, retrieved))
    one, other = (
        Side(table, report.inputs.called(table, column), *report.first(frame, column))
        for table, frame in (("qrels", judged), ("run", retrieved))
    )
    return nothing_in_common(what, one, other, instead)


def missing_queries(report: PolicyReport) -> Sequence[str]:
    """Which judged queries have no list, so count 0; of the run with most of them."""
    if report.policy.missing != "zero":
        return []
    engine, systems, count = report.engine, report.systems, [Aggregate("n", "count", lit(1.0))]
    missing = report.missing.select(*systems, "query_id")
    runs = engine.collect(engine.group(missing, systems, count)).filter(pl.col("n") > 0).sort("n", *systems)
    if not runs.height:
        return []
    worst = runs.row(-1, named=True)
    missing_of_run = missing.filter(col(systems[0]) == worst[systems[0]]) if systems else missing
    ids = engine.collect(missing_of_run.sort("query_id").head(SHOWN))["query_id"].sort()
    all_queries = engine.numbers(engine.group(report.judged_queries, (), count))["n"]
    subject = f"The run {worst[systems[0]]!r}" if systems else "The run"
    text = f"{subject} lacks {worst['n']:.0f} of {all_queries:.0f} judged queries, which count 0: "
    more = f" {runs.height - 1} more runs lack some." if runs.height > 1 else ""
    return [f"{text}{first_ids(ids.to_list(), int(worst['n']))}.{more}"]


def coverage(report: PolicyReport, names: Sequence[tuple[str, str]], cutoffs: Sequence[int]) -> TableQuery:
    """A row per run and group: how many queries and documents are judged, retrieved, and both.

    Args:
        report: the tables.
        names: the aliases of the `by` columns, and the user's names.
        cutoffs: of how many first documents the judged share is a column.
    """
    tables, engine = report.tables, report.engine
    by = [alias for alias, _ in names]
    queries = tables.queries.frame().select("query_id", *(by if tables.by_in != "run" else ()))
    # A negative grade is pooled, but not judged.
    judged = tables.qrels.frame().filter(col("relevance") >= 0).select("query_id", "doc_id")
    keys = [*report.systems, *(by if tables.by_in != "run" else ())]
    groups = [k for k in keys if k in queries.columns]
    count = lit(1.0)

    lists = engine.join(report.lists, queries.with_columns(is_judged=lit(1.0)), ("query_id",), "left")
    known = col("is_judged").fill_null(0.0)
    n, rank = col("n").cast(pl.Float64), col("rank").cast(pl.Float64)
    shown = {k: when(n > float(k)).then(float(k)).otherwise(n) for k in cutoffs}
    of_lists = engine.group(
        lists if not groups else lists.filter(~col("is_judged").is_null()),
        keys,
        [
            Aggregate("queries_retrieved", "count", count),
            Aggregate("queries_both", "sum", known),
            Aggregate("documents_retrieved", "sum", n * known),
            *(Aggregate(f"shown_{k}", "sum", places * known) for k, places in shown.items()),
        ],
    )
    condensed = tables.condensed.frame().select(*tables.list_keys, "rank")
    rows = engine.join(condensed, queries, ("query_id",), "inner")
    first = [Aggregate(f"judged_{k}", "sum", indicator(rank <= float(k))) for k in cutoffs]
    of_rows = engine.group(rows, keys, [Aggregate("documents_both", "count", count), *first])
    of_queries = engine.group(queries, groups, [Aggregate("queries_judged", "count", count)])
    of_judged = engine.group(
        engine.join(judged, queries, ("query_id",), "inner"), groups, [Aggregate("documents_judged", "count", count)]
    )
    judgments_by_group = engine.join(of_queries, of_judged, groups, "left" if groups else "inner")
    if report.systems:
        judgments_by_group = engine.join(report.lists.select(*report.systems).unique(), judgments_by_group, (), "inner")
    frame = judgments_by_group
    for part in (of_lists, of_rows):
        frame = engine.join(frame, part, keys, "left" if keys else "inner")
    columns = (
        "queries_judged",
        "queries_retrieved",
        "queries_both",
        "documents_judged",
        "documents_retrieved",
        "documents_both",
    )
    named = dict(names)
    shares = {
        f"judged_at_{k}": ratio(col(f"judged_{k}").fill_null(0.0), col(f"shown_{k}").fill_null(0.0)) for k in cutoffs
    }
    out = frame.select(
        **{named.get(k, k): col(k) for k in keys},
        **{c: col(c).fill_null(0.0).cast(pl.Int64) for c in columns},
        **shares,
    )
    order = tuple(named.get(k, k) for k in keys)
    return TableQuery(tables.plan, out, order, (*order, *columns, *shares), report.checks())
