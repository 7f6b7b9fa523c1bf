"""`ireval store`: evaluations in a folder; here `check`, `compact`, `tag` and `remove`."""

from __future__ import annotations

from typing import Annotated

import click

from ireval_frames.cli.options.command import Argument, command, group
from ireval_frames.cli.options.common import OutputFile, OutputFormat
from ireval_frames.cli.results import store_adding as adding
from ireval_frames.cli.results import store_reading as reading
from ireval_frames.cli.results.store_options import EXAMPLES, Evaluation, Folder, deliver, examples, open_store


@command(epilog=examples("check"))
def check(folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None) -> None:
    """Read every file, and list those that are damaged or foreign; exit code 1 if there are any."""
    problems = open_store(folder).check()
    if problems.height or format is not None or output is not None:
        deliver(problems, format, output)
    if problems.height:
        raise click.exceptions.Exit(1)


@command(epilog=examples("compact"))
def compact(folder: Folder = "results") -> None:
    """Pack the files of each table into one."""
    click.echo(f"{open_store(folder).compact()} files less")


@command(epilog=examples("tag"))
def tag(
    name: Annotated[str, Argument(metavar="NAME", help="The name, such as main.")],
    evaluation: Evaluation,
    folder: Folder = "results",
) -> None:
    """Give an evaluation a tag."""
    open_store(folder).tag(name, evaluation)


@command(epilog=examples("remove"))
def remove(evaluation: Evaluation, folder: Folder = "results") -> None:
    """Remove an evaluation."""
    open_store(folder).remove(evaluation)


store = group(
    "store",
    "Keep evaluations in a folder, and read them again.",
    EXAMPLES,
    [
        adding.add, reading.list_, reading.show, reading.history, reading.leaderboard, reading.diff, reading.sql,
        reading.report, reading.page, adding.import_, reading.export, adding.merge, check, compact, tag,
        remove, adding.keep, reading.findings,
    ],
)  # fmt: skip
