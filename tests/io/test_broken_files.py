"""Files that cannot be read at all give one clear error."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re

import polars as pl
import pyarrow as pa
import pytest

from ireval_frames.errors import FileError, InvalidParameter, IrevalError, MalformedFile, UnknownName
from ireval_frames.io import read_qrels, read_queries, read_run, scan_run, unwrap
from tests.io.samples import CLEAN


def zstd(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


def message_of(call, *args, error=FileError, **options) -> str:
    with pytest.raises(error) as caught:
        call(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"# a\n#b",
        b" \t \r\n",
        b"\xef\xbb\xbf",
        gzip.compress(b"", mtime=0),
        bz2.compress(b""),
        lzma.compress(b"\n"),
    ],
)
@pytest.mark.parametrize("read", [read_run, read_qrels, read_queries])
def test_empty(write_file, content, read):
    assert "is empty" in message_of(read, write_file(content))


def test_empty_is_reported_when_scanned(write_file):
    assert "is empty" in message_of(scan_run, write_file(b"# only a comment\n"))


def test_long_comments_only(write_file):
    assert "is empty" in message_of(read_run, write_file(b"# only comments\n" * 10_000))


def test_header_without_rows(write_file):
    assert "is empty" in message_of(read_run, write_file("qid,docno,score\n", "a.csv"))


def test_missing_with_near_names(write_file):
    path = write_file(CLEAN, "bm25.run.gz")
    assert "does not exist" in message_of(scan_run, path.with_name("bm25.run"))
    assert "bm25.run.gz" in message_of(scan_run, path.with_name("bm25.run"))
    assert "bm25.run.gz" in message_of(scan_run, path.with_name("bn25.run.gz"))
    assert "no folder" in message_of(scan_run, path.parent / "nowhere" / "bm25.run")
    assert "No file matches" in message_of(scan_run, str(path.parent / "*.res"))


def test_directory(tmp_path):
    assert "is a directory" in message_of(scan_run, tmp_path)


def test_wrong_kind_of_source():
    assert "not int" in message_of(scan_run, 3, error=InvalidParameter)
    assert "list of files is empty" in message_of(scan_run, [], error=InvalidParameter)
    assert "in memory" in message_of(scan_run, None, error=InvalidParameter)


@pytest.mark.parametrize(
    "content", [b"\0\1\2\3" * 100, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, b"\x93\xfe" * 100]
)
def test_binary(write_file, content):
    assert re.search("is not text|is a picture", message_of(scan_run, write_file(content)))


def test_utf16(write_file):
    assert "UTF-16" in message_of(scan_run, write_file(CLEAN.decode().encode("utf-16")))


@pytest.mark.parametrize(
    "compress, suffix", [(gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz"), (zstd, "zst")]
)
def test_truncated(write_file, compress, suffix):
    # Numbers that compress badly, so that the first block can be read and the cut is met later.
    text = "".join(f"q{n} Q0 d{n * 7919 % 99991} 1 {n * 0.37:.3f} t\n" for n in range(60_000)).encode()
    whole = compress(text)
    assert read_run(write_file(whole, f"a.run.{suffix}")).height == 60_000
    for size in (len(whole) - 1, len(whole) // 2, 20, 12):
        name = write_file(whole[:size], f"cut.run.{suffix}")
        assert "truncated" in (message := message_of(read_run, name))
        assert str(name) in message


@pytest.mark.parametrize("compress, suffix", [(gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")])
def test_damaged(write_file, compress, suffix):
    whole = bytearray(compress(CLEAN * 1000))
    whole[len(whole) // 2] ^= 0xFF
    assert any(
        word in message_of(read_run, write_file(bytes(whole), f"a.run.{suffix}")) for word in ("damaged", "truncated")
    )


@pytest.mark.parametrize(
    "content",
    [b"PAR1", b"PAR1" + b"x" * 100 + b"PAR1", b"ARROW1\0\0" + b"x" * 50, b"\xff\xff\xff\xff\x10\0\0\0xxxx", b"FEA1abc"],
)
def test_damaged_tables(write_file, content):
    for read in (read_run, read_qrels, read_queries):
        assert "damaged" in message_of(read, write_file(content))


def test_suffix_promises_what_the_file_is_not(write_file):
    assert "is not a parquet file" in message_of(read_run, write_file(CLEAN, "a.parquet"))
    assert "damaged" in message_of(read_run, write_file(CLEAN, "a.arrow"))
    assert "Decompress it first" in message_of(read_run, write_file(gzip.compress(b"PAR1aaaaPAR1"), "a.parquet.gz"))


def test_text_under_a_compressed_name_is_read(write_file):
    assert read_run(write_file(CLEAN, "bm25.run.gz")).height == 3


def test_damaged_pages_are_reported_as_ours(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"query_id": [f"q{i}" for i in range(5000)], "doc_id": "d", "score": 1.0}).write_parquet(path)
    data = bytearray(path.read_bytes())
    data[4:400] = b"\x13" * 396
    path.write_bytes(data)
    with pytest.raises(IrevalError):
        read_run(path)
    with pytest.raises((pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)) as caught:
        scan_run(path).collect()
    assert isinstance(unwrap(caught.value), FileError)


def test_unwrap():
    inner = MalformedFile("x")
    outer = RuntimeError("outer")
    outer.__cause__ = inner
    assert unwrap(outer) is inner
    assert unwrap(pl.exceptions.ComputeError("something else")) is None


def test_unreadable(write_file):
    import os

    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    path = write_file(CLEAN)
    path.chmod(0)
    assert "cannot be opened" in message_of(scan_run, path)


def test_parameters(write_file):
    path = write_file(CLEAN)
    assert "allowed: 'file', 'tag', None" in message_of(scan_run, path, run_id="bm25", error=InvalidParameter)
    assert "with_columns" in message_of(scan_run, path, run_id="bm25", error=InvalidParameter)
    assert "Did you mean trec?" in message_of(scan_run, path, format="trek", error=InvalidParameter)
    assert "surplus=" in message_of(scan_run, path, surplus="x", error=InvalidParameter)
    assert "second=" in message_of(read_qrels, path, second="x", error=InvalidParameter)
    assert "allowed: int, float" in message_of(read_qrels, path, relevance="x", error=InvalidParameter)
    assert "has none" in message_of(scan_run, path, columns={"score": "sim"}, error=InvalidParameter)
    assert "relevanc" in message_of(
        read_qrels, write_file("a,b,c\n1,2,3\n", "q.csv"), columns={"relevanc": "c"}, error=UnknownName
    )
