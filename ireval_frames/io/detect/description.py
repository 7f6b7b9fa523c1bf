"""The description of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ireval_frames.io.json.document import Document
from ireval_frames.io.storage.compression import Compression
from ireval_frames.io.storage.source import Stored

Format = Literal[
    "trec", "diversity", "prefs", "prels", "sampled", "passages", "pairs", "ntcir", "smart", "cranfield", "msmarco",
    "top1000", "beir", "letor", "ranklib", "quepid", "csv", "tsv", "parquet", "arrow", "jsonl", "json",
    "npl", "lisa", "time", "cfc", "colon",
]  # fmt: skip

FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True)
class Description:
    """The format and columns of a file.

    Args:
        path: where it is.
        name: its name in messages.
        stem: the name of the run in it.
        format: one of `FORMATS`.
        compression: gzip, bz2, xz, zstd or None; not Parquet's and Arrow's internal compression.
        separator: between fields: " " (any mix of blanks and tabs), ",", ";", "|" or a tab; None
            for other formats.
        header: whether a line names the columns.
        skip: the number of lines before the first row: the header, and comments and blank lines above it.
        line: the header.
        columns: the file's columns in order; without a header, our names for the format's fields.
        mapping: for each of our columns the file's own name.
        stored: how it is read if it is not one local file.
        owner: a temporary copy that lives as long as the path is used.
        records: the elements of a JSON array as lines, each with the number of the line in which it begins.
        document: any other JSON document, and its shape.
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
    mapping: Mapping[str, str] = field(default_factory=dict)
    stored: Stored | None = field(default=None, compare=False, repr=False)
    owner: Any = field(default=None, compare=False, repr=False)
    records: Sequence[tuple[int, bytes]] = field(default=(), compare=False, repr=False)
    document: tuple[Document, str] | None = field(default=None, compare=False, repr=False)

    @property
    def tabular(self) -> bool:
        """Whether the file names its columns itself."""
        return self.header or self.format in ("parquet", "arrow", "jsonl", "json")
