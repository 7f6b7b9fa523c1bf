"""What tables must not hold, held by the statement itself: the checks of a plan as SQL that raises their errors."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import identifier, string
from ireval_frames.engines.row_checks import Check
from ireval_frames.engines.sql.expressions import sql
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.statement import Step
from ireval_frames.errors import IrevalError
from ireval_frames.expr.parameter import written_by

# What stands in a message for what is known when the statement runs: a parameter, a column that is text, and one that
# is a number, or the number of rows or less.
_TOLD = re.compile(r"«=(?P<parameter>[^»]*)»|«(?P<column>[^»]*)»|733(?P<number>\d{3})(\.0)?")
_NUMBERS, _COUNTED, _LAST = 733_000, 900, 999
# What stands for values that only another query would tell, and the clause of a message that would tell them.
UNKNOWN = "…"
_UNKNOWN = re.compile(r"(; [^;]*|: [^:]*)'…'")


def held(checks: Sequence[Check], *, said: bool) -> list[Step]:
    """A step for each table that is looked at: a row with TRUE, or an error.

    Args:
        checks: what the tables must not hold.
        said: with the texts of errors, for which DuckDB is asked what types columns have.
    """
    tables: dict[int, list[Check]] = {}
    for check in checks:
        tables.setdefault(id(check.table), []).append(check)
    return [_held(part[0].table, part, said=said) for part in tables.values()]


def _held(table: Frame, checks: Sequence[Check], *, said: bool) -> Step:
    marked = table.with_columns(**{f"ireval_bad_{i}": check.bad for i, check in enumerate(checks)})
    if not isinstance(marked, DuckDBFrame):
        raise TypeError(f"{marked!r} is no frame of DuckDB")
    schema = dict(table.collect_schema().items()) if said else {}
    found, whens = [], []
    for i, check in enumerate(checks):
        text, read = _said(check, schema, i) if said else ("''", ())
        bad = f"FILTER (ireval_bad_{i})"
        found.append(f"count(*) {bad} AS n_{i}")
        if read:
            # Columns of one row: that with the smallest of them.
            found.append(f"min({{{', '.join(f'{identifier(c)}: {identifier(c)}' for c in read)}}}) {bad} AS row_{i}")
        whens.append(f"WHEN n_{i} > 0 THEN error({text})")
    first = "SELECT CASE\n  " + "\n  ".join(whens) + "\n  ELSE TRUE END AS held\nFROM (SELECT "
    return Step((first + ", ".join(found) + "\nFROM ", marked.settled(), ")"), ("held",))


def _said(check: Check, schema: dict[str, pl.DataType], i: int) -> tuple[str, list[str]]:
    """The text of the error of one bad row, or of many, as an expression; and the columns of a bad row in it."""
    columns = list(schema)
    row = {
        c: [f"«{c}»"] if dtype == pl.String else [float(_NUMBERS + i)] if dtype.is_numeric() else [None]
        for i, (c, dtype) in enumerate(schema.items())
    }

    def text(count: int) -> str:
        with written_by(lambda expr: f"«={sql(expr)}»"):
            error = check.error(pl.DataFrame(row), count)
        return _UNKNOWN.sub("", error.what if isinstance(error, IrevalError) else str(error))

    one, many = text(1), text(_NUMBERS + _LAST)
    read = sorted({_column(told, columns) for said in (one, many) for told in _TOLD.finditer(said)} - {""})
    one, many = (_expression(said, columns, i) for said in (one, many))
    return one if one == many else f"CASE WHEN n_{i} = 1 THEN {one} ELSE {many} END", read


def _expression(text: str, columns: Sequence[str], i: int) -> str:
    """A message with columns and parameters in it as an expression."""
    parts, at = [], 0
    for one in _TOLD.finditer(text):
        column = _column(one, columns)
        if one["parameter"]:
            sql = one["parameter"]
        elif column:
            sql = f"coalesce(CAST(row_{i}.{identifier(column)} AS VARCHAR), 'NULL')"
        else:
            less = _LAST - int(one["number"])
            sql = f"n_{i} - {less}" if less else f"n_{i}"
        parts += [string(text[at : one.start()])] if one.start() > at else []
        parts.append(sql)
        at = one.end()
    return f"concat({', '.join([*parts, string(text[at:])])})"


def _column(found: re.Match[str], columns: Sequence[str]) -> str:
    """The column of which a part of a message tells; none of others."""
    if found["column"] or found["parameter"]:
        return found["column"] or ""
    return columns[int(found["number"])] if int(found["number"]) < _COUNTED else ""


def once(source: str, keys: Sequence[str], option: str) -> str:
    """The condition that no two rows of a source have equal keys, or an error; with the option `trust` nothing is read.

    Hashes find candidates, which takes a third less time and much less memory than counting the keys; the keys decide.
    """
    row, trusted = f"{{{', '.join(f'{identifier(k)}: {identifier(k)}' for k in keys)}}}", f"{option} <> 'trust'"
    hashes, quote = f"hash({', '.join(map(identifier, keys))})", string("'")
    first = ", ', ', ".join(f"'{k} ', {quote}, min(r).{identifier(k)}, {quote}" for k in keys[1:])
    said = string(" rows that are not the only ones of their document and query: ")
    return f"""\
(
  SELECT CASE WHEN count(*) > 0 THEN error(concat('The run has ', sum(n), {said}, {first}, '.')) ELSE TRUE END
  FROM (
    SELECT {row} AS r, count(*) AS n
    FROM {source}
    WHERE {trusted} AND {hashes} IN (
      SELECT h FROM (SELECT {hashes} AS h FROM {source} WHERE {trusted}) GROUP BY h HAVING count(*) > 1
    )
    GROUP BY r
    HAVING count(*) > 1
  )
)"""
