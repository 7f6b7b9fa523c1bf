"""Folders as `make page` builds them, with the files that the package looks at, and readers of what it writes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir

# What is copied, and what belongs to the page that evaluates.
SHARED = ("store.html", "store.js", "page.css", "duckdb-eh.wasm")
OTHERS = ("index.html", "page.js", "data/examples/qrels.txt")


def built(folder: Path, version: str = ir.__version__) -> Path:
    """A folder with the files of the built page, each with its name as content."""
    for name in (*SHARED, *OTHERS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, "utf-8")
    (folder / "data" / "catalog.json").write_text(json.dumps({"version": version, "measures": []}), "utf-8")
    return folder


def stored(folder: Path) -> dict[str, Any]:
    """What the page in a folder says of its tables."""
    about: dict[str, Any] = json.loads((folder / "data" / "about.json").read_text("utf-8"))
    return about


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """The tables beside a page, by name."""
    files = {t["name"]: folder / "data" / "tables" / t["file"] for t in stored(folder)["tables"]}
    return {name: pl.read_ipc_stream(gzip.decompress(path.read_bytes())) for name, path in files.items()}
