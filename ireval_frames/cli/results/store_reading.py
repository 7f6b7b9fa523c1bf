"""`ireval store list`, `show`, `history`, `leaderboard`, `diff`, `sql`, `findings`, `report`, `page` and `export`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import polars as pl

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    INTERACTIVE,
    REPORT_OUTPUT,
    BuiltPage,
    Collection,
    Measures,
    OutputFile,
    OutputFormat,
)
from ireval_frames.cli.output.running import say_how_to_open, working
from ireval_frames.cli.output.tables import deliver_table, format_of
from ireval_frames.cli.results.store_options import Evaluation, Folder, Runs, deliver, examples, open_store, seconds
from ireval_frames.errors import FileError, listed

if TYPE_CHECKING:
    pass


# The columns that are shown of a result.
SHOWN = ("made_at", "kind", "name", "measure", "run_id", "baseline", "n", "value", "difference", "ci_low", "ci_high")


@command("list", epilog=examples("list"))
def list_(
    collection: Collection = None, folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None
) -> None:
    """List the runs of the store, with their evaluations."""
    rows = open_store(folder).runs(collection).collect()
    rows = rows.drop("source") if rows["source"].is_null().all() else rows
    own = [c for c in ("source",) if c in rows.columns]
    shown = rows.select("collection", "run_id", "made_at", "evaluation_id", "digest", *own, "tags")
    deliver(shown.with_columns(seconds(), pl.col("digest").str.head(12)), format, output)


@command(epilog=examples("show"))
def show(
    evaluation: Evaluation, folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None
) -> None:
    """Show an evaluation: its values and its tables."""
    store = open_store(folder)
    of_evaluation = pl.col("evaluation_id") == store.find(evaluation)
    if format is None and output is None:
        row = store.evaluations().filter(of_evaluation).collect().row(0, named=True)
        rows = [[name, str(value)] for name, value in row.items()]
        inputs = store.table("inputs").filter(of_evaluation).collect().to_dicts()
        rows += [[i["name"], f"{i['n_rows']} rows, {i['digest_kind']} {i['digest'][:16]}"] for i in inputs]
        deliver_table(pl.DataFrame(rows, schema=["what", "is"], orient="row"), format_of(None, None), None)
    summary = store.table("summaries").filter(of_evaluation).collect().drop("evaluation_id")
    deliver(summary, format, output)


@command(epilog=examples("history"))
def history(
    measure: Annotated[str, Argument(metavar="MEASURE", help="The measure.")],
    run: Runs = None,
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Show the value of a measure on every occasion, the oldest first."""
    rows = open_store(folder).history(measure, run=run, collection=collection).collect()
    deliver(rows.drop("groups" if (rows["groups"] == "{}").all() else []).with_columns(seconds()), format, output)


@command(epilog=examples("leaderboard"))
def leaderboard(
    collection: Collection = None,
    measures: Measures = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Rank the last values of all runs, the best first."""
    rows = open_store(folder).leaderboard(collection, measures).collect()
    differs = rows["differs"].drop_nulls()
    deliver(rows.drop("tags", *([] if differs.len() else ["differs"])).with_columns(seconds()), format, output)
    if differs.len():
        reasons = listed(differs.unique().sort())
        text = f"{differs.len()} of {rows.height} rows are ranked separately; they differ in: {reasons}"
        click.echo(text, err=True)


@command(epilog=examples("diff"))
def diff(
    baseline: Annotated[str, Argument(metavar="BASELINE", help="The baseline's run.")],
    run: Annotated[str, Argument(metavar="RUN", help="The other run.")],
    measure: Annotated[str, Argument(metavar="MEASURE", help="The measure.")],
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """List the units in which two runs differ, the largest difference first."""
    comparison = open_store(folder).compare(baseline, run, measure, collection=collection)
    rows = comparison.differences().filter(pl.col("difference") != 0).sort(pl.col("difference").abs(), descending=True)
    deliver(rows, format, output)


@command(epilog=examples("sql"))
def sql(
    query: Annotated[str, Argument(metavar="QUERY", help="One query in DuckDB's SQL.")],
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Print the result of a query over the tables of the store; it cannot change anything."""
    deliver(open_store(folder).sql(query), format, output)


@command(epilog=examples("findings"))
def findings(
    name: Annotated[str | None, Argument(metavar="NAME", help="Results of this name.")] = None,
    measure: Annotated[
        str | None, Option("-m", "--measure", metavar="TEXT", help="Only results of this measure, metric or parameter.")
    ] = None,
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """List the results of experiments, interleaving tests, click models and the like, the oldest first."""
    rows = open_store(folder).findings(name, measure=measure, collection=collection).collect()
    if format is None and output is None:
        rows = rows.select(*(c for c in SHOWN if c == "made_at" or rows[c].count()), "status")
    deliver(rows.with_columns(seconds()), format, output)


@command(epilog=examples("report"))
def report(
    title: Annotated[str | None, Option("--title", metavar="TEXT", help="The title of the page.")] = None,
    output: Annotated[str, Option("-o", "--output", metavar="FILE", help=REPORT_OUTPUT)] = "report.html",
    interactive: Annotated[bool, Option("--interactive", help=INTERACTIVE)] = False,
    page: BuiltPage = None,
    folder: Folder = "results",
) -> None:
    """Write the store as one page: leaderboard, history, runs and evaluations."""
    from ireval_frames.reporting import report as write_report

    with working("reporting"):
        line = ["ireval", "store", "report", "--store", folder, *(["--interactive"] if interactive else [])]
        command = shlex.join(line)
        path = write_report(
            open_store(folder), output, title=title, command=command, interactive=interactive, page=page
        )
    if path.is_dir():
        say_how_to_open(path)


@command(epilog=examples("page"))
def page(
    results: Annotated[
        str | None, Argument(metavar="RESULTS", help="The folder of the store; by default that of --store.")
    ] = None,
    output: Annotated[str, Option("-o", "--output", metavar="FOLDER", help="The folder of the page.")] = "page",
    title: Annotated[str | None, Option("--title", metavar="TEXT", help="The title of the page.")] = None,
    page: BuiltPage = None,
    folder: Folder = "results",
) -> None:
    """Write the store as a page for the browser, in which its tables can be queried in SQL: a folder to host."""
    if results is not None and not Path(results).exists() and Path(folder).exists():
        raise FileError(f"There is no store in {results}.", f"To write the page there: ireval store page -o {results}")
    with working("writing"):
        written = open_store(results or folder).page(output, title=title, page=page)
    say_how_to_open(written)


@command(epilog=examples("export"))
def export(
    path: Annotated[str, Argument(metavar="FILE", help="A new DuckDB file, or values as .csv, .tsv, .parquet …")],
    collection: Collection = None,
    folder: Folder = "results",
) -> None:
    """Write the store as one DuckDB file, or the last values of every run as a table."""
    with working("writing"):
        open_store(folder).export(path, collection=collection)
