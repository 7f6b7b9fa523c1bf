"""The files of `ireval trec-eval`: TREC lines in files of any name, and all other formats of `io`."""

from __future__ import annotations

import re
from typing import Literal

import polars as pl

from ireval_frames import io
from ireval_frames.errors import DuplicateRows, InvalidParameter
from ireval_frames.io.detect.description import Format
from ireval_frames.io.run_header import last_tag
from ireval_frames.io.runs import scanned
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.other_kinds import HEAD
from ireval_frames.io.storage.source import DATASET_PREFIXES, File, files

Kind = Literal["run", "qrels"]
_LINES = {
    "run": re.compile(rb"[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+[-+.0-9eE]+[ \t]+[^ \t]"),
    "qrels": re.compile(rb"[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+[-+.0-9eE]+[ \t]*$"),
}


def judgments(path: str, kind: str) -> pl.DataFrame:
    """The judgments.

    Args:
        path: the file.
        kind: `qrels`; `qrels_jg` and `qrels_prefs`, where the second field is an
            assessor; `prefs`, with groups as well.
    """
    second: Literal["assessor_id"] | None = None if kind in ("qrels", "prefs") else "assessor_id"
    grade = float if kind.endswith("prefs") else int
    if path.startswith(DATASET_PREFIXES):
        return io.read_qrels(path, second=second, relevance=grade)
    file = _only(path)
    return io.read_qrels(
        file, format="prefs" if kind == "prefs" else _format(file, "qrels"), second=second, relevance=grade
    )


def refuse_duplicates(qrels: pl.DataFrame, path: str) -> None:
    """Refuse judgments in which an assessor judges a document twice.

    Raises:
        DuplicateRows: there is one.
    """
    twice = qrels.filter(pl.struct("query_id", "assessor_id", "doc_id").is_duplicated())
    if twice.height:
        query, doc, assessor = twice.select("query_id", "doc_id", "assessor_id").row(0)
        raise DuplicateRows(
            f"{path}: assessor {assessor!r} judges {doc!r} of query {query!r} twice.", "Keep one judgment of each."
        )


def run(path: str) -> tuple[pl.LazyFrame, File]:
    """The run without a run_id, and its file."""
    file = _only(path)
    return scanned(file, format=_format(file, "run"), run_id=None, surplus="tag", exact=False), file


def tag(file: File) -> str:
    """The `runid` of a run: the sixth field of its last line; the file's name for other formats."""
    (described,) = io.describe(file, "run", format=_format(file, "run"))
    return last_tag(described)


def _only(path: str) -> File:
    matches = files(path)
    if len(matches) != 1:
        raise InvalidParameter(
            f"{path!r} names {len(matches)} files; trec-eval takes one.", "For several runs: ireval evaluate"
        )
    return matches[0]


def _format(file: File, kind: Kind) -> Format | Literal["auto"]:
    """TREC lines are recognised in a file of any name, with ids of any form."""
    if file.stored is not None:
        return "auto"
    with Stream(file.path, file.name) as stream:
        lines = stream.read(HEAD).split(b"\n")
    first = next(
        (line.rstrip(b"\r") for line in lines if line.strip() and not line.lstrip(b" \t").startswith(b"#")), b""
    )
    return "trec" if _LINES[kind].match(first) else "auto"
