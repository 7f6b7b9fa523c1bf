"""Files of kinds that cannot be read, recognised by their first bytes: workbooks, archives, pages, databases."""

from __future__ import annotations

import codecs
import shlex
from collections.abc import Iterator

from ireval_frames.errors import Code, FileError, Hint

# The number of first bytes that are checked.
HEAD = 1 << 16
# The first bytes of a file, its kind, and the key of a hint.
BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "a gzip-compressed file", "unpack"),
    (b"\xfd7zXZ\0", "an xz-compressed file", "unpack"),
    (b"\x28\xb5\x2f\xfd", "a zstd-compressed file", "unpack"),
    (b"\x04\x22\x4d\x18", "an lz4-compressed file", "unpack"),
    (b"\x1f\x9d", "a file of Unix's compress", "unpack"),
    (b"LZIP", "an lzip-compressed file", "unpack"),
    (b"\xff\x06\0\0sNaPpY", "a snappy-compressed file", "unpack"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old workbook or document of Office (.xls, .doc)", "save"),
    (b"%PDF-", "a PDF document", "text"),
    (b"%!PS", "a PostScript document", "text"),
    (b"{\\rtf", "a document of rich text", "text"),
    (b"SQLite format 3\0", "an SQLite database", "sqlite"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "parquet"),
    (b"\x93NUMPY", "a NumPy array", "parquet"),
    (b"Obj\x01", "an Avro file", "parquet"),
    (b"$FL2", "a data file of SPSS", "parquet"),
    (b"<stata_dta>", "a data file of Stata", "parquet"),
    (b"RDX2\n", "a data file of R", "parquet"),
    (b"RDX3\n", "a data file of R", "parquet"),
    (b"PAR1", "a Parquet file", "name"),
    (b"ARROW1", "an Arrow file", "name"),
    (b"FEA1", "a Feather file", "name"),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)", "text"),
    (b"\xff\xd8\xff", "a picture (JPEG)", "text"),
    (b"GIF8", "a picture (GIF)", "text"),
    (b"\x7fELF", "a program", "text"),
    (b"\0\0\x08\x01", "a file of labels of MNIST (IDX)", "labels"),
    (b"\0\0\x08\x03", "a file of pictures of MNIST (IDX)", "text"),
    (b"version https://git-lfs.github.com/", "a pointer of Git LFS, not the file itself", "lfs"),
)
HINTS = {
    "unpack": "Unpack it first; gzip, bz2, xz and zstd of text are read directly, if compressed once.",
    "save": "Save its sheet as CSV, in UTF-8.",
    "text": "Name the file of the table itself, as text or Parquet.",
    "sqlite": "Write the table out: sqlite3 -header -csv {name} 'SELECT * FROM its_table' > new.csv",
    "duckdb": "Write the table out: duckdb {name} \"COPY its_table TO 'new.parquet'\"",
    "parquet": "Write its table as CSV or Parquet with the tool that wrote it.",
    "name": "Rename it to its proper ending: .parquet, .arrow, .feather",
    "lfs": "Fetch it: git lfs pull",
    "page": "It may be a sign-in page or a server's error page. Download the file itself.",
    "topics": "Topics are queries: ir.io.read_queries(path)",
    "xml": "Write it as a table: CSV, JSON lines or Parquet.",
}
# The kinds of zip archives, by what their members contain.
_MEMBERS: tuple[tuple[bytes, str, str], ...] = (
    (b"opendocument.spreadsheet", "a spreadsheet of OpenDocument (.ods)", "save"),
    (b"opendocument.", "a document of OpenDocument", "save"),
    (b"xl/", "a workbook of Excel (.xlsx)", "save"),
    (b"word/", "a document of Word (.docx)", "save"),
    (b"[Content_Types].xml", "a workbook or document of Office (.xlsx, .docx)", "save"),
    (b".npy", "an archive of NumPy arrays (.npz)", "parquet"),
)


def other_kind(head: bytes) -> tuple[str, str] | None:
    """The kind of a file with these first bytes, and the key of a hint; None if it may be readable."""
    return next(_kinds(head), None)


def refuse_other(head: bytes, name: str, expected: str = "a table or lines of text") -> None:
    """Refuse a file of another kind.

    Args:
        head: its first bytes, decompressed.
        name: its name in messages.
        expected: what it should be.

    Raises:
        FileError: naming what it is.
    """
    kind = other_kind(head)
    if kind is not None:
        what, todo = kind
        hint = HINTS[todo].format(name=name) if todo in HINTS else _read_labels(name)
        raise FileError(f"{name} is {what}, not {expected}.", hint)


def _read_labels(name: str) -> Hint:
    """How the labels of a file of IDX are read, in Python and on the command line."""
    written = f"ireval convert {shlex.quote(name)} -o labels.csv"
    return Hint("Read it as a table: ", Code(f"ir.labels.read({name!r})", written))


def _kinds(head: bytes) -> Iterator[tuple[str, str]]:
    # After a checksum of eight bytes, which may be anything.
    if head[8:12] == b"DUCK":
        yield "a DuckDB database", "duckdb"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield next(((what, todo) for mark, what, todo in _MEMBERS if mark in head), ("a zip archive", "unpack"))
    yield from ((what, todo) for mark, what, todo in BEGINNINGS if head.startswith(mark))
    # Lines of text may begin with these letters, too.
    if head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        yield "a bzip2-compressed file", "unpack"
    if head.startswith(b"ORC") and b"\0" in head:
        yield "an ORC file", "parquet"
    if head[257:262] == b"ustar":
        yield "a tar archive", "unpack"
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05" and len(head) > 1:
        yield "a pickle of Python", "parquet"
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()[:200].lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        yield "a page of HTML", "page"
    elif start.startswith((b"<?xml", b"<!doctype")):
        yield "a document of XML", "xml"
    elif start.startswith(b"<top>"):
        yield "a file with topics of TREC", "topics"
