"""What the commands of `ireval store` have in common."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import polars as pl

from ireval_frames.cli.options.command import Argument, Option
from ireval_frames.cli.options.common import OutputFile, OutputFormat, key_values, no_trec
from ireval_frames.cli.output.tables import chosen, deliver_table

if TYPE_CHECKING:
    from ireval_frames.store import Store


Folder = Annotated[str, Option("--store", metavar="FOLDER", envvar="IREVAL_STORE", help="The folder of the store.")]
Runs = Annotated[list[str] | None, Option("--run", metavar="NAME", help="Of this run; repeatable.")]
Tags = Annotated[list[str] | None, Option("--set", metavar="NAME=VALUE", help="A tag, such as k1=1.2; repeatable.")]
Evaluation = Annotated[str, Argument(metavar="ID", help="An evaluation: its id, the beginning of it, or a tag.")]


def opened(folder: str, *, create: bool = False) -> Store:
    """The store in a folder; made if it is not there, where that is asked for."""
    from ireval_frames.store import Store

    return Store(folder, create=create)


def delivered(table: pl.DataFrame, shape: OutputFormat, output: OutputFile) -> None:
    """Write a table."""
    deliver_table(table, no_trec(chosen(shape, output)), output)


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


def seconds() -> pl.Expr:
    """The column of times, to the second."""
    return pl.col("made_at").dt.strftime("%Y-%m-%d %H:%M:%S")
