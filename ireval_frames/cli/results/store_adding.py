"""`ireval store add`, `import`, `merge` and `keep`: what is put into a store."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import click
import polars as pl

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, Qrels
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.results.store_examples import of
from ireval_frames.cli.results.store_options import Folder, Tags, opened, tags_of
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    pass

from ireval_frames.cli.output.capture import listening


@command(epilog=of("add"))
def add(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files or patterns.")],
    measures: Measures = None,
    collection: Annotated[str, Option("--collection", metavar="NAME", help="What was searched.")] = "",
    set_: Tags = None,
    by: By = None,
    who: Annotated[bool, Option("--who", help="Keep the names of the machine and of the user.")] = False,
    keep: Annotated[bool, Option("--keep", help="Keep the judgments and the runs themselves, too.")] = False,
    folder: Folder = "results",
    *,
    reading: RankingOptions,
) -> None:
    """Evaluate runs, keep the evaluation, and print its id."""
    from ireval_frames.ranking import Rankings

    runs, asked = runs_and_measures(arguments, measures or ())
    with working("evaluating"):
        kept = opened(folder, create=True)
        # Paths as they are: what their files say of themselves is kept.
        judged, ranked = reading.tables(qrels, runs, columns=reading.columns, stores=reading.stores)
        options = {**reading.arguments(), **({"columns": None} if reading.given else {})}
        subject = Rankings(judged, ranked, queries=reading.queries, by=by or (), **options)
        command = shlex.join(["ireval", *sys.argv[1:]])
        ev = subject.evaluate(asked)
        made = kept.add(ev, collection=collection, tags=tags_of(set_), who=who, command=command)
        if keep:
            kept.keep(ev)
    click.echo(made)


@command("import", epilog=of("import"))
def import_(
    sources: Annotated[
        list[str],
        Argument(metavar="FILE", help="Values per query: of trec_eval -q, ir_measures, ranx, or a table; a store."),
    ],
    run: Annotated[str | None, Option("--run", metavar="NAME", help="The name of the run, of one file.")] = None,
    collection: Annotated[str, Option("--collection", metavar="NAME", help="What was searched.")] = "",
    set_: Tags = None,
    family: Annotated[str, Option("--family", metavar="NAME", help="That of the measures.")] = "ranking",
    unit: Annotated[str, Option("--unit", metavar="COLUMN", help="The column of queries.")] = "query_id",
    system: Annotated[str, Option("--system", metavar="COLUMN", help="The column of runs.")] = "run_id",
    measure: Annotated[str, Option("--measure", metavar="COLUMN", help="That of measures.")] = "measure",
    value: Annotated[str, Option("--value", metavar="COLUMN", help="That of values.")] = "value",
    by: By = None,
    higher: Annotated[
        list[str] | None, Option("--higher-is-better", metavar="MEASURE", help="Of an unknown measure.")
    ] = None,
    lower: Annotated[
        list[str] | None, Option("--lower-is-better", metavar="MEASURE", help="Of an unknown measure.")
    ] = None,
    who: Annotated[bool, Option("--who", help="Keep the names of the machine and of the user.")] = False,
    folder: Folder = "results",
) -> None:
    """Keep values that other tools computed, and print an id per file."""
    if run is not None and len(sources) > 1:
        raise InvalidParameter(f"--run names one run, and there are {len(sources)} files.", "Import them one by one.")
    from ireval_frames.store.folder.format import is_store

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
            click.echo(f"{kept.merge(source)} evaluations taken over")
        else:
            click.echo(kept.import_values(source, run=run, family=family, **columns, **better, **said))


@command(epilog=of("merge"))
def merge(
    other: Annotated[str, Argument(metavar="FOLDER", help="The other store.")], folder: Folder = "results"
) -> None:
    """Take over what another store has."""
    click.echo(f"{opened(folder, create=True).merge(other)} evaluations taken over")


@command(epilog=of("keep"), context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def keep(
    context: click.Context,
    command: Annotated[list[str], Argument(metavar="VERB …", help="A command of ireval with its arguments.")],
    collection: Annotated[str, Option("--collection", metavar="NAME", help="What was searched.")] = "",
    set_: Tags = None,
    name: Annotated[str, Option("--name", metavar="NAME", help="Of the run or result, if it has none.")] = "",
    who: Annotated[bool, Option("--who", help="Keep the names of the machine and of the user.")] = False,
    folder: Folder = "results",
) -> None:
    """Run another command, keep what it finds, and print its ids beside the output."""
    said: dict[str, Any] = {"collection": collection, "tags": tags_of(set_), "who": who}
    said["command"] = shlex.join(["ireval", *command])
    with listening() as told:
        code = context.find_root().command.main(command, prog_name="ireval", standalone_mode=False)
    if code:
        raise click.exceptions.Exit(code)
    if not told:
        raise InvalidParameter(
            f"ireval {command[0]} finds nothing that is kept.", "Keep labels, clusters, compare, experiment, clicks …"
        )
    kept = opened(folder, create=True)
    for result in told:
        click.echo(f"kept {kept.add(result, **said, **_named(result, name, command[0]))} in {folder}", err=True)


def _named(result: Any, name: str, verb: str) -> dict[str, Any]:
    """What a result is called: its run where it is an evaluation without any, else its name; a table has one always."""
    from ireval_frames.evaluation.evaluation import Evaluation

    if isinstance(result, Evaluation):
        return {"run": name} if name else {}
    return {"name": name or (verb if isinstance(result, pl.DataFrame) else "")}
