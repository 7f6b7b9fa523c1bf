"""`ireval store check`, `compact`, `tag` and `remove`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click

from ireval_frames.cli.options.command import Argument, command
from ireval_frames.cli.options.common import OutputFile, OutputFormat
from ireval_frames.cli.results.store_examples import of
from ireval_frames.cli.results.store_options import Evaluation, Folder, delivered, opened

if TYPE_CHECKING:
    pass


@command(epilog=of("check"))
def check(folder: Folder = "results", format: OutputFormat = None, output: OutputFile = None) -> None:
    """Read every file, and name those that are damaged or foreign; exit code 1 if there are any."""
    found = opened(folder).check()
    if found.height or format is not None or output is not None:
        delivered(found, format, output)
    if found.height:
        raise click.exceptions.Exit(1)


@command(epilog=of("compact"))
def compact(folder: Folder = "results") -> None:
    """Put the files of each table into one."""
    click.echo(f"{opened(folder).compact()} files less")


@command(epilog=of("tag"))
def tag(
    name: Annotated[str, Argument(metavar="NAME", help="The name, such as main.")],
    evaluation: Evaluation,
    folder: Folder = "results",
) -> None:
    """Give an evaluation a name."""
    opened(folder).tag(name, evaluation)


@command(epilog=of("remove"))
def remove(evaluation: Evaluation, folder: Folder = "results") -> None:
    """Remove an evaluation."""
    opened(folder).remove(evaluation)
