"""Documents: their ids, titles and texts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, cast, get_args

import polars as pl

from ireval_frames.columns.documents import TEXTS
from ireval_frames.io.annotated.brat import ENDING
from ireval_frames.io.annotated.document import documents_of
from ireval_frames.io.collected import collected
from ireval_frames.io.datasets import dataset_id, scan_dataset_documents
from ireval_frames.io.detect.description import Format
from ireval_frames.io.detect.file import describe
from ireval_frames.io.records import scan_records
from ireval_frames.io.spans import annotated, layout_of
from ireval_frames.io.storage.collection_folders import in_folder
from ireval_frames.io.storage.places import Options, is_remote, local
from ireval_frames.io.storage.source import Source

Annotated = Literal["brat", "doccano", "label-studio", "spacy"]


def scan_documents(
    source: Source,
    *,
    format: Format | Annotated | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
) -> pl.LazyFrame:
    """Documents as a lazy frame: doc_id, title if there is any, and text.

    It reads documents of TREC (`<DOC>` with `<DOCNO>`, also not well-formed), of SMART's collections (CACM, CISI,
    Cranfield, MED and ADI behind `.I`; TIME, NPL and LISA in layouts of their own), of CFC as XML and as plain text,
    annotated texts (brat, spaCy, Prodigy, Doccano, Label Studio), MS MARCO's lines of id and text between tabs, and
    tables in CSV, TSV, JSON lines, Parquet and Arrow, such as BEIR's `corpus.jsonl`.  What was repaired
    or assumed is warned of.

    Args:
        source: a file, a pattern, a list of these, or "-"; a folder of brat, or of a collection of BEIR or MTEB;
            or a dataset of ir_datasets ("irds:name").
        format: "trec", "smart", "cranfield", "npl", "lisa", "time", "cfc", "brat", "spacy", "doccano",
            "label-studio", "msmarco" (id and text between a tab), "top1000", "csv", "tsv", "jsonl", "json", "parquet",
            "arrow", or "auto" to recognise it.
        columns: the file's own names of our columns, as in `{"doc_id": "name"}`; of annotated JSON that of doc_id.
        storage_options: options of the stores of remote paths.

    Returns:
        doc_id, title and text (null where a document has none), and of tables all other columns under their own names.
        Numbers of documents lose zeros in front, as judgments do not have them.  TIME's documents are named by their
        place in the file, as in its judgments, and CFC's by RECORDNUM; `number` has TIME's own number, or PAPERNUM.

    Raises:
        FileError, MalformedFile: the file cannot be read; wrong lines are named together.
        MissingColumn: a table has no ids of documents.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "corpus.all")
        >>> _ = path.write_text(chr(10).join([".I 1", ".T", "On trees", ".W", "Trees are tall."]))
        >>> scan_documents(path).collect().rows()
        [('1', 'On trees', 'Trees are tall.')]
    """
    dataset = dataset_id(source)
    if dataset is not None:
        return scan_dataset_documents(dataset)
    source = in_folder(source, "documents")
    layout: str = format if format in get_args(Annotated) else "table"
    if isinstance(source, str | os.PathLike):
        if format == "auto" and not _is_plain_folder(source):
            layout = layout_of(source, None, storage_options)
        if layout != "table":
            return documents_of(annotated(source, layout, (columns or {}).get("doc_id"), storage_options)).lazy()
    described = describe(
        source, "documents", format=cast(Format, format), columns=columns, storage_options=storage_options
    )
    return scan_records(described, TEXTS)


def _is_plain_folder(source: str | os.PathLike[str]) -> bool:
    """Whether it is a folder without annotations of brat."""
    return not is_remote(source) and local(source).is_dir() and not any(Path(local(source)).rglob(f"*{ENDING}"))


def read_documents(
    source: Source,
    *,
    format: Format | Annotated | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """Documents as a frame in memory; arguments, columns and errors are those of `scan_documents`.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "ap890101")
        >>> _ = path.write_text("<DOC><DOCNO> AP-1 </DOCNO><HEAD>Rain</HEAD><TEXT>It rained.</TEXT></DOC>")
        >>> read_documents(path).rows()
        [('AP-1', 'Rain', 'It rained.')]
    """
    frame = scan_documents(source, format=format, columns=columns, storage_options=storage_options)
    return collected(frame, in_folder(source, "documents"), storage_options)
