"""Writing queries and documents."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

import polars as pl

from ireval_frames.columns.documents import TEXTS
from ireval_frames.columns.schema import QUERIES, Schema, resolve
from ireval_frames.errors import Hint, InvalidValue, MissingColumn, ReadingWarning, listed, warn
from ireval_frames.io.text.headers import choice
from ireval_frames.io.writing.tables import (
    NAMES,
    TABULAR,
    Frame,
    Tabular,
    as_written,
    collected,
    inner_suffix,
    write_lines,
    write_table,
)

Texts = Literal["msmarco", "beir"]


def write_queries(frame: Frame, path: str | Path, *, format: Tabular | Texts | Literal["auto"] = "auto") -> None:
    r"""Write queries.

    Args:
        frame: query_id, and text for "msmarco"; topics without text have their titles written.
        path: the file; .gz, .bz2, .xz and .zst compress, and the suffix before decides the format.
        format: "csv", "tsv", "parquet", "arrow", "jsonl", "beir" (JSON lines with `_id`), "msmarco" (query and text
            between a tab, without a header), or "auto".

    Columns for which "msmarco" has no field are not written, and tabs and ends of lines in texts become blanks; a
    warning counts them.

    Raises:
        MissingColumn: a column is missing.
        InvalidParameter: the suffix is no known format.
        InvalidValue: an id is null, or cannot be written.
        FileError: the file cannot be written; an existing one stays as it was.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "queries.tsv")
        >>> write_queries(pl.DataFrame({"query_id": ["7"], "text": ["what is it"]}), path, format="msmarco")
        >>> path.read_text()
        '7\twhat is it\n'
    """
    _write(frame, Path(path), format, QUERIES)


def write_documents(frame: Frame, path: str | Path, *, format: Tabular | Texts | Literal["auto"] = "auto") -> None:
    r"""Write documents.

    Args:
        frame: doc_id and text; other columns, such as title, are written where the format has a place for them.
        path: the file, as of `write_queries`.
        format: as of `write_queries`; "msmarco" has document and text.

    Raises:
        IrevalError: as `write_queries`.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "corpus.jsonl")
        >>> write_documents(pl.DataFrame({"doc_id": ["d1"], "text": ["It is."]}), path, format="beir")
        >>> path.read_text()
        '{"_id":"d1","text":"It is."}\n'
    """
    _write(frame, Path(path), format, TEXTS)


def _write(frame: Frame, path: Path, format: str, schema: Schema) -> None:
    choice("format", format, ["msmarco", "beir", *NAMES], 'format="jsonl"')
    chosen = TABULAR.get(inner_suffix(path), format) if format == "auto" else format
    table = collected(frame)
    (key,) = schema.key
    names = resolve(schema, table.columns)
    if table[names[key]].null_count():
        raise InvalidValue(f"{key} is null in {table[names[key]].null_count()} rows.", "Leave these rows out.")
    table = table.rename({theirs: ours for ours, theirs in names.items()})
    if chosen == "beir":
        return write_table(table.rename({key: "_id"}).with_columns(pl.col("_id").cast(pl.String)), path, "jsonl")
    if chosen != "msmarco":
        return write_table(table, path, cast(Tabular, chosen))
    _write_lines(table, path, key)
    return None


def _write_lines(table: pl.DataFrame, path: Path, key: str) -> None:
    text = next((name for name in ("text", "title") if name in table.columns), None)
    if text is None:
        raise MissingColumn(
            f"The table has no column 'text' (it has: {listed(table.columns, 20)}).",
            'Rename the column of texts: frame.rename({"their_name": "text"})',
        )
    ids = table[key].cast(pl.String)
    wrong = ids.filter(ids.str.contains(r"^#|[ \t\r\n\x00]") | (ids == ""))
    if wrong.len():
        raise InvalidValue(
            f"{key} {wrong[0]!r} cannot be written between tabs: no id may be empty, hold blanks or ends of lines, or "
            "begin with '#'.",
            Hint("Write JSON lines, which hold any id: ", as_written("beir")),
        )
    signs = table[text].str.contains(r"[\t\r\n]").sum()
    if signs:
        warn(f"{path}: tabs and ends of lines became blanks in texts: {signs:,}.", ReadingWarning)
    if left := [name for name in table.columns if name not in (key, text)]:
        warn(f"{path}: the format msmarco has no field for {listed(left)}: not written.", ReadingWarning)
    write_lines(table.select(ids, pl.col(text).str.replace_all(r"[\t\r\n]+", " ").fill_null("")), path, "\t")
