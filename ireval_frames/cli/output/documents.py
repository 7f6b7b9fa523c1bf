"""Writing tables with titles and notes: on a terminal, in papers and pages, or as data."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ireval_frames.cli.output.tables import Format, format_of, write_bytes
from ireval_frames.comparison.text.tables import Block, Cell, Tables, padded
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


class Shape(StrEnum):
    """The format of such tables."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"
    markdown = "markdown"
    latex = "latex"
    html = "html"


_SUFFIXES = {".md": Shape.markdown, ".tex": Shape.latex, ".html": Shape.html, ".htm": Shape.html}


def shape_of(format: Shape | None, output: str | None) -> Shape:
    """The requested format, else that of the file's name."""
    suffix = Path(output).suffix.lower() if output else ""
    if format is None and suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if format is not None and format.value not in set(Format):
        return format
    return Shape(format_of(None if format is None else Format(format.value), output).value)


def check_shape(shape: Shape, **requested: bool) -> None:
    """Refuse formats in which the requested table is not written.

    Raises:
        InvalidParameter: it is requested in one of them.
    """
    name = next((name for name, is_requested in requested.items() if is_requested), None)
    known = (Shape.table,) if name == "explain" else (Shape.table, Shape.csv, Shape.json, Shape.parquet)
    if name is not None and shape not in known:
        allowed = ", ".join(known)
        raise InvalidParameter(f"--{name} is not written as {shape.value}.", f"Allowed: {allowed}.")


def deliver_tables(tables: Tables, shape: Shape, output: str | None) -> None:
    """Write the tables, on a terminal with its styles."""
    if shape is Shape.table and output in (None, "-") and sys.stdout.isatty():
        show(tables)
    else:
        write_bytes(_text(tables, shape).encode(), output)


def _text(tables: Tables, shape: Shape) -> str:
    from ireval_frames.comparison.text import papers
    from ireval_frames.comparison.text.tables import text

    match shape:
        case Shape.markdown:
            return papers.markdown(tables)
        case Shape.latex:
            return papers.latex(tables)
        case Shape.html:
            return papers.html(tables)
        case _:
            return text(tables) + "\n"


GAP = 2
# The columns that are left out first on a narrow terminal.
DISPENSABLE = ("effect", "wins/ties/losses", "p", "n")


def show(tables: Tables, console: Console | None = None) -> None:
    """Print the tables; of details that do not fit columns are left out, and the overview continues below itself."""
    # Rich takes long to load.
    from rich.console import Console

    terminal = console or Console()
    omitted: dict[str, None] = {}
    for block in _parts(tables.overview, terminal.width):
        terminal.print(_ruled(block))
    for block in tables.details:
        part = _fitting(block, terminal.width)
        omitted |= dict.fromkeys(name for name in block.header if name not in part.header)
        terminal.print(_ruled(part))
    more = f"Too narrow for: {', '.join(omitted)}; --format csv has all."
    for note in (*tables.notes, *([more] if omitted else [])):
        terminal.print(note, markup=False, highlight=False)


def _fitting(block: Block, width: int) -> Block:
    """The block without the dispensable columns that do not fit."""
    for name in DISPENSABLE:
        if _width(block) <= width:
            break
        block = _select(block, [i for i, head in enumerate(block.header) if head != name or i < block.words])
    return block


def _parts(block: Block, width: int) -> list[Block]:
    """The block in parts that fit, each with the columns of words and some columns of numbers."""
    words, parts = list(range(block.words)), []
    columns = words
    for i in range(block.words, len(block.header)):
        if len(columns) > len(words) and _width(_select(block, [*columns, i])) > width:
            parts.append(_select(block, columns))
            columns = words
        columns = [*columns, i]
    return [*parts, _select(block, columns)]


def _select(block: Block, columns: Sequence[int]) -> Block:
    header = tuple(block.header[i] for i in columns)
    return dataclasses.replace(block, header=header, rows=tuple(tuple(row[i] for i in columns) for row in block.rows))


def _width(block: Block) -> int:
    columns = list(zip(*padded(block), strict=True))
    return sum(max(map(len, column)) for column in columns) + GAP * len(columns)


def _ruled(block: Block) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=Text(block.title), title_justify="left"
    )
    header, *rows = padded(block)
    for i, name in enumerate(header):
        is_word = i < block.words
        table.add_column(Text(name), justify="left" if is_word else "right", no_wrap=not is_word, overflow="fold")
    for texts, cells in zip(rows, block.rows, strict=True):
        table.add_row(*(Text(t, style=_style(c)) for t, c in zip(texts, cells, strict=True)))
    return table


def _style(cell: Cell) -> str:
    return "bold" if cell.best else "underline" if cell.second else ""
