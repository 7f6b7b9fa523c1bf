"""Reuters' collections: RCV1's topics in lines, news items in XML (RCV1, RCV2), and Reuters-21578 in SGML."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl

from ireval_frames.errors import FileError, MalformedFile, listed
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.source import File
from ireval_frames.io.text.bad_lines import BadLines
from ireval_frames.io.text.grammar import Field
from ireval_frames.io.text.stream import frames, numbered
from ireval_frames.io.text.whitespace import Whitespace

CODES = ("topics", "industries", "countries")
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {"item_id": pl.String, "label": pl.List(pl.String)}
_TOPICS = Whitespace((Field("label", "id"), Field("item_id", "id"), Field("one", "integer")), "a topic of RCV1")
_ATTRIBUTE = re.compile(r'\b(\w+)="([^"]*)"')
_PARENT = re.compile(r"\s*parent:\s*(\S+)\s+child:\s*(\S+)(?:\s+child-description:.*)?\s*")
# The ends of the names of files that are read in a folder.
STORIES, ITEMS = (".sgm", ".sgml"), (".xml", ".zip")
# No news item is larger; a small archive may hold what would fill the memory.
MOST_BYTES = 16_000_000


def topics_of_lines(file: File) -> pl.DataFrame:
    """The items of lines `topic item 1`, with the list of their topics, in the order of the file.

    Raises:
        MalformedFile: lines do not parse, or a third field is not 1.
    """
    rows = pl.concat(list(frames(file.path, file.name, _TOPICS)))
    other = rows.filter(pl.col("one") != 1)
    if other.height:
        label, item, value = other.row(0)
        raise MalformedFile(
            f"{file.name}: {other.height} lines do not end in 1; the first is '{label} {item} {value}'.",
            "A line says that an item has a topic; what it does not have is not written.",
        )
    return rows.group_by("item_id", maintain_order=True).agg(pl.col("label").unique(maintain_order=True))


def stories(files: Sequence[File]) -> pl.DataFrame:
    """The stories of Reuters-21578 with their topics, and the split of Apté and others (ModApte).

    Raises:
        MalformedFile: a file has no stories.
    """
    rows = []
    for file in files:
        _, *parts = _bytes(file).decode("latin-1").split("<REUTERS")
        if not parts:
            raise MalformedFile(f"{file.name} has no story of Reuters-21578.", "One begins with <REUTERS TOPICS=…>.")
        for number, part in enumerate(parts, 1):
            head, _, rest = part.partition(">")
            body, end, _ = rest.partition("</REUTERS>")
            if not end:
                raise MalformedFile(
                    f"{file.name}: its story {number} has no end: '<REUTERS{head[:60]}>'.",
                    "A story ends with </REUTERS>.",
                )
            rows.append(_story(dict(_ATTRIBUTE.findall(head)), body))
    return pl.DataFrame(rows, schema={**SCHEMA, "split": pl.String}, orient="row")


def _story(head: dict[str, str], body: str) -> tuple[str, list[str], str]:
    inside = body.partition("<TOPICS>")[2].partition("</TOPICS>")[0]
    topics = [part.partition("</D>")[0] for part in inside.split("<D>")[1:]]
    split = head.get("LEWISSPLIT", "").lower() if head.get("TOPICS") == "YES" else ""
    return head.get("NEWID", ""), topics, split if split in ("train", "test") else "unused"


def news_items(sources: Sequence[File], codes: str) -> pl.DataFrame:
    """News items with their codes of one kind: of files of XML, and of zip archives of such files.

    Raises:
        MalformedFile: one is no news item.
    """
    rows = [_item(data, name, codes) for source in sources for name, data in _documents(source)]
    if not rows:
        raise FileError(
            f"{listed([s.name for s in sources], 3)}: there are no news items.", "They end in .xml or .zip."
        )
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _documents(source: File) -> Iterator[tuple[str, bytes]]:
    data = _bytes(source)
    if not data.startswith(b"PK"):
        yield source.name, data
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in sorted(archive.infolist(), key=lambda m: m.filename):
                if member.filename.lower().endswith(".xml"):
                    name = f"{source.name}/{member.filename}"
                    _check_size(member.file_size, name)
                    yield name, archive.read(member)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise FileError(f"{source.name} is a damaged zip archive: {error}.", "Copy or download it again.") from error


def _check_size(size: int, name: str) -> None:
    """Refuse what is too large to be a news item.

    Raises:
        MalformedFile: it is.
    """
    if size > MOST_BYTES:
        raise MalformedFile(
            f"{name} has {size:,} bytes, and no news item has more than {MOST_BYTES:,}.",
            "A news item is a file of its own.",
        )


def _item(data: bytes, name: str, codes: str) -> tuple[str, list[str]]:
    _check_size(len(data), name)
    try:
        item = ET.fromstring(data)  # noqa: S314 - Expat limits how much entities may expand
    except ET.ParseError as error:
        raise MalformedFile(f"{name} is no XML: {error}.", "A news item is a file of its own.") from error
    if item.tag != "newsitem" or "itemid" not in item.attrib:
        raise MalformedFile(
            f"{name} is a document of XML, and no news item: it begins with <{item.tag}>.",
            "News items of RCV1 and RCV2 begin with <newsitem itemid=…>.",
        )
    of_kind = item.iterfind(f".//codes[@class='bip:{codes}:1.0']/code")
    return item.attrib["itemid"], [code.attrib["code"] for code in of_kind if "code" in code.attrib]


def _bytes(file: File) -> bytes:
    """The decompressed content of a file."""
    parts = []
    with Stream(file.path, file.name) as stream:
        while part := stream.read(1 << 20):
            parts.append(part)
    return b"".join(parts)


def folder_of(path: Path, endings: Sequence[str]) -> list[File]:
    """The files of a folder with these endings, also compressed ones, sorted by path."""
    paths = sorted(p for p in path.rglob("*") if p.is_file() and {s.lower() for s in p.suffixes} & {*endings})
    return [File(p, str(p), p.stem) for p in paths]


def parents(file: File) -> dict[str, str]:
    """The parent of each class of a file of lines `parent: E1 child: E11`; the topmost class has none.

    Raises:
        MalformedFile: lines are others, or a class has two parents.
    """
    bad, out = BadLines(file.name), dict[str, str]()
    for number, line in numbered(file.path, file.name):
        if not line.strip():
            continue
        match = _PARENT.fullmatch(line.decode("latin-1"))
        if match is None:
            bad.add(number, line, "it is not 'parent: CLASS child: CLASS'")
        elif out.setdefault(match[2], match[1]) != match[1]:
            bad.add(number, line, f"{match[2]} already has the parent {out[match[2]]}")
    if bad.count:
        raise bad.error()
    return {child: parent for child, parent in out.items() if parent.lower() != "none"}
