"""The column of coreference of CoNLL 2011 and 2012 and of SemEval 2010: `(1` begins a mention, `1)` ends it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from ireval_frames.io.storage.source import File
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.grammar import Wrong
from ireval_frames.io.text.stream import empty, numbered

SCHEMA = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "cluster_id": pl.String}
BEGIN, END = b"#begin document", b"#end document"
_NAMED = re.compile(r"\((?P<name>.*)\)(?P<part>;.*)?")
Row = tuple[str, int, int, str]


def coreference(files: Sequence[File]) -> pl.DataFrame:
    """The mentions of files: doc_id, start, end, cluster_id; positions are those of tokens in the document.

    Raises:
        MalformedFile: tokens are outside of documents, or mentions begin or end alone.
        FileError: a file has no document.
    """
    rows: list[Row] = []
    for file in files:
        bad, document, documents = BadLines(file.name), None, 0
        for number, line in numbered(file.path, file.name):
            if line.startswith(BEGIN):
                if document is not None:
                    bad.add(number, line, "the document before it has no end", "End each by a line: #end document")
                document, documents = Document(_name(line)), documents + 1
            elif line.startswith(END):
                if document is not None:
                    document.close(bad)
                    rows += document.rows
                document = None
            elif document is not None:
                if line.strip():
                    document.add(number, line, bad)
            elif line.strip() and not line.startswith(b"#"):
                hint = "Begin each by a line: #begin document (name); part 000"
                bad.add(number, line, "it is in no document", hint)
        if document is not None:
            document.close(bad)
            rows += document.rows
        if bad.count:
            raise bad.error()
        if not documents:
            raise empty(file.name)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


class Document:
    """The mentions of a document, token by token."""

    def __init__(self, name: str) -> None:
        self._name, self._position = name, 0
        # By entity, the mentions that have begun: their position, and the number and text of the line.
        self._open: dict[str, list[tuple[int, int, bytes]]] = {}
        self.rows: list[Row] = []

    def add(self, number: int, line: bytes, bad: BadLines) -> None:
        """Add a token."""
        column = line.split()[-1]
        if b"(" in column or b")" in column:
            try:
                self._mentions(column.decode(), number, line)
            except (Wrong, UnicodeDecodeError) as error:
                bad.add(number, line, str(error))
        self._position += 1

    def _mentions(self, column: str, number: int, line: bytes) -> None:
        parts = column.split("|")
        # Where one mention of an entity begins and another one ends, the one that ends has begun before.
        for part in sorted(parts, key=lambda p: p.startswith("(")):
            begins, ends, entity = part.startswith("("), part.endswith(")"), part.strip("()")
            if not (begins or ends) or not entity or part != "(" * begins + entity + ")" * ends:
                raise Wrong(f"{part!r} is none of: (entity) (entity entity)")
            if begins and ends:
                self._mention(self._position, entity)
            elif begins:
                self._open.setdefault(entity, []).append((self._position, number, line))
            elif self._open.get(entity):
                self._mention(self._open[entity].pop()[0], entity)
            else:
                raise Wrong(f"a mention of {entity!r} ends that has not begun")

    def _mention(self, start: int, entity: str) -> None:
        self.rows.append((self._name, start, self._position + 1, entity))

    def close(self, bad: BadLines) -> None:
        """End the document."""
        for entity, begun in self._open.items():
            for _, number, line in begun:
                bad.add(number, line, f"the mention of {entity!r} has no end in its document")


def _name(line: bytes) -> str:
    """The name of a document, with its part."""
    text = line[len(BEGIN) :].decode("utf-8", "replace").strip()
    named = _NAMED.fullmatch(text)
    return named["name"] + (named["part"] or "") if named else text
