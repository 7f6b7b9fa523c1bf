"""Files of annotated text, as tables of spans."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

import polars as pl

from ireval_frames.columns.schema import Schema, resolve
from ireval_frames.columns.spans import END, START
from ireval_frames.engines.inputs.polars_errors import run
from ireval_frames.errors import MissingColumn, UnknownName, listed, nearest
from ireval_frames.io.annotated.brat import ENDING, brat
from ireval_frames.io.annotated.document import Document, spans_of
from ireval_frames.io.annotated.json_lines import KEYS, json_lines, records
from ireval_frames.io.annotated.label_studio import label_studio
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.collected import collected
from ireval_frames.io.storage.places import JSON, TABLES, Options, is_remote, local
from ireval_frames.io.storage.source import File, files
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.json_lines import record

_PLACES = Schema("spans", tuple(replace(c, required=False) for c in (START, END)), ())
LAYOUTS = ("brat", "doccano", "label-studio", "spacy", "table")
# The columns of each layout besides doc_id, start, end, type and text.
COLUMNS = {"brat": ("span_id", "fragment"), "label-studio": ("rater_id", "span_id")}


def read_spans(
    source: str | os.PathLike[str],
    layout: str | None = None,
    *,
    doc: str | None = None,
    predictions: bool = False,
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """The spans that are marked in the documents of a file.

    Args:
        source: the file; of brat also a folder or a pattern.
        layout: "brat" (`.ann` files), "spacy" (JSON lines of spaCy and Prodigy: ents, entities or spans), "doccano"
            (its JSON lines: label, labels or entities), "label-studio" (its JSON, also the short one), or "table" (any
            table); by default recognised by ending and keys.
        doc: of JSON the key of the document's id; by default doc_id, id or _id, else the number of the line.
        predictions: of Label Studio the spans that models predicted, with the model in `run_id`, instead of raters'.
        storage_options: options of the stores of remote paths.

    Returns:
        doc_id, start, end (behind the last character), type and text (null where the file does not have it).  Of
        brat also span_id and fragment, a row per fragment, from 0; of Label Studio rater_id and span_id.

    A document without spans has no row; `read_documents` has them all, for `documents=`.  Records that Prodigy's
    answers reject or ignore are left out, as cancelled annotations are.

    Raises:
        FileError, MalformedFile: the file cannot be read; lines that are no spans are named together.
        UnknownName: there is no such layout.
        MissingColumn, NotDefined: Label Studio's data has no such field, records have no spans, or spans no offsets.
        InvalidValue: offsets of a table of text are no numbers.

    Source: Stenetorp and others 2012 (brat); spaCy; Doccano; Label Studio.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "texts.jsonl")
        >>> _ = path.write_text('{"id": 7, "text": "Ada writes", "label": [[0, 3, "PER"]]}')
        >>> read_spans(path).rows()
        [(7, 0, 3, 'PER', 'Ada')]
    """
    name = layout_of(source, layout, storage_options)
    if name == "table":
        rows = scan_table(source, storage_options)
        places = _places(rows.collect_schema().names(), str(source))
        return _with_numbers(collected(rows, source, storage_options), places)
    columns = ("run_id", "span_id") if predictions else COLUMNS.get(name, ())
    return spans_of(annotated(source, name, doc, storage_options, predictions=predictions), columns)


def annotated(
    source: str | os.PathLike[str], layout: str, doc: str | None, options: Options | None, *, predictions: bool = False
) -> Iterator[Document]:
    """The documents of a file of annotated text; arguments are those of `read_spans`."""
    if layout == "brat":
        return brat(source)
    if layout == "label-studio":
        return label_studio(_file(source, options).path, doc, predictions=predictions)
    return json_lines(_file(source, options), layout, doc)


def has_spans(source: str | os.PathLike[str], layout: str | None, options: Options | None) -> bool:
    """Whether it is a file of annotated text, or a table with columns `start` and `end`."""
    if layout_of(source, layout, options) != "table":
        return True
    return {"start", "end"} <= {*scan_table(source, options).collect_schema().names()}


def _places(columns: list[str], name: str) -> list[str]:
    """The columns of starts and ends.

    Raises:
        MissingColumn: records of JSON have neither.
    """
    present = resolve(_PLACES, columns)
    if not present and not any(s.lower() in TABLES or s.lower() == ".csv" for s in PurePosixPath(name).suffixes):
        raise MissingColumn(
            f"{name} has no spans; its records have {listed(columns, 20)}.",
            "Name the columns of a table of spans start and end, or read documents: ir.io.read_documents(path)",
        )
    return list(present.values())


def _with_numbers(frame: pl.DataFrame, places: list[str]) -> pl.DataFrame:
    """A table of spans, whose starts and ends are numbers also where the file is text.

    Raises:
        InvalidValue: they are none.
    """
    texts = [c for c in places if frame.schema[c] == pl.String]
    return run(lambda: frame.with_columns(pl.col(texts).cast(pl.Int64))) if texts else frame


def _file(source: str | os.PathLike[str], options: Options | None) -> File:
    (file,) = files(source, options)
    return file


def layout_of(source: str | os.PathLike[str], layout: str | None, options: Options | None) -> str:
    """The layout of a file of annotated text: the one that is named, or by its ending and keys; "table" for others.

    Raises:
        UnknownName: there is no such layout.
    """
    if layout is not None:
        if layout not in LAYOUTS:
            raise UnknownName(f"There is no layout {layout!r} of spans.", nearest(str(layout), list(LAYOUTS)))
        return layout
    suffixes = [s.lower() for s in PurePosixPath(str(source)).suffixes]
    if ENDING in suffixes or (not is_remote(source) and local(source).is_dir()):
        return "brat"
    if not any(s in JSON for s in suffixes) or any(s in TABLES for s in suffixes):
        return "table"
    return _of_record(_file(source, options))


def _of_record(file: File) -> str:
    """The layout of a file of JSON, by the keys of its first record."""
    line = next((line for _, line in records(file.path, file.name) if line.strip()), b"")
    try:
        keys = set(record(line))
    except Wrong:
        return "spacy"
    if {"annotations", "completions", "annotation_id"} & keys:
        return "label-studio"
    if {"start", "end"} <= keys or {"start_offset", "end_offset"} <= keys:
        return "table"
    return next((name for name in ("doccano", "spacy") if set(KEYS[name]) & keys), "table")
