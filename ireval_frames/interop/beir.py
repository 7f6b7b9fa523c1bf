"""Folders of BEIR: `queries.jsonl` and `qrels/SPLIT.tsv`; its results are dictionaries (`ir.interop.dicts`)."""

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

    The file of queries holds those of all splits; an evaluation uses those that are judged.

    Args:
        folder: the folder of the dataset, as BEIR unpacks it.
        split: "train", "dev" or "test": a file in `qrels`.

    Returns:
        query_id, doc_id, relevance; and query_id, text and further fields of the queries.

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
    root = Path(folder).expanduser()
    judgments = root / "qrels" / f"{split}.tsv"
    if not judgments.is_file():
        splits = sorted(p.stem for p in (root / "qrels").glob("*.tsv"))
        raise FileError(
            f"{judgments} is not a file.",
            f'Write split="{splits[0]}"; there are {listed(splits)}.'
            if splits
            else "Name the folder that holds `qrels`.",
        )
    if not (root / _QUERIES).is_file():
        raise FileError(f"{root / _QUERIES} is not a file.", f'Read the judgments: ir.io.scan_qrels("{judgments}")')
    return scan_qrels(judgments, format="beir"), scan_queries(root / _QUERIES, {"query_id": "_id"})


def to_folder(folder: str | os.PathLike[str], qrels: Any, queries: Any = None, *, split: str = "test") -> Path:
    """Write judgments, and queries, in the form of BEIR, and return the folder.

    Args:
        folder: where to write; it is created if needed.
        qrels: a frame of any kind, a relation, or a path.
        queries: a table of query_id and text; without it, no file of queries is written.
        split: the name of the split.

    Raises:
        NotDefined: the judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: a table is invalid.
        FileError: a file cannot be written; an existing file stays unchanged.
    """
    root = Path(folder).expanduser()
    rows = qrels_rows(qrels)
    texts = None if queries is None else topic_rows(queries)
    try:
        (root / "qrels").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{root} cannot be created: {error.strerror}.") from error
    write_qrels(rows, root / "qrels" / f"{split}.tsv", format="beir")
    if texts is not None:
        write_table(texts.rename({"query_id": "_id"}), root / _QUERIES)
    return root
