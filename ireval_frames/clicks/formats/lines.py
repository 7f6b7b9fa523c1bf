"""Text files of click logs with several kinds of lines."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ireval_frames.errors import FileError, MalformedFile, listed
from ireval_frames.io.storage.source import files

LINE, FIELDS = "line", "fields"


def fields(path: str | Path) -> pl.LazyFrame:
    """A row per line: its number, from 1, and its fields, which tabs separate.

    Raises:
        FileError: the file cannot be read, or is empty.
    """
    (file,) = files(path)
    frame = pl.scan_csv(
        file.path, has_header=False, separator="\x01", quote_char=None, new_columns=["text"], schema={"text": pl.String}
    )
    if frame.head(1).collect().is_empty():
        raise FileError(f"{file.name} is empty.", "A line is a query or a click.")
    split = pl.col("text").str.strip_chars_end("\r").str.split("\t")
    return frame.with_row_index(LINE, offset=1).select(pl.col(LINE).cast(pl.Int64), split.alias(FIELDS))


def refuse(frame: pl.LazyFrame, bad: pl.Expr, name: str, allowed: str) -> None:
    """Refuse lines.

    Raises:
        MalformedFile: there are such lines; the message shows the first ten.
    """
    wrong = frame.filter(bad).collect()
    if wrong.height:
        examples = [f"line {n}: {' '.join(text)[:60]}" for n, text in wrong.head(10).iter_rows()]
        more = f" and {wrong.height - 10} more" if wrong.height > 10 else ""
        raise MalformedFile(f"{name} has {wrong.height} lines of another form: {listed(examples)}{more}.", allowed)


def field(i: int) -> pl.Expr:
    """The text of a field."""
    return pl.col(FIELDS).list.get(i, null_on_oob=True)


def whole(i: int) -> pl.Expr:
    """A field that is an integer."""
    return field(i).cast(pl.Int64)


def is_whole(i: int) -> pl.Expr:
    """Whether a field is an integer."""
    return field(i).str.contains(r"^[0-9]+$").fill_null(value=False)
