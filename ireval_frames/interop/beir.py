"""BEIR's folders: `queries.jsonl` and `qrels/SPLIT.tsv`; its results are dictionaries (`ir.interop.dicts`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.errors import FileError, listed
from ireval_frames.interop.tables import qrels_rows, topic_rows
from ireval_frames.io import scan_qrels, scan_queries, write_qrels, write_table

_QUERIES = "queries.jsonl"


def from_folder(folder: str | os.PathLike[str], split: str = "test") -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """The judgments and the queries of a dataset's folder; its corpus is not read.

    Queries of other splits are in the same file; an evaluation takes those that are judged.

    Args:
        folder: of the dataset, as BEIR unpacks it.
        split: "train", "dev" or "test", by the names of the files in `qrels`.

    Returns:
        query_id, doc_id, relevance; and query_id with text and whatever else the queries have.

    Raises:
        FileError: there is no such folder, split, or file of queries.
        MalformedFile: lines do not parse; raised when the frames are collected.

    Source: BEIR (Thakur and others, NeurIPS 2021).

    Example:
        >>> import ireval_frames as ir, tempfile
        >>> qrels, run = ir.examples.ranking()
        >>> folder = to_folder(tempfile.mkdtemp(), qrels, pl.DataFrame({"query_id": ["q"], "text": ["two words"]}))
        >>> judgments, queries = from_folder(folder)
        >>> ir.evaluate(judgments, run, "P@2").wide().row(0), queries.collect().row(0)
        ((0.5,), ('q', 'two words'))
    """
    place = Path(folder).expanduser()
    judged = place / "qrels" / f"{split}.tsv"
    if not judged.is_file():
        there = sorted(p.stem for p in (place / "qrels").glob("*.tsv"))
        raise FileError(
            f"{judged} is not a file.",
            f'Write split="{there[0]}"; there are {listed(there)}.' if there else "Name the folder that holds `qrels`.",
        )
    if not (place / _QUERIES).is_file():
        raise FileError(f"{place / _QUERIES} is not a file.", f'Read the judgments alone: ir.io.scan_qrels("{judged}")')
    return scan_qrels(judged, format="beir"), scan_queries(place / _QUERIES, {"query_id": "_id"})


def to_folder(folder: str | os.PathLike[str], qrels: Any, queries: Any = None, *, split: str = "test") -> Path:
    """Write judgments, and queries, as BEIR has them, and give the folder.

    Args:
        folder: where to; it is made where it is not there.
        qrels: a frame of any kind, a relation, or a path.
        queries: a table of query_id and text; without it no file of queries is written.
        split: what the judgments are called.

    Raises:
        NotDefined: the judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: a table is at fault.
        FileError: a file cannot be written; an older one at its place stays as it was.
    """
    place = Path(folder).expanduser()
    rows = qrels_rows(qrels)
    texts = None if queries is None else topic_rows(queries)
    try:
        (place / "qrels").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{place} cannot be made: {error.strerror}.") from error
    write_qrels(rows, place / "qrels" / f"{split}.tsv", format="beir")
    if texts is not None:
        write_table(texts.rename({"query_id": "_id"}), place / _QUERIES)
    return place
