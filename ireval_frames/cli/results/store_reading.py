"""`ireval store list`, `show`, `history`, `leaderboard`, `diff`, `sql`, `findings`, `report` and `export`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import click
import polars as pl

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Collection, Measures, OutputFile, OutputFormat
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import chosen, deliver_table
from ireval_frames.cli.results.store_examples import of
from ireval_frames.cli.results.store_options import Evaluation, Folder, Runs, delivered, opened, seconds
from ireval_frames.errors import listed

if TYPE_CHECKING:
    pass


# What is told of a result besides its whole rows.
SHOWN = ("made_at", "kind", "name", "measure", "run_id", "baseline", "n", "value", "difference", "ci_low", "ci_high")


@command("list", epilog=of("list"))
def list_(
    collection: Collection = None, folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None
) -> None:
    """The runs that are kept, with their evaluations."""
    rows = opened(folder).runs(collection).collect()
    rows = rows.drop("source") if rows["source"].is_null().all() else rows
    own = [c for c in ("source",) if c in rows.columns]
    shown = rows.select("collection", "run_id", "made_at", "evaluation_id", "digest", *own, "tags")
    delivered(shown.with_columns(seconds(), pl.col("digest").str.head(12)), format, output)


@command(epilog=of("show"))
def show(
    evaluation: Evaluation, folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None
) -> None:
    """An evaluation: its values, and what it was made of."""
    kept = opened(folder)
    of = pl.col("evaluation_id") == kept.find(evaluation)
    if format is None and output is None:
        row = kept.evaluations().filter(of).collect().row(0, named=True)
        rows = [[name, str(value)] for name, value in row.items()]
        inputs = kept.table("inputs").filter(of).collect().to_dicts()
        rows += [[i["name"], f"{i['n_rows']} rows, {i['digest_kind']} {i['digest'][:16]}"] for i in inputs]
        deliver_table(pl.DataFrame(rows, schema=["what", "is"], orient="row"), chosen(None, None), None)
    summary = kept.table("summaries").filter(of).collect().drop("evaluation_id")
    delivered(summary, format, output)


@command(epilog=of("history"))
def history(
    measure: Annotated[str, Argument(metavar="MEASURE", help="The measure.")],
    run: Runs = None,
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The value of a measure on every occasion, the oldest first."""
    rows = opened(folder).history(measure, run=run, collection=collection).collect()
    delivered(rows.drop("groups" if (rows["groups"] == "{}").all() else []).with_columns(seconds()), format, output)


@command(epilog=of("leaderboard"))
def leaderboard(
    collection: Collection = None,
    measures: Measures = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The last values of all runs, the best first."""
    rows = opened(folder).leaderboard(collection, measures).collect()
    apart = rows["differs"].drop_nulls()
    delivered(rows.drop("tags", *([] if apart.len() else ["differs"])).with_columns(seconds()), format, output)
    if apart.len():
        why = listed(apart.unique().sort())
        click.echo(f"{apart.len()} of {rows.height} rows are ranked apart; they differ in: {why}", err=True)


@command(epilog=of("diff"))
def diff(
    baseline: Annotated[str, Argument(metavar="BASELINE", help="The run compared with.")],
    run: Annotated[str, Argument(metavar="RUN", help="The other one.")],
    measure: Annotated[str, Argument(metavar="MEASURE", help="The measure.")],
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The units in which two runs differ, the largest difference first."""
    compared = opened(folder).compare(baseline, run, measure, collection=collection)
    rows = compared.differences().filter(pl.col("difference") != 0).sort(pl.col("difference").abs(), descending=True)
    delivered(rows, format, output)


@command(epilog=of("sql"))
def sql(
    query: Annotated[str, Argument(metavar="QUERY", help="One query in DuckDB's SQL.")],
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The answer to a query over the tables of the store; it can change nothing."""
    delivered(opened(folder).sql(query), format, output)


@command(epilog=of("findings"))
def findings(
    name: Annotated[str | None, Argument(metavar="NAME", help="What was kept under this name.")] = None,
    measure: Annotated[
        str | None, Option("-m", "--measure", metavar="TEXT", help="Of this measure, metric or parameter.")
    ] = None,
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """What experiments, interleaving tests, click models and the like found, the oldest first."""
    rows = opened(folder).findings(name, measure=measure, collection=collection).collect()
    if format is None and output is None:
        rows = rows.select(*(c for c in SHOWN if c == "made_at" or rows[c].count()), "status")
    delivered(rows.with_columns(seconds()), format, output)


@command(epilog=of("report"))
def report(
    title: Annotated[str | None, Option("--title", metavar="TEXT", help="Of the page.")] = None,
    output: Annotated[str, Option("-o", "--output", metavar="FILE", help="The page: x.html.")] = "report.html",
    folder: Folder = "results",
) -> None:
    """Write the store as one page: leaderboard, history, runs and evaluations."""
    from ireval_frames.reporting import report as written

    with working("reporting"):
        given = ["ireval", "store", "report", "--store", folder]
        written(opened(folder), output, title=title, command=shlex.join(given))


@command(epilog=of("export"))
def export(
    path: Annotated[
        str, Argument(metavar="FILE", help="What to make: a DuckDB file, or values as .csv, .tsv, .parquet …")
    ],
    collection: Collection = None,
    folder: Folder = "results",
) -> None:
    """Write all into one DuckDB file, or the last values of every run into a table."""
    with working("writing"):
        opened(folder).export(path, collection=collection)
