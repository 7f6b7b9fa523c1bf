"""Queries: a table with a row per query and any further columns, such as segments to group by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import polars as pl

from ireval_frames.columns.schema import QUERIES
from ireval_frames.errors import MalformedFile, WrongType
from ireval_frames.io.collected import collected
from ireval_frames.io.datasets import dataset_id, scan_dataset_queries
from ireval_frames.io.detect.description import Description, Format
from ireval_frames.io.detect.file import describe
from ireval_frames.io.parts import Part, TextPart, concat_parts, lazy_part, parser_of
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source
from ireval_frames.io.tables import scan_columns, scan_described
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.grammar import Field, Wrong
from ireval_frames.io.text.json_lines import record, refuse_halves
from ireval_frames.io.text.stream import numbered
from ireval_frames.io.text.tabbed import Tabbed
from ireval_frames.io.text.whitespace import Whitespace


def scan_queries(
    source: Source,
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
    *,
    format: Format | Literal["auto"] = "auto",
) -> pl.LazyFrame:
    """Queries as a lazy frame: query_id and every other column of the table under its own name.

    Args:
        source: a CSV, TSV, JSON lines, Parquet or Arrow file with column names, MS MARCO's lines of query and text, a
            pattern, a list of these, "-", or a dataset of ir_datasets ("irds:name").
        columns: the file's own name of the query's id, as in `{"query_id": "number"}`.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.
        format: "csv", "tsv", "jsonl", "json", "parquet", "arrow", "msmarco" (query and text between a tab),
            "top1000" (MS MARCO's candidates, of which the queries are taken), or "auto" to recognise it.

    Returns:
        query_id and the other columns; in CSV and TSV all are strings as they are spelled, an empty field is null.

    Raises:
        FileError: a file is missing, a directory, empty, truncated, or not text.
        MalformedFile: lines do not parse; raised when the frame is collected.
        MissingColumn: no column names the query.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "queries.csv")
        >>> _ = path.write_text("qid,segment" + chr(10) + "007,head" + chr(10))
        >>> scan_queries(path).collect().to_dicts()
        [{'query_id': '007', 'segment': 'head'}]
    """
    dataset = dataset_id(source)
    if dataset is not None:
        return scan_dataset_queries(dataset)
    described = describe(source, "queries", format=format, columns=columns, storage_options=storage_options)
    return concat_parts([_part(file) for file in described], "queries")


def read_queries(
    source: Source,
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
    *,
    format: Format | Literal["auto"] = "auto",
) -> pl.DataFrame:
    """Queries as a frame in memory; arguments, columns and errors are those of `scan_queries`.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "queries.csv")
        >>> _ = path.write_text("topic,lang" + chr(10) + "1,de" + chr(10))
        >>> read_queries(path).rows()
        [('1', 'de')]
    """
    return collected(scan_queries(source, columns, storage_options, format=format), source, storage_options)


def _part(file: Description) -> Part:
    if not file.tabular:
        fields = tuple(Field(name, "id" if name.endswith("_id") else "any") for name in file.columns)
        read = {f.name: f for f in fields if f.name in ("query_id", "text")}
        part = TextPart(file, Tabbed(fields), read, {})
        return part if file.format == "msmarco" else (file, lazy_part(part, "queries").unique(maintain_order=True))
    key = file.mapping["query_id"]
    ours = {name: "query_id" if name == key else name for name in file.columns}
    if file.format in ("parquet", "arrow"):
        ids = scan_columns(file, QUERIES, file.mapping)
        if key != "query_id" and "query_id" in file.columns:
            raise WrongType(
                f"{file.name} has both a column 'query_id' and {key!r}, which columns= maps to it.",
                "Rename one of them.",
            )
        rest = scan_described(file).drop(key)
        return file, pl.concat([ids, rest], how="horizontal").select(list(ours.values()))
    if file.format in ("jsonl", "json"):
        return file, _json(file, ours).lazy()
    fields = tuple(Field(name, "id" if name == key else "any") for name in file.columns)
    parser = parser_of(file, fields, Whitespace(fields, "the header"))
    return TextPart(file, parser, {ours[f.name]: f for f in fields}, {})


def _json(file: Description, ours: Mapping[str, str]) -> pl.DataFrame:
    """Read at once: there are few queries, and the types of columns depend on all of them."""
    bad = BadLines(file.name)
    rows: list[dict[str, Any]] = []
    key = file.mapping["query_id"]
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
        frame = _column(ours.get(name, name), values)
        if frame is None:
            raise MalformedFile(
                f"{file.name}: column {name!r} has values of different types.", "Give all its values one type."
            )
        series.append(frame)
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
