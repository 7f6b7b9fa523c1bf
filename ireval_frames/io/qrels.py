"""Judgments: how relevant documents are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import polars as pl

from ireval_frames.errors import WrongType
from ireval_frames.io.collected import collected
from ireval_frames.io.datasets import dataset_id, scan_judgments
from ireval_frames.io.detect import Description, Format, describe
from ireval_frames.io.grammar import Field, Kind
from ireval_frames.io.headers import choice
from ireval_frames.io.parts import Part, TextPart, parser_of, together
from ireval_frames.io.places import Options
from ireval_frames.io.source import Source
from ireval_frames.io.tables import scan_columns, scan_described
from ireval_frames.io.whitespace import Whitespace
from ireval_frames.schema import QRELS, missing

Second = Literal["iteration", "subtopic_id", "assessor_id"]
Grade = type[int] | type[float]

_FLOAT_HINT = "If grades are decimal numbers: ir.scan_qrels(path, relevance=float)"
_RUN_HINT = "If this is a run: ir.scan_run(path)"


def scan_qrels(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    second: Second | None = None,
    relevance: Grade = int,
    storage_options: Options | None = None,
) -> pl.LazyFrame:
    """Judgments as a lazy frame with the columns query_id, doc_id, relevance.

    Read are TREC judgments (four fields), diversity judgments (the second field a subtopic), judgments of several
    assessors (the second field an assessor), preferences (five fields: query, assessor, group, document, level), MS
    MARCO, BEIR (a header `query-id corpus-id score`, where the score is the grade), CSV, TSV and JSON lines with a
    header, Parquet and Arrow, text also compressed, and datasets of ir_datasets ("irds:name").

    Args:
        source: a path, a folder of Parquet files, a pattern, a list of these, or "-" for standard input; also in a
            store, such as "s3://bucket/qrels.parquet".
        format: "trec", "prefs", "msmarco", "beir", "csv", "tsv", "jsonl", "parquet",
            "arrow", or "auto" to recognise it.
        columns: the file's own names of our columns, as in `{"relevance": "grade"}`.
        second: keep the second TREC field (or a column `iteration`) as "iteration", "subtopic_id" or "assessor_id";
            None drops it.  A table's own columns of the latter two names are kept in any case.
        relevance: int, or float for decimal grades; the levels of preferences always are floats.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        query_id, doc_id (String, or Int64 from typed files), relevance (Int64 or Float64), and those there are of
        iteration, subtopic_id, assessor_id and subgroup_id.

    Raises:
        FileError: a file is missing, a directory, empty, truncated, or not text.
        MalformedFile: lines do not parse; raised when the frame is collected.
        MissingColumn: a table lacks a column.
        WrongType: a typed column holds floats where integers are declared.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
        >>> _ = path.write_text("q1 0 d1 2" + chr(10))
        >>> scan_qrels(path).collect().rows()
        [('q1', 'd1', 2)]
    """
    choice("second", second, [None, "iteration", "subtopic_id", "assessor_id"], 'second="subtopic_id"')
    choice("relevance", relevance, [int, float], "relevance=float")
    dataset = dataset_id(source)
    if dataset is not None:
        return scan_judgments(dataset, second, relevance)
    described = describe(source, "qrels", format=format, columns=columns, storage_options=storage_options)
    return together([_part(file, second, relevance) for file in described], "qrels")


def read_qrels(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    second: Second | None = None,
    relevance: Grade = int,
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """Judgments as a frame in memory; arguments, columns and errors are those of `scan_qrels`.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
        >>> _ = path.write_text("q1 3 d1 0.5" + chr(10))
        >>> read_qrels(path, second="subtopic_id", relevance=float).rows()
        [('q1', 'd1', 0.5, '3')]
    """
    return collected(
        scan_qrels(
            source, format=format, columns=columns, second=second, relevance=relevance, storage_options=storage_options
        ),
        source,
        storage_options,
    )


def _part(file: Description, second: Second | None, relevance: Grade) -> Part:
    found = {c: c for c in file.columns} if not file.found else dict(file.found)
    iteration = found.pop("iteration", None)
    if second is not None and second not in found:
        if iteration is not None:
            found[second] = iteration
        elif second != "iteration":
            raise missing(QRELS, second, file.columns)
    relevance = float if file.format == "prefs" else relevance
    order = [c.name for c in QRELS.columns if c.name in found]
    if file.format in ("parquet", "arrow"):
        return file, _typed(file, {c: found[c] for c in order}, relevance)
    grade: Kind = "integer" if relevance is int else "decimal"
    kinds: dict[str, Kind] = {"relevance": grade, "subtopic_weight": "decimal"}
    theirs = {
        found[c]: Field(found[c], kinds.get(c, "id"), _FLOAT_HINT if c == "relevance" and relevance is int else "")
        for c in order
    }
    every = theirs if file.format == "jsonl" else {name: theirs.get(name, Field(name, "any")) for name in file.columns}
    fields = tuple(every.values())
    hints = ((6, _RUN_HINT),) if not file.header else ()
    whitespace = Whitespace(fields, "a judgment" if not file.header else "the header", "error", hints)
    return TextPart(file, parser_of(file, fields, whitespace), {c: theirs[found[c]] for c in order}, {})


def _typed(file: Description, found: dict[str, str], relevance: Grade) -> pl.LazyFrame:
    dtype = scan_described(file).collect_schema()[found["relevance"]]
    if relevance is int and (dtype.is_float() or (isinstance(dtype, pl.Decimal) and dtype.scale)):
        raise WrongType(f"{file.name}: column {found['relevance']!r} is {dtype}; integers are declared.", _FLOAT_HINT)
    frame = scan_columns(file, QRELS, found)
    return frame if relevance is float else frame.with_columns(pl.col("relevance").cast(pl.Int64))
