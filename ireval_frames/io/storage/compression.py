"""Compressed files: recognised by their first bytes, read and written as streams."""

from __future__ import annotations

import importlib
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Literal, Self, cast

from ireval_frames.errors import FileError
from ireval_frames.io.storage.failures import cause

Compression = Literal["gzip", "bz2", "xz", "zstd"]

_BLOCK = 1 << 18

SUFFIXES: dict[str, Compression] = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}


def recognise(head: bytes) -> Compression | None:
    """The compression, by a file's first bytes."""
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    # A text line may begin with BZh1, so check the block's mark too.
    if head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "bz2"
    if head.startswith(b"\xfd7zXZ\0"):
        return "xz"
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5):
        return "zstd"
    return None


class Stream:
    """The decompressed bytes of a file; errors while reading name the file."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        try:
            with path.open("rb") as file:
                self.compression = recognise(file.read(16))
            self._file = _reader(path, self.compression)
        except OSError as error:
            raise FileError(f"{name} cannot be opened: {error.strerror or cause(error)}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def readinto(self, view: memoryview) -> int:
        """Fill the view, less at the end of the file; return how many bytes."""
        filled = 0
        try:
            while filled < len(view):
                n = self._file.readinto(view[filled:])
                if not n:
                    break
                filled += n
        except Exception as error:
            if not isinstance(error, (EOFError, OSError, zlib.error)) and type(error).__name__ != "LZMAError":
                raise
            raise FileError(*self._broken(error)) from error
        return filled

    def _broken(self, error: Exception) -> tuple[str, str]:
        if self.compression is None:
            return f"{self.name} cannot be read: {cause(error)}.", ""
        cut = isinstance(error, EOFError) or "truncated" in str(error).lower()
        state = "truncated (it ends too early)" if cut else "damaged"
        return f"{self.name} is a {state} {self.compression} file: {cause(error)}.", "Copy or download it again."

    def read(self, size: int) -> bytes:
        """At most this many bytes."""
        buffer = bytearray(size)
        return bytes(memoryview(buffer)[: self.readinto(memoryview(buffer))])


class _Streams:
    """The concatenated streams of a bz2 or xz file.

    Python's own readers silently skip a second stream that is damaged.
    """

    def __init__(self, path: Path, make: Callable[[], Any]) -> None:
        self._file, self._make = path.open("rb"), make
        self._decompressor, self._raw = make(), b""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def readinto(self, view: memoryview) -> int:
        """Fill some of the view; 0 at the end.

        Raises:
            EOFError: the file ends too early.
        """
        while True:
            if self._decompressor.eof:
                # Padding of zeros may follow a stream, or another stream.
                rest = self._decompressor.unused_data.lstrip(b"\0")
                while not rest and (more := self._file.read(_BLOCK)):
                    rest = more.lstrip(b"\0")
                if not rest:
                    return 0
                self._decompressor, self._raw = self._make(), rest
            raw = b""
            if self._decompressor.needs_input:
                raw, self._raw = self._raw or self._file.read(_BLOCK), b""
                if not raw:
                    raise EOFError("it ends before its end is marked")
            data = self._decompressor.decompress(raw, len(view))
            if data:
                view[: len(data)] = data
                return len(data)


def _reader(path: Path, compression: Compression | None) -> Any:
    if compression == "gzip":
        import gzip

        return gzip.open(path, "rb")
    if compression == "bz2":
        import bz2

        return _Streams(path, bz2.BZ2Decompressor)
    if compression == "xz":
        import lzma

        return _Streams(path, lzma.LZMADecompressor)
    if compression == "zstd":
        pa = importlib.import_module("pyarrow")
        return pa.CompressedInputStream(pa.OSFile(str(path), "rb"), "zstd")
    return io.FileIO(path, "rb")


def writer(raw: IO[bytes], compression: Compression | None) -> IO[bytes]:
    """A stream that compresses into an open file; closing it finishes the compression, not the file."""
    if compression == "gzip":
        import gzip

        # Without name and time the bytes are the same for the same table.
        return cast(IO[bytes], gzip.GzipFile("", "wb", 6, raw, mtime=0))
    if compression == "bz2":
        import bz2

        return cast(IO[bytes], bz2.BZ2File(raw, "wb"))
    if compression == "xz":
        import lzma

        return cast(IO[bytes], lzma.LZMAFile(raw, "wb"))
    if compression == "zstd":
        pa = importlib.import_module("pyarrow")
        return cast(IO[bytes], pa.CompressedOutputStream(pa.PythonFile(raw, "w"), "zstd"))
    return raw
