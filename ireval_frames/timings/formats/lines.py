"""The lines of a file of any of these tools, and the errors about them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ireval_frames.errors import InvalidParameter, MalformedFile
from ireval_frames.escaping import plain
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import File, files
from ireval_frames.io.text.stream import numbered

Path = str | os.PathLike[str]


def lines(source: Path, options: Options | None = None) -> Iterator[tuple[File, int, str]]:
    """Every line of the files, its file and its number.

    Raises:
        FileError: there is no such file.
        InvalidParameter: two files would be runs of the same name.
        MalformedFile: it is no text.
    """
    named: dict[str, str] = {}
    for file in files(source, options):
        refuse_same_name(named, file.stem, file)
        for number, line in numbered(file.path, file.name):
            try:
                yield file, number, line.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise malformed(file, number, repr(line[:40]), "it is no text in UTF-8") from None


def refuse_same_name(named: dict[str, str], run: str, file: File) -> None:
    """Note that a run is in a file.

    Raises:
        InvalidParameter: another file has a run of that name.
    """
    if run in named:
        raise InvalidParameter(
            f"{named[run]} and {file.name} would both be called run {run!r}.", "Read them apart, or rename a file."
        )
    named[run] = file.name


def malformed(file: File, number: int, line: str, why: str, hint: str = "") -> MalformedFile:
    """The error that a line is not as the tool writes it."""
    shown = plain(line if len(line) <= 100 else f"{line[:100]}…")
    return MalformedFile(f"{file.name}, line {number}: {why}: {shown}", hint)


def nothing(source: Path, what: str, hint: str) -> MalformedFile:
    """The error that a file has nothing of what is read."""
    return MalformedFile(f"{os.fspath(source)} has no {what}.", hint)
