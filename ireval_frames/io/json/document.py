"""Files that are one JSON document: read at once, with the lines of errors."""

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
from ireval_frames.io.text.json_lines import constant, unique_keys

_BLOCK = 1 << 22
_BLANKS = " \t\r\n"
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_PLAIN = json.JSONDecoder()
_STRICT = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=constant)


@dataclass(frozen=True)
class Document:
    """A JSON document.

    Args:
        name: its name in messages.
        text: the text.
        value: the parsed value.
    """

    name: str
    text: str
    value: Any

    def wrong(self, why: str, *path: str | int, hint: str = "") -> MalformedFile:
        """The error at a position: `path` has the keys and indices, from the outside in."""
        return _error(self.name, self.text, _position(self.text, path), why, hint)

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
        records: its elements are parsed again by the caller, who checks them.

    Raises:
        FileError: it cannot be read.
        MalformedFile: it is not JSON, not valid UTF-8, or an object has a key twice.
    """
    with Stream(path, name) as stream:
        raw = b"".join(iter(lambda: stream.read(_BLOCK), b""))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise MalformedFile(f"{name}, line {line}: it is not valid UTF-8.") from None
    try:
        out = Document(name, text, json.loads(text) if records else _STRICT.decode(text))
    except Wrong as error:
        raise _error(name, text, _culprit(text, _start(text)), str(error)) from None
    except json.JSONDecodeError as error:
        raise _error(name, text, error.pos, f"it is not JSON ({error.msg}, column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{name} is not JSON ({error}).") from None
    if not records and (half := _HALF.search(text)) and _is_half(out.value):
        raise _error(name, text, half.start(), "it holds half of a surrogate pair, which is no character")
    return out


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
    return _skip_blanks(text, 0)


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _inside(text: str, at: int) -> Iterator[tuple[str | int, int, int]]:
    """For an object or array that begins here: the key or index of each value, its position, and the value's."""
    closing, n = ("}", 0) if text[at : at + 1] == "{" else ("]", 0)
    named, at = closing == "}", _skip_blanks(text, at + 1)
    while at < len(text) and text[at] != closing:
        key: str | int = n
        place = at
        if named:
            key, at = _PLAIN.raw_decode(text, at)
            at = _skip_blanks(text, _skip_blanks(text, at) + 1)
        yield key, place, at
        at = _skip_blanks(text, _PLAIN.raw_decode(text, at)[1])
        at, n = (_skip_blanks(text, at + 1) if text[at : at + 1] == "," else at), n + 1


def _position(text: str, path: tuple[str | int, ...]) -> int:
    """The position of a path in a document."""
    at = place = _start(text)
    for step in path:
        at, place = next(((v, p) for key, p, v in _inside(text, at) if key == step), (at, place))
    return place


def _culprit(text: str, at: int) -> int:
    """The position of the first invalid value, the innermost one: a repeated key, or NaN."""
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
