"""What a page is made of: sections of paragraphs, tables and pictures, all text still to be escaped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cell:
    """A text in a table.

    Attributes:
        text: what is read.
        whole: all of it, where it is cut.
        prose: whether it has several lines where there is no room.
        mark: a superscript.
        weight: "best" or "second" of its column.
    """

    text: str
    whole: str = ""
    prose: bool = False
    mark: str = ""
    weight: str = ""


@dataclass(frozen=True)
class Table:
    """A table: its name, columns, rows, which columns are numbers, and what is left out."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: tuple[bool, ...]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture with the table of what it draws.

    Attributes:
        says: what is seen, for those who do not see it.
        svg: the drawing; none where nothing draws.
        png: the same as base64, where the drawing would be too large.
        table: what is drawn.
        spec: the drawing as Vega-Lite, where it answers to its reader.
    """

    says: str
    svg: str
    png: str
    table: Table
    spec: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Text:
    """Text in the lines that it has, folded under a title."""

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
        title: what it is about.
        said: sentences, one paragraph each.
        blocks: tables and pictures.
        notes: what is not here, and why.
    """

    key: str
    title: str
    said: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """All of it; `finding` is the first sentence."""

    title: str
    finding: str
    sections: tuple[Section, ...]
