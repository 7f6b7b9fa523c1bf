"""Names that mean something in SQL: inside DuckDB, in the SQL text, and as names of tables.

Each name stands for one column of every family in turn.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.named import FAMILIES, ITEMS, QRELS, RUN, SQL_NAMES, plain, relations


def cases(*without: str) -> list[Any]:
    """Every family with every name for one of its columns; all columns have such a name at once."""
    out = []
    for number, family in enumerate(FAMILIES):
        roles = FAMILIES[family].roles
        if family not in without:
            turns = range(number % len(roles), len(SQL_NAMES) + number % len(roles), len(roles))
            out += [(family, {r: SQL_NAMES[(t + i) % len(SQL_NAMES)] for i, r in enumerate(roles)}) for t in turns]
    return [pytest.param(family, names, id=f"{family}-{i}") for i, (family, names) in enumerate(out)]


@functools.cache
def database() -> duckdb.DuckDBPyConnection:
    """One that stays empty; to make one takes as long as such an evaluation."""
    return duckdb.connect()


@functools.cache
def expected(family: str) -> pl.DataFrame:
    return plain(FAMILIES[family].of(FAMILIES[family].tables, {}).per_unit(), {})


@pytest.mark.parametrize("family, names", cases())
def test_columns_of_relations(family: str, names: dict[str, str]) -> None:
    subject = FAMILIES[family]
    with database().cursor() as con:
        made = subject.of(relations(subject.renamed(names), con), names)
        assert plain(made.per_unit(), names).equals(expected(family))


# Plans of points and of similarities have steps in Python.
@pytest.mark.parametrize("family, names", cases("points", "similarity"))
def test_columns_in_the_text(family: str, names: dict[str, str]) -> None:
    subject = FAMILIES[family]
    with database().cursor() as con:
        frames = subject.renamed(names)
        for table, rows in frames.items():
            con.register(table, rows.to_arrow())
        made = subject.of(relations(frames, con), names)
        found = plain(con.sql(made.sql()).pl(), names)
        assert found.select(sorted(found.columns)).equals(expected(family).select(sorted(found.columns)))


# How a table is made, and how the user names it.
TABLES = {
    "blank": ('"my table"', "my table"),
    "case": ('"Labels"', "labels"),
    "keyword": ('"select"', "select"),
    "apostrophe": ('"o\'clock"', "o'clock"),
    "schema": ("part.labels", "part.labels"),
    "blank in the schema": ('"my part"."my table"', "my part.my table"),
    "catalog": ("memory.main.labels", "memory.main.labels"),
    "stage": ("per_unit", "per_unit"),
    "stages": ("items", "items"),
    "step": ("__duckdb_s0", "__duckdb_s0"),
    "dash": ('"a-b"', "a-b"),
    "brackets": ('"a) b("', "a) b("),
    "in quotes": ('"my table"', '"my table"'),
    "dot in quotes": ('"a.b"', '"a.b"'),
    "slash in quotes": ('"a/b*"', '"a/b*"'),
    "schema in quotes": ('"my part"."a.b"', '"my part"."a.b"'),
    "quote in quotes": ('"a""b"', '"a""b"'),
    "line": ('"a\nb"', "a\nb"),
    "alias": ('"x AS ""unnamed_relation_1a"""', '"x AS ""unnamed_relation_1a"""'),
}


@pytest.mark.parametrize("kind, what", [pytest.param(kind, what) for kind in TABLES for what in ("plan", "sql")])
def test_names_of_tables(kind: str, what: str) -> None:
    made, named = TABLES[kind]
    with duckdb.connect() as con:
        con.execute('CREATE SCHEMA part; CREATE SCHEMA "my part"')
        con.register("ireval_given", ITEMS.to_arrow())
        con.execute(f"CREATE TABLE {made} AS FROM ireval_given")
        con.unregister("ireval_given")
        found = ir.Labels(named, con=con, unit="user").evaluate("F1(average='macro') Accuracy")
        wanted = ir.Labels(ITEMS, unit="user").evaluate("F1(average='macro') Accuracy")
        if what == "plan":
            assert plain(found.per_unit(), {}).equals(plain(wanted.per_unit(), {}))
        else:
            again = plain(con.sql(found.sql()).pl(), {})
            assert again.equals(plain(wanted.per_unit(), {}).select(again.columns))


PIECES = [
    *(
        '"',
        "'",
        "\n",
        "\r\n",
        ".",
        "*",
        "[",
        "]",
        "(",
        ")",
        "--",
        "/*",
        "*/",
        ";",
        "\\",
        "%",
        "$1",
        "?",
        "{}",
        " ",
        "\t",
    ),
    *("__duckdb_s0", ' AS "unnamed_relation_1a"', "SELECT", "NULL", "true", "1e5", "::", "->", "@", "`", "^", "|", "&"),
    *(
        "main",
        "run_id",
        "score",
        "a",
        "B",
        "_1",
        "é",
        "Å",
        "İ",
        "ß",
        "\x01",
        "\u2028",
        "\u200b",
        "\ufdfd",
        "\U0001f642",
    ),
]


@pytest.mark.parametrize("seed", range(4))
def test_names_of_any_pieces(seed: int) -> None:
    """One name for a schema, a table, the column of classes and that of the units, in the plan and in its text."""
    dice, measures = random.Random(seed), "F1(average='macro') Accuracy"
    wanted = plain(ir.Labels(ITEMS, unit="user").evaluate(measures).per_unit(), {})
    for _ in range(12):
        schema, table, label, unit = ("".join(dice.choices(PIECES, k=dice.randint(1, 5))) for _ in range(4))
        names = {"label": f"l{label}", "user": f"u{unit}"}
        quoted = ['"' + name.replace('"', '""') + '"' for name in (f"s{schema}", table)]
        with duckdb.connect() as con:
            con.execute(f"CREATE SCHEMA {quoted[0]}")
            con.register("ireval_given", ITEMS.rename(names).to_arrow())
            con.execute(f"CREATE TABLE {'.'.join(quoted)} AS FROM ireval_given")
            con.unregister("ireval_given")
            subject = ir.Labels(".".join(quoted), con=con, label=names["label"], unit=names["user"])
            found = subject.evaluate(measures)
            assert plain(found.per_unit(), names).equals(wanted), (schema, table, names)
            again = plain(con.sql(found.sql()).pl(), names)
            assert again.equals(wanted.select(again.columns)), (schema, table, names)


CLASSES = [
    *('say "yes"', "it's", "''", '"', "a  b", " a ", "line\nend", "tab\tin", "__duckdb_s0", '"__duckdb_s0"', "\\"),
    *('x AS "unnamed_relation_1a"', "--", "/*", ";", "a ) b", "( SELECT 1", "NULL", "null", "", "{}", "%", "Å", "$1"),
]


@pytest.mark.parametrize(
    "value, what", [pytest.param(i, what) for i in range(len(CLASSES)) for what in ("plan", "sql")]
)
def test_names_of_classes(value: int, what: str) -> None:
    """A class that the user names is a literal in the query."""
    name = CLASSES[value]
    frame = ITEMS.with_columns(pl.col("label", "prediction").replace({"x": name}))
    with duckdb.connect() as con:
        for wanted, found in (
            (
                ir.Labels(ITEMS, positive="x", unit="user").evaluate("Recall(average='binary') Precision"),
                ir.Labels(con.from_arrow(frame.to_arrow()), positive=name, unit="user").evaluate(
                    "Recall(average='binary') Precision"
                ),
            ),
            (
                ir.Clusters(ITEMS, cluster="prediction", noise_cluster="x", policy="noise=skip").evaluate("Purity"),
                ir.Clusters(
                    con.from_arrow(frame.to_arrow()), cluster="prediction", noise_cluster=name, policy="noise=skip"
                ).evaluate("Purity"),
            ),
        ):
            if what == "plan":
                assert plain(found.per_unit(), {}).equals(plain(wanted.per_unit(), {}))
                continue
            con.register("labels", frame.to_arrow())
            con.register("clusters", frame.to_arrow())
            again = plain(con.sql(found.sql()).pl(), {})
            assert again.equals(plain(wanted.per_unit(), {}).select(again.columns))


def test_names_of_runs_and_units() -> None:
    """Values of columns are never SQL text."""
    for name in CLASSES:
        runs = RUN.with_columns(pl.col("run_id").replace({"a": name}), pl.col("query_id").replace({"q0": name}))
        judged = QRELS.with_columns(pl.col("query_id").replace({"q0": name}))
        with duckdb.connect() as con:
            found = ir.evaluate(judged, con.from_arrow(runs.to_arrow()), "nDCG@5").per_unit()
        wanted = ir.evaluate(judged, runs, "nDCG@5").per_unit()
        assert plain(found, {}).equals(plain(wanted, {}))
