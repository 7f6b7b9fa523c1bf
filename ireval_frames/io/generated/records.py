"""Records of files of generated answers: read one after another, all bad ones in one error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ireval_frames.io.annotated.json_lines import records
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source, files
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.json_lines import record, refuse_halves
from ireval_frames.io.text.stream import empty, numbered


def add_records(source: Source, options: Options | None, add: Callable[[Mapping[str, Any]], None]) -> None:
    """Hand each record of JSON lines, or of arrays, to a function that refuses bad ones by `Wrong`.

    Raises:
        FileError: a file cannot be read, or has no record.
        MalformedFile: there are bad ones; all are named.
    """
    for file in files(source, options):
        bad, n = BadLines(file.name), 0
        for number, line in records(file.path, file.name):
            if line.strip():
                n += 1
                try:
                    row = record(line)
                    refuse_halves(row)
                    add(row)
                except Wrong as error:
                    bad.add(number, line, str(error))
        if bad.count:
            raise bad.error()
        if not n:
            raise empty(file.name)


def id_of(row: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The id that a record has under one of these keys.

    Raises:
        Wrong: it is neither text nor a whole number.
    """
    key = next((key for key in keys if row.get(key) is not None), None)
    value = None if key is None else row[key]
    if value == "" or isinstance(value, bool) or not isinstance(value, str | int | None):
        raise Wrong(f"{key!r} is {value!r}: neither text nor an integer")
    return None if value is None else str(value)


def has_list(source: Source, options: Options | None, key: str) -> bool:
    """Whether it is a file of text whose first record has a list under this key."""
    file = files(source, options)[0]
    if file.stored is not None:
        return False
    first = next((line for _, line in numbered(file.path, file.name) if line.strip()), b"")
    if not first.lstrip().startswith((b"{", b"[")):
        return False
    row = next((line for _, line in records(file.path, file.name) if line.strip()), b"")
    try:
        return isinstance(record(row).get(key), list)
    except Wrong:
        return False
