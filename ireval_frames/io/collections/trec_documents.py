"""Documents of TREC: `<DOC>` with a `<DOCNO>`, several in a file, which need not be well-formed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from ireval_frames.io.collections.lines import Ids, Lines, Row
from ireval_frames.io.collections.markup import records, without_tags

_BEFORE = r"(?:<\?xml[^>]*>|<!DOCTYPE[^>]*>|<(?:root|docs|add|corpus|collection)\b[^>]*>|\s)*"
_START = re.compile(rf"{_BEFORE}<doc(?:\s[^<>]*)?>", re.IGNORECASE)
_ID = re.compile(r"<(?:docno|docid)\b", re.IGNORECASE)
_TEXT = re.compile(r"<text\b", re.IGNORECASE)
_IDS = ("docno", "docid")
# The names of titles in TREC's corpora: the first that a document has.
_TITLES = ("title", "headline", "hl", "ti", "ttl", "doctitle", "head")
_TEXTS = ("lp", "leadpara", "text")
# How a page was fetched is no part of its text.
_LEFT_OUT = ("dochdr",)


def is_document(lines: Sequence[str]) -> bool:
    """Whether the first lines are a document with its id."""
    head = "\n".join(lines[:60])
    return _START.match(head) is not None and _ID.search(head) is not None


def documents(lines: Lines) -> pl.DataFrame:
    """The documents: doc_id (DOCNO), title, text (TEXT and lead paragraphs, or else all but id, title and header)."""
    ids, rows = Ids(lines, "document"), list[Row]()
    for document in records("\n".join(lines.lines), ("doc",)):
        name, content = _taken(document.content, _IDS)
        if name is None:
            lines.wrong(document.line, "the document has no <DOCNO>")
            continue
        title, content = _taken(content, _TITLES)
        texts = [text for n in _TEXTS for text, _ in [_taken(content, (n,))] if text]
        if not texts and _TEXT.search(content) is None:
            texts = [without_tags(_taken(content, _LEFT_OUT)[1])]
        rows.append({"doc_id": ids.add(name, document.line), "title": title, "text": "\n".join(texts) or None})
    return lines.frame(rows, {"text": pl.String})


def _taken(content: str, names: Sequence[str]) -> tuple[str | None, str]:
    """The text of the first of these elements that has one, and the content without them."""
    for name in names:
        element = re.compile(rf"<{name}(?:\s[^<>]*)?>(.*?)</{name}\s*>", re.IGNORECASE | re.DOTALL)
        if text := "\n".join(part for c in element.findall(content) if (part := without_tags(c))):
            return text, element.sub(" ", content)
    return None, content
