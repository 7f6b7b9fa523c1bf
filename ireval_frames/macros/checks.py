"""The checks of a plan as SQL that raises their errors."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import identifier, string
from ireval_frames.engines.row_checks import Check
from ireval_frames.engines.sql.expressions import sql
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.statement import Step
from ireval_frames.errors import IrevalError
from ireval_frames.expr.parameter import written_by

# Placeholders in a message for values of the run: a parameter, a column of text, a column of numbers, and the number
# of rows, or less.
_PLACEHOLDER = re.compile(r"«=(?P<parameter>[^»]*)»|«(?P<column>[^»]*)»|733(?P<number>\d{3})(?P<point>\.0)?")
_NUMBERS, _COUNTED, _LAST = 733_000, 900, 999
# Placeholder for values that need another query, and the clause of a message that shows them.
UNKNOWN = "…"
_UNKNOWN = re.compile(r"(; [^;]*|: [^:]*)'…'")


def check_steps(checks: Sequence[Check], *, messages: bool) -> list[Step]:
    """A step for each checked table: a row with TRUE, or an error.

    Args:
        checks: the checks.
        messages: with the texts of errors, which need the types of columns from DuckDB.
    """
    tables: dict[int, list[Check]] = {}
    for check in checks:
        tables.setdefault(id(check.table), []).append(check)
    return [_check_step(group[0].table, group, messages=messages) for group in tables.values()]


def _check_step(table: Frame, checks: Sequence[Check], *, messages: bool) -> Step:
    marked = table.with_columns(**{f"ireval_bad_{i}": check.bad for i, check in enumerate(checks)})
    if not isinstance(marked, SQLFrame):
        raise TypeError(f"{marked!r} is not a frame of DuckDB")
    schema = dict(table.collect_schema().items()) if messages else {}
    aggregates, whens = [], []
    for i, check in enumerate(checks):
        text, columns = _message(check, schema, i) if messages else ("''", ())
        bad = f"FILTER (ireval_bad_{i})"
        aggregates.append(f"count(*) {bad} AS n_{i}")
        if columns:
            # The columns of one row, the smallest.
            aggregates.append(
                f"min({{{', '.join(f'{identifier(c)}: {identifier(c)}' for c in columns)}}}) {bad} AS row_{i}"
            )
        whens.append(f"WHEN n_{i} > 0 THEN error({text})")
    first = "SELECT CASE\n  " + "\n  ".join(whens) + "\n  ELSE TRUE END AS held\nFROM (SELECT "
    return Step((first + ", ".join(aggregates) + "\nFROM ", marked.as_step(), ")"), ("held",))


def _message(check: Check, schema: dict[str, pl.DataType], i: int) -> tuple[str, list[str]]:
    """The error of one bad row, or of many, as an expression; and the columns of a bad row in it."""
    names = list(schema)
    row = {
        c: [f"«{c}»"] if dtype == pl.String else [float(_NUMBERS + i)] if dtype.is_numeric() else [None]
        for i, (c, dtype) in enumerate(schema.items())
    }

    def text(count: int) -> str:
        with written_by(lambda expr: f"«={sql(expr)}»"):
            error = check.error(pl.DataFrame(row), count)
        return _UNKNOWN.sub("", error.what if isinstance(error, IrevalError) else str(error))

    one, many = text(1), text(_NUMBERS + _LAST)
    columns = {_column(match, names) for text in (one, many) for match in _PLACEHOLDER.finditer(text)} - {""}
    one, many = (_expression(text, names, i) for text in (one, many))
    return one if one == many else f"CASE WHEN n_{i} = 1 THEN {one} ELSE {many} END", sorted(columns)


def _expression(text: str, columns: Sequence[str], i: int) -> str:
    """A message with placeholders as an expression."""
    parts, at = [], 0
    for match in _PLACEHOLDER.finditer(text):
        column = _column(match, columns)
        if match["parameter"]:
            sql = match["parameter"]
        elif column:
            sql = f"CAST(row_{i}.{identifier(column)} AS VARCHAR)"
            if match["number"] and not match["point"]:
                # Numbers are doubles; Python writes this one without decimals.
                sql = f"regexp_replace({sql}, '[.]0$', '')"
            sql = f"coalesce({sql}, 'NULL')"
        else:
            less = _LAST - int(match["number"])
            sql = f"n_{i} - {less}" if less else f"n_{i}"
        parts += [string(text[at : match.start()])] if match.start() > at else []
        parts.append(sql)
        at = match.end()
    return f"concat({', '.join([*parts, string(text[at:])])})"


def _column(match: re.Match[str], columns: Sequence[str]) -> str:
    """The column of a placeholder; empty for other placeholders."""
    if match["column"] or match["parameter"]:
        return match["column"] or ""
    return columns[int(match["number"])] if int(match["number"]) < _COUNTED else ""


def unique_rows(source: str, keys: Sequence[str], option: str) -> str:
    """The condition that rows have distinct keys, or an error; with the option `trust` nothing is read.

    Hashes find candidates, which takes a third less time and much less memory than counting keys; the keys decide.
    """
    row, trusted = f"{{{', '.join(f'{identifier(k)}: {identifier(k)}' for k in keys)}}}", f"{option} <> 'trust'"
    hashes, quote = f"hash({', '.join(map(identifier, keys))})", string("'")
    first = ", ', ', ".join(f"'{k} ', {quote}, min(r).{identifier(k)}, {quote}" for k in keys[1:])
    message = string(" rows that are not the only ones of their document and query: ")
    return f"""\
(
  SELECT CASE WHEN count(*) > 0 THEN error(concat('The run has ', sum(n), {message}, {first}, '.')) ELSE TRUE END
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
