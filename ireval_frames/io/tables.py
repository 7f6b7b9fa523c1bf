"""Parquet and Arrow files, read by Polars itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import polars as pl

from ireval_frames.columns.exact_numbers import confusable, confused
from ireval_frames.columns.schema import Schema, canonical
from ireval_frames.engines.polars.batches import batches
from ireval_frames.engines.polars.expressions import expression
from ireval_frames.engines.polars.frame import PolarsFrame
from ireval_frames.errors import FileError, InvalidValue, IrevalError
from ireval_frames.io.lazy import lazy
from ireval_frames.io.storage.failures import READ_ERRORS, cause
from ireval_frames.io.storage.other_kinds import HEAD, refuse_other

if TYPE_CHECKING:
    from ireval_frames.io.detect.description import Description


def _refuse_inexact(native: pl.LazyFrame, name: str, columns: Sequence[str]) -> pl.LazyFrame:
    """The rows, with an error for numbers of these columns that floats cannot distinguish."""
    types = native.collect_schema()
    checked = [c for c in columns if confusable(c, types[c]) is not None]

    def produce(selected: list[str]) -> Iterator[pl.DataFrame]:
        for frame in batches(native.select(selected)):
            try:
                for column in checked:
                    if column in selected:
                        refuse_confused(frame[column])
            except InvalidValue as error:
                raise InvalidValue(f"{name}: {error.what}", error.hint) from None
            yield frame

    return lazy(types, produce, name) if checked else native


def refuse_confused(values: pl.Series) -> None:
    """Refuse numbers that floats cannot distinguish.

    Raises:
        InvalidValue: with the first of them.
    """
    bad = confusable(values.name, values.dtype)
    if bad is not None and (wrong := values.to_frame().filter(expression(bad))).height:
        raise confused(values.name, wrong.item(0, 0))


def scan_described(file: Description) -> pl.LazyFrame:
    """The file, or what is stored elsewhere, with its own columns."""
    return scan_native(file.path, file.name, file.format) if file.stored is None else file.stored.scan()


def scan_native(path: Path, name: str, kind: str) -> pl.LazyFrame:
    """The file with its own columns.

    Raises:
        FileError: it is damaged, or a file of another kind.
    """
    _refuse_other(path, name, kind)
    try:
        if kind == "parquet":
            frame = pl.scan_parquet(path, glob=False)
        elif _is_stream(path):
            # Polars cannot scan a stream of record batches.
            frame = pl.read_ipc_stream(path).lazy()
        else:
            frame = pl.scan_ipc(path, glob=False)
        frame.collect_schema()
    except READ_ERRORS as error:
        raise FileError(f"{name} is a damaged {kind} file: {cause(error)}.", "Copy or write it again.") from error
    return frame


def _refuse_other(path: Path, name: str, kind: str) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror or cause(error)}.") from error
    if binary(head) != kind:
        refuse_other(head, name, f"{'an' if kind == 'arrow' else 'a'} {kind} file")


def table_kind(path: Path) -> Literal["parquet", "arrow"] | None:
    """The format of a table file, by its first bytes."""
    with path.open("rb") as file:
        return binary(file.read(6))


def binary(head: bytes) -> Literal["parquet", "arrow"] | None:
    """The format of a table that begins with these bytes; None if it is text."""
    if head.startswith(b"PAR1"):
        return "parquet"
    return "arrow" if head.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")) else None


def _is_stream(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\xff\xff\xff\xff"


def column_names(file: Description) -> list[str]:
    """The columns of a file."""
    return scan_described(file).collect_schema().names()


def scan_columns(
    file: Description, schema: Schema, mapping: Mapping[str, str], exact: Sequence[str] = ()
) -> pl.LazyFrame:
    """The columns of a file under our names, ids as text or 64-bit integers, numbers as 64-bit floats.

    Args:
        file: the file.
        schema: the kind of table.
        mapping: the file's own names of our columns.
        exact: columns that order rows: numbers that floats cannot distinguish are refused while reading.

    Raises:
        WrongType: a column has a type that the schema does not allow.
        FileError: the file is damaged.
    """
    frame = PolarsFrame(_refuse_inexact(scan_described(file), file.name, [mapping[c] for c in exact if c in mapping]))
    try:
        return frame.select(*canonical(schema, frame, mapping)).to_native()
    except IrevalError as error:
        raise type(error)(f"{file.name}: {error.what}", error.hint) from None
