"""What a file is, as it was recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from ireval_frames.io.json.document import Document
from ireval_frames.io.storage.compression import Compression
from ireval_frames.io.storage.source import Stored

Format = Literal[
    "trec", "prefs", "msmarco", "beir", "pairs", "letor", "ranklib", "quepid", "csv", "tsv", "parquet", "arrow",
    "jsonl", "json",
]  # fmt: skip

FORMATS: tuple[Format, ...] = get_args(Format)


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
        stored: how it is read where it is not one file of this machine, or was read already.
        held: what lives as long as the path is used.
        records: of an array of JSON, its elements as lines, each with the line of the file in which it begins.
        document: any other document of JSON, and its shape.
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
    records: Sequence[tuple[int, bytes]] = field(default=(), compare=False, repr=False)
    document: tuple[Document, str] | None = field(default=None, compare=False, repr=False)

    @property
    def tabular(self) -> bool:
        """Whether the file names its columns itself."""
        return self.header or self.format in ("parquet", "arrow", "jsonl", "json")


def replaced(base: Description, kept: Format, **changes: Any) -> Description:
    """A description of that format, with changes."""
    return replace(base, format=kept, **changes)
