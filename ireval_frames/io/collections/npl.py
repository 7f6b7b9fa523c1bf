"""Files of NPL (Vaswani): a line with a number, the lines of the record, and a line `/`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from ireval_frames.io.collections.lines import Ids, Lines, Row, is_number, joined, number


def is_of_npl(lines: Sequence[str]) -> bool:
    """Whether lines are records that end with `/`."""
    return bool(lines) and is_number(lines[0].strip()) and any(line.strip() == "/" for line in lines)


def is_of_numbers(lines: Sequence[str]) -> bool:
    """Whether the records are lists of documents."""
    return all(line.strip() == "/" or all(is_number(part) for part in line.split()) for line in lines)


def documents(lines: Lines) -> pl.DataFrame:
    """The documents: doc_id, text; the collection has no titles of their own."""
    return _texts(lines, "doc_id", "document")


def queries(lines: Lines) -> pl.DataFrame:
    """The queries: query_id, text."""
    return _texts(lines, "query_id", "query")


def judgments(lines: Lines) -> pl.DataFrame:
    """The judgments: the documents that are listed for a query are relevant."""
    ids, rows = Ids(lines, "query"), list[Row]()
    for at, name, record in _records(lines):
        query = ids.add(number(name), at)
        for place, line in record:
            for doc in line.split():
                if is_number(doc):
                    rows.append({"query_id": query, "doc_id": number(doc), "relevance": 1})
                else:
                    lines.wrong(place, f"{doc[:40]!r} is no number of a document")
    return lines.frame(rows, {"relevance": pl.Int64})


def _texts(lines: Lines, key: str, what: str) -> pl.DataFrame:
    ids = Ids(lines, what)
    rows = [
        {key: ids.add(number(name), at), "text": joined([line for _, line in record])}
        for at, name, record in _records(lines)
    ]
    return lines.frame(rows, {"text": pl.String})


def _records(lines: Lines) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """The records: the line of each, its number, and its numbered lines."""
    at, name, record = 0, "", list[tuple[int, str]]()
    for place, line in lines:
        if line.strip() == "/":
            if at:
                yield at, name, record
            else:
                lines.wrong(place, "it ends a record, and none has begun")
            at, record = 0, []
        elif at:
            record.append((place, line))
        elif is_number(line.strip()):
            at, name = place, line.strip()
        elif line.strip():
            lines.wrong(place, "it begins a record, and is no number")
    if at:
        lines.repairs.append(f"the last record, {name}, does not end with '/'; it is read up to the end of the file.")
        yield at, name, record
