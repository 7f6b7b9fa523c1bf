"""SQL as people read it: DuckDB's nested relations flattened into short named steps."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

_IDENTITY = re.compile(r'^SELECT \* FROM \(\s*SELECT \* FROM ([^()]+?)\s*\)(?: AS "[^"]+")?$', re.DOTALL)
_GENERATED = re.compile(r' AS "(?:unnamed_relation_|JOIN_RELATION_|arrow_object_)[0-9a-f]+"')
_ALIAS = re.compile(r' AS "\w+"(?=( GROUP BY|\s*$))')  # of the one source of a step
_SAME_NAME = re.compile(r'(?<![\w".])("[^"]+") AS \1(?!\w)')
_PLAIN = re.compile(r'"([a-z_][a-z0-9_]*)"')
_STEP = re.compile(r'"?__duckdb_s\d+"?')


@functools.cache
def reserved() -> frozenset[str]:
    """The words that DuckDB does not take for a name unquoted."""
    import duckdb

    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
        ).fetchall()
    return frozenset(word for (word,) in rows)


def steps(name: str, text: str, columns: Mapping[str, tuple[str, ...]], used: set[str]) -> Iterator[tuple[str, str]]:
    """The steps of one stage, the last one under the stage's name.

    `columns` are those of the stages before, `used` all names.
    """
    known = dict(columns)
    parts = _unnested(text.strip())
    names: dict[str, str] = {}
    for number, (inner, body) in enumerate(parts, start=1):
        renamed = functools.partial(_renamed, names)
        text = _ALIAS.sub("", _GENERATED.sub("", _STEP.sub(renamed, body.strip())))
        same = _IDENTITY.match(text)
        last = number == len(parts)
        if same and not last:
            names[inner] = same.group(1)
            continue
        step = name if last else _unused(f"{name}_{number}", used)
        names[inner] = step
        text = _pretty(_starred(_plain(text), known))
        known[step] = tuple(_outputs(text, known))
        yield step, text


def _renamed(names: Mapping[str, str], step: re.Match[str]) -> str:
    return names.get(step.group().strip('"'), step.group())


def _unused(name: str, used: set[str]) -> str:
    while name in used:
        name += "_"
    used.add(name)
    return name


def plain(name: str) -> str:
    """An identifier, quoted only where it must be."""
    return (
        name
        if re.fullmatch(r"[a-z_][a-z0-9_]*", name) and name not in reserved()
        else '"' + name.replace('"', '""') + '"'
    )


def _unnested(text: str) -> list[tuple[str, str]]:
    """`WITH a AS NOT MATERIALIZED (…), … SELECT …` as its named bodies and the final one."""
    out: list[tuple[str, str]] = []
    if not text.upper().startswith("WITH "):
        return [("", text)]
    rest = text[5:].lstrip()
    while True:
        head = re.match(r'"?(\w+)"? AS (?:NOT )?(?:MATERIALIZED )?\(', rest)
        if head is None:
            return [*out, ("", rest.strip())]
        end = _closing(rest, head.end() - 1)
        out.append((head.group(1), rest[head.end() : end]))
        rest = rest[end + 1 :].lstrip().removeprefix(",").lstrip()


def _unquoted(text: str, begin: int) -> Iterator[tuple[int, str, int]]:
    """Position, character and depth of brackets after it, from `begin` on; strings and quoted names are passed over."""
    depth, quote = 0, ""
    for i in range(begin, len(text)):
        char = text[i]
        if quote:
            quote = "" if char == quote else quote
            continue
        if char in "'\"":
            quote = char
            continue
        depth += (char == "(") - (char == ")")
        yield i, char, depth


def _closing(text: str, opening: int) -> int:
    """Where the bracket at `opening` closes."""
    return next((i for i, _, depth in _unquoted(text, opening) if depth == 0), len(text))


def _plain(body: str) -> str:
    body = _SAME_NAME.sub(r"\1", body)
    body = re.sub(r"\(\s*\n\s*", "(", body)
    body = re.sub(r"\s*\n\s*\)", ")", body)
    body = re.sub(r"\s*\n\s*", " ", body).strip()
    return _PLAIN.sub(lambda m: m.group(1) if m.group(1) not in reserved() else m.group(), body)


def _items(body: str) -> tuple[list[str], str]:
    """The select list of a body, cut at its outer commas, and what follows it."""
    start, out = len("SELECT "), []
    if not body.startswith("SELECT ") or body.startswith("SELECT DISTINCT"):
        return [], body
    for i, char, depth in _unquoted(body, start):
        if depth == 0 and char == ",":
            out.append(body[start:i].strip())
            start = i + 1
        elif depth == 0 and body.startswith(" FROM ", i):
            return [*out, body[start:i].strip()], body[i:].strip()
    return [], body


def _starred(body: str, known: Mapping[str, tuple[str, ...]]) -> str:
    """Leading columns that are all of the source's become a star."""
    items, rest = _items(body)
    source = re.fullmatch(r"FROM (\S+)", rest)
    all_of = known.get(source.group(1).strip('"'), ()) if source else ()
    if all_of and len(items) > len(all_of) and tuple(i.strip('"') for i in items[: len(all_of)]) == all_of:
        return "SELECT " + ", ".join(["*", *items[len(all_of) :]]) + f" {rest}"
    return body


def _outputs(body: str, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    items, rest = _items(re.sub(r"\s*\n\s*", " ", body))
    source = re.match(r"FROM (\S+)", rest)
    for item in items:
        if item == "*" and source:
            yield from known.get(source.group(1), ())
        else:
            yield re.split(r" AS ", item)[-1].rpartition(".")[2].strip('"')


def _pretty(body: str) -> str:
    items, rest = _items(body)
    if not items:
        return body
    rest = re.sub(r" (INNER JOIN|LEFT JOIN|CROSS JOIN|GROUP BY|WHERE|ORDER BY) ", r"\n\1 ", rest)
    line = "SELECT " + ", ".join(items)
    if len(line) > 100:
        line = "SELECT\n  " + ",\n  ".join(items)
    return f"{line}\n{rest}"
