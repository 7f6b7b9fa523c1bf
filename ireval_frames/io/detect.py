"""What a file is: its format, separator, compression, header and columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal, cast

from ireval_frames.errors import FileError, InvalidParameter, MalformedFile, MissingColumn
from ireval_frames.io.bad_lines import legible
from ireval_frames.io.compression import SUFFIXES, Compression, Stream
from ireval_frames.io.headers import Kind, choice, is_header, named
from ireval_frames.io.orders import refuse_other_order
from ireval_frames.io.other_kinds import HEAD, refuse_other
from ireval_frames.io.places import Options, is_remote
from ireval_frames.io.separators import SEPARATORS, header_of, names_of
from ireval_frames.io.source import File, Source, Stored, files
from ireval_frames.io.tables import binary, column_names
from ireval_frames.io.text import BOM, empty, sound_header
from ireval_frames.schema import within

Format = Literal["trec", "prefs", "msmarco", "beir", "csv", "tsv", "parquet", "arrow", "jsonl"]

FORMATS: tuple[Format, ...] = ("trec", "prefs", "msmarco", "beir", "csv", "tsv", "parquet", "arrow", "jsonl")

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".arrows": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
}  # fmt: skip


@dataclass(frozen=True)
class Description:
    """What a file is.

    Args:
        path: where it is.
        name: its name in messages.
        stem: the name of the run it holds.
        format: one of `FORMATS`.
        compression: gzip, bz2, xz, zstd or None; Parquet's and Arrow's own compression is not meant.
        separator: between fields: " " (any mix of blanks and tabs), ",", ";", "|" or a tab; None
            where there are no lines of fields.
        header: whether a line names the columns.
        skip: how many lines stand before the first row: the header, and comments and blank lines above it.
        line: the header as it stands there.
        columns: the file's columns in order; without a header, our names for the format's fields.
        found: for each of our columns the file's own name.
        stored: how it is read where it is not one file of this machine.
        held: what lives as long as the path is used.
    """

    path: Path
    name: str
    stem: str
    format: Format
    compression: Compression | None = None
    separator: str | None = None
    header: bool = False
    skip: int = 0
    line: str = ""
    columns: tuple[str, ...] = ()
    found: Mapping[str, str] = field(default_factory=dict)
    stored: Stored | None = field(default=None, compare=False, repr=False)
    held: Any = field(default=None, compare=False, repr=False)

    @property
    def tabular(self) -> bool:
        """Whether the file names its columns itself."""
        return self.header or self.format in ("parquet", "arrow", "jsonl")


def describe(
    source: Source,
    table: Kind = "run",
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    storage_options: Options | None = None,
) -> list[Description]:
    """What each file of a source is; only the beginning of each file is read.

    Args:
        source: a path, a folder of Parquet files, a pattern, a list of these, or "-" for standard input.
        table: "run", "qrels" or "queries": which columns to look for.
        format: a name of `FORMATS`, or "auto" to recognise it by first bytes, suffix and first lines.
        columns: the file's own names of our columns, as in `{"relevance": "grade"}`.
        storage_options: what the stores of remote paths are told.

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
    choice("format", format, ["auto", *FORMATS], 'format="trec"')
    choice("table", table, ["run", "qrels", "queries"], 'table="qrels"')
    return [describe_file(file, table, format, columns) for file in files(source, storage_options)]


def describe_file(
    file: File, kind: Kind, wanted: Format | Literal["auto"], columns: Mapping[str, str] | None
) -> Description:
    """What one file is."""
    if file.stored is not None:
        return _stored(file, file.stored, kind, wanted, columns)
    with Stream(file.path, file.name) as stream:
        head = stream.read(HEAD)
        base = Description(file.path, file.name, file.stem, "trec", stream.compression, held=file.held)
    if not head:
        raise empty(file.name)
    is_table = binary(head)
    if not is_table:
        refuse_other(head, file.name)
    asked = wanted if wanted != "auto" else is_table or _suffix(file.name)
    if asked in ("parquet", "arrow") or is_table:
        return _table(base, kind, asked, is_table, columns)
    _refuse_binary(head, file.name)
    lines, numbers = _lines(head, whole=len(head) < HEAD)
    if not lines and len(head) < HEAD:
        raise empty(file.name)
    if asked == "jsonl" or (wanted == "auto" and lines and lines[0].startswith("{")):
        return _json(base, kind, lines, columns)
    if lines and (asked in ("csv", "beir") or (asked == "tsv" and wanted != "auto")):
        return _with_header(base, kind, lines[0], numbers[0], asked or "", columns)
    first = lines[0] if lines else ""
    for separator in (*SEPARATORS, " ") if wanted == "auto" else ():
        if is_header(kind, names_of(first, separator), columns):
            return _with_header(base, kind, first, numbers[0], separator, columns)
    if kind == "queries" or (asked == "tsv" and not _plain(kind, first)):
        return _with_header(base, kind, first, numbers[0] if numbers else 1, asked or "tsv", columns)
    return _without_header(base, kind, asked, lines, numbers, columns)


def _with_header(
    base: Description, kind: Kind, line: str, number: int, asked: str, columns: Mapping[str, str] | None
) -> Description:
    usual = asked if asked in (*SEPARATORS, " ") else "," if asked == "csv" else "\t"
    line = sound_header(line.encode("utf-8", "surrogateescape"), base.name)
    separator, names = header_of(line, usual) if usual != " " else (" ", names_of(line, " "))
    # A "csv" with tabs or blanks is one with another separator, not one column.
    if not is_header(kind, names, columns):
        others = (s for s in (*SEPARATORS, " ") if is_header(kind, names_of(line, s), columns))
        separator = next(others, separator)
        names = names_of(line, separator)
    try:
        found = named(kind, names, columns, base.name)
    except MissingColumn as error:
        raise MissingColumn(f"{error.what.rstrip('.')}: line {number} is read as the header.", error.hint) from None
    beir = kind == "qrels" and separator == "\t" and {"query-id", "corpus-id"} <= {n.lower() for n in names}
    kept: Format = "beir" if beir else "tsv" if separator == "\t" else "csv"
    return _replaced(
        base, kept, separator=separator, header=True, skip=number, line=line, columns=tuple(names), found=found
    )


def _without_header(
    base: Description,
    kind: Kind,
    asked: str | None,
    lines: list[str],
    numbers: list[int],
    columns: Mapping[str, str] | None,
) -> Description:
    # Names for several tables may be meant for another one.
    if within(columns, ()):
        raise InvalidParameter(
            f"columns= names columns of a header, but {base.name} has none.",
            "Leave columns= out, or add a header line.",
        )
    counts = Counter(len(line.split()) for line in lines)
    usual = counts.most_common(1)[0][0] if counts else 0
    other = {("run", 4): ("judgments", "scan_qrels"), ("qrels", 6): ("a run", "scan_run")}.get((kind, usual))
    if other and asked not in ("trec", "msmarco"):
        raise MalformedFile(
            f"{base.name}, line {numbers[0]}: {usual} fields where "
            f"{'a run has 6' if kind == 'run' else 'judgments have 4'}:"
            f" '{legible(lines[0].encode('utf-8', 'surrogateescape'))}'",
            f"It looks like {other[0]}: ir.{other[1]}(path). Judgments come first, then the run.",
        )
    if asked is None or asked not in ("trec", "prefs", "msmarco"):
        refuse_other_order(base.name, kind, usual, [line.split() for line in lines if len(line.split()) == usual])
    if kind == "run" and (asked == "msmarco" or (usual == 3 and asked != "trec")):
        return _replaced(base, "msmarco", separator=" ", columns=("query_id", "doc_id", "rank"))
    if kind == "qrels" and (asked == "prefs" or (usual == 5 and asked not in ("trec", "msmarco"))):
        return _replaced(
            base, "prefs", separator=" ", columns=("query_id", "assessor_id", "subgroup_id", "doc_id", "relevance")
        )
    fields = (
        ("query_id", "iteration", "doc_id", "rank", "score", "run_id")
        if kind == "run"
        else ("query_id", "iteration", "doc_id", "relevance")
    )
    return _replaced(base, "msmarco" if asked == "msmarco" else "trec", separator=" ", columns=fields)


def _json(base: Description, kind: Kind, lines: list[str], columns: Mapping[str, str] | None) -> Description:
    try:
        row = json.loads(lines[0])
    except ValueError:
        row = None
    if not isinstance(row, dict):
        array = "It begins like a JSON array; JSON lines have one object per line." if lines[0].startswith("[") else ""
        raise MalformedFile(
            f"{base.name}, line 1: it is not a JSON object: '{legible(lines[0].encode('utf-8', 'surrogateescape'))}'",
            array,
        )
    return _replaced(base, "jsonl", columns=tuple(row), found=named(kind, row, columns, base.name))


def _table(
    base: Description, kind: Kind, asked: str | None, inside: Format | None, columns: Mapping[str, str] | None
) -> Description:
    if base.compression and inside:
        raise FileError(
            f"{base.name} is a {base.compression}-compressed {inside} file.",
            "Decompress it first: it is compressed inside.",
        )
    if inside != asked and not (asked == "arrow" and inside is None):
        raise FileError(
            f"{base.name} is not {'an' if asked == 'arrow' else 'a'} {asked} file"
            + (
                f" but {inside}."
                if inside
                else f" but {base.compression}-compressed text."
                if base.compression
                else "."
            )
        )
    made = replace(base, format=cast(Format, asked))
    names = column_names(made)
    return replace(made, columns=tuple(names), found=named(kind, names, columns, base.name))


def _stored(
    file: File, stored: Stored, kind: Kind, wanted: Format | Literal["auto"], columns: Mapping[str, str] | None
) -> Description:
    if wanted not in ("auto", stored.format):
        raise FileError(f"{file.name} is not a {wanted} file but {stored.format}.", "Leave format= out.")
    made = Description(file.path, file.name, file.stem, cast(Format, stored.format), stored=stored, held=file.held)
    names = column_names(made)
    return replace(made, columns=tuple(names), found=named(kind, names, columns, file.name))


def _replaced(base: Description, kept: Format, **changes: Any) -> Description:
    return replace(base, format=kept, **changes)


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
    # A few stray bytes are bad lines, told with their numbers; many are another kind of file.
    if strange > len(head) // 20:
        known = ", ".join(FORMATS)
        raise FileError(
            f"{name} is not text, or not in UTF-8 (its first bytes are {head[:8]!r}).",
            f"Formats that can be read: {known}.",
        )


def _lines(head: bytes, *, whole: bool) -> tuple[list[str], list[int]]:
    """The lines that are neither blank nor comments, and their numbers; the last one only if it is complete."""
    raw = head.removeprefix(BOM).split(b"\n")
    if not whole and len(raw) > 1:
        raw.pop()
    # What is no UTF-8 stays what it is: in a header it is refused, in a row its line is told.
    kept = [(n, line.decode("utf-8", "surrogateescape").strip()) for n, line in enumerate(raw, 1)]
    kept = [(n, line) for n, line in kept if line and not line.startswith("#")]
    return [line for _, line in kept], [n for n, _ in kept]


def _plain(kind: Kind, line: str) -> bool:
    """Whether a line of a .tsv file is already a row: its last fields hold numbers where the format has them."""
    fields = line.split()
    if kind == "run":
        return (len(fields) == 3 and fields[2].isdigit()) or len(fields) == 6
    return len(fields) == 4 and any(c.isdigit() for c in fields[3])
