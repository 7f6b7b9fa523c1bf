"""Files of TIME: articles behind `*TEXT 017 01/04/63 PAGE 020`, queries behind `*FIND 1`, lines `query doc doc doc`.

The judgments name articles by their place, not by the number behind `*TEXT`, which has gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import polars as pl

from ireval_frames.errors import listed
from ireval_frames.io.collections.lines import Ids, Lines, Row, is_number, joined, number

# The blanks before PAGE are stripped below: a pattern for all of them would take the square of their number.
_TEXT = re.compile(r"\*TEXT\s+(\S+)\s+(\S.*?)\sPAGE.*")
_FIND = re.compile(r"\*FIND\s+(\d+)\s*")


def is_document(lines: Sequence[str]) -> bool:
    """Whether the first line begins an article."""
    return bool(lines) and _TEXT.fullmatch(lines[0]) is not None


def is_query(lines: Sequence[str]) -> bool:
    """Whether the first line begins a query."""
    return bool(lines) and _FIND.fullmatch(lines[0]) is not None


def is_judgment(lines: Sequence[str]) -> bool:
    """Whether all lines are numbers, of a query and its documents; the queries are in order and not indented."""
    rows = [line.split() for line in lines]
    if any(line[:1].isspace() for line in lines) or not all(is_number(part) for row in rows for part in row):
        return False
    # No article has the number 0, as the second field of TREC's judgments has, and a line lists each once.
    counted = all(all(map(int, row[1:])) and len(set(row[1:])) == len(row) - 1 for row in rows)
    return counted and all(int(row[0]) < int(following[0]) for row, following in pairwise(rows))


def documents(lines: Lines) -> pl.DataFrame:
    """The articles: doc_id (the place in the file), number (behind `*TEXT`), date, text."""
    rows = [
        {"doc_id": str(place), "number": start[1], "date": start[2].rstrip(), "text": text}
        for place, (_, start, text) in enumerate(_records(lines, _TEXT), 1)
    ]
    return lines.frame(rows, {"text": pl.String})


def queries(lines: Lines) -> pl.DataFrame:
    """The queries: query_id, text."""
    ids = Ids(lines, "query")
    rows = [{"query_id": ids.add(number(start[1]), at), "text": text} for at, start, text in _records(lines, _FIND)]
    return lines.frame(rows, {"text": pl.String})


def judgments(lines: Lines) -> pl.DataFrame:
    """The judgments: the documents that are listed for a query are relevant."""
    ids, rows, without = Ids(lines, "query"), list[Row](), list[str]()
    for place, line in lines:
        parts = line.split()
        if parts and all(is_number(part) for part in parts):
            query = ids.add(number(parts[0]), place)
            without += [query] if len(parts) == 1 else []
            rows += [{"query_id": query, "doc_id": number(doc), "relevance": 1} for doc in parts[1:]]
        elif parts:
            lines.wrong(place, "it is no query and its documents, all as numbers")
    if without:
        lines.repairs.append(f"queries without documents have no judgments here: {listed(without)}.")
    return lines.frame(rows, {"relevance": pl.Int64})


def _records(lines: Lines, start: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str], str | None]]:
    """The records: the line of each, its first line, and its text, whose lines are separated by empty ones."""
    at, first, record = 0, None, list[str]()
    for place, line in lines:
        if match := start.fullmatch(line):
            if first is not None:
                yield at, first, joined(record)
            at, first, record = place, match, []
        elif line.strip() == "*STOP":
            break
        elif line.strip() and first is not None:
            record.append(line)
        elif line.strip():
            lines.wrong(place, "it stands before the first record")
    if first is not None:
        yield at, first, joined(record)
