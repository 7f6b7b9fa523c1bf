"""How much of a run a log has ever shown."""

from __future__ import annotations

import polars as pl

from ireval_frames.clicks.counterfactual_evaluation.tables import PAIR, ValueTables
from ireval_frames.expr import col, lit
from ireval_frames.ratios import indicator, ratio
from ireval_frames.results import TableQuery


def coverage_query(tables: ValueTables) -> TableQuery:
    """A row per run, group and measure: how much of the run was shown."""
    plan, request, values = tables.plan, tables.request, tables.values
    weight = col("weight") if tables.weighted else lit(1.0)
    shown = plan.selected("results", tables.one_row, tables.log, col("shown") > 0)
    of_query = (*request.by_names, "query_id")
    pairs = plan.grouped("shown_pairs", shown, *request.by_names, *PAIR)
    clicks = shown.sum(weight * col("click"), into=pairs)
    pages = plan.grouped("query_pages", tables.log, *of_query, *tables.serp)
    times = tables.log.max(weight, into=pages) if tables.weighted else lit(1.0)
    queries = plan.grouped("queries", pages, *of_query)
    n_pages = pages.sum(times, into=queries)
    keys = ("run_id", *request.by_names, *PAIR)
    results = plan.joined("of_queries", keys, tables.retrieved, queries, on=("query_id",))
    was_shown = results.lookup(pairs.column(lit(1.0) + 0.0 * clicks, "was_shown"), of=pairs).fill_null(0.0)
    in_queries = plan.grouped("queries_in_run", results, "run_id", *of_query)
    all_clicks = pairs.sum(clicks, into=tables.groups)
    all_pages = queries.sum(n_pages, into=tables.groups)
    in_run = in_queries.sum(in_queries.lookup(n_pages, of=queries), into=values)
    hits = results.lookup(clicks, of=pairs).fill_null(0.0)
    rows = []
    for i, measure in enumerate(request.measures):
        with plan.requesting(measure.name):
            weighs = col(f"weight_of_{i}")
            counts = indicator(weighs != 0)
            n_results, n_shown = (results.sum(e, into=values) for e in (counts, counts * was_shown))
            mass = results.lookup(n_pages, of=queries) * weighs
            of_mass, shown_mass = (results.sum(e, into=values) for e in (mass, mass * was_shown))
            clicked = results.sum(counts * hits, into=values)
            rows.append(
                {
                    "measure": lit(measure.name),
                    "n_results": n_results.cast(pl.Int64),
                    "n_shown": n_shown.cast(pl.Int64),
                    "never_shown": ratio(n_results - n_shown, n_results),
                    "never_shown_weight": ratio(of_mass - shown_mass, of_mass),
                    "pages_in_run": ratio(in_run, values.lookup(all_pages, of=tables.groups)),
                    "clicks_in_run": ratio(clicked, values.lookup(all_clicks, of=tables.groups)),
                }
            )
    return TableQuery.stacked(plan, values.frame(), tables.named_keys, rows, tables.sources.checks)
