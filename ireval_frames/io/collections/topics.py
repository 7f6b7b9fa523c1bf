"""Topics between tags: of TREC with and without closing tags, of its web track with subtopics, of CLEF and NTCIR.

Fields have the names of their tags; `desc` is description, `narr` narrative, and `query` title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from ireval_frames.io.collections.lines import Ids, Lines, Row, number
from ireval_frames.io.collections.markup import Element, fields, records, without_tags

_RECORDS = ("top", "topic", "inex_topic")
_QUERIES = re.compile(r"<queries\b", re.IGNORECASE)
_START = re.compile(r"<(?:top|topic|inex_topic)(?:\s[^<>]*)?>", re.IGNORECASE)
_IDS = ("num", "number", "identifier", "id", "qid", "topic_id", "topicid", "q", "docno")
_NAMES = {
    "desc": "description", "narr": "narrative", "query": "title", "lang": "language", "dom": "domain",
    "smry": "summary", "con": "concepts", "conc": "concepts", "fac": "factors", "nat": "nationality",
    "def": "definitions", "slang": "source_language", "tlang": "target_language",
}  # fmt: skip
# Words that the early topics repeat behind their tags.
_LABELS = {
    "num": "Number", "title": "Topic|Title", "description": "Description", "narrative": "Narrative", "domain": "Domain",
    "summary": "Summary", "concepts": r"Concept\(s\)", "factors": r"Factor\(s\)", "nationality": "Nationality",
    "definitions": r"Definition\(s\)",
}  # fmt: skip
_LANGUAGE = re.compile(r"([a-z]{2})-(\w+)")
_SUBTOPIC = pl.Struct({"subtopic_id": pl.String, "type": pl.String, "text": pl.String})
_COLON = re.compile(r"([^\s:,;|\"{}<>]+):(?:(\d):)?\s*(\S.*)")


def is_topic(lines: Sequence[str]) -> bool:
    """Whether the first lines have the tag of a topic."""
    head = "\n".join(lines[:200])
    # A list of queries is one of CFC if it says so in capital letters.
    return head.lstrip().startswith("<") and (_START.search(head) or _QUERIES.search(head)) is not None


def queries(lines: Lines) -> pl.DataFrame:
    """The topics: query_id, the fields that they have, and subtopics (a list of subtopic_id, type and text)."""
    text = "\n".join(lines.lines)
    # Topics may stand between the tags of documents, if the user says that they are topics.
    names = _RECORDS if _START.search(text) else ("query",) if _QUERIES.search(text) else ("doc",)
    ids, rows, early = Ids(lines, "topic"), list[Row](), list[Row]()
    for topic in records(text, names):
        row = _topic(topic)
        if not row.get("query_id"):
            lines.wrong(
                topic.line, "the topic has no number", "It is an attribute, or a field such as <num>, of each topic."
            )
            continue
        if row.pop("head", None) is not None and number(row["query_id"]) != row["query_id"]:
            early.append(row)
        ids.add(row["query_id"], topic.line)
        rows.append(row)
    for row in early:
        row["query_id"] = number(row["query_id"])
    if early:
        lines.repairs.append(
            f"zeros before the numbers of {len(early):,} topics were left out, as TREC's judgments have none: "
            f"the first of them is {early[0]['query_id']}."
        )
    return lines.frame(rows, {"subtopics": pl.List(_SUBTOPIC)})


def _topic(topic: Element) -> Row:
    """The row of a topic."""
    elements, text = fields(topic.content)
    name = next((topic.attributes[a] for a in _IDS if topic.attributes.get(a)), None)
    row: Row = {"query_id": name}
    row |= {_NAMES.get(a, a): value for a, value in topic.attributes.items() if a not in _IDS}
    for element in elements:
        if element.name == "subtopic":
            row.setdefault("subtopics", []).append(_subtopic(element))
            continue
        own = _LANGUAGE.fullmatch(element.name)
        if own:
            row.setdefault("language", own[1])
        field = own[2] if own else element.name
        field = _NAMES.get(field, field)
        value = without_tags(element.content)
        label = _LABELS.get("num" if field in _IDS else field)
        value = re.sub(rf"^(?:{label})\s*:\s*", "", value, flags=re.IGNORECASE) if label else value
        if field in _IDS:
            row["query_id"] = row["query_id"] or value
        elif value:
            row[field] = f"{row[field]}\n{value}" if row.get(field) else value
    if text:
        row["text"] = text
    return row


def _subtopic(element: Element) -> Row:
    attributes = element.attributes
    return {
        "subtopic_id": next((attributes[a] for a in _IDS if attributes.get(a)), None),
        "type": attributes.get("type"),
        "text": without_tags(element.content) or None,
    }


def is_colon(lines: Sequence[str]) -> bool:
    """Whether all lines are an id, a colon, and a text: different ids with digits, which words before a colon lack."""
    names = {match[1] for line in lines if (match := _COLON.fullmatch(line.strip()))}
    numbered = all(any(c.isdigit() for c in name) for name in names)
    return numbered and 0 < len(lines) == len(names) and not any("\0" in line for line in lines)


def colon_queries(lines: Lines) -> pl.DataFrame:
    """Lines `id:text`, or `id:priority:text` as of the Million Query track: query_id, priority, text."""
    ids, rows = Ids(lines, "query"), list[Row]()
    for place, line in lines:
        if match := _COLON.fullmatch(line.strip()):
            rows.append({"query_id": ids.add(match[1], place), "priority": match[2], "text": match[3]})
        elif line.strip():
            lines.wrong(place, "it has no id before a colon, and a text behind it")
    # One line with a number between colons is a text.
    if any(row["priority"] is None for row in rows):
        for row in rows:
            row["text"] = row["text"] if row["priority"] is None else f"{row['priority']}:{row['text']}"
            row["priority"] = None
    return lines.frame(rows, {"text": pl.String})
