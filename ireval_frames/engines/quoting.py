"""Names and strings in SQL text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ireval_frames.errors import Hint, InvalidParameter, InvalidValue

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_PART = re.compile(r'(?:"(?:[^"]|"")+"|[^."]+)')


@functools.cache
def reserved() -> frozenset[str]:
    """The words that DuckDB takes for a name only in quotes."""
    import duckdb

    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
        ).fetchall()
    return frozenset(word for (word,) in rows)


_all_quoted: ContextVar[bool] = ContextVar("all_quoted", default=False)


@contextmanager
def all_quoted() -> Iterator[None]:
    """A context in which every name is quoted, since other parsers have other reserved words."""
    token = _all_quoted.set(True)
    try:
        yield
    finally:
        _all_quoted.reset(token)


def identifier(name: str) -> str:
    """A name, quoted where necessary."""
    return quoted(name) if _all_quoted.get() or not is_plain(name) else name


@functools.lru_cache(maxsize=4096)
def is_plain(name: str) -> bool:
    """Whether DuckDB takes a name unquoted, and unchanged."""
    return _PLAIN.fullmatch(name) is not None and name not in reserved()


def refuse_nul(names: Iterable[str]) -> None:
    """Refuse names with a NUL character.

    Raises:
        InvalidValue: there is one.
    """
    for name in names:
        if "\0" in name:
            other = name.replace("\0", "_")
            raise InvalidValue(
                f"The name {name!r} has a NUL character, which SQL does not allow.",
                f"Rename it: frame.rename({{{name!r}: {other!r}}})",
            )


def quoted(name: str) -> str:
    """A name in quotes."""
    refuse_nul((name,))
    return '"' + name.replace('"', '""') + '"'


def is_qualified(name: str) -> bool:
    """Whether it is a name, optionally with schema and database."""
    return re.fullmatch(rf"{_PART.pattern}(\.{_PART.pattern}){{,2}}", name) is not None


def parts(name: str) -> list[str]:
    """The parts of a table's name, without their quotes; parts in quotes may contain dots."""
    matches = (one[0] for one in _PART.finditer(name))
    return [p[1:-1].replace('""', '"') if p.startswith('"') else p for p in matches]


def qualified(name: str) -> str:
    """A table's name as it is written, `schema.name` included."""
    matches = [one[0] for one in _PART.finditer(name)]
    return ".".join(p if p.startswith('"') else identifier(p) for p in matches)


def checked_name(name: object, hint: str | Hint) -> str:
    """The name of a table or view to create, once checked.

    Raises:
        InvalidParameter: it is no name.
    """
    if not isinstance(name, str) or not is_qualified(name):
        raise InvalidParameter(f"name is {name!r}; it must be a name, optionally with schema and database.", hint)
    return name


def string(value: str) -> str:
    """A text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Names, separated by commas."""
    return ", ".join(identifier(n) for n in names)


def words(query: str) -> frozenset[str]:
    """The words of a query, some of which name tables."""
    return frozenset(re.findall(r"\w+", query.lower()))


def md5(column: str, seed: int) -> str:
    """The hash of `Engine.hashed` in DuckDB; one bit is dropped, so that it fits a signed integer."""
    return f"CAST(md5_number_lower('{seed}:' || {column}) >> 1 AS BIGINT)"
