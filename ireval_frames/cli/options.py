"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from ireval_frames.cli.output import Format
from ireval_frames.errors import InvalidParameter

Arguments = Annotated[list[str] | None, typer.Argument(metavar="[MEASURES]", help="Measures.")]
Measures = Annotated[
    list[str] | None, typer.Option("-m", "--measure", metavar="TEXT", help="Measures, one or several; repeatable.")
]
Label = Annotated[str | None, typer.Option("--label", metavar="COLUMN", help="The column of labels.")]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="The column of weights, or of counts.")]
Item = Annotated[str | None, typer.Option("--item", metavar="COLUMN", help="The column of ids.")]
Unit = Annotated[
    list[str] | None, typer.Option("--unit", metavar="COLUMN", help="Evaluate groups by this column and average.")
]
By = Annotated[list[str] | None, typer.Option("--by", metavar="COLUMN", help="Group by this column; repeatable.")]
PerUnit = Annotated[bool, typer.Option("--per-unit", "-q", help="A value for every unit.")]
PolicyText = Annotated[
    str | None, typer.Option("--policy", metavar="TEXT", help="A preset and field=value pairs, comma-separated.")
]
OutputFormat = Annotated[
    Format | None, typer.Option("--format", "-f", help="How to write the result; by default as -o's name tells.")
]
OutputFile = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
]


def no_trec(shape: Format) -> Format:
    """Refuse trec_eval's columns.

    Raises:
        InvalidParameter: they are asked for.
    """
    if shape is Format.trec:
        raise InvalidParameter("trec_eval's columns are those of rankings.", "Write --format csv")
    return shape


def at_most_one(**asked: bool) -> None:
    """Refuse results of which each stands for itself.

    Raises:
        InvalidParameter: two are asked for.
    """
    if sum(asked.values()) > 1:
        names = [f"--{name.replace('_', '-')}" for name in asked]
        raise InvalidParameter(
            f"{', '.join(names[:-1])} and {names[-1]} are results of their own.", "Ask for one of them."
        )
