"""Files of the Cystic Fibrosis Collection (CFC), as XML and as plain text with two letters in front of each field.

Four people or groups judged each document: the author REW, colleagues of REW, a post-doctorate associate of REW, and
the bibliographer JBW; the four digits of a score are their grades.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from ireval_frames.io.collections.lines import Ids, Lines, Row, is_number, joined, number
from ireval_frames.io.collections.markup import unescaped

JUDGES = ("REW", "REW-colleagues", "REW-postdoc", "JBW")
# The names of the fields of a record and their texts.
Fields = list[tuple[str, str]]
_TEXTS = ("ABSTRACT", "EXTRACT", "AB", "EX")
_SCORE = re.compile(r"[0-2]{4}")
_FIELD = re.compile(r"(PN|RN|AN|AU|TI|SO|MJ|MN|AB|EX|RF|CT|QN|QU|NR|RD)(?: (.*))?")
_ITEM = re.compile(r"<Item score=\"([^\"]*)\">([^<]*)</Item>")


@dataclass
class _Query:
    """A query: its line, number and text, the number of its documents that the file states, and their scores."""

    at: int
    name: str
    text: str | None
    count: str
    scores: list[tuple[str, str]] = field(default_factory=list)


def is_document(lines: Sequence[str]) -> bool:
    """Whether the lines are documents of CFC."""
    head = "\n".join(lines[:20])
    return ("<RECORD>" in head and "NUM>" in head) or re.match(r"PN \d+\s*\nRN \d+", head) is not None


def is_query(lines: Sequence[str]) -> bool:
    """Whether the lines are queries of CFC with their judgments."""
    head = "\n".join(lines[:20])
    return ("<QUERY>" in head and "<QueryNumber>" in head) or re.match(r"QN \d+\s*\nQU ", head) is not None


def documents(lines: Lines) -> pl.DataFrame:
    """The documents: doc_id (RECORDNUM), number (PAPERNUM), title, text (the abstract, or an extract)."""
    ids, rows, returned = Ids(lines, "document"), list[Row](), 0
    for at, fields in _records(lines, "RECORD", "PN"):
        place = next((i for i, (name, _) in enumerate(fields) if name in ("RECORDNUM", "RN")), None)
        if place is None:
            lines.wrong(at, "the document has no number (RECORDNUM, RN)")
            continue
        # In the XML a text may stand behind the number of the next paper.
        for name, text in fields[:place]:
            if name in _TEXTS and rows and rows[-1]["text"] is None:
                rows[-1]["text"] = text
                returned += 1
        own, before = dict(fields[place:]), dict(fields[:place])
        rows.append(
            {
                "doc_id": ids.add(number(fields[place][1]), at),
                "number": (before.get("PAPERNUM") or own.get("PAPERNUM") or before.get("PN") or "").removeprefix("PN"),
                "title": own.get("TITLE") or own.get("TI"),
                "text": next((own[name] for name in _TEXTS if own.get(name)), None),
            }
        )
    if returned:
        lines.repairs.append(f"the texts of {returned:,} documents stood in the record of the next one.")
    return lines.frame(rows, {"text": pl.String})


def queries(lines: Lines) -> pl.DataFrame:
    """The queries: query_id, text."""
    rows: list[Row] = [{"query_id": query.name, "text": query.text} for query in _queries(lines)]
    return lines.frame(rows, {"text": pl.String})


def judgments(lines: Lines) -> pl.DataFrame:
    """The judgments: query_id, doc_id, relevance (0, 1 or 2), assessor_id (one of `JUDGES`); four rows per score."""
    rows = [
        {"query_id": query.name, "doc_id": doc, "relevance": int(grade), "assessor_id": judge}
        for query in _queries(lines)
        for doc, score in query.scores
        for judge, grade in zip(JUDGES, score, strict=True)
    ]
    return lines.frame(rows, {"relevance": pl.Int64})


def _queries(lines: Lines) -> list[_Query]:
    """The queries of a file, checked and repaired."""
    ids, out = Ids(lines, "query"), list[_Query]()
    for at, pairs in _records(lines, "QUERY", "QN"):
        fields = dict(pairs)
        name = fields.get("QueryNumber") or fields.get("QN")
        if name is None:
            lines.wrong(at, "the query has no number (QueryNumber, QN)")
            continue
        text, count = fields.get("QueryText") or fields.get("QU"), fields.get("Results") or fields.get("NR") or ""
        if "Records" in fields:
            scores = [(doc.strip(), score) for score, doc in _ITEM.findall(fields["Records"])]
        else:
            parts = (fields.get("RD") or "").split()
            if len(parts) % 2:
                lines.wrong(at, "its last document has no score")
            scores = list(zip(parts[::2], parts[1::2], strict=False))
        query = _Query(at, ids.add(number(name), at), text, count, scores)
        out += [query, *([hidden] if (hidden := _hidden(query, lines)) else [])]
    for query in out:
        _check(query, lines)
    return out


def _hidden(query: _Query, lines: Lines) -> _Query | None:
    """A query that another one has swallowed: its number stands among the documents, its count as the score."""
    place = next((i for i, (_, score) in enumerate(query.scores) if re.fullmatch(r"\d{5}", score)), None)
    if place is None or not is_number(query.count) or place != int(query.count):
        return None
    name, count = query.scores[place]
    hidden = _Query(query.at, number(name), None, count, query.scores[place + 1 :])
    query.scores = query.scores[:place]
    lines.repairs.append(
        f"the query {hidden.name} stood among the documents of the query {query.name}; its {len(hidden.scores)} "
        "documents were returned to it. Its text is missing in this file; the plain file cfquery has it."
    )
    return hidden


def _check(query: _Query, lines: Lines) -> None:
    """Scores and documents, which lose the zeros before their numbers."""
    for doc, score in query.scores:
        if not is_number(doc):
            lines.wrong(query.at, f"the document {doc[:40]!r} of the query {query.name} is no number")
        elif not _SCORE.fullmatch(score):
            lines.wrong(query.at, f"the score {score[:40]!r} of the document {doc} is not four digits from 0 to 2")
    if not is_number(query.count) or int(query.count) != len(query.scores):
        lines.wrong(
            query.at, f"the query {query.name} has {len(query.scores)} documents, and the file says {query.count!r}"
        )
    query.scores = [(number(doc), score) for doc, score in query.scores if _SCORE.fullmatch(score)]


def _records(lines: Lines, element: str, first: str) -> Iterator[tuple[int, Fields]]:
    """The records of a file: the line of each, and its fields in order; fields of XML keep their elements."""
    if not any(f"<{element}>" in line for line in lines.lines):
        yield from _plain(lines, first)
        return
    at, record = 0, list[str]()
    for place, line in [*lines, (0, f"<{element}>")]:
        if f"<{element}>" in line:
            if at:
                yield at, _elements("\n".join(record))
            at, record = place, []
        elif at:
            record.append(line)


def _elements(record: str) -> Fields:
    """The outermost elements of a record and what they contain, as text if they have no elements themselves."""
    out, at = Fields(), 0
    for start in re.finditer(r"<([A-Za-z]+)[^>]*>", record):
        end = record.find(f"</{start[1]}>", start.end())
        if start.start() >= at and end >= 0:
            at = end
            inside = record[start.end() : end]
            out.append((start[1], inside if "<" in inside else joined(unescaped(inside).split("\n")) or ""))
    return out


def _plain(lines: Lines, first: str) -> Iterator[tuple[int, Fields]]:
    """Records of fields whose names are two letters; other lines continue a field."""
    at, fields = 0, list[tuple[str, list[str]]]()
    for place, line in _unmarked(lines):
        if (start := _FIELD.fullmatch(line)) is not None:
            if start[1] == first:
                if at:
                    yield at, [(name, joined(texts) or "") for name, texts in fields]
                at, fields = place, []
            fields.append((start[1], [start[2] or ""]))
        elif fields:
            fields[-1][1].append(line.strip())
        elif line.strip():
            lines.wrong(place, "it is no field of two letters, and continues none")
    if at:
        yield at, [(name, joined(texts) or "") for name, texts in fields]


def _unmarked(lines: Lines) -> Iterator[tuple[int, str]]:
    """The numbered lines, in which a word processor marked letters by their eighth bit: the collection is in ASCII."""
    marked = sum(not line.isascii() for line in lines.lines)
    if marked:
        lines.repairs[:] = [f"the eighth bit of letters was removed in {marked:,} line{'s' * (marked > 1)}."]
    for place, line in lines:
        yield place, line if line.isascii() else "".join(chr(ord(letter) & 0x7F) for letter in line)
