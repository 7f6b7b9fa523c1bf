"""Local Parquet files that together are a table, as engines read them themselves."""

from __future__ import annotations

import functools
import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.engines.quoting import quoted, string

# Types that every engine reads from Parquet as the same values; others are passed through Arrow.
_PLAIN = (
    pl.String, pl.Boolean, pl.Float64, pl.Float32, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Date,
)  # fmt: skip


@dataclass(frozen=True)
class ParquetFiles:
    """Files with the same columns, and the columns that the names of their folders add.

    Args:
        files: their paths.
        keys: the columns that folders such as `run_id=bm25` name; their values are text.
        base: the path before the first of those folders.
    """

    files: tuple[str, ...]
    keys: tuple[str, ...] = ()
    base: str = ""

    def scan(self) -> pl.LazyFrame:
        """Read by Polars."""
        # By default Polars would look for such folders by itself.
        folders = {"hive_partitioning": True, "hive_schema": dict.fromkeys(self.keys, pl.String)}
        return pl.scan_parquet(list(self.files), glob=False, **(folders if self.keys else {"hive_partitioning": False}))

    @functools.cached_property
    def types(self) -> dict[str, Any]:
        """The columns and their Polars types."""
        return dict(self.scan().collect_schema())

    def sql(self, *, as_pattern: bool = False) -> str:
        """The FROM clause of DuckDB.

        Args:
            as_pattern: many files may become a pattern; else exactly these files are read.
        """
        options = ", hive_partitioning=" + ("true, hive_types_autocast=false" if self.keys else "false")
        if len(self.files) == 1:
            return f"read_parquet({_literally(self.files[0])}{options if self._looks_partitioned else ''})"
        pattern = os.path.join(glob.escape(self.base), "**", "*.parquet")  # noqa: PTH118 - as it was given
        if as_pattern and self.base and tuple(sorted(glob.glob(pattern, recursive=True))) == self.files:  # noqa: PTH207 - as it was given
            return f"read_parquet({string(pattern)}{options})"
        return f"read_parquet([{', '.join(map(_literally, self.files))}]{options})"

    @property
    def _looks_partitioned(self) -> bool:
        """Whether DuckDB would find such folders in the path of one file."""
        return any("=" in part for part in Path(self.files[0]).parent.parts)


@dataclass(frozen=True)
class Table:
    """Parquet files under our column names.

    Args:
        source: the files.
        columns: our names → the files' own.
        constants: columns with one text in all rows.
    """

    source: ParquetFiles
    columns: Mapping[str, str]
    constants: Mapping[str, str] = field(default_factory=dict)

    @property
    def types(self) -> dict[str, Any]:
        """The columns and their Polars types."""
        return dict.fromkeys(self.constants, pl.String) | {c: self.source.types[t] for c, t in self.columns.items()}

    @property
    def plain(self) -> bool:
        """Whether all engines read its columns as the same values."""
        return all(t in _PLAIN or (t == pl.List and t.inner in _PLAIN) for t in self.types.values())

    def select(self) -> str:
        """The SELECT that reads them in DuckDB."""
        parts = [f"{string(value)} AS {quoted(name)}" for name, value in self.constants.items()]
        parts += [quoted(t) if c == t else f"{quoted(t)} AS {quoted(c)}" for c, t in self.columns.items()]
        return f"SELECT {', '.join(parts)}\nFROM {self.source.sql()}"


def _literally(path: str) -> str:
    """A path in which brackets and stars are no pattern."""
    return string(glob.escape(path))
