"""Results in notebooks: the tables of a page, with the style that they need and without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from ireval_frames.comparison.text.tables import Block, Tables
from ireval_frames.errors import EngineError
from ireval_frames.escaping import plain
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.page import Cell, Table
from ireval_frames.reporting.rendering import part, styled

# More rows are not read in a cell.
MOST_ROWS = 100


def html(shown: Sequence[Any]) -> str | None:
    """Frames, tables to read and lines as HTML for a notebook; None where Jinja2 is not installed.

    Example:
        >>> import polars as pl
        >>> made = html([pl.DataFrame({"run_id": ["<b>"], "AP": [0.25]})])
        >>> '<td>&lt;b&gt;<td align="right">0.2500' in made, "<script" in made
        (True, False)
    """
    try:
        items = [item for one in shown for item in _items(one)]
        style = styled("display.css", "table.css", tables=[i for i in items if isinstance(i, Table)])
        return part("display.html.jinja", items=items, style=style)
    except EngineError:
        return None


def _items(one: Any) -> Iterator[Table | str]:
    if isinstance(one, pl.DataFrame):
        yield table(one, "", most=MOST_ROWS)
    elif isinstance(one, Tables):
        yield from map(_of_block, (one.overview, *one.details))
        yield from map(plain, one.notes)
    else:
        yield plain(one)


def _of_block(block: Block) -> Table:
    rows = tuple(
        tuple(Cell(c.text, mark=c.mark, weight="best" if c.best else "second" if c.second else "") for c in row)
        for row in block.rows
    )
    return Table(block.title, block.header, rows, tuple(i >= block.words for i in range(len(block.header))))
