"""What a caller means by a source: a path, a pattern, several of these, or standard input."""

from __future__ import annotations

import atexit
import difflib
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from ireval_frames.errors import FileError, InvalidParameter
from ireval_frames.io.compression import SUFFIXES

Source = str | Path | Iterable[str | Path]

DATASET_PREFIXES = ("ir_datasets:", "irds:")


@dataclass(frozen=True)
class File:
    """A file to read: where it is, its name in messages, the name of the run it holds."""

    path: Path
    name: str
    stem: str


def files(source: Source) -> list[File]:
    """The files a source names, patterns resolved and sorted by name.

    Raises:
        FileError: a file is missing, is a directory, or nothing matches.
    """
    if isinstance(source, (str, Path)):
        return _one(source)
    if not isinstance(source, Iterable):
        raise InvalidParameter(
            f"A source is a path, a pattern, a list of these or '-', not {type(source).__name__}.",
            "Tables in memory need no reading: pass them to ir.evaluate.",
        )
    found = [file for item in source for file in _one(item)]
    if not found:
        raise InvalidParameter(
            "The list of files is empty.", 'Name at least one: ir.scan_run(["bm25.run", "dense.run"])'
        )
    return found


def stem(path: Path) -> str:
    """A file's name without compression suffix and one more: `bm25.run.gz` is `bm25`."""
    name = path.name
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
            break
    return Path(name).stem or name


def _one(item: str | Path) -> list[File]:
    if not isinstance(item, (str, Path)):
        raise InvalidParameter(f"A source is a path, a pattern, a list of these or '-', not {type(item).__name__}.")
    if str(item) == "-":
        return [_standard_input()]
    path = Path(item).expanduser()
    if path.is_dir():
        raise FileError(f"{item} is a directory.", f'Name its files: "{item}/*"')
    # A file that is there is meant itself, even when its name has brackets.
    if path.exists():
        return [File(path, str(item), stem(path))]
    if has_magic(str(path)):
        matches = sorted(glob(str(path), recursive=True))  # noqa: PTH207
        paths = [Path(p) for p in matches if not Path(p).is_dir()]
        if not paths:
            raise FileError(f"No file matches {str(item)!r}.", _near(path))
        return [File(p, str(p), stem(p)) for p in paths]
    raise FileError(f"{item} does not exist.", _near(path))


def _near(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"There is no folder {folder} either." if not has_magic(str(folder)) else ""
    names = [p.name for p in folder.iterdir() if not p.is_dir()]
    # The same name with another ending is the likeliest slip.
    close = [n for n in names if n.startswith(path.name + ".") or stem(Path(n)) == stem(path)]
    close = close or difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(sorted(close)[:3])}?" if close else f"Its folder is there: {folder.resolve()}"


def _standard_input() -> File:
    # Copied to a temporary file, because a lazy frame may read its source more than once and at any time.
    with tempfile.NamedTemporaryFile(prefix="ireval-stdin-", delete=False) as spool:
        path = Path(spool.name)
        atexit.register(path.unlink, missing_ok=True)
        shutil.copyfileobj(sys.stdin.buffer, spool, 1 << 20)
    return File(path, "standard input", "stdin")
