"""Results in notebooks: the tables of a page with their style, without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from ireval_frames.comparison.text.tables import Block, Tables
from ireval_frames.errors import EngineError
from ireval_frames.escaping import plain
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.page import Cell, Table
from ireval_frames.reporting.rendering import render_template, style_of

# A cell shows no more rows.
MOST_ROWS = 100


def html(parts: Sequence[Any]) -> str | None:
    """Frames, tables to read and lines as HTML for a notebook; None where Jinja2 is not installed.

    Example:
        >>> import polars as pl
        >>> text = html([pl.DataFrame({"run_id": ["<b>"], "AP": [0.25]})])
        >>> '<td>&lt;b&gt;<td align="right">0.2500' in text, "<script" in text
        (True, False)
    """
    try:
        items = [item for shown in parts for item in _items(shown)]
        style = style_of("display.css", "table.css", tables=[i for i in items if isinstance(i, Table)])
        return render_template("display.html.jinja", items=items, style=style)
    except EngineError:
        return None


def _items(shown: Any) -> Iterator[Table | str]:
    if isinstance(shown, pl.DataFrame):
        yield table(shown, "", most=MOST_ROWS)
    elif isinstance(shown, Tables):
        yield from map(_table_of, (shown.overview, *shown.details))
        yield from map(plain, shown.notes)
    else:
        yield plain(shown)


def _table_of(block: Block) -> Table:
    rows = tuple(
        tuple(Cell(c.text, mark=c.mark, weight="best" if c.best else "second" if c.second else "") for c in row)
        for row in block.rows
    )
    return Table(block.title, block.header, rows, tuple(i >= block.words for i in range(len(block.header))))
