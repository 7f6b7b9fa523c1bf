"""SMART's documents and queries: lines behind tags such as `.I 1` and `.W`.

CACM, CISI, ADI, MED and Cranfield have them; OHSUMED has other tags besides, of which `.U` is the document's number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import polars as pl

from ireval_frames.io.collections.lines import Ids, Lines, Row, is_number, joined, number

_ID = re.compile(r"\.I\s+(\S+)\s*")
_TAG = re.compile(r"\.([A-Z])\s*")
# The fields of records by their tags.
FIELDS = {
    "T": "title", "W": "text", "A": "authors", "B": "source", "K": "keywords", "C": "categories", "N": "notes",
    "X": "references", "U": "number", "S": "source", "M": "subjects", "P": "type",
}  # fmt: skip


def is_tagged(lines: Sequence[str]) -> bool:
    """Whether the first line is the id of a record."""
    return bool(lines) and _ID.fullmatch(lines[0]) is not None


def is_of_cranfield(lines: Sequence[str]) -> bool:
    """Whether the records are Cranfield's queries: numbers of three digits with gaps, such as 001, 002, 004."""
    names = [start[1] for line in lines if (start := _ID.fullmatch(line))] if is_tagged(lines) else []
    padded = bool(names) and names[0].startswith("0") and all(len(n) == 3 and is_number(n) for n in names)
    return padded and sorted(set(names)) == names and int(names[-1]) > len(names)


def documents(lines: Lines) -> pl.DataFrame:
    """The documents: doc_id, number (of OHSUMED), title, text."""
    ids = Ids(lines, "document")
    rows = [
        {"doc_id": ids.add(number(name), at), **{c: fields.get(c) for c in ("number", "title", "text")}}
        for at, name, fields in records(lines)
    ]
    return lines.frame(rows, {"text": pl.String})


def queries(lines: Lines) -> pl.DataFrame:
    """The queries: query_id, and the fields that they have."""
    ids = Ids(lines, "query")
    rows = [{"query_id": ids.add(number(name), at), **fields} for at, name, fields in records(lines)]
    return lines.frame(rows)


def queries_by_place(lines: Lines) -> pl.DataFrame:
    """The same of Cranfield, whose judgments name queries by their place: query_id, the file's own id, and fields."""
    ids = Ids(lines, "query")
    rows = [
        {"query_id": str(place), "number": ids.add(name, at), **fields}
        for place, (at, name, fields) in enumerate(records(lines), 1)
    ]
    if other := sum(row["query_id"] != number(row["number"]) for row in rows):
        lines.repairs.append(
            f"the numbers of {other:,} queries are not those of the judgments of Cranfield, which count the queries: "
            "query_id is the place in the file, and `number` its own number."
        )
    return lines.frame(rows)


def records(lines: Lines) -> Iterator[tuple[int, str, Row]]:
    """The records: the line of each, its id, and its fields; a field whose tag is repeated is one text."""
    at, name, fields = 0, "", dict[str, list[str]]()
    field: list[str] | None = None
    for place, line in lines:
        if start := _ID.fullmatch(line):
            if at:
                yield at, name, {f: joined(texts) for f, texts in fields.items()}
            at, name, fields, field = place, start[1], {}, None
        elif (tag := _TAG.fullmatch(line)) and tag[1] in FIELDS and at:
            field = fields.setdefault(FIELDS[tag[1]], [])
        elif field is not None:
            field.append(line)
        elif line.strip():
            lines.wrong(place, "it stands before the first tag" if at else "it stands before the first .I")
    if at:
        yield at, name, {f: joined(texts) for f, texts in fields.items()}
