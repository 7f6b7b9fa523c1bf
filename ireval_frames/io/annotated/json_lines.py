"""Documents as JSON lines with their spans, as spaCy, Prodigy and Doccano write them.

A span is a list of start, end and type, or an object with these; their keys differ between tools and versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ireval_frames.io.annotated.document import Document, Marked, marked
from ireval_frames.io.json.document import document
from ireval_frames.io.storage.source import File
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.chunks import at_line_end, chunks
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.json_lines import record, refuse_halves
from ireval_frames.io.text.stream import BOM, empty, numbered

# The keys of the spans of a document by layout: the first one that a record has.
KEYS = {"spacy": ("ents", "entities", "spans"), "doccano": ("label", "labels", "entities")}
# The keys of a document's id.
IDS = ("doc_id", "id", "_id")
_STARTS, _ENDS, _TYPES = ("start", "start_offset"), ("end", "end_offset"), ("label", "type", "tag")
# Answers of Prodigy that leave a document out.
_LEFT_OUT = ("reject", "ignore")


def json_lines(file: File, layout: str, doc: str | None) -> Iterator[Document]:
    """The documents of a file; where none has an id, each is named by the number of its line.

    Args:
        file: the file: JSON lines, or an array of records.
        layout: the tool, one of `KEYS`.
        doc: the key of the document's id, by default one of `IDS`.

    Raises:
        MalformedFile: records are no documents with spans.
    """
    bad = BadLines(file.name)
    out, lines, unnamed = [], dict[str | int, int](), dict[int, bytes]()
    for number, line in records(file.path, file.name):
        try:
            if line.strip():
                row = record(line)
                refuse_halves(row)
                if row.get("answer") not in _LEFT_OUT:
                    out.append(one := _document(row, layout, doc))
                    if one.name is None:
                        one.name = number
                        unnamed[number] = line
                    elif lines.setdefault(one.name, number) != number:
                        bad.add(number, line, f"the document {one.name!r} is in line {lines[one.name]}, too")
        except Wrong as error:
            bad.add(number, line, str(error))
    for number, line in unnamed.items() if lines else ():
        bad.add(number, line, "the document has no id, and others have")
    if bad.count:
        raise bad.error()
    if not out:
        raise empty(file.name)
    yield from out


def records(path: Path, name: str) -> Iterable[tuple[int, bytes]]:
    """The records of JSON lines or of an array, each with the number of the line in which it begins."""
    head = next(chunks(path, name, at_line_end), b"")
    if head.removeprefix(BOM).lstrip().startswith(b"["):
        return document(path, name, records=True).records()
    return numbered(path, name)


def _document(row: Mapping[str, Any], layout: str, doc: str | None) -> Document:
    if doc is not None and doc not in row:
        raise Wrong(f"it has no {doc!r}")
    name = next((row[key] for key in ([doc] if doc else IDS) if row.get(key) is not None), None)
    if isinstance(name, bool) or not isinstance(name, str | int | None):
        raise Wrong(f"the id of the document is {name!r}, which is neither text nor an integer")
    text = row.get("text", row.get("data"))
    key = next((key for key in KEYS[layout] if key in row), None)
    if key is None:
        raise Wrong(f"it has no spans: none of {', '.join(KEYS[layout])}")
    spans = row[key] or []
    if isinstance(spans, Mapping):
        # The groups of spans of a document of spaCy.
        spans = [span for group in spans.values() for span in _listed(group, key)]
    return Document(name, text if isinstance(text, str) else None, [_span(s, text) for s in _listed(spans, key)])


def _listed(spans: Any, key: str) -> list[Any]:
    if not isinstance(spans, list):
        raise Wrong(f"{key!r} is {str(spans)[:40]!r}, which is no list of spans")
    return spans


def _span(span: Any, text: Any) -> Marked:
    text = text if isinstance(text, str) else None
    if isinstance(span, Mapping):
        start, end, kind = (_value(span, *keys) for keys in (_STARTS, _ENDS, _TYPES))
    elif isinstance(span, list) and len(span) == 3:
        start, end, kind = span
    else:
        raise Wrong(f"a span is {str(span)[:40]!r}; it is [start, end, label], or an object with these")
    return marked(start, end, kind, text)


def _value(span: Mapping[str, Any], *keys: str) -> Any:
    """The value of the first key that it has."""
    for key in keys:
        if key in span:
            return span[key]
    raise Wrong(f"a span has no {keys[0]!r}: {str(dict(span))[:60]}")
