"""A document with the spans that are marked in it, as readers of annotated text return it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.errors import ReadingWarning, warn
from ireval_frames.io.text.grammar import Wrong

# Ids that are larger numbers are text.
LARGEST = 2**63
TYPES = {
    "doc_id": pl.String,
    "rater_id": pl.String,
    "run_id": pl.String,
    "span_id": pl.String,
    "fragment": pl.Int64,
    "start": pl.Int64,
    "end": pl.Int64,
    "type": pl.String,
    "text": pl.String,
}


@dataclass(frozen=True)
class Marked:
    """A span, or one of its fragments.

    Attributes:
        start, end: offsets in characters, the end behind the last one.
        kind: its type, if it has one.
        text: the text that it marks, if the file has it.
        span: its id in the document.
        fragment: the number of the fragment, from 0.
        rater: who marked it.
        run: the system that predicted it.
        other: the text that the file says it marks, where the document has another one there.
    """

    start: int
    end: int
    kind: str | None
    text: str | None = None
    span: str | None = None
    fragment: int = 0
    rater: str | None = None
    run: str | None = None
    other: str | None = None


@dataclass
class Document:
    """A document: its id (None until it has one), its text if the file has it, and its spans."""

    name: str | int | None
    text: str | None = None
    spans: list[Marked] = field(default_factory=list)


def marked(start: object, end: object, kind: object, text: str | None, span: str | None = None) -> Marked:
    """A span, checked.

    Raises:
        Wrong: offsets are no whole numbers or mark nothing, or the type is no text.
    """
    start, end = _offset("start", start), _offset("end", end)
    if end <= start:
        raise Wrong(f"a span ends at {end}, where it starts or before ({start})")
    if text is not None and end > len(text):
        raise Wrong(f"a span ends at {end}, and the text has {len(text)} characters")
    if not isinstance(kind, str | int) or isinstance(kind, bool) or kind == "":
        raise Wrong(f"the type of the span from {start} to {end} is {kind!r}, which is no text")
    return Marked(start, end, str(kind), None if text is None else text[start:end], span)


def _offset(what: str, offset: object) -> int:
    if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
        raise Wrong(f"the {what} of a span is {offset!r}, which is no offset")
    return offset


def spans_of(documents: Iterable[Document], columns: Sequence[str]) -> pl.DataFrame:
    """The spans of documents: doc_id, start, end, type, text, and these columns."""
    documents = list(documents)
    types = _types(documents)
    _warn_of_other_texts(documents)
    ordered = ["doc_id", *(c for c in TYPES if c in columns), "start", "end", "type", "text"]
    rows = [
        (d.name, s.rater, s.run, s.span, s.fragment, s.start, s.end, s.kind, s.text) for d in documents for s in d.spans
    ]
    return pl.DataFrame(rows, schema=types, orient="row").select(ordered)


def differing(own: str, text: str | None) -> str | None:
    """The text that a file says a span marks, if the document has another one there; blanks are all the same."""
    return own if text is not None and own.split() != text.split() else None


def _warn_of_other_texts(documents: Sequence[Document]) -> None:
    others = [(d.name, s) for d in documents for s in d.spans if s.other is not None]
    if others:
        name, one = others[0]
        warn(
            f"{len(others):,} span{'s do' if len(others) > 1 else ' does'} not mark the text that the file says: at "
            f"{one.start} of {name!r} it says {one.other!r}, and the document has something else. Offsets count "
            "characters; some tools count the units of UTF-16.",
            ReadingWarning,
        )


def documents_of(documents: Iterable[Document]) -> pl.DataFrame:
    """The ids and texts of documents."""
    documents = list(documents)
    schema = {"doc_id": _types(documents)["doc_id"], "text": pl.String}
    return pl.DataFrame([(d.name, d.text) for d in documents], schema=schema, orient="row")


def _types(documents: Sequence[Document]) -> dict[str, Any]:
    integers = all(isinstance(d.name, int) and -LARGEST <= d.name < LARGEST for d in documents) and bool(documents)
    if not integers:
        for d in documents:
            d.name = str(d.name)
    return {**TYPES, "doc_id": pl.Int64 if integers else pl.String}
