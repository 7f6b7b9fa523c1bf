"""Macros: `install`, measures and a schema; or a macro's name, its two tables, and its options, each on a line.

A macro gives what Python gives of the same arguments, and refuses what Python refuses; DuckDB itself never breaks.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Any

import duckdb

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.engines.quoting import identifier, string
from ireval_frames.macros import install_macros, statements
from tests.fuzzing.properties import Fault, attempted, chosen, lines, same
from tests.macros.cases import rankings

MEASURES = ("nDCG", "AP", "P", "R", "RR", "RBP", "ERR", "Rprec", "Success", "SetF", "Bpref", "Judged")
QRELS, RUN = rankings()
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# What breaks DuckDB, and not the statement.
BROKEN = (duckdb.InternalException, duckdb.FatalException)


@functools.cache
def database() -> tuple[duckdb.DuckDBPyConnection, list[str]]:
    """A database with macros and two tables, which reads no file, and the names of the macros."""
    con = duckdb.connect(config={"threads": "1"})
    for name, frame in (("qrels", QRELS), ("run", RUN)):
        con.from_arrow(frame.to_arrow()).create(name)
    made = install_macros(con, list(MEASURES), family="ranking")
    con.execute("SET enable_external_access = false")
    return con, made


def fuzz(data: bytes) -> None:
    """Install or call what the lines say."""
    first, *rest = lines(data)
    if first == "install":
        installed(*[*rest, "AP", "s"][:2])
    else:
        called(first, rest[:2], rest[2:])


def installed(measures: str, schema: str) -> None:
    """Hold that what is installed is there and nothing else, and that the printed statements do the same."""
    with duckdb.connect(config={"threads": "1"}) as con, duckdb.connect(config={"threads": "1"}) as other:
        con.execute("CREATE TABLE mine AS SELECT 1 AS a")
        names, _ = attempted(lambda: install_macros(con, measures, schema=schema))
        same(con.execute("SELECT count(*) FROM duckdb_tables()").fetchone(), (1,), "the tables of the database")
        if names is None:
            return
        query = "SELECT schema_name, function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL"
        macros = con.execute(query).fetchall()
        same(sorted(f"{identifier(s)}.{n}" for s, n in macros), sorted(names), "the macros that are there")
        other.execute(statements(measures, schema=schema))
        same(other.execute(query).fetchall(), macros, "the macros of the printed statements")


def called(macro: str, tables: list[str], options: list[str]) -> None:
    """Call a macro, and hold its values to those of Python."""
    con, macros = database()
    macro = chosen(
        macro, {name: name for name in macros if name.removeprefix("ireval_") not in ("evaluate", "compare")}
    )
    tables = [*tables, "qrels", "run"][:2] if len(tables) == 2 else ["qrels", "run"]
    pairs = dict(option.split("=", 1) for option in options if "=" in option)
    arguments, _ = attempted(
        lambda: [*map(string, tables), *(f"{identifier(name)} := {_sql(value)}" for name, value in pairs.items())]
    )
    if arguments is None:
        return
    text = f"SELECT run_id, query_id, value FROM {macro}({', '.join(arguments)})"
    try:
        actual = {row[:2]: row[2] for row in con.execute(text).fetchall()}
    except BROKEN as error:
        raise Fault(f"DuckDB broke: {text}: {error}") from error
    except (duckdb.Error, UnicodeEncodeError) as error:
        actual, said = None, str(error)
    if tables != ["qrels", "run"] or "duplicates" in pairs:
        return
    name = next(m for m in MEASURES if f"ireval_{m.lower()}" == macro)
    values: dict[str, Any] = {"cutoff" if k == "k" else k: _python(v) for k, v in pairs.items()}
    if any(k not in catalog.find(name, "ranking").parameters for k in values) or "cutoff" in pairs:
        return
    expected, refused = attempted(
        lambda: {
            (run, query): value
            for run, query, value in ir.evaluate(QRELS, RUN, catalog.find(name, "ranking")(**values))
            .per_unit()
            .select("run_id", "query_id", "value")
            .iter_rows()
        }
    )
    if (actual is None) != (expected is None):
        raise Fault(f"Python {'refuses' if refused else 'computes'} {name}{values}, {text} does not: {refused or said}")
    if actual is not None:
        far = [k for k, v in expected.items() if not (v == actual[k] or math.isclose(v, actual[k], abs_tol=1e-12))]
        same(set(actual), set(expected), "the queries")
        same(far, [], f"queries of other values in {text}")


def _sql(text: str) -> str:
    return text if NUMBER.fullmatch(text) or text in ("NULL", "TRUE", "FALSE") else string(text)


def _python(text: str) -> Any:
    if text in ("NULL", "TRUE", "FALSE"):
        return {"NULL": None, "TRUE": True, "FALSE": False}[text]
    if not NUMBER.fullmatch(text):
        return text
    return int(text) if text.lstrip("+-").isdecimal() and len(text) < 400 else float(text)
