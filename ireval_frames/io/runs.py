"""Runs: what systems retrieved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.io import grammar
from ireval_frames.io.collected import collected
from ireval_frames.io.datasets import dataset_id, scan_scored_documents
from ireval_frames.io.detect import Description, Format, describe
from ireval_frames.io.grammar import Field
from ireval_frames.io.headers import choice
from ireval_frames.io.parts import Part, TextPart, parser_of, together
from ireval_frames.io.places import Options
from ireval_frames.io.source import Source
from ireval_frames.io.tables import scan_columns
from ireval_frames.io.whitespace import Whitespace
from ireval_frames.schema import RUN, missing

RunId = Literal["file", "tag"] | None

_TAG_HINT = 'If the run tag contains blanks: ir.scan_run(path, surplus="tag")'
_QRELS_HINT = "If these are judgments: ir.scan_qrels(path)"


def scan_run(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    run_id: RunId = "file",
    rank: bool = False,
    surplus: Literal["error", "tag"] = "error",
    storage_options: Options | None = None,
) -> pl.LazyFrame:
    """A run as a lazy frame with the columns run_id, query_id, doc_id, score.

    Read are TREC runs, MS MARCO runs (query, document, rank), CSV, TSV and JSON lines with a header, Parquet and Arrow,
    text also compressed (.gz, .bz2, .xz, .zst), and datasets of ir_datasets ("irds:name").  In text, ids are strings as
    they are spelled and scores are finite decimal numbers.

    Args:
        source: a path, a folder of Parquet files, a pattern such as "runs/*.run", a list of these, or "-" for standard
            input; also in a store, such as "s3://bucket/runs/".
        format: "trec", "msmarco", "csv", "tsv", "jsonl", "parquet", "arrow", or "auto" to recognise it.
        columns: the file's own names of our columns, as in `{"score": "sim"}`.
        run_id: "file" names a run after its file (`bm25.run.gz` is `bm25`), "tag" after the sixth TREC field; None
            leaves the column out.  A table's own run_id column is kept, unless run_id is None.
        rank: whether to read the rank column (Int64) as well.  A file without scores has rank and no score.
        surplus: "tag" takes everything from the sixth TREC field on as the run tag; "error" refuses more than six.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        run_id (String), query_id and doc_id (String, or Int64 from typed files), score
        (Float64), rank (Int64) on demand.

    Raises:
        FileError: a file is missing, a directory, empty, truncated, or not text.
        MalformedFile: lines do not parse; raised when the frame is collected.
        MissingColumn: a table lacks a column.
        InvalidValue, MalformedFile: scores are whole numbers beyond 2^53, or decimals of more than 15 digits, which
            floats do not tell apart; raised when the frame is collected.
        InvalidParameter: a parameter's value is not allowed.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.run")
        >>> _ = path.write_text("q1 Q0 d1 1 2.5 x" + chr(10))
        >>> scan_run(path).collect().rows()
        [('bm25', 'q1', 'd1', 2.5)]
    """
    return scanned(
        source,
        format=format,
        columns=columns,
        run_id=run_id,
        rank=rank,
        surplus=surplus,
        storage_options=storage_options,
    )


def scanned(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    run_id: RunId = "file",
    rank: bool = False,
    surplus: Literal["error", "tag"] = "error",
    storage_options: Options | None = None,
    exact: bool = True,
) -> pl.LazyFrame:
    """A run as `scan_run` reads it; not `exact`, scores that floats do not tell apart are tied.

    Raises:
        IrevalError: as `scan_run`.
    """
    choice(
        "run_id",
        run_id,
        ["file", "tag", None],
        'run_id="file"; for another name: scan_run(path).with_columns(run_id=pl.lit("bm25"))',
    )
    choice("surplus", surplus, ["error", "tag"], 'surplus="tag"')
    dataset = dataset_id(source)
    if dataset is not None:
        return scan_scored_documents(dataset, run_id=run_id is not None)
    described = describe(source, "run", format=format, columns=columns, storage_options=storage_options)
    _refuse_same_stem(described, run_id)
    return together([_part(file, run_id, surplus, rank=rank, exact=exact) for file in described], "run")


def read_run(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    run_id: RunId = "file",
    rank: bool = False,
    surplus: Literal["error", "tag"] = "error",
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """A run as a frame in memory; arguments, columns and errors are those of `scan_run`.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.run")
        >>> _ = path.write_text("q1 Q0 d1 1 2.5 x" + chr(10))
        >>> read_run(path, run_id="tag", rank=True).rows()
        [('x', 'q1', 'd1', 2.5, 1)]
    """
    return collected(
        scan_run(
            source,
            format=format,
            columns=columns,
            run_id=run_id,
            rank=rank,
            surplus=surplus,
            storage_options=storage_options,
        ),
        source,
        storage_options,
    )


def _part(file: Description, run_id: RunId, surplus: Literal["error", "tag"], *, rank: bool, exact: bool) -> Part:
    found = {c: c for c in file.columns} if not file.found else dict(file.found)
    if run_id != "tag" and not file.tabular:
        found.pop("run_id", None)
    if run_id is None:
        found.pop("run_id", None)
    elif run_id == "tag" and "run_id" not in found:
        raise InvalidParameter(
            f'{file.name} has no run tag, so run_id="tag" has no meaning.', 'Write: ir.scan_run(path, run_id="file")'
        )
    if rank and "rank" not in found:
        raise missing(RUN, "rank", file.columns)
    if "score" in found and not rank:
        found.pop("rank", None)
    constant = {"run_id": file.stem} if run_id == "file" and "run_id" not in found else {}
    order = [c.name for c in RUN.columns if c.name in found or c.name in constant]
    ordering = ("score",) if exact else ()
    if file.format in ("parquet", "arrow"):
        frame = scan_columns(file, RUN, {c: found[c] for c in order if c in found}, ordering)
        return file, frame.with_columns(pl.lit(v, pl.String).alias(k) for k, v in constant.items()).select(order)
    kinds: dict[str, grammar.Kind] = {
        "query_id": "id", "doc_id": "id", "score": "score" if exact else "decimal", "rank": "integer", "run_id": "id",
    }  # fmt: skip
    theirs = {name: Field(name, kinds[ours]) for ours, name in found.items() if ours in order}
    every = theirs if file.format == "jsonl" else {name: theirs.get(name, Field(name, "any")) for name in file.columns}
    fields = tuple(every.values())
    hints = ((4, _QRELS_HINT), (0, _TAG_HINT)) if file.format == "trec" else ()
    trec_tag = surplus if file.format == "trec" else "error"
    whitespace = Whitespace(fields, "a run" if not file.header else "the header", trec_tag, hints)
    return TextPart(
        file, parser_of(file, fields, whitespace), {c: theirs[found[c]] for c in order if c in found}, constant
    )


def _refuse_same_stem(described: list[Description], run_id: RunId) -> None:
    if run_id != "file":
        return
    seen: dict[str, str] = {}
    for file in described:
        if "run_id" in file.found:
            continue
        if file.stem in seen:
            raise InvalidParameter(
                f"{seen[file.stem]} and {file.name} would both be called run {file.stem!r}.",
                'Name the runs by their tags, ir.scan_run(paths, run_id="tag"), or rename a file.',
            )
        seen[file.stem] = file.name
