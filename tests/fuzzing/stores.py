"""Stores that somebody changed: the first line says what happens to which file, the rest is what is written there.

`bytes TABLE N PLACE` overwrites from a place on, `cut TABLE N PLACE` cuts off there, `cell TABLE N COLUMN` puts a value
in JSON into a column and seals the file, `file NAME` adds or replaces one.  The store answers as before or names the
file; with other cells, which nobody can see, it answers or refuses in its own words.
"""

from __future__ import annotations

import functools
import json
import tempfile
import warnings
from pathlib import Path

import polars as pl

import ireval_frames as ir
from ireval_frames.store.folder import marks, parquet
from ireval_frames.store.tables import FORMAT
from tests.fuzzing.properties import Fault, attempted, legible
from tests.store.test_flipped_bytes import answered, answers, filled, same


@functools.cache
def store() -> tuple[Path, list[pl.DataFrame]]:
    """The folder of a store with a file of every kind, and its answers."""
    folder = Path(tempfile.mkdtemp(prefix="ireval-fuzzing-store-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return folder, answers(filled(folder))


def fuzz(data: bytes) -> None:
    """Change one file, ask, and change it back."""
    root, before = store()
    first, _, rest = data.partition(b"\n")
    action, *where = first.decode("utf-8", "ignore").split(" ")
    path = _new(root, where) if action == "file" else _there(root, where)
    if path is None:
        return
    content = path.read_bytes() if path.exists() else None
    if not _changed(path, action, content or b"", where[-1] if where else "", rest):
        return
    try:
        _hold(root, path, before, sealed=action == "cell")
    finally:
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_bytes(content)
    if path.parent != root and not any(path.parent.iterdir()):
        path.parent.rmdir()


def _hold(root: Path, path: Path, before: list[pl.DataFrame], *, sealed: bool) -> None:
    actual, messages = answered(ir.Store(root)) if path.name != "FORMAT" else attempted(lambda: answers(ir.Store(root)))
    legible(messages)
    if not sealed and not same(actual, before) and path.name not in messages and str(root) not in messages:
        raise Fault(f"other answers, and nobody names {path.name}: {messages}")
    attempted(lambda: ir.Store(root).check().rows())


def _changed(path: Path, action: str, content: bytes, where: str, rest: bytes) -> bool:
    """Whether the file is another one now."""
    place = int(where) if where.lstrip("-").isdecimal() and len(where) < 9 else 0
    place = place % (len(content) + 1)
    match action:
        case "bytes":
            path.write_bytes(content[:place] + rest + content[place + len(rest) :])
        case "cut":
            path.write_bytes(content[:place])
        case "file":
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(rest)
        case "cell":
            return _sealed(path, where, rest)
        case _:
            return False
    return path.read_bytes() != content


def _sealed(path: Path, column: str, text: bytes) -> bool:
    """Put a value into the first row of a column, of whatever type, and write the file as the store does."""
    try:
        value = json.loads(text)
        frame = pl.read_parquet(path)
        cells = pl.Series(column, [value, *frame[column][1:].to_list()], strict=False)
    except (ValueError, RecursionError, TypeError, OverflowError, pl.exceptions.PolarsError):
        return False
    if cells.dtype == pl.Null or isinstance(cells.dtype, pl.Object):
        cells = cells.cast(pl.String, strict=False) if cells.dtype == pl.Null else cells
    if isinstance(cells.dtype, pl.Object):
        return False
    metadata = {marks.MARK: f"{FORMAT} {path.parent.name}", parquet.KEY: parquet.BLANK}
    path.unlink()
    with path.open("w+b") as stream:
        parquet.write_rows(frame.with_columns(cells).lazy(), stream, metadata)
        parquet.write_checksum(stream)
    return True


def _there(root: Path, where: list[str]) -> Path | None:
    """The file of a table, by its number."""
    folder = root / (where[0] if where else "")
    if len(where) < 3 or not where[0].isalpha() or not folder.is_dir() or not where[1].isdecimal():
        return None
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    return paths[int(where[1][:6]) % len(paths)] if paths else None


def _new(root: Path, where: list[str]) -> Path | None:
    """A file of that name in the store, or in one of its folders."""
    parts = " ".join(where).split("/")
    if len(parts) > 2 or any(not p or p in (".", "..") or "\0" in p or len(p.encode()) > 200 for p in parts):
        return None
    path = root.joinpath(*parts)
    return None if path.is_dir() or (path.parent.exists() and not path.parent.is_dir()) else path
