"""Queries: a table with a row per query and any further columns, such as segments to group by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import polars as pl

from ireval_frames.columns.schema import QUERIES
from ireval_frames.io.collected import collected
from ireval_frames.io.datasets import dataset_id, scan_dataset_queries
from ireval_frames.io.detect.description import Format
from ireval_frames.io.detect.file import describe
from ireval_frames.io.records import scan_records
from ireval_frames.io.storage.collection_folders import in_folder
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source


def scan_queries(
    source: Source,
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
    *,
    format: Format | Literal["auto"] = "auto",
) -> pl.LazyFrame:
    """Queries as a lazy frame: query_id and every other column of the table under its own name.

    It reads tables, topics between tags (of all years of TREC, with and without closing tags, of its web track with
    subtopics, of CLEF and NTCIR), queries of SMART's collections (CACM, CISI, Cranfield, MED, ADI, TIME, NPL, LISA) and
    of CFC, and lines `id:text`.  What was repaired or assumed is warned of.

    Args:
        source: a CSV, TSV, JSON lines, Parquet or Arrow file with column names, a file of topics, MS MARCO's lines of
            query and text, a folder of a collection of BEIR or MTEB, a pattern, a list of these, "-", or a dataset of
            ir_datasets ("irds:name").
        columns: the file's own name of the query's id, as in `{"query_id": "number"}`.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.
        format: "trec" (all topics between tags), "colon", "smart", "cranfield", "npl", "lisa", "time", "cfc", "csv",
            "tsv", "jsonl", "json", "parquet", "arrow", "msmarco" (query and text between a tab), "top1000" (MS MARCO's
            candidates, of which the queries are taken), or "auto" to recognise it.

    Returns:
        query_id and the other columns; in CSV and TSV all are strings as they are spelled, an empty field is null.
        Topics have title (also the web track's `query`), description, narrative, other fields under the names of their
        tags, and subtopics, a list of subtopic_id, type and text; queries of the older collections have text.
        Numbers of SMART's queries lose zeros in front, as judgments do; Cranfield's queries are named by their place in
        the file, as in its judgments, and `number` has the file's own.

    Raises:
        FileError: a file is missing, a directory, empty, truncated, not text, or has something else than queries.
        MalformedFile: lines do not parse; raised when the frame is collected, or at once for files of topics.
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
    return scan_records(described, QUERIES)


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
        >>> _ = path.write_text("<top><num> Number: 301 <title> Trees <desc> Description: Old ones. </top>")
        >>> read_queries(path).to_dicts()
        [{'query_id': '301', 'title': 'Trees', 'description': 'Old ones.'}]
    """
    return collected(
        scan_queries(source, columns, storage_options, format=format), in_folder(source, "queries"), storage_options
    )
