"""A report read as a browser reads it: tags, tables and texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "link", "wbr"}
# What is a part of the text around it.
INLINE = {"b", "u", "sup"}
# What HTML lets end without saying so: where another begins, or what they are in ends.
ENDS = {"td": {"td", "tr", "tbody"}, "th": {"th", "td", "tr", "tbody"}, "tr": {"tr", "tbody"}, "thead": {"tbody"}}


@dataclass
class Read:
    """A table as it is shown."""

    caption: str = ""
    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    def column(self, name: str) -> list[str]:
        return [row[self.header.index(name)] for row in self.rows]


class Reader(HTMLParser):
    """Reads a page.

    Attributes:
        tags: each tag with its attributes.
        tables: in their order.
        texts: what stands in h1, h2, the finding, notes, pre and paragraphs, by tag.
        open: the tags that were not closed.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[Read] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.region = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        while self.open and tag in ENDS.get(self.open[-1], ()):
            self.end(self.open.pop())
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        self.texts.setdefault(tag, []).append("")
        if tag == "div" and dict(attrs).get("role") == "region":
            self.region = dict(attrs).get("aria-label") or ""
        if tag == "table":
            self.tables.append(Read(self.region))
        if tag == "tr":
            self.tables[-1].rows.append([])

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while tag != self.open[-1] and self.open[-1] in {*ENDS, "tbody"}:
            self.end(self.open.pop())
        assert self.open.pop() == tag
        self.end(tag)

    def end(self, tag):
        if tag == "caption":
            self.tables[-1].caption = self.texts[tag][-1]
        if tag == "th":
            self.tables[-1].header.append(self.texts[tag][-1].removesuffix("\n"))
            self.tables[-1].rows = []
        if tag == "td" and "thead" in self.open:
            # A column without a name.
            self.tables[-1].header.append("")
        elif tag == "td":
            self.tables[-1].rows[-1].append(self.texts[tag][-1].removesuffix("\n"))

    def handle_data(self, data):
        around = [tag for tag in self.open if tag not in INLINE]
        if around:
            self.texts[around[-1]][-1] += data

    def table(self, start: str) -> Read:
        (table,) = (t for t in self.tables if t.caption.startswith(start))
        return table

    @property
    def finding(self) -> str:
        at = [i for i, (t, a) in enumerate(self.tags) if t == "p" and a.get("class") == "finding"]
        place = sum(t == "p" for t, _ in self.tags[: at[0]])
        return self.texts["p"][place]
