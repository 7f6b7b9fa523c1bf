"""Annotations of brat: a file `.ann` beside the text of each document.

A line `T1<tab>Type 0 5<tab>text` marks a span, and `0 5;8 12` one of two fragments.  Other lines, such as relations,
events and notes, mark none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ireval_frames.errors import FileError
from ireval_frames.io.annotated.document import Document, Marked, differing, marked
from ireval_frames.io.storage.places import is_remote, local
from ireval_frames.io.storage.source import files
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.stream import numbered

ENDING = ".ann"
_OFFSETS = re.compile(r"\d{1,18} \d{1,18}(?:;\d{1,18} \d{1,18})*")
# What the first letter of a line that marks no span says it is.
_OTHERS = "REAMN#*"


def brat(source: str | os.PathLike[str]) -> Iterator[Document]:
    """The documents of a file, of a pattern, or of all files of a folder, named by their paths in it without ending.

    Raises:
        FileError: nothing is there.
        MalformedFile: lines are none of brat.
    """
    if not is_remote(source) and local(source).is_dir():
        folder = Path(local(source))
        paths = sorted(folder.rglob(f"*{ENDING}"))
        if not paths:
            raise FileError(f"{source} has no files that end in {ENDING}.", "Name the folder of brat's annotations.")
        for path in paths:
            yield _document(path, str(path), path.relative_to(folder).with_suffix("").as_posix())
        return
    for file in files(source):
        yield _document(file.path, file.name, file.stem)


def _document(path: Path, name: str, doc: str) -> Document:
    bad, spans = BadLines(name), list[Marked]()
    beside = path.with_suffix(".txt")
    text = beside.read_bytes().decode("utf-8", "replace") if beside.is_file() else None
    for number, line in numbered(path, name):
        try:
            spans += _spans(line.removesuffix(b"\r").decode(), text)
        except UnicodeDecodeError:
            bad.add(number, line, "it is not valid UTF-8")
        except Wrong as error:
            bad.add(number, line, str(error))
    if bad.count:
        raise bad.error()
    return Document(doc, text, spans)


def _spans(line: str, text: str | None) -> list[Marked]:
    """The fragments of the span of a line; none if it is of another kind.

    Raises:
        Wrong: it is no line of brat.
    """
    if not line.strip() or line[0] in _OTHERS:
        return []
    if line[0] != "T":
        raise Wrong(f"it begins with {line[:1]!r}, and lines of brat with T, {', '.join(_OTHERS[:-1])} or *")
    fields = line.split("\t", 2)
    if len(fields) < 2:
        raise Wrong("it has no tab; a span is the id, a tab, its type and offsets, a tab, its text")
    kind, _, offsets = fields[1].partition(" ")
    if not _OFFSETS.fullmatch(offsets):
        raise Wrong(f"its offsets are {offsets[:40]!r}; they are numbers such as 0 5, or 0 5;8 12")
    if len(fields) > 2 and text is None and ";" not in offsets:
        # Without the text of the document the line has that of the span.
        start, end = map(int, offsets.split())
        one = marked(start, end, kind, None, span=fields[0])
        return [Marked(one.start, one.end, one.kind, fields[2], one.span)]
    parts = (tuple(map(int, part.split())) for part in offsets.split(";"))
    spans = [marked(start, end, kind, text, span=fields[0]) for start, end in parts]
    whole = None if text is None else " ".join(s.text or "" for s in spans)
    other = differing(fields[2], whole) if len(fields) > 2 else None
    numbered_spans = [replace(s, fragment=i) for i, s in enumerate(spans)]
    return [replace(numbered_spans[0], other=other), *numbered_spans[1:]]
