"""Names and strings in SQL text."""

from __future__ import annotations

import functools
import re

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_PART = re.compile(r'(?:"(?:[^"]|"")+"|[^."]+)')


@functools.cache
def reserved() -> frozenset[str]:
    """The words that DuckDB does not take for a name unquoted."""
    import duckdb

    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
        ).fetchall()
    return frozenset(word for (word,) in rows)


@functools.lru_cache(maxsize=4096)
def identifier(name: str) -> str:
    """A name, quoted only where it must be."""
    return name if _PLAIN.fullmatch(name) and name not in reserved() else quoted(name)


def quoted(name: str) -> str:
    """A name in quotes."""
    return '"' + name.replace('"', '""') + '"'


def is_qualified(name: str) -> bool:
    """Whether it is a name, with a schema and a database before it or not."""
    return re.fullmatch(rf"{_PART.pattern}(\.{_PART.pattern}){{,2}}", name) is not None


def qualified(name: str) -> str:
    """A table's name, `schema.name` included; parts in quotes may hold dots."""
    parts = [found[0] for found in _PART.finditer(name)]
    return ".".join(p if p.startswith('"') else identifier(p) for p in parts)


def parted(name: str) -> list[str]:
    """The parts of a table's name, without quotes."""
    parts = [found[0] for found in _PART.finditer(name)]
    return [p[1:-1].replace('""', '"') if p.startswith('"') else p for p in parts]


def string(value: str) -> str:
    """A text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Names with commas between them."""
    return ", ".join(identifier(n) for n in names)


def words(query: str) -> frozenset[str]:
    """The words of a query, of which some name tables."""
    return frozenset(re.findall(r"\w+", query.lower()))
