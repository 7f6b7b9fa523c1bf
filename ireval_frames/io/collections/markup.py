"""Texts between tags that need not be well-formed: fields without closing tags, raw `&`, no outermost element."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)((?:\s[^<>]*)?)>")
_ATTRIBUTE = re.compile(r"(?<![\w.:-])([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'/]+))")
# Only complete references: `AT&T` and `R&copy` are texts.
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|\w{1,31});")
# Marks of letters and lines in a text; they are no fields.
_MARKS = re.compile(r"</?(?:a|b|br|em|font|i|p|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?/?>", re.IGNORECASE)
# What begins with these marks is no text, up to those that end it.
_NO_TEXT = (("<!--", "-->"), ("<?", "?>"))
_DECLARATION = re.compile(r"<![A-Z][^>]*>")


@dataclass(frozen=True)
class Element:
    """An element: its name in lower case, its attributes, what it contains, and the line of a record."""

    name: str
    attributes: dict[str, str]
    content: str
    line: int = 0


class Span(NamedTuple):
    """Where an element stands in a text, and what is inside of it."""

    start: int
    inside: int
    inside_end: int
    end: int


def unescaped(text: str) -> str:
    """A text with the characters that its references such as `&amp;` name."""
    return _REFERENCE.sub(lambda reference: html.unescape(reference[0]), text) if "&" in text else text


def without_tags(content: str) -> str:
    """The text of an element: without tags and comments, without empty lines, each line without blanks around it."""
    if "<" in content:
        content = content.replace("<![CDATA[", " ").replace("]]>", " ")
        content = _TAG.sub(" ", _without_comments(content))
    bare = unescaped(content)
    return "\n".join(stripped for line in bare.split("\n") if (stripped := line.strip()))


def _without_comments(text: str) -> str:
    """A text without comments, instructions and declarations; the time does not grow faster than the text."""
    for begin, end in _NO_TEXT:
        parts, at = list[str](), 0
        while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start + len(begin))) >= 0:
            parts += [text[at:start], " "]
            at = stop + len(end)
        text = "".join([*parts, text[at:]])
    # Behind the last `>` no declaration ends.
    last = text.rfind(">") + 1
    return _DECLARATION.sub(" ", text[:last]) + text[last:]


def attributes(text: str) -> dict[str, str]:
    """The attributes of a tag, by their names in lower case."""
    return {n.lower(): unescaped(a or b or c).strip() for n, a, b, c in _ATTRIBUTE.findall(text)}


def records(text: str, names: Sequence[str]) -> Iterator[Element]:
    """The elements of these names, each up to its closing tag, or up to the next one if it has none."""
    start = re.compile(rf"<({'|'.join(names)})((?:\s[^<>]*)?)>", re.IGNORECASE)
    starts, line, at = list(start.finditer(text)), 1, 0
    for tag, following in zip(starts, [*starts[1:], None], strict=False):
        end = following.start() if following else len(text)
        closing = re.compile(rf"</{re.escape(tag[1])}\s*>", re.IGNORECASE).search(text, tag.end(), end)
        content = text[tag.end() : closing.start() if closing else end]
        line, at = line + text.count("\n", at, tag.start()), tag.start()
        yield Element(tag[1].lower(), attributes(tag[2]), content, line)


def elements(content: str, names: Container[str]) -> dict[str, list[Span]]:
    """The elements of these names, also inside of others, each up to its closing tag, or the end if it has none."""
    out, opened = dict[str, list[Span]](), dict[str, tuple[int, int]]()
    for tag in _TAG.finditer(content):
        name = tag[2].lower()
        if name not in names:
            continue
        if not tag[1]:
            opened.setdefault(name, (tag.start(), tag.end()))
        elif name in opened:
            start, inside = opened.pop(name)
            out.setdefault(name, []).append(Span(start, inside, tag.start(), tag.end()))
    for name, (start, inside) in opened.items():
        out.setdefault(name, []).append(Span(start, inside, len(content), len(content)))
    return out


def fields(content: str) -> tuple[list[Element], str]:
    """The outermost elements of a record, and the text between them.

    An element ends with its own closing tag, or, if there is none, with the next tag.
    """
    content = _MARKS.sub(" ", _without_comments(content))
    tags = list(_TAG.finditer(content))
    places, following = dict[str, int](), dict[int, int]()
    for place in reversed(range(len(tags))):
        name = tags[place][2].lower()
        if name in places:
            following[place] = places[name]
        places[name] = place
    out, between, at, i = list[Element](), list[str](), 0, 0
    while i < len(tags):
        tag = tags[i]
        between.append(content[at : tag.start()])
        same = following.get(i)
        at, i = tag.end(), i + 1
        if tag[1] or tag[3].rstrip().endswith("/"):
            continue
        closed = same is not None and bool(tags[same][1])
        last = same if closed and same is not None else i
        end = tags[last].start() if last < len(tags) else len(content)
        out.append(Element(tag[2].lower(), attributes(tag[3]), content[at:end]))
        at, i = (tags[last].end(), last + 1) if closed else (end, last)
    return out, without_tags("\n".join([*between, content[at:]]))
