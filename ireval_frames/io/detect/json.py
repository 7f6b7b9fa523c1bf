"""JSON: lines of objects, or one document of a known shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from ireval_frames.errors import MalformedFile
from ireval_frames.io.detect.description import Description
from ireval_frames.io.json.document import document
from ireval_frames.io.json.shapes import refused, shape
from ireval_frames.io.text.bad_lines import legible
from ireval_frames.io.text.headers import Kind, is_header, named


def is_document(
    requested: str,
    expected: str | None,
    kind: Kind,
    lines: list[str],
    columns: Mapping[str, str] | None,
    *,
    complete: bool,
) -> bool:
    """Whether a text is one JSON document: an array, or an object that is not a line of JSON lines."""
    if requested not in ("auto", "json", "pairs") or not lines[0].startswith(("{", "[")):
        return requested == "json"
    if lines[0].startswith("[") and (expected is None or expected == "jsonl"):
        return True
    if requested == "json" or not (complete or len(lines) > 1):
        return True
    try:
        first = json.loads(lines[0])
    except json.JSONDecodeError as error:
        # An object of several lines fails at the end of the first; a bad line of JSON lines fails before.
        return error.pos >= len(lines[0])
    except (ValueError, RecursionError):
        return False
    if len(lines) > 1 or not isinstance(first, dict):
        return False
    # One line of JSON lines, unless it names neither a query nor a document.
    nested = any(isinstance(value, dict | list) for value in first.values()) or not first
    return shape(first) is not None or (
        nested and not any(is_header(one, [*first], columns) for one in (kind, "queries", "documents"))
    )


def described_document(base: Description, kind: Kind, first: str, columns: Mapping[str, str] | None) -> Description:
    """The description of a JSON document, which is read now, by its first line."""
    parsed = document(base.path, base.name, records=first.startswith("["))
    form = shape(parsed.value)
    if form == "records":
        records = parsed.records()
        names = tuple(dict.fromkeys(name for record in parsed.value for name in record))
        return replace(
            base, format="json", columns=names, mapping=named(kind, names, columns, base.name), records=tuple(records)
        )
    if form is None or kind == "queries":
        raise refused(parsed)
    return replace(base, format="json", document=(parsed, form))


def described_lines(base: Description, kind: Kind, lines: list[str], columns: Mapping[str, str] | None) -> Description:
    """The description of JSON lines, by the first one."""
    try:
        row = json.loads(lines[0])
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise MalformedFile(
            f"{base.name}, line 1: it is not a JSON object: '{legible(lines[0].encode('utf-8', 'surrogateescape'))}'",
            "JSON lines have one object per line.",
        )
    return replace(base, format="jsonl", columns=tuple(row), mapping=named(kind, row, columns, base.name))
