"""Describing a file: its format, separator, compression, header and columns."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from stat import S_ISREG
from typing import Literal, cast

from ireval_frames.errors import Argument, FileError, Hint, InvalidParameter, MissingColumn
from ireval_frames.io.detect.collection import described_collection
from ireval_frames.io.detect.description import FORMATS, Description, Format
from ireval_frames.io.detect.json import described_document, described_lines, is_document
from ireval_frames.io.detect.lines import (
    OTHERWISE,
    WITHIN,
    described_lists,
    described_pairs,
    is_text,
    may_be_header,
    plain,
    refuse_lines,
    without_header,
)
from ireval_frames.io.storage.collection_folders import in_folder
from ireval_frames.io.storage.compression import SUFFIXES, Stream
from ireval_frames.io.storage.other_kinds import HEAD, refuse_other
from ireval_frames.io.storage.places import Options, is_remote
from ireval_frames.io.storage.source import File, Source, Stored, files
from ireval_frames.io.tables import binary, column_names
from ireval_frames.io.text.delimited import EXCEL, SEPARATORS, header_of, names_of
from ireval_frames.io.text.field_orders import as_format
from ireval_frames.io.text.headers import Kind, choice, is_header, named
from ireval_frames.io.text.letor import LETOR
from ireval_frames.io.text.stream import BOM, empty, sound_header

OF_JUDGMENTS = (
    "prefs", "beir", "pairs", "letor", "quepid", "ntcir", "diversity", "prels", "sampled", "passages",
)  # fmt: skip
# Lines that end in texts.
OF_TEXT = ("msmarco", "top1000")
# The header of Quepid's exports.
QUEPID = {"query", "docid", "rating"}
_SUFFIXES: dict[str, Format] = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".arrows": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
}  # fmt: skip


def describe(
    source: Source,
    table: Kind = "run",
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
) -> list[Description]:
    """A description of each file of a source; only the beginning of each file is read.

    Args:
        source: a path, a folder of Parquet files or of a collection, a pattern, a list of these, or "-" for standard
            input.
        table: "run", "qrels", "queries" or "documents": the columns to look for; "list" is a run that is used in its
            order, and "ranks" one that is used by its ranks, so that neither needs scores.
        format: a name of `FORMATS`, or "auto" to recognise it by first bytes, suffix and first lines.
        columns: the file's own names of our columns, as in `{"relevance": "grade"}`.
        storage_options: options of the stores of remote paths.

    Returns:
        A record per file with format, compression, separator, header and columns.

    Raises:
        FileError: a file is missing, a directory, empty or not text.
        MissingColumn: the header lacks a column.
        InvalidParameter: the format does not exist, or does not fit.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.run")
        >>> _ = path.write_text("q1 Q0 d1 1 2.5 bm25" + chr(10))
        >>> describe(path)[0].format
        'trec'
    """
    shown = as_format("trec", "qrels" if table == "qrels" else "run")
    choice("format", format, ["auto", *FORMATS], shown)
    choice("table", table, ["run", "list", "ranks", "qrels", "queries", "documents"], 'table="qrels"')
    if not isinstance(columns, Mapping | None):
        raise InvalidParameter(
            f"columns is {columns!r}, which is not a mapping.",
            Hint("Write ", Argument("columns", {"doc_id": "their_name"}), "."),
        )
    return [describe_file(file, table, format, columns) for file in files(in_folder(source, table), storage_options)]


# Descriptions by what was asked of which file, in which state: one evaluation asks several times.
_known: dict[tuple[object, ...], Description] = {}
MOST_KNOWN = 1_000
# A file that changed a moment ago may change again in the same tick of its clock.
SETTLED = 2.0


def describe_file(
    file: File, kind: Kind, requested: Format | Literal["auto"], columns: Mapping[str, str] | None
) -> Description:
    """What one file is; of a file that did not change since it was described, the same."""
    state = _state(file)
    if state is None:
        return _describe_file(file, kind, requested, columns)
    key = (file, kind, requested, None if columns is None else tuple(columns.items()), state)
    if key not in _known:
        description = _describe_file(file, kind, requested, columns)
        # Documents and records are in memory as a whole.
        if description.document is not None or description.records or _state(file) != state:
            return description
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = description
    return _known[key]


def _state(file: File) -> tuple[int, ...] | None:
    """What changes when a local file changes; None if it may change without that, or is a copy."""
    if file.stored is not None or file.owner is not None:
        return None
    try:
        stat = file.path.stat()
    except OSError:
        return None
    if not S_ISREG(stat.st_mode) or time.time() - max(stat.st_mtime, stat.st_ctime) < SETTLED:
        return None
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns


def _describe_file(
    file: File, kind: Kind, requested: Format | Literal["auto"], columns: Mapping[str, str] | None
) -> Description:
    if kind != "qrels" and requested in OF_JUDGMENTS:
        what = kind if kind in ("queries", "documents") else "a run"
        raise InvalidParameter(f"{file.name} is read as {what}, and {requested!r} is a format of judgments.", OTHERWISE)
    kind = "pairs" if requested == "pairs" else kind
    if file.stored is not None:
        return _stored(file, file.stored, kind, requested, columns)
    with Stream(file.path, file.name) as stream:
        head = stream.read(HEAD)
        base = Description(file.path, file.name, file.stem, "trec", stream.compression, owner=file.owner)
    if not head:
        raise empty(file.name)
    is_table = binary(head)
    if not is_table:
        # The first lines of collections may have bytes of Latin-1.
        parts = _decoded(head).split("\n")
        # The last line may be cut.
        complete = parts[:-1] if len(head) == HEAD and len(parts) > 1 else parts
        first = [line for part in complete if (line := part.rstrip())]
        if (collection := described_collection(base, kind, requested, first)) is not None:
            return collection
        refuse_other(head, file.name)
    expected = cast(Format, requested) if requested not in ("auto", "pairs") else is_table or _suffix(file.name)
    if expected in ("parquet", "arrow") or is_table:
        return _table(base, kind, expected, is_table, columns)
    return _text(base, kind, requested, expected, head, columns)


def _text(
    base: Description,
    kind: Kind,
    requested: Format | Literal["auto"],
    expected: Format | None,
    head: bytes,
    columns: Mapping[str, str] | None,
) -> Description:
    """The description of a text file."""
    _refuse_binary(head, base.name)
    lines, numbers = _lines(head, complete=len(head) < HEAD)
    if lines and EXCEL.fullmatch(lines[0]):
        del lines[0], numbers[0]
    if not lines and len(head) < HEAD:
        raise empty(base.name)
    named_here = requested not in ("auto", "pairs")
    if lines and is_document(requested, expected, kind, lines, columns, complete=len(head) < HEAD):
        return described_document(base, kind, lines[0], columns)
    if expected == "jsonl" or (not named_here and lines and lines[0].startswith("{")):
        return described_lines(base, kind, lines, columns)
    if lines and (requested in ("letor", "ranklib") or (requested == "auto" and LETOR.match(lines[0]))):
        return described_lists(base, kind, requested, lines)
    if lines and kind != "pairs" and (expected in ("csv", "beir", "quepid") or (expected == "tsv" and named_here)):
        return _with_header(base, kind, lines[0], numbers[0], expected or "", columns)
    first = lines[0] if lines else ""
    for separator in (*SEPARATORS, " ") if not named_here else ():
        if is_header(kind, names_of(first, separator), columns):
            return _with_header(base, kind, first, numbers[0], separator, columns)
    if kind == "pairs":
        return described_pairs(base, lines)
    texts, _ = _lines(head, complete=len(head) < HEAD, ends=WITHIN)
    text = is_text(texts, kind) and (requested in OF_TEXT or not may_be_header(base, texts, kind))
    if not text and kind in ("queries", "documents") and not named_here:
        refuse_lines(base, kind, lines)
    if not text and (kind in ("queries", "documents") or (expected == "tsv" and not plain(first, kind))):
        return _with_header(base, kind, first, numbers[0] if numbers else 1, expected or "tsv", columns)
    of_lines = expected if requested == expected else None
    rows = texts if text else lines
    return without_header(base, kind, of_lines, rows, columns, text=text, complete=len(head) < HEAD)


def _with_header(
    base: Description, kind: Kind, line: str, number: int, expected: str, columns: Mapping[str, str] | None
) -> Description:
    usual = expected if expected in (*SEPARATORS, " ") else "," if expected in ("csv", "quepid") else "\t"
    line = sound_header(line.encode("utf-8", "surrogateescape"), base.name)
    separator, names = header_of(line, usual) if usual != " " else (" ", names_of(line, " "))
    # A "csv" with tabs or blanks is one with another separator, not one column.
    if not is_header(kind, names, columns):
        others = (s for s in (*SEPARATORS, " ") if is_header(kind, names_of(line, s), columns))
        separator = next(others, separator)
        names = names_of(line, separator)
    try:
        mapping = named(kind, names, columns, base.name)
    except MissingColumn as error:
        raise MissingColumn(f"{error.what.rstrip('.')}: line {number} is read as the header.", error.hint) from None
    lower = {n.lower() for n in names}
    beir = kind == "qrels" and separator == "\t" and {"query-id", "corpus-id"} <= lower
    quepid = kind == "qrels" and (expected == "quepid" or (lower == QUEPID and not columns))
    detected: Format = "quepid" if quepid else "beir" if beir else "tsv" if separator == "\t" else "csv"
    return replace(
        base,
        format=detected,
        separator=separator,
        header=True,
        skip=number,
        line=line,
        columns=tuple(names),
        mapping=mapping,
    )


def _table(
    base: Description, kind: Kind, expected: str | None, inside: Format | None, columns: Mapping[str, str] | None
) -> Description:
    if base.compression and inside:
        raise FileError(
            f"{base.name} is a {base.compression}-compressed {inside} file.",
            "Decompress it first: it is compressed internally.",
        )
    if inside != expected and not (expected == "arrow" and inside is None):
        raise FileError(
            f"{base.name} is not {'an' if expected == 'arrow' else 'a'} {expected} file"
            + (
                f" but {inside}."
                if inside
                else f" but {base.compression}-compressed text."
                if base.compression
                else "."
            )
        )
    described = replace(base, format=cast(Format, expected))
    names = column_names(described)
    return replace(described, columns=tuple(names), mapping=named(kind, names, columns, base.name))


def _stored(
    file: File, stored: Stored, kind: Kind, requested: Format | Literal["auto"], columns: Mapping[str, str] | None
) -> Description:
    if requested not in ("auto", "pairs", stored.format):
        raise FileError(f"{file.name} is not a {requested} file but {stored.format}.", "Leave format= out.")
    described = Description(
        file.path, file.name, file.stem, cast(Format, stored.format), stored=stored, owner=file.owner
    )
    names = column_names(described)
    return replace(described, columns=tuple(names), mapping=named(kind, names, columns, file.name))


def _decoded(head: bytes) -> str:
    return head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")


def _suffix(name: str) -> Format | None:
    path = PurePosixPath(name.partition("?")[0] if is_remote(name) else name)
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in SUFFIXES:
        suffixes.pop()
    return _SUFFIXES.get(suffixes[-1]) if suffixes else None


def _refuse_binary(head: bytes, name: str) -> None:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{name} is not UTF-8 text but UTF-16.", f"Convert it: iconv -f UTF-16 -t UTF-8 {name}")
    strange = sum(head.count(bytes([b])) for b in range(32) if b not in b"\t\n\r\f\v")
    strange += head.decode("utf-8", "replace").count("\ufffd")
    # A few stray bytes are bad lines, reported with their numbers; many are another kind of file.
    if strange > len(head) // 20:
        known = ", ".join(FORMATS)
        raise FileError(
            f"{name} is not text, or not in UTF-8 (its first bytes are {head[:8]!r}).",
            f"Formats that can be read: {known}.",
        )


def _lines(head: bytes, *, complete: bool, ends: str | None = None) -> tuple[list[str], list[int]]:
    """The lines that are neither blank nor comments, without signs at their ends, and their numbers.

    An incomplete last line is dropped.
    """
    raw = head.removeprefix(BOM).split(b"\n")
    if not complete and len(raw) > 1:
        raw.pop()
    # Invalid UTF-8 is retained: in a header it is refused, in a row its line is reported.
    numbered = [(n, line.decode("utf-8", "surrogateescape").strip(ends)) for n, line in enumerate(raw, 1)]
    numbered = [(n, line) for n, line in numbered if line and not line.startswith("#")]
    return [line for _, line in numbered], [n for n, _ in numbered]
