"""A file of a collection as lines, with what is wrong with them and what was repaired."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.errors import FileError, ReadingWarning, warn
from ireval_frames.io.text.bad_lines import BadLines, legible
from ireval_frames.io.text.chunks import at_line_end, chunks
from ireval_frames.io.text.stream import BOM, empty

# Files that were made under DOS may end with this sign.
_END = "\x1a"
Row = dict[str, Any]


@dataclass
class Lines:
    """The lines of a file.

    Args:
        name: the file's name in messages.
        lines: its lines, without their ends.
        bad: the lines that are wrong.
        repairs: sentences about what was repaired, left out or assumed; they follow the file's name.
    """

    name: str
    lines: Sequence[str]
    bad: BadLines = field(init=False)
    repairs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bad = BadLines(self.name)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, from 1."""
        return iter(enumerate(self.lines, 1))

    def wrong(self, number: int, why: str, hint: str = "") -> None:
        """Say what is wrong with a line; the errors of a file are raised together."""
        self.bad.add(number, self.lines[number - 1].encode() if number <= len(self.lines) else b"", why, hint)

    def frame(self, rows: Sequence[Row], types: Mapping[str, Any] | None = None) -> pl.DataFrame:
        """The rows as a frame, and a warning for each repair.

        Args:
            rows: the rows.
            types: columns that the frame always has, and columns that are no text; others that are null on all rows
                are left out.

        Raises:
            MalformedFile: lines are wrong.
            FileError: there are no rows.
        """
        if self.bad.count:
            raise self.bad.error()
        if not rows:
            first = next((line for line in self.lines if line.strip()), None)
            if first is None:
                raise empty(self.name)
            raise FileError(
                f"{self.name} has no record of its format; it begins with '{legible(first.encode())}'.",
                "Leave the format out: it is detected for most files.",
            )
        types = types or {}
        names = dict.fromkeys(n for row in rows for n, value in row.items() if value is not None or n in types)
        for repair in self.repairs:
            warn(f"{self.name}: {repair}", ReadingWarning)
        return pl.DataFrame(
            {n: [row.get(n) for row in rows] for n in names}, schema={n: types.get(n, pl.String) for n in names}
        )


def lines_of(path: Path, name: str) -> Lines:
    """The lines of a file, in UTF-8 or else in Latin-1.

    Raises:
        FileError: it cannot be opened, or is damaged.
    """
    content = b"".join(chunks(path, name, at_line_end)).removeprefix(BOM)
    repairs = []
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("latin-1")
        repairs.append("it is not UTF-8 and was read as Latin-1.")
    lines = text.rstrip(_END + "\n").replace("\r\n", "\n").split("\n")
    return Lines(name, lines, repairs)


def is_number(text: str) -> bool:
    """Whether it is a number of at most eighteen digits."""
    return len(text) < 19 and text.isascii() and text.isdecimal()


def number(text: str) -> str:
    """An id, without zeros in front if it is a number: collections write `01` in one file and `1` in the other."""
    return (text.lstrip("0") or "0") if is_number(text) else text


def joined(lines: Sequence[str]) -> str | None:
    """Lines as a text, without blanks at their ends; None if there is none."""
    return "\n".join(line.rstrip() for line in lines).strip() or None


class Ids:
    """The ids of a file, each with the line in which it stands first."""

    def __init__(self, lines: Lines, what: str) -> None:
        self._lines, self._what, self._first = lines, what, dict[str, int]()

    def add(self, name: str, at: int) -> str:
        """An id; that it occurs again is wrong."""
        if name in self._first:
            self._lines.wrong(at, f"the {self._what} {name!r} is in line {self._first[name]}, too")
        self._first.setdefault(name, at)
        return name
