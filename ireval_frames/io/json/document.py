"""JSON that is one document and not a line for each row: read at once, and what is wrong in it told by its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ireval_frames.errors import MalformedFile
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.text.bad_lines import legible
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.json_lines import constant, once

_BLOCK = 1 << 22
_BLANKS = " \t\r\n"
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_PLAIN = json.JSONDecoder()
_STRICT = json.JSONDecoder(object_pairs_hook=once, parse_constant=constant)


@dataclass(frozen=True)
class Document:
    """A document of JSON.

    Args:
        name: its name in messages.
        text: the text.
        value: what it holds.
    """

    name: str
    text: str
    value: Any

    def wrong(self, why: str, *path: str | int, hint: str = "") -> MalformedFile:
        """The error that something is wrong at a place of it: keys and numbers of elements, from the outside in."""
        return _error(self.name, self.text, _found(self.text, path), why, hint)

    def records(self) -> list[tuple[int, bytes]]:
        """The elements of an array, as lines of JSON, each with the number of the line in which it begins."""
        line, last, out = 1, 0, []
        for _, _, at in _inside(self.text, _start(self.text)):
            line, last = line + self.text.count("\n", last, at), at
            raw = self.text[at : _PLAIN.raw_decode(self.text, at)[1]]
            out.append((line, raw.replace("\r", " ").replace("\n", " ").encode("utf-8", "surrogatepass")))
        return out


def document(path: Path, name: str, *, records: bool = False) -> Document:
    """A file that is one document of JSON.

    Args:
        path: the file.
        name: its name in messages.
        records: whether what its elements hold is looked at by others.

    Raises:
        FileError: it cannot be read.
        MalformedFile: it is not JSON, not valid UTF-8, or an object has a key twice.
    """
    with Stream(path, name) as stream:
        held = b"".join(iter(lambda: stream.read(_BLOCK), b""))
    try:
        text = held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = held.count(b"\n", 0, error.start) + 1
        raise MalformedFile(f"{name}, line {line}: it is not valid UTF-8.") from None
    try:
        found = Document(name, text, json.loads(text) if records else _STRICT.decode(text))
    except Wrong as error:
        raise _error(name, text, _culprit(text, _start(text)), str(error)) from None
    except json.JSONDecodeError as error:
        raise _error(name, text, error.pos, f"it is not JSON ({error.msg}, column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{name} is not JSON ({error}).") from None
    if not records and (half := _HALF.search(text)) and _is_half(found.value):
        raise _error(name, text, half.start(), "it holds half of a surrogate pair, which is no character")
    return found


def _is_half(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _error(name: str, text: str, at: int, why: str, hint: str = "") -> MalformedFile:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[max(start, at - 60) : end if end >= 0 else len(text)].strip()
    shown = legible(line.encode("utf-8", "surrogatepass"))
    return MalformedFile(f"{name}, line {text.count(chr(10), 0, at) + 1}: {why}: '{shown}'", hint)


def _start(text: str) -> int:
    return _past(text, 0)


def _past(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _inside(text: str, at: int) -> Iterator[tuple[str | int, int, int]]:
    """Of an object or array that begins here: the key or number of each value, where that stands, and the value."""
    closing, n = ("}", 0) if text[at : at + 1] == "{" else ("]", 0)
    named, at = closing == "}", _past(text, at + 1)
    while at < len(text) and text[at] != closing:
        key: str | int = n
        place = at
        if named:
            key, at = _PLAIN.raw_decode(text, at)
            at = _past(text, _past(text, at) + 1)
        yield key, place, at
        at = _past(text, _PLAIN.raw_decode(text, at)[1])
        at, n = (_past(text, at + 1) if text[at : at + 1] == "," else at), n + 1


def _found(text: str, path: tuple[str | int, ...]) -> int:
    """Where a place of a document begins."""
    at = place = _start(text)
    for wanted in path:
        at, place = next(((v, p) for key, p, v in _inside(text, at) if key == wanted), (at, place))
    return place


def _culprit(text: str, at: int) -> int:
    """Where the first value begins that is refused, the innermost one: a key that stands twice, or NaN."""
    seen = set()
    for key, place, value in _inside(text, at) if text[at : at + 1] in ("{", "[") else ():
        if key in seen:
            return place
        seen.add(key)
        try:
            _STRICT.raw_decode(text, value)
        except Wrong:
            return _culprit(text, value)
    return at
