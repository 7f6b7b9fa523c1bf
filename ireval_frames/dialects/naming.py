"""Names in a dialect: which are quoted, shortened or refused."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Writer

from ireval_frames.dialects.dialect import Dialect, Sources
from ireval_frames.engines.quoting import is_plain, parts
from ireval_frames.errors import NotDefined

# Functions in many databases where they are not quoted.
_FUNCTIONS = frozenset({
    "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE", "CURRENT_CATALOG", "CURRENT_SCHEMA",
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP",
})  # fmt: skip


def refuse_names(names: Collection[str], dialect: Dialect) -> None:
    """Check the names of the columns of the result, which are never changed.

    Raises:
        NotDefined: the database does not allow a name.
    """
    for name in names:
        size, bad = len(name.encode()), [c for c in dialect.forbidden_in_names if c in name]
        if bad or 0 < dialect.max_name_bytes < size:
            problem = f"contains {bad[0]!r}" if bad else f"has {size} bytes"
            limit = "no such name" if bad else f"at most {dialect.max_name_bytes}"
            raise NotDefined(
                f"The column {name!r} {problem}; {dialect.title} allows {limit}.",
                "Leave out wide=True: measures are rows then.",
            )


def write_names(tree: exp.Expr, dialect: Dialect, sources: Sources) -> None:
    """Quote names that must be quoted, and shorten names of ours that are too long.

    Raises:
        NotDefined: the name of a table or of its column is too long for the database.
    """
    source_names = {name for table, columns in sources.items() for name in (*table.split("."), *columns)}
    for node in tree.find_all(exp.Identifier):
        node.set("quoted", _is_quoted(node, dialect))
        if 0 < dialect.max_name_bytes < len(node.name.encode()):
            node.set("this", _cut(node.name, dialect) if node.name in source_names else _shortened(node.name, dialect))


def table_text(name: str, dialect: Dialect) -> str:
    """The name of a table, `schema.name` included, quoted where it must be."""
    identifiers = [exp.to_identifier(part, quoted=True) for part in parts(name)]
    for identifier in identifiers:
        identifier.set("quoted", _is_quoted(identifier, dialect))
    return ".".join(identifier.sql(dialect.writer) for identifier in identifiers)


def _is_quoted(node: exp.Identifier, dialect: Dialect) -> bool:
    """Every name of the parsed statement is quoted; plain names need not be."""
    return node.name.upper() in _reserved_words(dialect) or (bool(node.args.get("quoted")) and not is_plain(node.name))


@functools.cache
def _reserved_words(dialect: Dialect) -> frozenset[str]:
    """The words that must be quoted."""
    if dialect.quoted_differ:
        return dialect.reserved | _FUNCTIONS
    phrases = Writer.get_or_raise(dialect.writer).tokenizer_class.KEYWORDS
    return frozenset(word for phrase in phrases for word in phrase.split()) | dialect.reserved | _FUNCTIONS


def _shortened(name: str, dialect: Dialect) -> str:
    """A name of ours, cut and made unique."""
    prefix = name.encode()[: dialect.max_name_bytes - 9].decode(errors="ignore")
    return f"{prefix}_{hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:8]}"


def _cut(name: str, dialect: Dialect) -> str:
    """The name of a user's table or column, as the database truncates it.

    Raises:
        NotDefined: the database refuses longer names.
    """
    if not dialect.truncates_names:
        raise NotDefined(
            f"The name {name!r} has {len(name.encode())} bytes; {dialect.title} allows at most"
            f" {dialect.max_name_bytes}.",
            "Give the column or table a shorter name.",
        )
    return name.encode()[: dialect.max_name_bytes].decode(errors="ignore")
