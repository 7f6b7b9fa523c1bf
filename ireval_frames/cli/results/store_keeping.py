"""`ireval store keep` and `findings`: what other commands find, kept and asked again."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import polars as pl
import typer

from ireval_frames.cli.options.common import Collection, OutputFile, OutputFormat
from ireval_frames.cli.output.capture import listening
from ireval_frames.cli.results.store import Folder, Tags, delivered, opened, seconds, store, tags_of
from ireval_frames.cli.results.store_examples import of
from ireval_frames.errors import InvalidParameter

# What is told of a result besides its whole rows.
SHOWN = ("made_at", "kind", "name", "measure", "run_id", "baseline", "n", "value", "difference", "ci_low", "ci_high")


@store.command(epilog=of("keep"), context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def keep(
    context: typer.Context,
    command: Annotated[list[str], typer.Argument(metavar="VERB …", help="A command of ireval with its arguments.")],
    collection: Annotated[str, typer.Option("--collection", metavar="NAME", help="What was searched.")] = "",
    set_: Tags = None,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Of the run or result, if it has none.")] = "",
    who: Annotated[bool, typer.Option("--who", help="Keep the names of the machine and of the user.")] = False,
    folder: Folder = "results",
) -> None:
    """Run another command, keep what it finds, and print its ids beside the output."""
    said: dict[str, Any] = {"collection": collection, "tags": tags_of(set_), "who": who}
    said["command"] = shlex.join(["ireval", *command])
    with listening() as told:
        code = context.find_root().command.main(command, prog_name="ireval", standalone_mode=False)
    if code:
        raise typer.Exit(code)
    if not told:
        raise InvalidParameter(
            f"ireval {command[0]} finds nothing that is kept.", "Keep labels, clusters, compare, experiment, clicks …"
        )
    kept = opened(folder, create=True)
    for result in told:
        typer.echo(f"kept {kept.add(result, **said, **_named(result, name, command[0]))} in {folder}", err=True)


def _named(result: Any, name: str, verb: str) -> dict[str, Any]:
    """What a result is called: its run where it is an evaluation without any, else its name; a table has one always."""
    from ireval_frames.evaluation import Evaluation

    if isinstance(result, Evaluation):
        return {"run": name} if name else {}
    return {"name": name or (verb if isinstance(result, pl.DataFrame) else "")}


@store.command(epilog=of("findings"))
def findings(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="What was kept under this name.")] = None,
    measure: Annotated[
        str | None, typer.Option("-m", "--measure", metavar="TEXT", help="Of this measure, metric or parameter.")
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
