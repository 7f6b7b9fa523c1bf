"""Tables of text that are not as they should be: read as meant, or refused in our words with the line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, IrevalError, MalformedFile
from ireval_frames.io import scan_table

HEADERS = {
    "queries": ("query_id", "segment", "note"),
    "table": ("item_id", "label", "score"),
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "relevance"),
}
ROWS = [("q1", "d1", "1"), ("q2", "d2", "0")]
READ: dict[str, Callable[[Path], pl.DataFrame]] = {
    "queries": ir.io.read_queries,
    "table": lambda path: scan_table(path).collect(),
    "run": ir.read_run,
    "qrels": ir.read_qrels,
}
kinds = pytest.mark.parametrize("kind", READ)
NAMES = {",": "t.csv", "\t": "t.tsv"}
separators = pytest.mark.parametrize("separator", [",", "\t"])


def text(kind: str, separator: str, *rows: tuple[str, ...], end: str = "\n") -> str:
    return "".join(separator.join(row) + end for row in (HEADERS[kind], *rows))


def seen(kind: str, path: Path) -> list[tuple[str, ...]]:
    """The rows as text."""
    frame = READ[kind](path).select(HEADERS[kind]).with_columns(pl.selectors.float().cast(pl.Int64))
    return frame.cast(pl.String).rows()


@kinds
@separators
@pytest.mark.parametrize(
    "change",
    [
        lambda t, _: t,
        lambda t, _: "\ufeff" + t,
        lambda t, _: t.replace("\n", "\r\n"),
        lambda t, _: t.replace("\n", "\r\n", 1),
        lambda t, _: t.replace("\n", "\n\n"),
        lambda t, _: t.rstrip("\n"),
        lambda t, s: s.join(f'"{name}"' for name in t.split("\n")[0].split(s)) + t[t.index("\n") :],
        lambda t, _: t.replace("d1", '"d1"'),
    ],
    ids=["plain", "mark", "carriage returns", "one carriage return", "blank lines", "no end", "header", "quotes"],
)
def test_read_as_meant(write_file: Any, kind: str, separator: str, change: Callable[[str, str], str]) -> None:
    path = write_file(change(text(kind, separator, *ROWS), separator), NAMES[separator])
    assert seen(kind, path) == ROWS


@kinds
@separators
@pytest.mark.parametrize("field", ['"d{s}1"', '"d\n1"', '"d""1"', "d\u20281", "d\x0b1", "\ufffdd"])
def test_fields_are_kept(write_file: Any, kind: str, separator: str, field: str) -> None:
    cell = field.format(s=separator)
    path = write_file(text(kind, separator, ("q1", cell, "1"), ROWS[1]), NAMES[separator])
    value = cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
    assert seen(kind, path) == [("q1", value, "1"), ROWS[1]]


@kinds
@separators
@pytest.mark.parametrize(
    "row, message",
    [
        (b"q1{s}d\xe9{s}1", "not valid UTF-8"),
        (b"q\xe9{s}d{s}1", "not valid UTF-8"),
        (b'q1{s}"d\xe9"{s}1', "not valid UTF-8"),
        (b"q1{s}d\xed\xa0\x80{s}1", "not valid UTF-8"),
        (b"q1{s}d\0{s}1", "NUL byte"),
        (b"q1{s}d\rd{s}1", "carriage return"),
        (b"q1{s}d", "2 fields where the header has 3"),
        (b"q1{s}d{s}1{s}2", "4 fields where the header has 3"),
        (b'q1{s}"d{s}1', "a quote is opened and never closed"),
    ],
)
def test_lines_that_are_refused(write_file: Any, kind: str, separator: str, row: bytes, message: str) -> None:
    """Far enough from the header that its kind of file is not in doubt."""
    sound = text(kind, separator, *[(f"q{i}", f"d{i}", "1") for i in range(100, 300)]).encode()
    path = write_file(sound + row.replace(b"{s}", separator.encode()) + b"\n", NAMES[separator])
    with pytest.raises(MalformedFile, match=message) as error:
        READ[kind](path)
    assert "line 202" in str(error.value)


@kinds
@separators
@pytest.mark.parametrize(
    "change, message",
    [
        (lambda b: b.replace(b"\n", b"\r"), "carriage returns alone"),
        (lambda b: b.replace(b"\n", b"\xe9\n", 1), "not valid UTF-8: its header is"),
        (lambda b: b.replace(b"\n", b"\0\n", 1), "NUL byte in its header"),
        (lambda b: b[: b.index(b"\n") + 1], "no rows"),
        (lambda b: b[: b.index(b"\n")], "no rows"),
        (lambda _: b"", "is empty"),
        (lambda _: b"\n\n", "is empty"),
        (lambda b: b.decode().encode("utf-16"), "UTF-16|UTF-8"),
    ],
    ids=["carriage returns", "header not UTF-8", "NUL", "header", "header without end", "empty", "lines", "utf-16"],
)
def test_files_that_are_refused(
    write_file: Any, kind: str, separator: str, change: Callable[[bytes], bytes], message: str
) -> None:
    path = write_file(change(text(kind, separator, *ROWS).encode()), NAMES[separator])
    with pytest.raises(FileError, match=message):
        READ[kind](path)


@kinds
@separators
def test_a_name_that_stands_twice(write_file: Any, kind: str, separator: str) -> None:
    first, second, third = HEADERS[kind]
    path = write_file(separator.join((first, second, second)) + "\n" + separator.join(ROWS[0]) + "\n", NAMES[separator])
    with pytest.raises(IrevalError, match=f"names '{second}' twice|no column '{third}'"):
        READ[kind](path)


JSON = '{"item_id": "1", "label": "x", "score": 0.5}'
NEXT = '{"item_id": "2", "label": "y", "score": 0.25}'


@pytest.mark.parametrize(
    "content",
    [
        f"{JSON}\n{NEXT}\n",
        f"{JSON}\n{NEXT}",
        f"\ufeff{JSON}\n{NEXT}\n",
        f"{JSON}\r\n\n  \n{NEXT}\r\n",
        f'{JSON}\n{NEXT[:-1]}, "later": [1e30, 12345678901234567890.5]}}\n',
        f'{JSON}\n{NEXT[:-1]}, "later": "\\ud83d\\ude00 \\\\ud800 99999999999999999999"}}\n',
    ],
)
def test_json_lines_as_meant(write_file: Any, content: str) -> None:
    for name in ("t.jsonl", "t.ndjson", "t.json"):
        frame = scan_table(write_file(content, name))
        assert frame.select("item_id", "label", "score").collect().rows() == [("1", "x", 0.5), ("2", "y", 0.25)]
        assert frame.select(pl.len()).collect().item() == 2


@pytest.mark.parametrize("value", ["1234567890123456789", "9223372036854775807", "-9223372036854775808"])
def test_json_integers_of_64_bits(write_file: Any, value: str) -> None:
    assert str(scan_table(write_file(f'{{"item_id": {value}}}\n', "t.jsonl")).collect().item()) == value


@pytest.mark.parametrize(
    "line, message",
    [
        (b'{"item_id": "2", "label": "\xe9", "score": 1}', "line 2: it is not valid UTF-8"),
        (b'{"item_id": "2", "label": "\\ud800", "score": 1}', "line 2: it holds half of a surrogate pair"),
        (b'{"item_id": "2", "label": "a\0", "score": 1}', "line 2: it is not JSON"),
        (b'{"item_id": "2", "label": "a", "score": ', "line 2: it is not JSON"),
        (b'{"item_id": "2", "label": "a", "score": 1}{}', "line 2: it is not JSON"),
        (b'{"item_id": "2", "label": "a", "score": NaN}', "line 2: it holds NaN"),
        (b'{"item_id": "2", "label": "a", "score": 9223372036854775808}', "line 2: 9223372036854775808 is too large"),
        (b'{"item_id": "2", "label": "a", "score": 99999999999999999999999}', "line 2: 99999999999999999999999 is too"),
        (b'{"item_id": "2", "label": "a", "score": true}', "values of different types"),
        (b'{"item_id": "2", "label": "a", "score": 1e999}', "values of different types"),
        (b"[1, 2]", "begins like a JSON array"),
        (b"5", "line 2: it is not a JSON object"),
    ],
)
def test_json_lines_that_are_refused(write_file: Any, line: bytes, message: str) -> None:
    with pytest.raises(MalformedFile, match=message):
        scan_table(write_file(JSON.encode() + b"\n" + line + b"\n", "t.jsonl")).collect()


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{}\n", b"[{}]\n", b"{\n}\n"])
def test_json_that_is_no_table(write_file: Any, content: bytes) -> None:
    with pytest.raises((FileError, MalformedFile)):
        scan_table(write_file(content, "t.jsonl"))


@pytest.mark.parametrize("value", ['"\\ud800"', "true"])
def test_values_of_queries_in_json(write_file: Any, value: str) -> None:
    """Halves of characters are no text, and true is not 1."""
    path = write_file(f'{{"query_id": "a", "n": 1}}\n{{"query_id": "b", "n": {value}}}\n', "q.jsonl")
    with pytest.raises(MalformedFile):
        ir.io.read_queries(path)
