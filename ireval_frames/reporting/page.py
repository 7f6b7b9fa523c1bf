"""The content of a page: sections of paragraphs, tables and pictures, whose text is escaped later."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

import polars as pl

from ireval_frames.browser import PageTable


@dataclass(frozen=True)
class Cell:
    """A text in a table.

    Attributes:
        text: what is shown.
        whole: the complete text, if it is shortened.
        prose: whether lines may break.
        mark: a superscript.
        weight: "best" or "second" of its column.
    """

    text: str
    whole: str = ""
    prose: bool = False
    mark: str = ""
    weight: str = ""


# Pictures of more pixels than the first are not shrunk below it; those of more than the second are not shrunk.
BROAD, HUGE = 640, 1_400
# Tables of more rows are folded.
MOST_OPEN = 20


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        caption: what it shows.
        header: its columns.
        rows: its rows.
        numbers: which columns are numbers.
        note: which rows are left out.
        is_open: whether it is not folded, however long it is.
        frame: all of its rows, as they are.
        name: of the frame in SQL; by default that of its section.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: tuple[bool, ...]
    note: str = ""
    is_open: bool = False
    frame: pl.DataFrame | None = field(default=None, compare=False, repr=False)
    name: str = ""

    @cached_property
    def room(self) -> int:
        """The number of signs of the longest mark: numbers stand left of it, below each other."""
        return max((len(cell.mark) for row in self.rows for cell in row), default=0)

    @property
    def is_folded(self) -> bool:
        """Whether only its caption is shown at first."""
        return len(self.rows) > MOST_OPEN and not self.is_open


@dataclass(frozen=True)
class Figure:
    """A picture with the table of its data.

    Attributes:
        description: the text for those who cannot see it.
        svg: the drawing; empty if it cannot be drawn.
        png: the same as base64, if the drawing would be too large.
        table: its data.
        spec: the drawing as Vega-Lite, if it is interactive.
    """

    description: str
    svg: str
    png: str
    table: Table
    spec: Mapping[str, Any] | None = None

    @property
    def size(self) -> str:
        """Whether it is broad, so that it scrolls in a narrow window, or too broad for the page: "broad" or "huge"."""
        known = re.search(r'\bwidth="([\d.]+)"', self.svg)
        width = float(known[1]) if known else BROAD + 1
        return "huge" if width > HUGE else "broad" if width > BROAD else ""


@dataclass(frozen=True)
class Text:
    """Preformatted text, folded under a title."""

    title: str
    text: str


@dataclass(frozen=True)
class Folded:
    """A table folded under a title."""

    title: str
    table: Table


Block = Table | Figure | Text | Folded


@dataclass(frozen=True)
class Section:
    """A section of the page.

    Attributes:
        key: its name in links.
        title: its heading.
        sentences: one paragraph each.
        blocks: tables and pictures.
        notes: what is missing, and why.
    """

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> list[list[Block]]:
        """The blocks; pictures that follow each other together, since small ones stand side by side."""
        parts = groupby(self.blocks, lambda block: isinstance(block, Figure))
        return [row for are_figures, some in parts for row in ([[*some]] if are_figures else [[b] for b in some])]


@dataclass(frozen=True)
class Page:
    """A page; `finding` is the first sentence."""

    title: str
    finding: str
    sections: tuple[Section, ...]

    def tables(self) -> list[PageTable]:
        """The frames of its tables and pictures, by name; those of a name that is taken have a number behind it."""
        counts: Counter[str] = Counter()
        result = []
        for section in self.sections:
            for block in section.blocks:
                table = block if isinstance(block, Table) else None if isinstance(block, Text) else block.table
                if table is None or table.frame is None:
                    continue
                name = table.name or section.key.replace("-", "_")
                counts[name] += 1
                number = f"_{counts[name]}" if counts[name] > 1 else ""
                result.append(PageTable(f"{name}{number}", table.caption, table.frame))
        return result
