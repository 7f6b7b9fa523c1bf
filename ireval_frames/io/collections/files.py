"""The files of collections: how those of each are recognised, and which readers they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import polars as pl

from ireval_frames.io.collections import cfc, lisa, npl, smart, time_magazine, topics, trec_documents
from ireval_frames.io.collections.lines import Lines, is_number

if TYPE_CHECKING:
    from ireval_frames.io.detect.description import Format

Content = Literal["documents", "queries", "qrels"]
WORDS: dict[Content, str] = {"documents": "documents", "queries": "queries", "qrels": "judgments"}
Reader = Callable[[Lines], pl.DataFrame]
_GRADES = ("0", "1", "2", "3", "4")


@dataclass(frozen=True)
class CollectionFiles:
    """The files of a collection, or of collections of one layout.

    Args:
        format: its name in `FORMATS`.
        name: whose files they are, in words.
        readers: the readers, by what a file contains.
        in_lines: what else has this format, in lines of fields, which other readers read.
        contents: what a file with these first lines, which are not empty, contains; nothing if it is none of them.
    """

    format: Format
    name: str
    readers: Mapping[Content, Reader]
    contents: Callable[[Sequence[str]], tuple[Content, ...]]
    in_lines: tuple[str, ...] = ()

    def words(self, content: Content) -> str:
        """What a file has, in words."""
        return f"{'topics' if self.format == 'trec' and content == 'queries' else WORDS[content]} of {self.name}"


def _smart(lines: Sequence[str]) -> tuple[Content, ...]:
    return ("documents", "queries") if smart.is_tagged(lines) and not _cranfield(lines) else ()


def _cranfield(lines: Sequence[str]) -> tuple[Content, ...]:
    return ("queries",) if smart.is_of_cranfield(lines) else ()


def _npl(lines: Sequence[str]) -> tuple[Content, ...]:
    if not npl.is_of_npl(lines):
        return ()
    return ("qrels",) if npl.is_of_numbers(lines) else ("documents", "queries")


def _lisa(lines: Sequence[str]) -> tuple[Content, ...]:
    if lisa.is_document(lines):
        return ("documents",)
    if lisa.is_judgment(lines) or (_of_lists(lines) and lisa.is_counted(lines)):
        return ("qrels",)
    return ("queries",) if lisa.is_query(lines) and not npl.is_of_npl(lines) else ()


def _time(lines: Sequence[str]) -> tuple[Content, ...]:
    if _of_lists(lines) and time_magazine.is_judgment(lines):
        return ("qrels",)
    return ("documents",) if time_magazine.is_document(lines) else ("queries",) if time_magazine.is_query(lines) else ()


def _of_lists(lines: Sequence[str]) -> bool:
    """Whether numbers stand in lines of different lengths, as lists of documents do; others are judgments by lines.

    Lines of which most have one length and end in grades are judgments, of which some lines are wrong.
    """
    rows = [line.split() for line in lines]
    lengths = Counter(map(len, rows))
    if len(lengths) < 2 or not all(is_number(part) for part in rows[0]):
        return False
    usual = lengths.most_common(1)[0][0]
    graded = all(row[-1] in _GRADES for row in rows if len(row) == usual)
    return not (usual > 2 and graded and 2 * lengths[usual] > len(rows))


def _cfc(lines: Sequence[str]) -> tuple[Content, ...]:
    return ("documents",) if cfc.is_document(lines) else ("queries", "qrels") if cfc.is_query(lines) else ()


def _trec(lines: Sequence[str]) -> tuple[Content, ...]:
    if _cfc(lines):
        return ()
    return ("documents",) if trec_documents.is_document(lines) else ("queries",) if topics.is_topic(lines) else ()


FILES = (
    CollectionFiles("smart", "SMART", {"documents": smart.documents, "queries": smart.queries}, _smart, ("qrels",)),
    CollectionFiles(
        "cranfield",
        "Cranfield",
        {"documents": smart.documents, "queries": smart.queries_by_place},
        _cranfield,
        ("qrels",),
    ),
    CollectionFiles("npl", "NPL", {"documents": npl.documents, "queries": npl.queries, "qrels": npl.judgments}, _npl),
    CollectionFiles(
        "lisa", "LISA", {"documents": lisa.documents, "queries": lisa.queries, "qrels": lisa.judgments}, _lisa
    ),
    CollectionFiles(
        "time",
        "TIME",
        {"documents": time_magazine.documents, "queries": time_magazine.queries, "qrels": time_magazine.judgments},
        _time,
    ),
    CollectionFiles("cfc", "CFC", {"documents": cfc.documents, "queries": cfc.queries, "qrels": cfc.judgments}, _cfc),
    CollectionFiles(
        "trec", "TREC", {"documents": trec_documents.documents, "queries": topics.queries}, _trec, ("qrels", "run")
    ),
    CollectionFiles("colon", "lines `id:text`", {"queries": topics.colon_queries}, lambda _: ()),
)


def reader(format: str, content: str) -> Reader | None:
    """The reader of a format for files that contain documents, queries or qrels; None if it is another format."""
    readers_of_files = ({str(c): read for c, read in f.readers.items()} for f in FILES if f.format == format)
    return next((readers[content] for readers in readers_of_files if content in readers), None)


def recognised(lines: Sequence[str]) -> list[tuple[CollectionFiles, tuple[Content, ...]]]:
    """Whose files these first lines, which are not empty, may be of, and what they contain."""
    return [(files, contents) for files in FILES if (contents := files.contents(lines))]
