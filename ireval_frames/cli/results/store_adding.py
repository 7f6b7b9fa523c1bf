"""`ireval store add`, `import`, `merge` and `keep`: what writes into a store."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Any

import click
import polars as pl

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, Qrels
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import captured_results, working
from ireval_frames.cli.results.store_options import CollectionName, Folder, Tags, Who, examples, open_store, parse_tags
from ireval_frames.errors import InvalidParameter


@command(epilog=examples("add"))
def add(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files or patterns.")],
    measures: Measures = None,
    collection: CollectionName = "",
    set_: Tags = None,
    by: By = None,
    who: Who = False,
    keep: Annotated[bool, Option("--keep", help="Also store the judgments and the runs themselves.")] = False,
    folder: Folder = "results",
    *,
    reading: RankingOptions,
) -> None:
    """Evaluate runs, store the evaluation, and print its id."""
    from ireval_frames.ranking import Rankings

    runs, parsed = runs_and_measures(arguments, measures or ())
    with working("evaluating"):
        store = open_store(folder, create=True)
        # Paths stay paths, so that the headers of their files are stored.
        judgments, rankings = reading.tables(qrels, runs, columns=reading.columns, stores=reading.stores)
        options = {**reading.arguments(), **({"columns": None} if reading.specified else {})}
        subject = Rankings(judgments, rankings, queries=reading.queries, by=by or (), **options)
        command = shlex.join(["ireval", *sys.argv[1:]])
        evaluation = subject.evaluate(parsed)
        added = store.add(evaluation, collection=collection, tags=parse_tags(set_), who=who, command=command)
        if keep:
            store.keep(evaluation)
    click.echo(added)


@command("import", epilog=examples("import"))
def import_(
    sources: Annotated[
        list[str],
        Argument(metavar="FILE", help="Values per query: of trec_eval -q, ir_measures, ranx, or a table; a store."),
    ],
    run: Annotated[str | None, Option("--run", metavar="NAME", help="The name of the run, of one file.")] = None,
    collection: CollectionName = "",
    set_: Tags = None,
    family: Annotated[str, Option("--family", metavar="NAME", help="The family of the measures.")] = "ranking",
    unit: Annotated[str, Option("--unit", metavar="COLUMN", help="The column of queries.")] = "query_id",
    system: Annotated[str, Option("--system", metavar="COLUMN", help="The column of runs.")] = "run_id",
    measure: Annotated[str, Option("--measure", metavar="COLUMN", help="The column of measures.")] = "measure",
    value: Annotated[str, Option("--value", metavar="COLUMN", help="The column of values.")] = "value",
    by: By = None,
    higher: Annotated[
        list[str] | None,
        Option(
            "--higher-is-better", metavar="MEASURE", help="An unknown measure that is better if higher; repeatable."
        ),
    ] = None,
    lower: Annotated[
        list[str] | None,
        Option("--lower-is-better", metavar="MEASURE", help="An unknown measure that is better if lower; repeatable."),
    ] = None,
    who: Who = False,
    folder: Folder = "results",
) -> None:
    """Store values that other tools computed, and print an id per file."""
    if run is not None and len(sources) > 1:
        raise InvalidParameter(f"--run names one run, and there are {len(sources)} files.", "Import them one by one.")
    from ireval_frames.store.folder.format import is_store

    store = open_store(folder, create=True)
    columns: dict[str, Any] = {"unit": unit, "system": system, "measure": measure, "value": value, "by": by or ()}
    directions: dict[str, Any] = {"higher_is_better": higher or (), "lower_is_better": lower or ()}
    command = shlex.join(["ireval", *sys.argv[1:]])
    occasion: dict[str, Any] = {"collection": collection, "tags": parse_tags(set_), "who": who, "command": command}
    for source in sources:
        if is_store(source):
            click.echo(f"{store.merge(source)} evaluations copied")
        else:
            click.echo(store.import_values(source, run=run, family=family, **columns, **directions, **occasion))


@command(epilog=examples("merge"))
def merge(
    other: Annotated[str, Argument(metavar="FOLDER", help="The other store.")], folder: Folder = "results"
) -> None:
    """Copy what another store has."""
    click.echo(f"{open_store(folder, create=True).merge(other)} evaluations copied")


@command(epilog=examples("keep"), context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def keep(
    context: click.Context,
    command: Annotated[list[str], Argument(metavar="VERB …", help="A command of ireval with its arguments.")],
    collection: CollectionName = "",
    set_: Tags = None,
    name: Annotated[str, Option("--name", metavar="NAME", help="A name for the run or result, if it has none.")] = "",
    who: Who = False,
    folder: Folder = "results",
) -> None:
    """Run another command, store its result, and print the id to standard error."""
    line = shlex.join(["ireval", *command])
    occasion: dict[str, Any] = {"collection": collection, "tags": parse_tags(set_), "who": who, "command": line}
    with captured_results() as results:
        code = context.find_root().command.main(command, prog_name="ireval", standalone_mode=False)
    if code:
        raise click.exceptions.Exit(code)
    if not results:
        raise InvalidParameter(
            f"ireval {command[0]} has no result to store.", "Keep labels, clusters, compare, experiment, clicks …"
        )
    store = open_store(folder, create=True)
    for result in results:
        added = store.add(result, **occasion, **_name_of(result, name, command[0]))
        click.echo(f"kept {added} in {folder}", err=True)


def _name_of(result: Any, name: str, verb: str) -> dict[str, Any]:
    """The argument that names a result: the run of an evaluation, else the name, which tables always have."""
    from ireval_frames.evaluation.evaluation import Evaluation

    if isinstance(result, Evaluation):
        return {"run": name} if name else {}
    return {"name": name or (verb if isinstance(result, pl.DataFrame) else "")}
