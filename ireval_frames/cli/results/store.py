"""`ireval store`: evaluations kept in a folder, and asked again."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl
import typer

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.bundles import spread
from ireval_frames.cli.options.common import (
    By,
    Collection,
    Columns,
    EngineName,
    Measures,
    OutputFile,
    OutputFormat,
    PolicyText,
    Qrels,
    Queries,
    StorageOptions,
    key_values,
    mapping,
    no_trec,
    storage,
)
from ireval_frames.cli.options.reading import Reading
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import chosen, deliver_table
from ireval_frames.cli.results.store_examples import EXAMPLES, of
from ireval_frames.errors import InvalidParameter, listed
from ireval_frames.store.folder import is_store

if TYPE_CHECKING:
    from ireval_frames.store import Store

Folder = Annotated[
    str, typer.Option("--store", metavar="FOLDER", envvar="IREVAL_STORE", help="The folder of the store.")
]
Runs = Annotated[list[str] | None, typer.Option("--run", metavar="NAME", help="Of this run; repeatable.")]
Tags = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A tag, such as k1=1.2; repeatable.")
]
Evaluation = Annotated[str, typer.Argument(metavar="ID", help="An evaluation: its id, the beginning of it, or a tag.")]

store = typer.Typer(help="Keep evaluations in a folder, and ask it.", epilog=EXAMPLES, no_args_is_help=True)


def opened(folder: str, *, create: bool = False) -> Store:
    """The store in a folder; made if it is not there, where that is asked for."""
    from ireval_frames.store import Store

    return Store(folder, create=create)


def delivered(table: pl.DataFrame, shape: OutputFormat, output: OutputFile) -> None:
    """Write a table."""
    deliver_table(table, no_trec(chosen(shape, output)), output)


@store.command(epilog=of("add"))
@spread
def add(
    qrels: Qrels,
    arguments: Annotated[list[str], typer.Argument(metavar="RUN", help="Runs: files or patterns.")],
    measures: Measures = None,
    collection: Annotated[str, typer.Option("--collection", metavar="NAME", help="What was searched.")] = "",
    set_: Tags = None,
    queries: Queries = None,
    by: By = None,
    column: Columns = None,
    policy: PolicyText = None,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    who: Annotated[bool, typer.Option("--who", help="Keep the names of the machine and of the user.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the judgments and the runs themselves, too.")] = False,
    folder: Folder = "results",
    *,
    reading: Reading,
) -> None:
    """Evaluate runs, keep the evaluation, and print its id."""
    from ireval_frames.ranking import Rankings

    runs, asked = runs_and_measures(arguments, measures or ())
    with working("evaluating"):
        kept = opened(folder, create=True)
        # Paths as they are: what their files say of themselves is kept.
        named, stores = mapping(column), storage(storage_option)
        judged, ranked = reading.tables(qrels, runs, columns=named, stores=stores)
        subject = Rankings(
            judged, ranked, queries=queries, by=by or (), columns=None if reading.given else named, policy=policy,
            engine=engine, storage_options=stores,
        )  # fmt: skip
        command = shlex.join(["ireval", *sys.argv[1:]])
        ev = subject.evaluate(asked)
        made = kept.add(ev, collection=collection, tags=tags_of(set_), who=who, command=command)
        if keep:
            kept.keep(ev)
    typer.echo(made)


def tags_of(given: list[str] | None) -> dict[str, str | int | float | bool]:
    """The tags of --set, numbers as such."""
    return {name: _plain(value) for name, value in key_values(given, "--set", "NAME=VALUE", "k1=1.2").items()}


def _plain(text: str) -> str | int | float | bool:
    """A number, true or false where the text is one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int | float) else text


@store.command("list", epilog=of("list"))
def list_(
    collection: Collection = None, folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None
) -> None:
    """The runs that are kept, with their evaluations."""
    rows = opened(folder).runs(collection).collect()
    rows = rows.drop("source") if rows["source"].is_null().all() else rows
    own = [c for c in ("source",) if c in rows.columns]
    shown = rows.select("collection", "run_id", "made_at", "evaluation_id", "digest", *own, "tags")
    delivered(shown.with_columns(seconds(), pl.col("digest").str.head(12)), format, output)


def seconds() -> pl.Expr:
    """The column of times, to the second."""
    return pl.col("made_at").dt.strftime("%Y-%m-%d %H:%M:%S")


@store.command(epilog=of("show"))
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


@store.command(epilog=of("history"))
def history(
    measure: Annotated[str, typer.Argument(metavar="MEASURE", help="The measure.")],
    run: Runs = None,
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The value of a measure on every occasion, the oldest first."""
    rows = opened(folder).history(measure, run=run, collection=collection).collect()
    delivered(rows.drop("groups" if (rows["groups"] == "{}").all() else []).with_columns(seconds()), format, output)


@store.command(epilog=of("leaderboard"))
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
        typer.echo(f"{apart.len()} of {rows.height} rows are ranked apart; they differ in: {why}", err=True)


@store.command(epilog=of("diff"))
def diff(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="The run compared with.")],
    run: Annotated[str, typer.Argument(metavar="RUN", help="The other one.")],
    measure: Annotated[str, typer.Argument(metavar="MEASURE", help="The measure.")],
    collection: Collection = None,
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The units in which two runs differ, the largest difference first."""
    compared = opened(folder).compare(baseline, run, measure, collection=collection)
    rows = compared.differences().filter(pl.col("difference") != 0).sort(pl.col("difference").abs(), descending=True)
    delivered(rows, format, output)


@store.command(epilog=of("sql"))
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One query in DuckDB's SQL.")],
    folder: Folder = "results",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """The answer to a query over the tables of the store; it can change nothing."""
    delivered(opened(folder).sql(query), format, output)


@store.command(epilog=of("report"))
def report(
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Of the page.")] = None,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The page: x.html.")] = "report.html",
    folder: Folder = "results",
) -> None:
    """Write the store as one page: leaderboard, history, runs and evaluations."""
    from ireval_frames.reporting import report as written

    with working("reporting"):
        given = ["ireval", "store", "report", "--store", folder]
        written(opened(folder), output, title=title, command=shlex.join(given))


@store.command("import", epilog=of("import"))
def import_(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Values per query: of trec_eval -q, ir_measures, ranx, or a table; a store."
        ),
    ],
    run: Annotated[str | None, typer.Option("--run", metavar="NAME", help="The name of the run, of one file.")] = None,
    collection: Annotated[str, typer.Option("--collection", metavar="NAME", help="What was searched.")] = "",
    set_: Tags = None,
    family: Annotated[str, typer.Option("--family", metavar="NAME", help="That of the measures.")] = "ranking",
    unit: Annotated[str, typer.Option("--unit", metavar="COLUMN", help="The column of queries.")] = "query_id",
    system: Annotated[str, typer.Option("--system", metavar="COLUMN", help="The column of runs.")] = "run_id",
    measure: Annotated[str, typer.Option("--measure", metavar="COLUMN", help="That of measures.")] = "measure",
    value: Annotated[str, typer.Option("--value", metavar="COLUMN", help="That of values.")] = "value",
    by: By = None,
    higher: Annotated[
        list[str] | None, typer.Option("--higher-is-better", metavar="MEASURE", help="Of an unknown measure.")
    ] = None,
    lower: Annotated[
        list[str] | None, typer.Option("--lower-is-better", metavar="MEASURE", help="Of an unknown measure.")
    ] = None,
    who: Annotated[bool, typer.Option("--who", help="Keep the names of the machine and of the user.")] = False,
    folder: Folder = "results",
) -> None:
    """Keep values that other tools computed, and print an id per file."""
    if run is not None and len(sources) > 1:
        raise InvalidParameter(f"--run names one run, and there are {len(sources)} files.", "Import them one by one.")
    kept = opened(folder, create=True)
    columns: dict[str, Any] = {"unit": unit, "system": system, "measure": measure, "value": value, "by": by or ()}
    better: dict[str, Any] = {"higher_is_better": higher or (), "lower_is_better": lower or ()}
    said: dict[str, Any] = {
        "collection": collection,
        "tags": tags_of(set_),
        "who": who,
        "command": shlex.join(["ireval", *sys.argv[1:]]),
    }
    for source in sources:
        if is_store(source):
            typer.echo(f"{kept.merge(source)} evaluations taken over")
        else:
            typer.echo(kept.import_values(source, run=run, family=family, **columns, **better, **said))


@store.command(epilog=of("export"))
def export(
    path: Annotated[
        str, typer.Argument(metavar="FILE", help="What to make: a DuckDB file, or values as .csv, .tsv, .parquet …")
    ],
    collection: Collection = None,
    folder: Folder = "results",
) -> None:
    """Write all into one DuckDB file, or the last values of every run into a table."""
    with working("writing"):
        opened(folder).export(path, collection=collection)


@store.command(epilog=of("merge"))
def merge(
    other: Annotated[str, typer.Argument(metavar="FOLDER", help="The other store.")], folder: Folder = "results"
) -> None:
    """Take over what another store has."""
    typer.echo(f"{opened(folder, create=True).merge(other)} evaluations taken over")


@store.command(epilog=of("check"))
def check(folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None) -> None:
    """Read every file, and name those that are damaged or foreign; exit code 1 if there are any."""
    found = opened(folder).check()
    if found.height or format is not None or output is not None:
        delivered(found, format, output)
    if found.height:
        raise typer.Exit(1)


@store.command(epilog=of("compact"))
def compact(folder: Folder = "results") -> None:
    """Put the files of each table into one."""
    typer.echo(f"{opened(folder).compact()} files less")


@store.command(epilog=of("tag"))
def tag(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name, such as main.")],
    evaluation: Evaluation,
    folder: Folder = "results",
) -> None:
    """Give an evaluation a name."""
    opened(folder).tag(name, evaluation)


@store.command(epilog=of("remove"))
def remove(evaluation: Evaluation, folder: Folder = "results") -> None:
    """Remove an evaluation."""
    opened(folder).remove(evaluation)
