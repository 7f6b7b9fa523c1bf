"""Files of LISA: `Document 1` up to a line of stars, queries that end with `#`, and judgments in two layouts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import polars as pl

from ireval_frames.errors import listed
from ireval_frames.io.collections.lines import Ids, Lines, Row, is_number, joined, number

_DOCUMENT = re.compile(r"Document\s+(\d+)\s*")
_STARS = re.compile(r"\*{5,}\s*")
_QUERY = re.compile(r"Query\s+(\d+)\s*")
_COUNT = re.compile(r"(\d{1,9})\s+Relevant Refs?:?\s*")


def is_document(lines: Sequence[str]) -> bool:
    """Whether the first line begins a document."""
    return bool(lines) and _DOCUMENT.fullmatch(lines[0]) is not None


def is_query(lines: Sequence[str]) -> bool:
    """Whether the first line is a number, and texts end with `#`."""
    return bool(lines) and is_number(lines[0].strip()) and any(line.rstrip().endswith("#") for line in lines)


def is_judgment(lines: Sequence[str]) -> bool:
    """Whether the first two lines are a query and the number of its documents."""
    return len(lines) > 1 and _QUERY.fullmatch(lines[0]) is not None and _COUNT.fullmatch(lines[1]) is not None


def is_counted(lines: Sequence[str]) -> bool:
    """Whether all lines are numbers: a query, how many documents it has, and these, on as many lines as they need."""
    rows = [line.split() for line in lines]
    if not all(is_number(part) for row in rows for part in row):
        return False
    missing = 0
    for row in rows:
        # A line begins with a query only where the documents of the one before are complete.
        missing = missing - len(row) if missing else int(row[1]) - len(row) + 2 if len(row) > 2 else -1
        if missing < 0:
            return False
    return missing == 0


def documents(lines: Lines) -> pl.DataFrame:
    """The documents: doc_id, title (up to the first empty line), text."""
    ids, rows = Ids(lines, "document"), list[Row]()
    at, record = 0, list[str]()
    for place, line in lines:
        if start := _DOCUMENT.fullmatch(line):
            if at:
                lines.wrong(place, f"the document before it, in line {at}, does not end with a line of stars")
            at, record = place, []
            rows.append({"doc_id": ids.add(number(start[1]), place)})
        elif _STARS.fullmatch(line) and at:
            rows[-1] |= _title_and_text(record)
            at = 0
        elif at:
            record.append(line)
        elif line.strip():
            lines.wrong(place, "it stands between documents, which begin with `Document 1`")
    if at:
        rows[-1] |= _title_and_text(record)
        lines.repairs.append("the last document does not end with a line of stars; it is read up to the end.")
    return lines.frame(rows, {"text": pl.String})


def _title_and_text(record: Sequence[str]) -> Row:
    end = next((i for i, line in enumerate(record) if not line.strip()), None)
    if end is None:
        return {"title": None, "text": joined(record)}
    return {"title": joined(record[:end]), "text": joined(record[end:])}


def queries(lines: Lines) -> pl.DataFrame:
    """The queries: query_id, text."""
    ids, rows = Ids(lines, "query"), list[Row]()
    at, record = 0, list[str]()
    for place, line in lines:
        if at:
            record.append(line.rstrip().removesuffix("#"))
            if line.rstrip().endswith("#"):
                rows[-1]["text"] = joined(record)
                at, record = 0, []
        elif is_number(line.strip()):
            at = place
            rows.append({"query_id": ids.add(number(line.strip()), place)})
        elif line.strip():
            lines.wrong(place, "it begins a query, and is no number")
    if at:
        rows[-1]["text"] = joined(record)
        lines.repairs.append("the last query does not end with '#'; it is read up to the end of the file.")
    return lines.frame(rows, {"text": pl.String})


def judgments(lines: Lines) -> pl.DataFrame:
    """The judgments: the documents that are listed for a query are relevant; the layout with words, or with numbers."""
    ids, rows, others = Ids(lines, "query"), list[Row](), list[str]()
    words = any(_QUERY.fullmatch(line) for line in lines.lines)
    for at, query, count, documents in _with_words(lines) if words else _with_numbers(lines):
        name = ids.add(number(query), at)
        if len(documents) != count:
            others.append(f"{name} ({count}, {len(documents)} listed)")
        rows += [{"query_id": name, "doc_id": number(doc), "relevance": 1} for doc in documents]
    if others:
        lines.repairs.append(
            f"the number of documents is not that of the listed ones, which are read, of {len(others)} of the queries: "
            f"{listed(others)}."
        )
    return lines.frame(rows, {"relevance": pl.Int64})


_Judged = Iterator[tuple[int, str, int, list[str]]]


def _with_words(lines: Lines) -> _Judged:
    """`Query 1`, `2 Relevant Refs:`, and the documents up to -1."""
    at, query, count, documents = 0, "", -1, list[str]()
    for place, line in lines:
        if start := _QUERY.fullmatch(line):
            if at:
                lines.wrong(place, f"the query before it, in line {at}, does not end with -1")
            at, query, count, documents = place, start[1], -1, []
        elif at and count < 0 and (number_of := _COUNT.fullmatch(line)):
            count = int(number_of[1])
        elif parts := line.split():
            ended = parts[-1] == "-1"
            documents += parts[:-1] if ended else parts
            if not at or count < 0 or not all(is_number(part) for part in documents):
                lines.wrong(place, "it is none of `Query 1`, `2 Relevant Refs:` and numbers of documents up to -1")
                documents = []
            elif ended:
                yield at, query, count, documents
                at = 0
    if at:
        lines.wrong(at, "the query does not end with -1")


def _with_numbers(lines: Lines) -> _Judged:
    """A query, the number of its documents, and these, on as many lines as they need."""
    at, query, count, documents = 0, "", 0, list[str]()
    for place, line in lines:
        parts = line.split()
        if not parts:
            continue
        if not all(is_number(part) for part in parts) or (not at and len(parts) < 2):
            lines.wrong(place, "it is no query, number of documents and documents, all as numbers")
            continue
        if not at:
            at, query, count, documents = place, parts[0], int(parts[1]), []
            parts = parts[2:]
        documents += parts
        if len(documents) >= count:
            yield at, query, count, documents
            at = 0
    if at:
        yield at, query, count, documents
