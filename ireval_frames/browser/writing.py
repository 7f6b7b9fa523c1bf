"""A copy of the built page with tables beside it."""

from __future__ import annotations

import gzip
import json
import os
import secrets
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import polars as pl
import polars.selectors as cs

from ireval_frames.browser.built import MAIN, find_page
from ireval_frames.errors import FileError
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.version import __version__

# What says that a folder was written here, so that it may be replaced.
ABOUT = Path("data") / "about.json"
# Of the built page, what a page of tables does without.
_OTHERS = ("index.html", "page.js", "examples")


@dataclass(frozen=True)
class PageTable:
    """A table beside the page.

    Attributes:
        name: its name in SQL.
        description: a sentence about it.
        rows: its rows; they are read when they are written.
    """

    name: str
    description: str
    rows: pl.DataFrame | pl.LazyFrame


@dataclass(frozen=True)
class TablesPage:
    """What a page of tables shows.

    Attributes:
        title: its heading.
        kind: "store" or "report", of which the parts of the page depend.
        tables: the tables.
        statements: views and macros over them, in SQL.
    """

    title: str
    kind: str
    tables: Sequence[PageTable]
    statements: Sequence[str] = ()


def write_page(
    folder: str | os.PathLike[str],
    content: TablesPage,
    *,
    page: str | os.PathLike[str] | None = None,
    name: str = "index.html",
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write a folder with the page and its tables; one that was written here before is replaced.

    Args:
        folder: the folder.
        content: what the page shows.
        page: the folder of the built page.
        name: of the page in the folder.
        files: further files, by name; the page links to the `index.html` among them.

    Returns:
        the folder.

    Raises:
        FileError: the folder holds something else, or cannot be written.
        EngineError: the page has not been built.
    """
    built, target = find_page(page), Path(folder).expanduser()
    try:
        with _replaced(target, built) as new:
            shutil.copytree(built, new, ignore=shutil.ignore_patterns(*_OTHERS))
            (new / MAIN).rename(new / name)
            _write_tables(new, content, back="index.html" if "index.html" in (files or {}) else "")
            for file, text in (files or {}).items():
                _write_text(new / file, text)
    except OSError as error:
        raise FileError(f"{target} cannot be written: {error.strerror or error}.") from error
    return target


@contextmanager
def _replaced(target: Path, built: Path) -> Iterator[Path]:
    """A folder that takes the place of the target once all is written."""
    if target.exists() and not target.is_dir():
        raise FileError(f"{target} is a file; the page is a folder.", "Name a folder that does not exist yet.")
    if target.exists() and any(target.iterdir()) and not (target / ABOUT).is_file():
        raise FileError(f"{target} holds something else than a page.", "Name a folder that does not exist yet.")
    if not target.absolute().parent.is_dir():
        parent = target.absolute().parent
        command = f"mkdir -p {shlex.quote(str(parent))}"
        raise FileError(f"{target} cannot be written: there is no folder {parent}.", f"Make it first: {command}")
    target = target.resolve()
    if target.is_relative_to(built.resolve()):
        raise FileError(f"{target} is in the folder of the built page.", "Name a folder outside of it.")
    new, old = (target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp") for _ in range(2))
    try:
        yield new
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _write_tables(folder: Path, content: TablesPage, back: str) -> None:
    """Write the tables as Arrow streams, which DuckDB in the page reads without an extension, and their list."""
    tables = folder / ABOUT.parent / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, table in enumerate(content.tables):
        rows = table.rows.lazy().collect()
        file = f"{number:02}.arrow.gz"
        with replacing(tables / file) as stream, gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
            _readable(rows).write_ipc_stream(cast("IO[bytes]", packed), compat_level=pl.CompatLevel.oldest())
        size = (tables / file).stat().st_size
        entries.append(
            {"name": table.name, "description": table.description, "file": file, "rows": rows.height, "bytes": size}
        )
    about = {
        "version": __version__,
        "title": content.title,
        "kind": content.kind,
        "tables": entries,
        "statements": list(content.statements),
    } | ({"back": back} if back else {})
    _write_text(folder / ABOUT, json.dumps(about, ensure_ascii=False, separators=(",", ":")))


def _write_text(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


def _readable(rows: pl.DataFrame) -> pl.DataFrame:
    """Texts by dictionary, half the memory of the page; times in UTC without a zone, which need no extension.

    Whole numbers of 128 bits, which the page cannot read, are decimals.
    """
    zoned = [name for name, dtype in rows.schema.items() if isinstance(dtype, pl.Datetime) and dtype.time_zone]
    nothing = [name for name, dtype in rows.schema.items() if dtype == pl.Null]
    long = [name for name, dtype in rows.schema.items() if str(dtype) in ("Int128", "UInt128")]
    rows = rows.cast(dict.fromkeys(nothing, pl.String)).cast(dict.fromkeys(long, pl.Decimal(38, 0)))
    return rows.with_columns(
        cs.string().cast(pl.Categorical),
        *(pl.col(name).dt.convert_time_zone("UTC").dt.replace_time_zone(None) for name in zoned),
    )
