"""Documents of TREC: `<DOC>` with a `<DOCNO>`, several in a file, which need not be well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from ireval_frames.io.collections.lines import Ids, Lines, Row
from ireval_frames.io.collections.markup import Span, elements, records, without_tags

_BEFORE = r"(?:<\?xml[^>]*>|<!DOCTYPE[^>]*>|<!--[^>]*-->|<(?:root|docs|add|corpus|collection)\b[^>]*>|\s)*"
_START = re.compile(rf"{_BEFORE}<doc(?:\s[^<>]*)?>", re.IGNORECASE)
_ID = re.compile(r"<(?:docno|docid)\b|<doc\s[^<>]*\bid\s*=", re.IGNORECASE)
_IDS = ("docno", "docid")
# The names of titles in TREC's corpora: the first that a document has.
_TITLES = ("title", "headline", "hl", "ti", "ttl", "doctitle", "titl", "tite", "head")
_TEXTS = ("lp", "leadpara", "text", "abst", "abse")
# How a page was fetched (dochdr) is no part of its text.
_OUTER = frozenset((*_IDS, *_TITLES, *_TEXTS, "dochdr"))


def is_document(lines: Sequence[str]) -> bool:
    """Whether the first lines are a document with its id."""
    head = "\n".join(lines[:60])
    return _START.match(head) is not None and _ID.search(head) is not None


def documents(lines: Lines) -> pl.DataFrame:
    """The documents: doc_id (DOCNO, or the attribute id), title, text.

    The text is TEXT with lead paragraphs or abstracts; where there is none, all but id, title and header.
    """
    ids, rows = Ids(lines, "document"), list[Row]()
    for document in records("\n".join(lines.lines), ("doc",)):
        content = document.content
        spans = elements(content, _OUTER)
        name, id_spans = _first(content, spans, _IDS)
        name = name or document.attributes.get("id")
        if name is None:
            lines.wrong(document.line, "the document has no <DOCNO>")
            continue
        title, title_spans = _first(content, spans, _TITLES)
        texts = [span for n in _TEXTS for span in spans.get(n, ())]
        if texts:
            text = "\n".join(part for span in texts if (part := _inside(content, span)))
        else:
            text = without_tags(_without(content, [*id_spans, *title_spans, *spans.get("dochdr", ())]))
        rows.append({"doc_id": ids.add(name, document.line), "title": title, "text": text or None})
    return lines.frame(rows, {"text": pl.String})


def _first(
    content: str, spans: Mapping[str, Sequence[Span]], names: Sequence[str]
) -> tuple[str | None, Sequence[Span]]:
    """The text of the first of these elements that has one, and where it stands."""
    for name in names:
        own = spans.get(name, ())
        if text := "\n".join(part for span in own if (part := _inside(content, span))):
            return text, own
    return None, ()


def _inside(content: str, span: Span) -> str:
    return without_tags(content[span.inside : span.inside_end])


def _without(content: str, spans: Iterable[Span]) -> str:
    """The content without these elements."""
    out, at = list[str](), 0
    for span in sorted(spans, key=lambda s: s.start):
        out.append(content[at : span.start])
        at = max(at, span.end)
    return " ".join([*out, content[at:]])
