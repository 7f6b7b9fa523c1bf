"""Writing results: tables for people, tidy frames for programs, trec_eval's three columns."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.escaping import lines, plain
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.io.storage.compression import SUFFIXES


class Format(StrEnum):
    """The format of a result."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"
    markdown = "markdown"
    trec = "trec"


_COUNTS = {"NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonRelRet", "NumPrefs", "NumPrefsFulfilled"}
_FORMATS = {
    ".csv": Format.csv,
    ".json": Format.json,
    ".md": Format.markdown,
    ".parquet": Format.parquet,
    ".pq": Format.parquet,
    ".trec": Format.trec,
}
_OTHERS = (".tsv", ".jsonl", ".ndjson", ".arrow", ".feather", ".ipc")


def format_of(format: Format | None, output: str | None) -> Format:
    """The requested format, else that of the file's name, else a table.

    Raises:
        InvalidParameter: the name is of a format that is not written, or Parquet would go to a terminal.
    """
    path = None if output is None or output == "-" else Path(output)
    suffix = next((s.lower() for s in reversed(path.suffixes) if s.lower() not in SUFFIXES), "") if path else ""
    if format is None and suffix in _OTHERS:
        raise InvalidParameter(
            f"{output}: {suffix} files cannot be written here.",
            "Name a .csv, .json, .md or .parquet file, or add --format.",
        )
    shape = format or _FORMATS.get(suffix, Format.table)
    if shape is Format.parquet and path is None and sys.stdout.isatty():
        raise InvalidParameter(
            "Parquet is binary and cannot be shown on a terminal.", "Write it to a file: -o values.parquet"
        )
    return shape


class Values(NamedTuple):
    """The values of measures: a row per run, group and measure; and, if requested, a row per unit and measure."""

    summary: pl.DataFrame
    units: pl.DataFrame | None
    measures: Sequence[Measure]


def deliver(values: Values, shape: Format, output: str | None) -> None:
    """Write values, the measures in their order.

    Args:
        values: the values.
        shape: the format.
        output: the file; None is standard output.

    Raises:
        NotDefined: there are several runs, which trec_eval's columns cannot distinguish.
        FileError: the file cannot be written.
    """
    summary, units, measures = values
    long = summary if units is None else units
    match shape:
        case Format.table | Format.markdown:
            deliver_table(_wide(long, measures, one_run=units is None), shape, output)
        case Format.trec:
            write_bytes(_trec(summary, units, measures).encode(), output)
        case _:
            deliver_table(long, shape, output)


def deliver_table(table: pl.DataFrame, shape: Format, output: str | None) -> None:
    """Write a table as it is.

    Args:
        table: the table.
        shape: the format, other than trec_eval's columns.
        output: the file; None is standard output.
    """
    match shape:
        case Format.csv:
            write_bytes(table.write_csv().encode(), output)
        case Format.json:
            write_bytes(table.write_json().encode() + b"\n", output)
        case Format.parquet:
            # Polars would write past the buffer of standard output.
            packed = io.BytesIO()
            table.write_parquet(packed)
            write_bytes(packed.getvalue(), output)
        case Format.markdown:
            from ireval_frames.comparison.text.papers import markdown_table

            is_number = [dtype.is_numeric() for dtype in table.dtypes]
            write_bytes(markdown_table(table.columns, is_number, _texts(table)).encode(), output)
        case _ if output in (None, "-"):
            text_table(table)
        case _:
            write_bytes(_aligned(table).encode(), output)


def write_bytes(content: bytes, output: str | None) -> None:
    """Write to a file, atomically, or to standard output."""
    if output is None or output == "-":
        # Text that was printed before comes first.
        sys.stdout.flush()
        # A terminal interprets control characters in the data; a file and a pipe get the data unchanged.
        sys.stdout.buffer.write(lines(content.decode()).encode() if sys.stdout.isatty() else content)
        sys.stdout.flush()
        return
    path = Path(output)
    with replacing(path, SUFFIXES.get(path.suffix.lower())) as stream:
        stream.write(content)


def say(text: str) -> None:
    """Print lines that may have names from data."""
    write_bytes(lines(f"{text}\n").encode(), None)


def text_table(table: pl.DataFrame) -> None:
    """Print a table of texts and numbers: with rules on a terminal, aligned elsewhere."""
    if not sys.stdout.isatty():
        write_bytes(_aligned(table).encode(), None)
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    ruled = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, dtype in table.schema.items():
        ruled.add_column(Text(plain(name)), justify="right" if dtype.is_numeric() else "left")
    for row in _texts(table):
        ruled.add_row(*map(Text, row))
    Console().print(ruled)


def _wide(long: pl.DataFrame, measures: Sequence[Measure], *, one_run: bool) -> pl.DataFrame:
    """A row per run and group (and query), a column per measure; for the summary of one run a row per measure."""
    keys = [c for c in long.columns if c not in ("measure", "value", "n_units", "n_undefined")]
    if one_run and long.select(keys).n_unique() <= 1 and keys in ([], ["run_id"]):
        undefined = ["n_undefined"] if long["n_undefined"].sum() else []
        return long.select("measure", "value", *undefined)
    if "run_id" in keys and long["run_id"].n_unique() <= 1:
        keys.remove("run_id")
    names = [str(m) for m in measures]
    return long.pivot(on="measure", index=keys, values="value", on_columns=names, maintain_order=True)


def _texts(table: pl.DataFrame) -> list[list[str]]:
    """The cells as texts on one line, without control characters."""
    counts = {name for name in table.columns if name.partition("(")[0] in _COUNTS}
    texts = []
    for row in table.iter_rows(named=True):
        is_count = str(row.get("measure")).partition("(")[0] in _COUNTS
        texts.append([plain(_text(v, is_count=is_count or k in counts)) for k, v in row.items()])
    return texts


def _text(value: object, *, is_count: bool) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.0f}" if is_count else f"{value:.4f}"
    return str(value)


def _aligned(table: pl.DataFrame) -> str:
    rows = [[*map(plain, table.columns)], *_texts(table)]
    widths = [max(len(row[i]) for row in rows) for i in range(table.width)]
    numeric = [dtype.is_numeric() for dtype in table.dtypes]
    lines = (
        "  ".join(t.rjust(w) if n else t.ljust(w) for t, w, n in zip(row, widths, numeric, strict=True)).rstrip()
        for row in rows
    )
    return "".join(f"{text}\n" for text in lines)


def _trec(summary: pl.DataFrame, units: pl.DataFrame | None, measures: Sequence[Measure]) -> str:
    from ireval_frames.trec_eval.names import trec_name_of
    from ireval_frames.trec_eval.values import line

    keys = [c for c in summary.columns if c not in ("measure", "value", "n_units", "n_undefined")]
    if keys and summary.select(keys).n_unique() > 1:
        raise NotDefined(
            f"trec_eval's three columns cannot distinguish {' and '.join(keys)}.",
            "Evaluate one run without --by, or write --format csv.",
        )
    names = {str(m): trec_name_of(m) for m in measures}
    whole = {str(m) for m in measures if m.name in _COUNTS}
    out = []
    if units is not None:
        for query, measure, value in units.select("query_id", "measure", "value").iter_rows():
            if value is not None:
                out.append(line(names[measure], str(query), value, integer=measure in whole))
    for measure, value in summary.select("measure", "value").iter_rows():
        if value is not None:
            out.append(line(names[measure], "all", value, integer=measure in whole))
    return "".join(out)
