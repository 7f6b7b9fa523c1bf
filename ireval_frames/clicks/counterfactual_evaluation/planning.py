"""The plan of a counterfactual evaluation on an engine: its inputs, checks and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.clicks.checks import check, known
from ireval_frames.clicks.counterfactual_evaluation.request import CounterfactualRequest
from ireval_frames.clicks.counterfactual_evaluation.tables import PAIR, Sources, ValueTables
from ireval_frames.clicks.counterfactual_evaluation.weights import Weights
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import (
    Argument,
    Code,
    DuplicateRows,
    Hint,
    InvalidValue,
    MissingColumn,
    best_of_each,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import col, lit
from ireval_frames.io import sql as sql_files
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import same_kinds
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.plan import Plan
from ireval_frames.runs import Runs


def plan_of(request: CounterfactualRequest, engine: Engine) -> ValueTables:
    """The tables of a request on an engine; names and types are checked now, the data by `ValueTables.checks`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
    """
    inputs = request.log.inputs(request.by, engine=engine)
    inputs.needs("query_id", *(("user_id",) if request.per_user else ()))
    _check_propensities(request, inputs)
    runs = Runs(request.run, engine, request.columns)
    pair = {c: c for c in PAIR}
    log, rows = same_kinds({"impressions": _log(request, inputs), "run": runs.frame}, pair, as_text=True)
    relevance, row_checks = None, []
    if request.relevance is not None:
        both = {"impressions": log, "relevance": _relevance(request.relevance, engine)}
        log, relevance = same_kinds(both, pair, as_text=True)
        # Where the log's ids became text only now, those of the run become text, too.
        log, rows = same_kinds({"impressions": log, "run": rows}, pair, as_text=True)
        finite = Check(relevance, ~col("relevance").is_finite(), _relevance_not_finite)
        row_checks = [unique_key(relevance, PAIR, _relevance_twice), finite]
    ranked = runs.ranked(rows, _lowest_rank(request.measures))
    if request.per_user:
        row_checks.append(known(inputs, "user_id"))
    plan = Plan(engine)
    sources = Sources(
        log,
        _weighed(request, engine, ranked),
        None if request.positions is None else engine.from_polars(request.positions),
        relevance,
        several=runs.several or request.baseline is not None,
        checks=(lambda: check(inputs), ranked.check, lambda: run_checks(engine, row_checks), plan.check),
    )
    tables = ValueTables(plan, sources, request)
    _require_propensities(tables)
    return tables


def _lowest_rank(measures: Sequence[Weights]) -> int | None:
    """The lowest rank that a measure looks at; None if one looks at all."""
    cutoffs = [m.cutoff for m in measures]
    return None if None in cutoffs else max(c for c in cutoffs if c is not None)


def file(name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
    """The SELECT that reads a file as the table of that name, and its columns."""
    if name == "run":
        return sql_files.select(io.describe(path, "run"), "run"), io.scan_run(path).collect_schema()
    return sql_files.any_table(path, io.scan_table(path).collect_schema())


def _log(request: CounterfactualRequest, inputs: ClickInputs) -> Frame:
    """The columns of the log that are read, and no others."""
    optional = ("weight", *(("user_id",) if request.per_user else ()))
    read = [c for c in optional if c in inputs.log.columns]
    if request.positions is None and request.reads_propensities:
        read.append("propensity")
    columns = {c: col(c) for c in (*request.by_names, "serp_id", *PAIR, "position", "shown", *read)}
    if "run_id" in inputs.keys:
        columns["system"] = col("run_id")
    return inputs.log.select(**columns, click=col("click").cast(pl.Float64))


def _check_propensities(request: CounterfactualRequest, inputs: ClickInputs) -> None:
    """Refuse tables without a propensity or the parameters of trust that an estimator reads.

    Raises:
        MissingColumn: one is missing.
    """
    columns = ("propensity",) if request.positions is None else request.positions.columns
    for column in ("alpha", "beta"):
        if request.reads(column) and (request.positions is None or column not in columns):
            raise MissingColumn(
                f"The estimator affine reads {column} by position, and the propensities have no such column.",
                "Pass a table: propensity=frame, with the columns position, alpha and beta.",
            )
    if not request.reads_propensities:
        return
    if request.positions is not None and "propensity" not in columns:
        raise MissingColumn(
            "The table of propensities has no column 'propensity'.",
            "Ask for the estimator affine, which reads none.",
        )
    if request.positions is None and "propensity" not in inputs.log.columns:
        raise MissingColumn(
            "The log has no column 'propensity', and no propensities by position were given.",
            Hint(
                "Hand them in by position: ",
                Argument("propensity", [1.0, 0.5], option=("propensity", "propensities.csv")),
                ", or estimate them: ",
                Code("ir.clicks.propensities(log)", "ireval clicks propensities LOG -o propensities.csv"),
                ".",
            ),
        )


def _relevance(table: Any, engine: Engine) -> Frame:
    frame = open_source(Source(table, "relevance", TABLE), engine)
    missing = [c for c in (*PAIR, "relevance") if c not in frame.columns]
    if missing:
        raise MissingColumn(
            f"The table of relevance has no column {missing[0]!r} (it has: {listed(frame.columns, 20)}).",
            f"Rename one: frame.rename({{'their_name': {missing[0]!r}}}).",
        )
    return frame.select(*PAIR, relevance=col("relevance").cast(pl.Float64))


def _weighed(request: CounterfactualRequest, engine: Engine, ranked: RankedRows) -> Frame:
    """The rows of the runs with their ranks; for differences with their weights, less those of the baseline."""
    rows = ranked.rows().select("run_id", *PAIR, "rank")
    if request.baseline is None:
        return rows
    rank = col("rank").cast(pl.Float64)
    weights = {f"weight_of_{i}": m.at(rank) for i, m in enumerate(request.measures)}
    weighed = rows.select("run_id", *PAIR, **weights)
    is_baseline = col("run_id") == lit(request.baseline)
    others = weighed.filter(~is_baseline)
    names = others.select("run_id").unique()
    negated = weighed.filter(is_baseline).select(*PAIR, **{w: -col(w) for w in weights})
    each = engine.join(negated, names, (), "inner").select("run_id", *PAIR, *weights)
    sums = [Aggregate(w, "sum", col(w)) for w in weights]
    return engine.group(concat([others, each]), ("run_id", *PAIR), sums)


def _require_propensities(tables: ValueTables) -> None:
    """Every row that counts, and every row that a mean is taken of, has a propensity above 0."""
    sources, request = tables.sources, tables.request
    columns = sources.log.columns if sources.positions is None else sources.positions.columns
    means = request.reads("mean_propensity") or request.estimates_relevance
    for column in (c for c in ("propensity", "alpha") if c in columns):
        value = col(column)
        bad = value.is_null() | ~(value > 0) | ~value.is_finite()
        tables.plan.require(tables.results if means else tables.counted, bad, _bad_propensity(column))


def _relevance_twice(rows: pl.DataFrame, count: int) -> DuplicateRows:
    del count
    return DuplicateRows(
        f"The table of relevance has the document {rows['doc_id'][0]!r} of the query {rows['query_id'][0]!r} in "
        f"{rows['n'][0]} rows.",
        best_of_each("relevance", ("query_id", "doc_id"), "relevance"),
    )


def _relevance_not_finite(rows: pl.DataFrame, count: int) -> InvalidValue:
    del count
    return InvalidValue(
        f"The relevance of the document {rows['doc_id'][0]!r} of the query {rows['query_id'][0]!r} is "
        f"{rows['relevance'][0]}.",
        rows_to_fix("relevance", "relevance", ".is_nan()", ".is_infinite()"),
    )


def _bad_propensity(column: str) -> Callable[[pl.DataFrame, int], Exception]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        value, position = row[column], row["position"]
        more = f"; {count} rows of the log are such" if count > 1 else ""
        if value is None:
            return InvalidValue(
                f"Position {position} of the page {row['serp_id']!r} has no {column}{more}.",
                "Give every position that is clicked one, or leave those rows out of the log.",
            )
        return InvalidValue(
            f"The {column} at position {position} of the page {row['serp_id']!r} is {value:g}{more}; a result that "
            "counts was examined with a probability above 0.",
            f'Leave such rows out: log.filter(pl.col("{column}") > 0)',
        )

    return error


def refuse_other_queries(engine: Engine, tables: ValueTables) -> None:
    """Refuse runs of other queries than the log's.

    Raises:
        NothingInCommon: no query of the log is in any run.
    """
    log, run = (table.frame().select("query_id").unique() for table in (tables.log, tables.retrieved))
    if engine.collect(engine.join(log, run, ("query_id",), "inner").head(1)).height:
        return
    of_log, of_run = (
        Side(name, "query_id", engine.collect(ids.sort("query_id").head(COMPARED_IDS)).to_series().sort().to_list())
        for name, ids in (("log", log), ("run", run))
    )
    raise nothing_in_common("No query of the log is in the run", of_log, of_run)
