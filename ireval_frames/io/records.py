"""Tables with a row per query or per document: the id, other columns under our names, and the rest under their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import Schema
from ireval_frames.errors import MalformedFile, WrongType, listed
from ireval_frames.io.collections.files import reader
from ireval_frames.io.collections.lines import lines_of
from ireval_frames.io.detect.description import Description
from ireval_frames.io.json.table import scan_json_table
from ireval_frames.io.parts import Part, TextPart, concat_parts, lazy_part, parser_of
from ireval_frames.io.storage.source import File
from ireval_frames.io.tables import scan_columns, scan_described
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.grammar import Field, Wrong
from ireval_frames.io.text.json_lines import record, refuse_halves
from ireval_frames.io.text.stream import numbered
from ireval_frames.io.text.tabbed import Tabbed
from ireval_frames.io.text.whitespace import Whitespace


def scan_records(described: Sequence[Description], schema: Schema) -> pl.LazyFrame:
    """Files as one table whose key is the key of the schema; those of collections may have different columns.

    Raises:
        WrongType: files have different columns, or a column that is mapped has the name of another one.
        MalformedFile: lines or records are no such rows, or two files have the same id.
    """
    readers = [reader(file.format, schema.name) for file in described]
    if not all(readers):
        return concat_parts([_part(file, schema) for file in described], schema.name)
    frames = [read(lines_of(f.path, f.name)) for read, f in zip(readers, described, strict=True) if read]
    _refuse_repeated(described, frames, schema.key[0])
    return pl.concat(frames, how="diagonal").lazy()


def _refuse_repeated(described: Sequence[Description], frames: Sequence[pl.DataFrame], key: str) -> None:
    """Refuse ids that are in two files.

    Raises:
        MalformedFile: there are some.
    """
    files = dict[str, str]()
    for file, frame in zip(described, frames, strict=True):
        twice = [name for name in frame[key] if name in files]
        if twice:
            raise MalformedFile(
                f"{file.name} and {files[twice[0]]} have the same {key}: {listed(map(repr, twice))}.",
                "Leave one of the files out; where ids are places in a file, write the files into one first: "
                f"cat {files[twice[0]]} {file.name} > all",
            )
        files |= dict.fromkeys(frame[key], file.name)


def _part(file: Description, schema: Schema) -> Part:
    (key,) = schema.key
    if (read := reader(file.format, schema.name)) is not None:
        return file, read(lines_of(file.path, file.name)).lazy()
    if not file.tabular:
        fields = tuple(Field(name, "id" if name.endswith("_id") else "any") for name in file.columns)
        if file.format == "msmarco":
            return TextPart(file, Tabbed(fields), {f.name: f for f in fields}, {})
        part = TextPart(file, Tabbed(fields), {f.name: f for f in fields if f.name in (key, "text")}, {})
        return file, lazy_part(part, schema.name).unique(maintain_order=True)
    ours = {name: name for name in file.columns} | {name: our for our, name in file.mapping.items()}
    if len(set(ours.values())) < len(ours):
        our, name = next((o, t) for o, t in file.mapping.items() if o != t and o in file.columns)
        raise WrongType(
            f"{file.name} has both a column {our!r} and {name!r}, which columns= maps to it.", "Rename one of them."
        )
    if file.format in ("parquet", "arrow"):
        ids = scan_columns(file, schema, {key: file.mapping[key]})
        rest = scan_described(file).drop(file.mapping[key]).rename({t: o for o, t in file.mapping.items() if o != key})
        return file, pl.concat([ids, rest], how="horizontal").select(list(ours.values()))
    if file.format in ("jsonl", "json"):
        if schema.name == "documents":
            # Ids that are integers stay integers, and there may be many documents.
            scanned = scan_json_table(File(file.path, file.name, file.stem, owner=file.owner))
            return file, scanned.rename({name: our for our, name in file.mapping.items()})
        return file, _json(file, ours, file.mapping[key]).lazy()
    fields = tuple(Field(name, "id" if name == file.mapping[key] else "any") for name in file.columns)
    parser = parser_of(file, fields, Whitespace(fields, "the header"))
    return TextPart(file, parser, {ours[f.name]: f for f in fields}, {})


def _json(file: Description, ours: dict[str, str], key: str) -> pl.DataFrame:
    """Read at once: there are few queries, and the types of columns depend on all of them."""
    bad = BadLines(file.name)
    rows: list[dict[str, Any]] = []
    for number, line in file.records or numbered(file.path, file.name):
        try:
            if line.strip():
                row = record(line)
                refuse_halves(row)
                rows.append(_row(row, key))
        except Wrong as error:
            bad.add(number, line, str(error))
    if bad.count:
        raise bad.error()
    names = dict.fromkeys(name for row in rows for name in row)
    series = []
    for name in names:
        values = [row.get(name) for row in rows]
        column = _column(ours.get(name, name), values)
        if column is None:
            raise MalformedFile(
                f"{file.name}: column {name!r} has values of different types.", "Give all its values one type."
            )
        series.append(column)
    return pl.DataFrame(series)


def _column(name: str, values: list[Any]) -> pl.Series | None:
    """The values as a column; None if they have no common type."""
    # Python counts true as 1.
    if len({isinstance(value, bool) for value in values if value is not None}) > 1:
        return None
    try:
        return pl.Series(name, values, strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        return None


def _row(row: dict[str, Any], key: str) -> dict[str, Any]:
    item = row.get(key)
    if isinstance(item, bool) or not isinstance(item, (str, int)) or item == "":
        raise Wrong(f"{key!r} is missing, or neither text nor an integer")
    return {**row, key: str(item)}
