"""JSON: lines of objects, or one document, and what that holds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ireval_frames.errors import MalformedFile
from ireval_frames.io.detect.description import Description, replaced
from ireval_frames.io.json.document import document
from ireval_frames.io.json.shapes import refused, shape
from ireval_frames.io.text.bad_lines import legible
from ireval_frames.io.text.headers import Kind, is_header, named


def is_document(
    wanted: str,
    asked: str | None,
    kind: Kind,
    lines: list[str],
    columns: Mapping[str, str] | None,
    *,
    whole: bool,
) -> bool:
    """Whether a text is one document of JSON: an array, or an object that is no line of JSON lines."""
    if wanted not in ("auto", "json", "pairs") or not lines[0].startswith(("{", "[")):
        return wanted == "json"
    if lines[0].startswith("[") and (asked is None or asked == "jsonl"):
        return True
    if wanted == "json" or not (whole or len(lines) > 1):
        return True
    try:
        first = json.loads(lines[0])
    except json.JSONDecodeError as error:
        # An object that goes on ends with its line; a broken line of JSON lines is wrong before.
        return error.pos >= len(lines[0])
    except (ValueError, RecursionError):
        return False
    if len(lines) > 1 or not isinstance(first, dict):
        return False
    # One line of JSON lines, unless it names neither a query nor a document.
    held = any(isinstance(value, dict | list) for value in first.values()) or not first
    return shape(first) is not None or (held and not is_header(kind, [*first], columns))


def described_document(base: Description, kind: Kind, first: str, columns: Mapping[str, str] | None) -> Description:
    """What a document of JSON is, by its first line; it is read now."""
    found = document(base.path, base.name, records=first.startswith("["))
    known = shape(found.value)
    if known == "records":
        records = found.records()
        names = tuple(dict.fromkeys(name for record in found.value for name in record))
        return replaced(
            base, "json", columns=names, found=named(kind, names, columns, base.name), records=tuple(records)
        )
    if known is None or kind == "queries":
        raise refused(found)
    return replaced(base, "json", document=(found, known))


def described_lines(base: Description, kind: Kind, lines: list[str], columns: Mapping[str, str] | None) -> Description:
    """What JSON lines are, by the first one."""
    try:
        row = json.loads(lines[0])
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise MalformedFile(
            f"{base.name}, line 1: it is not a JSON object: '{legible(lines[0].encode('utf-8', 'surrogateescape'))}'",
            "JSON lines have one object per line.",
        )
    return replaced(base, "jsonl", columns=tuple(row), found=named(kind, row, columns, base.name))
