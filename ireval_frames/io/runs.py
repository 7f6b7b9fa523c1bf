"""Runs: what systems retrieved."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import Literal

import polars as pl

from ireval_frames.columns.schema import RUN, missing
from ireval_frames.errors import Hint, InvalidParameter
from ireval_frames.io.collected import collected
from ireval_frames.io.datasets import dataset_id, scan_scored_documents
from ireval_frames.io.detect.description import Description, Format
from ireval_frames.io.detect.file import describe
from ireval_frames.io.json import shapes
from ireval_frames.io.parts import Part, TextPart, concat_parts, lazy_part, parser_of
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source
from ireval_frames.io.tables import scan_columns
from ireval_frames.io.text import grammar
from ireval_frames.io.text.field_orders import BY_ORDER, BY_RANK
from ireval_frames.io.text.grammar import Field
from ireval_frames.io.text.headers import Kind, choice
from ireval_frames.io.text.stream import empty
from ireval_frames.io.text.whitespace import Whitespace

RunId = Literal["file", "tag"] | None
ScoreFrom = Literal["rank", "order"] | None

_TAG_HINT = 'If the run tag contains blanks: ir.io.scan_run(path, surplus="tag")'
_ORDER_HINT = Hint("If the lines are in the order of the run: ", BY_ORDER)
_RANK_HINT = Hint("If the score is missing: ", BY_RANK)
_QRELS_HINT = "If these are judgments: ir.io.scan_qrels(path)"


def scan_run(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    run_id: RunId = "file",
    rank: bool = False,
    surplus: Literal["error", "tag"] = "error",
    score_from: ScoreFrom = None,
    storage_options: Options | None = None,
) -> pl.LazyFrame:
    """A run as a lazy frame with the columns run_id, query_id, doc_id, score.

    It reads TREC runs, also without the tag, MS MARCO runs (query, document, rank) and candidates (query, document, and
    both texts), three fields (query, document, score; of RankLib the document is its place in the list), CSV (commas,
    semicolons or tabs), JSON lines and arrays of records, `{query: {document: score}}` in JSON, responses of
    Elasticsearch's and OpenSearch's `_rank_eval`, Parquet and Arrow, text also compressed (.gz, .bz2, .xz, .zst), and
    datasets of ir_datasets ("irds:name").  A layout of lines is recognised if no other one fits all of them.  In text,
    ids are strings as they are spelled and scores are finite decimal numbers.

    Args:
        source: a path, a folder of Parquet files, a pattern such as "runs/*.run", a list of these, or "-" for standard
            input; also in a store, such as "s3://bucket/runs/".
        format: "trec", "msmarco", "top1000", "ranklib", "csv", "tsv", "jsonl", "json", "parquet", "arrow", or "auto" to
            recognise it.
        columns: the file's own names of our columns, as in `{"score": "sim"}`.
        run_id: "file" names a run after its file (`bm25.run.gz` is `bm25`), "tag" after the sixth TREC field; None
            leaves the column out.  A table's own run_id column is read, unless run_id is None.
        rank: whether to read the rank column (Int64) as well.  A file without scores has rank and no score.
        surplus: "tag" takes everything from the sixth TREC field on as the run tag; "error" refuses more than six.
        score_from: "rank" computes the score from the rank (−rank), "order" from the order of a query's documents in
            the file (−1, −2, …); existing scores are ignored.  Lines may then lack scores: query, document;
            query, document, rank; or a TREC line without score, or without score and tag.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        run_id (String), query_id and doc_id (String, or Int64 from typed files), score
        (Float64), rank (Int64) on demand.

    Raises:
        FileError: a file is missing, a directory, empty, truncated, not text, or has something else than a run.
        AmbiguousFile: several layouts fit the lines.
        MalformedFile: lines are no run; or some do not parse, which is raised when the frame is collected.
        MissingColumn: a table lacks a column.
        InvalidValue, MalformedFile: scores are whole numbers beyond 2^53, or decimals of more than 15 digits, which
            floats cannot distinguish; raised when the frame is collected.
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
        score_from=score_from,
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
    score_from: ScoreFrom = None,
    storage_options: Options | None = None,
    exact: bool = True,
) -> pl.LazyFrame:
    """A run as `scan_run` reads it; without `exact`, scores that floats cannot distinguish are tied.

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
    choice("score_from", score_from, [None, "rank", "order"], 'score_from="order"')
    dataset = dataset_id(source)
    if dataset is not None:
        if score_from is not None:
            raise InvalidParameter(f"{source} has scores and no ranks.", "Leave score_from= out.")
        return scan_scored_documents(dataset, run_id=run_id is not None)
    kind: Kind = "run" if score_from is None else "ranks" if score_from == "rank" else "list"
    described = describe(source, kind, format=format, columns=columns, storage_options=storage_options)
    _refuse_same_stem(described, run_id)
    parts = [_part(file, run_id, surplus, rank=rank, score_from=score_from, exact=exact) for file in described]
    frame = concat_parts(
        parts if score_from is None else [_scored(part, score_from, rank=rank) for part in parts], "run"
    )
    if columns_left := unread(described):
        _unread[id(frame)] = columns_left
        weakref.finalize(frame, _unread.pop, id(frame), None)
    return frame


# The columns that were not read, by the id of the frame.
_unread: dict[int, list[str]] = {}


def unread(source: Sequence[Description] | pl.LazyFrame) -> list[str]:
    """The columns that are not read of files without a run_id; for a frame, those of its files."""
    if isinstance(source, pl.LazyFrame):
        return _unread.get(id(source), [])
    tables = [file for file in source if file.tabular and "run_id" not in file.mapping]
    return [c for file in tables for c in file.columns if c not in file.mapping.values()]


def read_run(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    run_id: RunId = "file",
    rank: bool = False,
    surplus: Literal["error", "tag"] = "error",
    score_from: ScoreFrom = None,
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
            score_from=score_from,
            storage_options=storage_options,
        ),
        source,
        storage_options,
    )


def _part(
    file: Description,
    run_id: RunId,
    surplus: Literal["error", "tag"],
    *,
    rank: bool,
    score_from: ScoreFrom,
    exact: bool,
) -> Part:
    owner = None if file.document is None else shapes.run(*file.document, exact=exact)
    if owner is not None and not owner.height:
        raise empty(file.name)
    columns = file.columns if owner is None else owner.columns
    mapping = dict(file.mapping) or {c: c for c in columns}
    if score_from is not None:
        mapping.pop("score", None)
        rank = score_from == "rank"
    if run_id != "tag" and not file.tabular:
        mapping.pop("run_id", None)
    if run_id is None:
        mapping.pop("run_id", None)
    elif run_id == "tag" and "run_id" not in mapping:
        raise InvalidParameter(
            f'{file.name} has no run tag, so run_id="tag" cannot be used.', 'Write: ir.io.scan_run(path, run_id="file")'
        )
    if rank and "rank" not in mapping:
        if score_from == "rank":
            raise InvalidParameter(f"{file.name} has no ranks.", Hint("Use the order of the file: ", BY_ORDER))
        raise missing(RUN, "rank", columns)
    if ("score" in mapping or score_from == "order") and not rank:
        mapping.pop("rank", None)
    if owner is not None and not {"score", "rank"} & mapping.keys() and score_from is None:
        raise missing(RUN, "score", columns)
    constant = {"run_id": file.stem} if run_id == "file" and "run_id" not in mapping else {}
    order = [c.name for c in RUN.columns if c.name in mapping or c.name in constant]
    if owner is not None or file.format in ("parquet", "arrow"):
        named = {c: mapping[c] for c in order if c in mapping}
        ordering = ("score",) if exact else ()
        frame = scan_columns(file, RUN, named, ordering) if owner is None else owner.lazy().select(**named)
        return file, frame.with_columns(pl.lit(v, pl.String).alias(k) for k, v in constant.items()).select(order)
    kinds: dict[str, grammar.Kind] = {
        "query_id": "id", "doc_id": "id", "score": "score" if exact else "decimal", "rank": "integer", "run_id": "id",
    }  # fmt: skip
    fields_by_name = {name: Field(name, kinds[ours]) for ours, name in mapping.items() if ours in order}
    every = (
        fields_by_name
        if file.format in ("jsonl", "json")
        else {name: fields_by_name.get(name, Field(name, "any")) for name in file.columns}
    )
    fields = tuple(every.values())
    hints = ((2, _ORDER_HINT), (4, _QRELS_HINT), (5, _RANK_HINT), (0, _TAG_HINT)) if file.format == "trec" else ()
    trec_tag = surplus if file.format == "trec" else "error"
    whitespace = Whitespace(fields, "a run" if not file.header else "the header", trec_tag, hints)
    return TextPart(
        file,
        parser_of(file, fields, whitespace),
        {c: fields_by_name[mapping[c]] for c in order if c in mapping},
        constant,
    )


def _scored(part: Part, score_from: ScoreFrom, *, rank: bool) -> Part:
    """With scores computed from the ranks, or from the order of each query's rows, which then are the ranks."""
    frame = lazy_part(part, "run")
    names = frame.collect_schema().names()
    lists = [c for c in ("run_id", "query_id") if c in names]
    place = pl.col("rank") if score_from == "rank" else pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over(lists)
    columns = [(-place.cast(pl.Float64)).alias("score"), *([place.alias("rank")] if rank else [])]
    return part.file if isinstance(part, TextPart) else part[0], frame.select(
        *(c for c in names if c != "rank"), *columns
    )


def _refuse_same_stem(described: list[Description], run_id: RunId) -> None:
    if run_id != "file":
        return
    by_stem: dict[str, str] = {}
    for file in described:
        if "run_id" in file.mapping:
            continue
        if file.stem in by_stem:
            raise InvalidParameter(
                f"{by_stem[file.stem]} and {file.name} would both be called run {file.stem!r}.",
                'Name the runs by their tags, ir.io.scan_run(paths, run_id="tag"), or rename a file.',
            )
        by_stem[file.stem] = file.name
