"""Text files of click logs with several kinds of lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from ireval_frames.errors import FileError, MalformedFile, listed
from ireval_frames.escaping import plain
from ireval_frames.io.storage.failures import ENGINE_ERRORS, cause
from ireval_frames.io.storage.source import files
from ireval_frames.io.text.stream import numbered

LINE, FIELDS = "line", "fields"
# What Polars takes for the separator of columns, so that a line is one; no line may have it.
_SEPARATOR = "\x01"
_WHOLE = r"^[0-9]{1,18}$"


def fields(path: str | Path) -> pl.LazyFrame:
    """A row per line: its number, from 1, and its fields, which tabs separate.

    Raises:
        FileError: the file cannot be read, or is empty.
        MalformedFile: its first line is no text.
    """
    (file,) = files(path)
    frame = pl.scan_csv(
        file.path,
        has_header=False,
        separator=_SEPARATOR,
        quote_char=None,
        new_columns=["text"],
        schema={"text": pl.String},
    )
    with _of_text(path):
        first = frame.head(1).collect()
    if first.is_empty():
        raise FileError(f"{file.name} is empty.", "A line is a query or a click.")
    split = pl.col("text").str.strip_chars_end("\r").str.split("\t")
    return frame.with_row_index(LINE, offset=1).select(pl.col(LINE).cast(pl.Int64), split.alias(FIELDS))


@contextmanager
def _of_text(path: str | Path) -> Iterator[None]:
    """Name the line at which Polars stopped.

    Raises:
        MalformedFile: a line is not UTF-8, or has the byte 0x01.
        FileError: Polars stopped at something else.
    """
    try:
        yield
    except ENGINE_ERRORS as error:
        (file,) = files(path)
        for number, line in numbered(file.path, file.name):
            if _SEPARATOR.encode() in line:
                raise MalformedFile(f"{file.name}, line {number} has the byte 0x01.", "It is no text.") from None
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                raise MalformedFile(
                    f"{file.name}, line {number} is not valid UTF-8: {line[:60]!r}", "Save it as UTF-8."
                ) from None
        raise FileError(f"{file.name} cannot be read: {cause(error)}.", "Read the log as it was published.") from error


def refuse(frame: pl.LazyFrame, bad: pl.Expr, path: str | Path, allowed: str) -> None:
    """Refuse lines.

    Raises:
        MalformedFile: there are such lines; the message shows the first ten.
    """
    with _of_text(path):
        wrong = frame.filter(bad).collect()
    if wrong.height:
        examples = [f"line {n}: {plain(' '.join(text or ()))[:60]}" for n, text in wrong.head(10).iter_rows()]
        more = f" and {wrong.height - 10} more" if wrong.height > 10 else ""
        raise MalformedFile(
            f"{Path(path).name} has {wrong.height} lines of another form: {listed(examples)}{more}.", allowed
        )


def field(i: int) -> pl.Expr:
    """The text of a field."""
    return pl.col(FIELDS).list.get(i, null_on_oob=True)


def whole(i: int) -> pl.Expr:
    """A field that is an integer."""
    return field(i).cast(pl.Int64)


def is_whole(i: int) -> pl.Expr:
    """Whether a field is an integer of 18 digits at most."""
    return field(i).str.contains(_WHOLE).fill_null(value=False)


def are_whole(values: pl.Expr) -> pl.Expr:
    """Whether all texts of a list are such integers."""
    return values.list.eval(pl.element().str.contains(_WHOLE)).list.all()
