"""The tables of a comparison on a terminal: the best bold, the second underlined, no number cut off."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ireval_frames.comparison.text.tables import Block, Cell, Tables, padded

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

GAP = 2
# What is left out first where the terminal is narrow.
DISPENSABLE = ("effect", "wins/ties/losses", "p", "n")


def show(made: Tables, console: Console | None = None) -> None:
    """Print the tables; details that do not fit leave out columns, and the overview goes on below itself."""
    from rich.console import Console

    to = console or Console()
    absent: dict[str, None] = {}
    for block in parts(made.overview, to.width):
        to.print(_ruled(block))
    for block in made.details:
        fits = fitting(block, to.width)
        absent |= dict.fromkeys(name for name in block.header if name not in fits.header)
        to.print(_ruled(fits))
    more = f"Too narrow for: {', '.join(absent)}; --format csv has all."
    for note in (*made.notes, *([more] if absent else [])):
        to.print(note, markup=False, highlight=False)


def fitting(block: Block, width: int) -> Block:
    """The block without as many columns as it takes to fit, the dispensable ones."""
    for name in DISPENSABLE:
        if _width(block) <= width:
            break
        block = _chosen(block, [i for i, head in enumerate(block.header) if head != name or i < block.words])
    return block


def parts(block: Block, width: int) -> list[Block]:
    """The block with some of its columns of numbers at a time, and the words before each."""
    words, out = list(range(block.words)), []
    columns = words
    for i in range(block.words, len(block.header)):
        if len(columns) > len(words) and _width(_chosen(block, [*columns, i])) > width:
            out.append(_chosen(block, columns))
            columns = words
        columns = [*columns, i]
    return [*out, _chosen(block, columns)]


def _chosen(block: Block, columns: Sequence[int]) -> Block:
    header = tuple(block.header[i] for i in columns)
    return dataclasses.replace(block, header=header, rows=tuple(tuple(row[i] for i in columns) for row in block.rows))


def _width(block: Block) -> int:
    columns = list(zip(*padded(block), strict=True))
    return sum(max(map(len, column)) for column in columns) + GAP * len(columns)


def _ruled(block: Block) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=Text(block.title), title_justify="left"
    )
    header, *rows = padded(block)
    for i, name in enumerate(header):
        is_word = i < block.words
        shown.add_column(Text(name), justify="left" if is_word else "right", no_wrap=not is_word, overflow="fold")
    for texts, cells in zip(rows, block.rows, strict=True):
        shown.add_row(*(Text(t, style=_style(c)) for t, c in zip(texts, cells, strict=True)))
    return shown


def _style(cell: Cell) -> str:
    return "bold" if cell.best else "underline" if cell.second else ""
