"""How results are written that are tables to read: on a terminal, in papers and pages, or in full."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path

from ireval_frames.cli.output.tables import Format, chosen, write_bytes
from ireval_frames.comparison.text.tables import Tables
from ireval_frames.errors import InvalidParameter


class Shape(StrEnum):
    """How such a result is written."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"
    markdown = "markdown"
    latex = "latex"
    html = "html"


_SUFFIXES = {".md": Shape.markdown, ".tex": Shape.latex, ".html": Shape.html, ".htm": Shape.html}


def shape_of(format: Shape | None, output: str | None) -> Shape:
    """The format asked for, else the one that the file's name tells."""
    suffix = Path(output).suffix.lower() if output else ""
    if format is None and suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if format is not None and format.value not in set(Format):
        return format
    return Shape(chosen(None if format is None else Format(format.value), output).value)


def written_so(shape: Shape, **asked: bool) -> None:
    """Refuse formats that a result of its own is not written in.

    Raises:
        InvalidParameter: it is asked for in one of them.
    """
    name = next((name for name, wanted in asked.items() if wanted), None)
    known = (Shape.table,) if name == "explain" else (Shape.table, Shape.csv, Shape.json, Shape.parquet)
    if name is not None and shape not in known:
        allowed = ", ".join(known)
        raise InvalidParameter(f"--{name} is not written as {shape.value}.", f"Allowed: {allowed}.")


def deliver_written(made: Tables, shape: Shape, output: str | None) -> None:
    """Write the tables, on a terminal with its colours."""
    if shape is Shape.table and output in (None, "-") and sys.stdout.isatty():
        # Rich takes long to load.
        from ireval_frames.cli.output.terminal import show

        show(made)
    else:
        write_bytes(_text(made, shape).encode(), output)


def _text(made: Tables, shape: Shape) -> str:
    from ireval_frames.comparison.text import papers, tables

    match shape:
        case Shape.markdown:
            return papers.markdown(made)
        case Shape.latex:
            return papers.latex(made)
        case Shape.html:
            return papers.html(made)
        case _:
            return tables.text(made) + "\n"
