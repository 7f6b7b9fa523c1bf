"""Columns of the CoNLL shared tasks: a token a line, an empty line after a sentence, `-DOCSTART-` before a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.io.storage.source import File
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.stream import empty, numbered

# The columns by their number, of 2000 and WNUT, of 2002, of 2003, and of 2003 with predictions behind.
COLUMNS = {
    2: ("token", "gold"),
    3: ("token", "pos", "gold"),
    4: ("token", "pos", "chunk", "gold"),
    5: ("token", "pos", "chunk", "gold", "predicted"),
}
# The columns that the reader adds.
IDS = ("doc_id", "sentence_id", "position")
DOCUMENT = "-DOCSTART-"
# Other blanks, such as a no-break space, may be part of a token.
_BLANKS = re.compile(r"[ \t]+")


def conll(
    files: Sequence[File], columns: Sequence[str] | None, encoding: str, *, evaluated: bool = False
) -> pl.DataFrame:
    """The tokens of files: doc_id, sentence_id and position, all numbers, and the columns.

    Args:
        files: the files, one after another.
        columns: the names of their columns, in order; by default by their number.
        encoding: how their text is encoded.
        evaluated: the last two columns are gold and predicted tags.

    Raises:
        MalformedFile: lines have other numbers of columns than the first, or are not in the encoding.
        InvalidParameter: the number of columns is none of the shared tasks', or not that of the names.
        FileError: there is no token.
    """
    names = () if columns is None else columns_named(columns, "columns")
    rows: list[list[int | str]] = []
    document = sentence = position = 0
    for file in files:
        bad, width = BadLines(file.name), 0
        in_document = in_sentence = False
        for number, fields in _lines(file, encoding, bad):
            if not fields or fields[0].startswith(DOCUMENT):
                in_document, in_sentence = in_document and not fields, False
                continue
            if not width:
                width, names = len(fields), names or _names(len(fields), file.name, evaluated=evaluated)
                _refuse_other_names(names, width, number, file.name)
            if len(fields) != width:
                bad.add(number, " ".join(fields).encode(), f"it has {len(fields)} columns, and the first token {width}")
                continue
            if not in_document:
                document, position, in_document = document + 1, 0, True
            if not in_sentence:
                sentence, in_sentence = sentence + 1, True
            rows.append([document, sentence, position, *fields])
            position += 1
        if bad.count:
            raise bad.error()
        if not width:
            raise empty(file.name)
    ids = dict.fromkeys(IDS, pl.Int64)
    return pl.DataFrame(rows, schema=ids | dict.fromkeys(names, pl.String), orient="row")


def _refuse_other_names(names: Sequence[str], width: int, number: int, name: str) -> None:
    if len(names) != width:
        more = [*names[:width], *(f"c{i}" for i in range(len(names), width))]
        raise InvalidParameter(
            f"columns= has {len(names)} names, and line {number} of {name} has {width} columns.",
            Hint("Name each: ", Argument("columns", more)),
        )


def _names(n: int, name: str, *, evaluated: bool) -> tuple[str, ...]:
    if evaluated and n > 2:
        others = ("token", "pos", "chunk") if n <= 5 else ("token", *(f"c{i}" for i in range(1, n - 2)))
        return (*others[: n - 2], "gold", "predicted")
    if n == 1:
        raise InvalidParameter(
            f"{name} has one column, and so no tags.",
            "Blanks or tabs separate the columns; a table whose first line names them is read by ir.Spans.from_tags.",
        )
    if n not in COLUMNS:
        raise InvalidParameter(
            f"{name} has {n} columns, and it is not known which of them are tags.",
            Hint("Name them: ", Argument("columns", ["token", *(f"c{i}" for i in range(1, n - 1)), "gold"][:n])),
        )
    return COLUMNS[n]


def _lines(file: File, encoding: str, bad: BadLines) -> Iterator[tuple[int, list[str]]]:
    """The numbers of lines and their fields; an empty line has none."""
    for number, line in numbered(file.path, file.name):
        try:
            text = line.decode(encoding)
        except UnicodeDecodeError:
            bad.add(number, line, f"it is not valid {encoding.upper()}", Hint(Argument("encoding", "latin-1")))
            continue
        text = text.strip(" \t\r")
        yield number, _BLANKS.split(text) if text else []
