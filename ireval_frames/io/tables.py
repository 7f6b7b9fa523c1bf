"""Parquet and Arrow files, read by Polars itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

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
from ireval_frames.io.storage.source import Stored


class Described(Protocol):
    """What is known of a file before it is read."""

    @property
    def path(self) -> Path:
        """Where it is."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def format(self) -> str:
        """What it is."""

    @property
    def stored(self) -> Stored | None:
        """How it is read where it is not one file of this machine."""


def _held(native: pl.LazyFrame, name: str, columns: Sequence[str]) -> pl.LazyFrame:
    """The rows, and an error where floats do not tell numbers of these columns from others."""
    types = native.collect_schema()
    looked_at = [c for c in columns if confusable(c, types[c]) is not None]

    def produce(wanted: list[str]) -> Iterator[pl.DataFrame]:
        for frame in batches(native.select(wanted)):
            try:
                for column in looked_at:
                    if column in wanted:
                        refuse_confused(frame[column])
            except InvalidValue as error:
                raise InvalidValue(f"{name}: {error.what}", error.hint) from None
            yield frame

    return lazy(types, produce, name) if looked_at else native


def refuse_confused(values: pl.Series) -> None:
    """Refuse numbers that floats do not tell from others.

    Raises:
        InvalidValue: with the first of them.
    """
    bad = confusable(values.name, values.dtype)
    if bad is not None and (wrong := values.to_frame().filter(expression(bad))).height:
        raise confused(values.name, wrong.item(0, 0))


def scan_described(file: Described) -> pl.LazyFrame:
    """The file as it is, or what is stored elsewhere."""
    return scan_native(file.path, file.name, file.format) if file.stored is None else file.stored.scan()


def scan_native(path: Path, name: str, kind: str) -> pl.LazyFrame:
    """The file as it is.

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
    """What a file of a table is, by its first bytes."""
    with path.open("rb") as file:
        return binary(file.read(6))


def binary(head: bytes) -> Literal["parquet", "arrow"] | None:
    """What kind of table begins so; None if it is text."""
    if head.startswith(b"PAR1"):
        return "parquet"
    return "arrow" if head.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")) else None


def _is_stream(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\xff\xff\xff\xff"


def column_names(file: Described) -> list[str]:
    """The columns of a file."""
    return scan_described(file).collect_schema().names()


def scan_columns(file: Described, schema: Schema, found: Mapping[str, str], exact: Sequence[str] = ()) -> pl.LazyFrame:
    """The columns of a file under our names, ids as text or 64-bit integers, numbers as 64-bit floats.

    Args:
        file: the file.
        schema: the kind of table.
        found: the file's own names of our columns.
        exact: those whose numbers order rows: what floats do not tell apart is refused as it is read.

    Raises:
        WrongType: a column's type cannot be meant.
        FileError: the file is damaged.
    """
    frame = PolarsFrame(_held(scan_described(file), file.name, [found[c] for c in exact if c in found]))
    try:
        return frame.select(*canonical(schema, frame, found)).to_native()
    except IrevalError as error:
        raise type(error)(f"{file.name}: {error.what}", error.hint) from None
