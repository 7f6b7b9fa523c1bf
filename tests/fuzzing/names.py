"""Names of columns and of tables: the first line says the family, each other one is a name of the next column.

Whatever the names, Polars and DuckDB give the values that plain names give, or refuse them; so does the statement.
"""

from __future__ import annotations

import functools

import duckdb
import polars as pl

import ireval_frames as ir
from ireval_frames.engines.quoting import identifier
from ireval_frames.errors import IrevalError
from tests.contract.named import FAMILIES, normalized
from tests.fuzzing.properties import Fault, attempted, chosen, lines, same

ENGINES: tuple[dict[str, str], ...] = ({}, {"engine": "duckdb"})
TABLES = "tables"
QRELS, RUN = ir.examples.ranking()


def fuzz(data: bytes) -> None:
    """Give the names to columns in their order, or to the two tables of a ranking."""
    first, *names = lines(data)
    if first == TABLES:
        of_tables(*[*names, "qrels", "run"][:2])
        return
    family = chosen(first, {name: name for name in FAMILIES})
    subject = FAMILIES[family]
    renamed = dict(zip(subject.roles, names, strict=False))
    columns = [renamed.get(role, role) for role in subject.roles]
    if len({name.lower() for name in columns}) < len(columns):
        return
    for options in ENGINES:
        values, _ = attempted(
            lambda options=options: normalized(
                subject.of(subject.renamed(renamed), renamed, **options).per_unit(), renamed
            )
        )
        if values is not None and not values.equals(expected(family)):
            raise Fault(f"other values of {family} on {options or 'Polars'} with {renamed}")


@functools.cache
def expected(family: str) -> pl.DataFrame:
    """The values under plain names."""
    subject = FAMILIES[family]
    return normalized(subject.of(subject.tables, {}).per_unit(), {})


def of_tables(qrels: str, run: str) -> None:
    """Evaluate two tables of a database by their names, and run the statement."""
    if qrels.lower() == run.lower():
        return
    with duckdb.connect(config={"threads": "1"}) as con:
        try:
            for name, frame in ((qrels, QRELS), (run, RUN)):
                con.register("frame", frame.to_arrow())
                con.execute(f"CREATE TABLE {identifier(name)} AS FROM frame")
                con.unregister("frame")
        except (duckdb.Error, UnicodeEncodeError, IrevalError):
            return
        before = con.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
        rows, _ = attempted(lambda: _rows(ir.evaluate(identifier(qrels), identifier(run), "AP RR", con=con)))
        if rows is not None:
            same(rows, _rows(ir.evaluate(QRELS, RUN, "AP RR")), "values of tables by name")
            text = ir.evaluate(identifier(qrels), identifier(run), "AP RR", con=con).per_unit.sql()
            again = sorted(tuple(map(str, row[-2:])) for row in con.execute(text).fetchall())
            same(again, sorted(tuple(map(str, row[-2:])) for row in rows), "values of the statement")
        attempted(lambda: _rows(ir.evaluate(qrels, run, "AP RR", con=con)))
        same(con.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall(), before, "the tables")


def _rows(evaluation: ir.Evaluation) -> list[tuple[object, ...]]:
    return sorted(evaluation.per_unit().select("query_id", "measure", "value").rows(), key=repr)
