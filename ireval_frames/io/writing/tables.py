"""Writing tables: of any columns, and lines of fields."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import polars as pl

from ireval_frames.errors import Argument, Code, EngineError, Hint, InvalidParameter
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.io.storage.compression import SUFFIXES
from ireval_frames.io.storage.failures import ENGINE_ERRORS, cause, unwrap
from ireval_frames.io.text.headers import choice

Tabular = Literal["csv", "tsv", "parquet", "arrow", "jsonl"]
Frame = pl.DataFrame | pl.LazyFrame

TABULAR: dict[str, Tabular] = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl",
}  # fmt: skip
NAMES = ("auto", "csv", "tsv", "parquet", "arrow", "jsonl")


def write_table(frame: Frame, path: str | Path, format: Tabular | Literal["auto"] = "auto") -> None:
    """Write a table as it is; of a lazy frame few rows are in memory at once, but for CSV and TSV.

    Args:
        frame: any table.
        path: the file; the suffix decides the format, and .gz, .bz2, .xz and .zst after a text format compress.
        format: "csv", "tsv", "parquet", "arrow", "jsonl", or "auto".

    Raises:
        InvalidParameter: the suffix is no known format, Parquet or Arrow would be compressed twice, or CSV or TSV
            would have to hold lists.
        FileError: the file cannot be written; an existing one stays as it was.
        EngineError: a lazy frame cannot be computed.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "means.csv")
        >>> write_table(pl.DataFrame({"measure": ["AP"], "value": [0.25]}), path)
        >>> path.read_text().splitlines()
        ['measure,value', 'AP,0.25']
    """
    path = Path(path)
    choice("format", format, NAMES, as_written("parquet"))
    chosen = TABULAR.get(inner_suffix(path)) if format == "auto" else format
    compression = SUFFIXES.get(path.suffix.lower())
    if chosen is None:
        raise InvalidParameter(
            f"The name {path.name!r} has no suffix of a known format.",
            Hint("Write: ", as_written("csv", "ir.io.write_table(frame, path, {})")),
        )
    if compression and chosen in ("parquet", "arrow"):
        raise InvalidParameter(
            f"{path.name!r}: {chosen} files are compressed internally.", f"Leave the suffix {path.suffix} out."
        )
    with _computing():
        schema = _checked(frame).lazy().collect_schema()
    if chosen in ("csv", "tsv") and (lists := [name for name, dtype in schema.items() if dtype.is_nested()]):
        raise InvalidParameter(
            f"Column {lists[0]!r} holds {schema[lists[0]]}, which a {chosen} file cannot.",
            Hint(
                "Lists fit into Parquet and JSON lines: ",
                Code('ir.io.write_table(frame, "table.parquet")', "name a file that ends in .parquet or .jsonl"),
            ),
        )
    with writing_errors(path), replacing(path, compression) as stream:
        # A lazy frame is written as it is read, in parts.
        rows = frame.lazy()
        if chosen == "parquet":
            rows.sink_parquet(stream)
        elif chosen == "arrow":
            rows.sink_ipc(stream, compression="zstd")
        elif chosen == "jsonl":
            rows.sink_ndjson(stream)
        else:
            table = rows.collect()
            # Readers take blanks around a field for none of it, unless it stands in quotes.
            quotes: Literal["non_numeric", "necessary"] = "non_numeric" if _has_outer_blanks(table) else "necessary"
            table.write_csv(stream, separator="," if chosen == "csv" else "\t", quote_style=quotes)


def _has_outer_blanks(table: pl.DataFrame) -> bool:
    """Whether a text begins or ends with a blank or a tab."""
    texts = [name for name, dtype in table.schema.items() if dtype in (pl.String, pl.Categorical, pl.Enum)]
    columns = (table[name].cast(pl.String) for name in texts)
    return any(column.str.contains(r"^[ \t]|[ \t]$").any() for column in columns)


def as_written(format: str, written: str = "{}") -> Argument:
    """The argument that names the format of what is written."""
    return Argument("format", format, written, ("to", format))


def is_table_name(path: str | Path) -> bool:
    """Whether the suffix of a name is that of a table format."""
    return inner_suffix(Path(path)) in TABULAR


@contextmanager
def writing_errors(path: Path) -> Iterator[None]:
    """Errors of an engine while writing become ours."""
    try:
        yield
    except ENGINE_ERRORS as error:
        raise unwrap(error) or EngineError(f"{path} cannot be written: {cause(error)}.") from error


def write_lines(table: pl.DataFrame, path: Path, separator: str, *, header: bool = False, head: str = "") -> None:
    """Write fields that hold no separator, a line per row, below other text."""
    with writing_errors(path), replacing(path, SUFFIXES.get(path.suffix.lower())) as stream:
        stream.write(head.encode())
        # No field needs quotes; a quote in one is written as it is.
        table.write_csv(stream, separator=separator, include_header=header, quote_style="never")


def collected(frame: Frame) -> pl.DataFrame:
    """The frame in memory.

    Raises:
        InvalidParameter: it is none.
        EngineError: it cannot be computed.
    """
    with _computing():
        return _checked(frame).lazy().collect()


@contextmanager
def _computing() -> Iterator[None]:
    """Errors of an engine while a frame is computed become ours."""
    try:
        yield
    except ENGINE_ERRORS as error:
        raise unwrap(error) or EngineError(f"The frame cannot be collected: {cause(error)}.") from error


def _checked(frame: Frame) -> Frame:
    """The frame, if it is one.

    Raises:
        InvalidParameter: it is none.
    """
    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise InvalidParameter(
            f"frame must be a Polars frame, not {type(frame).__name__}.",
            "Convert it: pl.from_arrow(table), pl.from_pandas(frame), or relation.pl() of DuckDB",
        )
    return frame


def inner_suffix(path: Path) -> str:
    """The suffix of a name before that of a compression."""
    name = path.name.lower()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return Path(name).suffix
