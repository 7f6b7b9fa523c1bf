"""Folders of a test collection, as BEIR unpacks them and MTEB's data sets have them: corpus, queries and qrels."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ireval_frames.errors import Code, FileError, Hint, listed
from ireval_frames.io.storage.compression import SUFFIXES
from ireval_frames.io.storage.failures import cause
from ireval_frames.io.storage.folders import is_hidden_name
from ireval_frames.io.storage.places import is_remote, local
from ireval_frames.io.storage.source import Source, stem

if TYPE_CHECKING:
    from ireval_frames.io.text.headers import Kind

# The names of a collection's parts; a name may have a language or a task before it, as in "de-queries".
PARTS: dict[Kind, tuple[str, ...]] = {
    "documents": ("corpus",), "queries": ("queries",), "qrels": ("qrels", "default", "data"),
    "pairs": ("qrels", "default", "data"),
}  # fmt: skip
_ENDINGS = (".jsonl", ".tsv", ".csv", ".parquet", ".pq", ".json", ".arrow")
# One of the files of a split, as in `test-00000-of-00002.parquet`.
_SHARD = re.compile(r"-\d{5}-of-\d{5}")


def in_folder(source: Source, kind: Kind) -> Source:
    """The files of a collection's folder that contain what is read; any other source as it is.

    Raises:
        FileError: the folder has none of them, or several, such as those of two splits.
    """
    if isinstance(source, list | tuple):
        parts: list[Any] = [in_folder(one, kind) for one in source]
        return [file for one in parts for file in (one if isinstance(one, list) else [one])]
    if not isinstance(source, str | os.PathLike) or is_remote(source) or source == "-":
        return source
    folder = local(source)
    if not folder.is_dir() or not any(_called(entry, "corpus", "queries") for entry in _in(folder)):
        return source
    if kind not in PARTS:
        raise FileError(
            f"{source} is the folder of a collection, which has no runs; it has {listed(e.name for e in _in(folder))}.",
            "Name the files of the run.",
        )
    entries = [entry for entry in _in(folder) if _called(entry, *PARTS[kind])]
    what = {"documents": "documents", "queries": "queries"}.get(kind, "judgments")
    if not entries:
        raise FileError(
            f"{source} is the folder of a collection without {what}; it has {listed(e.name for e in _in(folder))}.",
            f"They are named {PARTS[kind][0]}, such as {PARTS[kind][0]}.jsonl or {PARTS[kind][0]}/test.tsv.",
        )
    by_split: dict[Path, list[str]] = {}
    for entry in entries:
        for file in [entry] if entry.is_file() else _in(entry):
            if file.is_file() and _inner(file).suffix.lower() in _ENDINGS:
                split = file.with_name(_SHARD.sub("", file.name))
                by_split.setdefault(split, []).append(str(file))
    if len(by_split) == 1:
        return next(iter(by_split.values()))
    reader = {"documents": "read_documents", "queries": "read_queries"}.get(kind, "read_qrels")
    firsts = [files[0] for files in by_split.values()]
    if not firsts:
        raise FileError(f"{entries[0]} has no files of {what}.", f"Their names end in {', '.join(_ENDINGS)}.")
    one = next((name for name in firsts if "test" in Path(name).name), firsts[0])
    raise FileError(
        f"{source} has several files of {what}: {listed(os.path.relpath(name, folder) for name in firsts)}.",
        Hint("Name one: ", Code(f'ir.io.{reader}("{one}")', one)),
    )


def _in(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if not is_hidden_name(entry.name))
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror or cause(error)}.") from error


def _called(entry: Path, *names: str) -> bool:
    """Whether a file or folder has one of these names, perhaps after a language or a task."""
    own = stem(Path(_SHARD.sub("", entry.name))).lower()
    return any(own == name or (name in ("corpus", "queries", "qrels") and own.endswith(f"-{name}")) for name in names)


def _inner(file: Path) -> Path:
    """The name without the ending of a compression."""
    return file.with_suffix("") if file.suffix.lower() in SUFFIXES else file
