"""Names in a dialect: which are quoted, which are too long, and which it does not take."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Writer

from ireval_frames.dialects.dialect import Dialect
from ireval_frames.dialects.known import Sources
from ireval_frames.engines.quoting import is_plain, parts
from ireval_frames.errors import NotDefined

# Unquoted, in many databases these are functions.
_FUNCTIONS = frozenset({
    "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE", "CURRENT_CATALOG", "CURRENT_SCHEMA",
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP",
})  # fmt: skip


def refuse_names(names: Collection[str], dialect: Dialect) -> None:
    """Names of columns that users see stay as they are.

    Raises:
        NotDefined: the database takes no such name for a column.
    """
    for name in names:
        size, bad = len(name.encode()), [c for c in dialect.refused_in_names if c in name]
        if bad or 0 < dialect.longest_name < size:
            why = f"{bad[0]!r} in it" if bad else f"{size} bytes"
            most = "" if bad else f" of more than {dialect.longest_name}"
            raise NotDefined(
                f"The column {name!r} has {why}; {dialect.title} takes no such name{most}.",
                "Leave wide=True out: measures are rows then.",
            )


def write_names(tree: exp.Expr, dialect: Dialect, sources: Sources) -> None:
    """Quote what must be quoted, and shorten what is too long.

    Raises:
        NotDefined: a table has a column with a name that is too long for the database.
    """
    given = {name for table, columns in sources.items() for name in (*table.split("."), *columns)}
    for node in tree.find_all(exp.Identifier):
        node.set("quoted", _is_quoted(node, dialect))
        if 0 < dialect.longest_name < len(node.name.encode()):
            node.set("this", _cut(node.name, dialect) if node.name in given else _shortened(node.name, dialect))


def table_written(name: str, dialect: Dialect) -> str:
    """The name of a table, `schema.name` included, quoted where it must be."""
    written = [exp.to_identifier(part, quoted=True) for part in parts(name)]
    for one in written:
        one.set("quoted", _is_quoted(one, dialect))
    return ".".join(one.sql(dialect.writer) for one in written)


def _is_quoted(node: exp.Identifier, dialect: Dialect) -> bool:
    """What was parsed is quoted throughout; a name of the dialect's own may be bare."""
    return node.name.upper() in _words(dialect) or (bool(node.args.get("quoted")) and not is_plain(node.name))


@functools.cache
def _words(dialect: Dialect) -> frozenset[str]:
    """The words that are quoted."""
    if dialect.quoted_differ:
        return dialect.reserved | _FUNCTIONS
    phrases = Writer.get_or_raise(dialect.writer).tokenizer_class.KEYWORDS
    return frozenset(word for phrase in phrases for word in phrase.split()) | dialect.reserved | _FUNCTIONS


def _shortened(name: str, dialect: Dialect) -> str:
    """A name of ours, still unlike all others."""
    kept = name.encode()[: dialect.longest_name - 9].decode(errors="ignore")
    return f"{kept}_{hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:8]}"


def _cut(name: str, dialect: Dialect) -> str:
    """The name of a table or column of the user, as the database has it.

    Raises:
        NotDefined: it has none of that length.
    """
    if not dialect.cuts_names:
        raise NotDefined(
            f"The name {name!r} has {len(name.encode())} bytes; {dialect.title} takes none of more than"
            f" {dialect.longest_name}.",
            "Give the column or table a shorter name.",
        )
    return name.encode()[: dialect.longest_name].decode(errors="ignore")
