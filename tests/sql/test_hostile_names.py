"""Names that mean something in SQL: inside DuckDB, in the SQL text, and as names of tables.

Each name stands for one column of every family in turn.
"""

from __future__ import annotations

import functools
import random
import re
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.named import FAMILIES, ITEMS, QRELS, RUN, SQL_NAMES, normalized, relations


def cases() -> list[Any]:
    """Every family with every name for one of its columns; all columns have such a name at once."""
    out = []
    for number, family in enumerate(FAMILIES):
        roles = FAMILIES[family].roles
        turns = range(number % len(roles), len(SQL_NAMES) + number % len(roles), len(roles))
        out += [(family, {r: SQL_NAMES[(t + i) % len(SQL_NAMES)] for i, r in enumerate(roles)}) for t in turns]
    return [pytest.param(family, names, id=f"{family}-{i}") for i, (family, names) in enumerate(out)]


@functools.cache
def database() -> duckdb.DuckDBPyConnection:
    """One that stays empty; to make one takes as long as such an evaluation."""
    return duckdb.connect()


@functools.cache
def expected(family: str) -> pl.DataFrame:
    return normalized(FAMILIES[family].of(FAMILIES[family].tables, {}).per_unit(), {})


# Plans of points and of similarities have steps in Python, and no text.
@pytest.mark.parametrize("family, names", cases())
def test_columns_of_relations_and_in_the_text(family: str, names: dict[str, str]) -> None:
    subject = FAMILIES[family]
    with database().cursor() as con:
        frames = subject.renamed(names)
        evaluation = subject.of(relations(frames, con), names)
        assert normalized(evaluation.per_unit(), names).equals(expected(family))
        if family not in ("points", "similarity"):
            for table, rows in frames.items():
                con.register(table, rows.to_arrow())
            actual = normalized(con.sql(evaluation.per_unit.sql()).pl(), names)
            assert actual.select(sorted(actual.columns)).equals(expected(family).select(sorted(actual.columns)))


@pytest.mark.parametrize("family", [f for f in FAMILIES if len(FAMILIES[f].tables) > 1 and f != "similarity"])
def test_relations_over_tables_named_as_our_stages(family: str) -> None:
    """DuckDB writes a relation's query into the statement, where a stage before it must not hide its table."""
    subject = FAMILIES[family]
    text = subject.of(subject.tables, {}).per_unit.sql()
    stages = sorted({s for s in re.findall(r"(\w+) AS (?:MATERIALIZED )?\(\n", text) if not re.search(r"_\d+$", s)})
    assert len(stages) > len(subject.tables)
    for turn in range(len(stages)):
        with duckdb.connect() as con:
            stage_tables = {}
            for name, stage in zip(subject.tables, stages[turn:] + stages[:turn], strict=False):
                con.from_arrow(subject.tables[name].to_arrow()).create(stage)
                stage_tables[name] = con.table(stage)
            evaluation = subject.of(stage_tables, {})
            assert normalized(evaluation.per_unit(), {}).equals(expected(family)), stages[turn]
            actual = normalized(con.sql(evaluation.per_unit.sql()).pl(), {})
            assert actual.select(sorted(actual.columns)).equals(expected(family).select(sorted(actual.columns)))


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


@functools.cache
def by_user(positive: str | None, measures: str) -> pl.DataFrame:
    return normalized(ir.Labels(ITEMS, unit="user", positive=positive).evaluate(measures).per_unit(), {})


@pytest.mark.parametrize("kind", TABLES)
def test_names_of_tables(kind: str) -> None:
    """In the plan, and in its text."""
    table_name, named = TABLES[kind]
    with duckdb.connect() as con:
        con.execute('CREATE SCHEMA part; CREATE SCHEMA "my part"')
        con.register("ireval_given", ITEMS.to_arrow())
        con.execute(f"CREATE TABLE {table_name} AS FROM ireval_given")
        con.unregister("ireval_given")
        actual = ir.Labels(named, con=con, unit="user").evaluate("F1(average='macro') Accuracy")
        expected = by_user(None, "F1(average='macro') Accuracy")
        assert normalized(actual.per_unit(), {}).equals(expected)
        again = normalized(con.sql(actual.per_unit.sql()).pl(), {})
        assert again.equals(expected.select(again.columns))


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
    expected = by_user(None, measures)
    with duckdb.connect() as con:
        for _ in range(12):
            schema, table, label, unit = ("".join(dice.choices(PIECES, k=dice.randint(1, 5))) for _ in range(4))
            names = {"label": f"l{label}", "user": f"u{unit}"}
            quoted = ['"' + name.replace('"', '""') + '"' for name in (f"s{schema}", table)]
            con.execute(f"CREATE SCHEMA {quoted[0]}")
            con.register("ireval_given", ITEMS.rename(names).to_arrow())
            con.execute(f"CREATE TABLE {'.'.join(quoted)} AS FROM ireval_given")
            con.unregister("ireval_given")
            subject = ir.Labels(".".join(quoted), con=con, label=names["label"], unit=names["user"])
            actual = subject.evaluate(measures)
            assert normalized(actual.per_unit(), names).equals(expected), (schema, table, names)
            again = normalized(con.sql(actual.per_unit.sql()).pl(), names)
            assert again.equals(expected.select(again.columns)), (schema, table, names)
            con.execute(f"DROP SCHEMA {quoted[0]} CASCADE")


CLASSES = [
    *('say "yes"', "it's", "''", '"', "a  b", " a ", "line\nend", "tab\tin", "__duckdb_s0", '"__duckdb_s0"', "\\"),
    *('x AS "unnamed_relation_1a"', "--", "/*", ";", "a ) b", "( SELECT 1", "NULL", "null", "", "{}", "%", "Å", "$1"),
]


@functools.cache
def of_noise() -> pl.DataFrame:
    clusters = ir.Clusters(ITEMS, cluster="prediction", noise_cluster="x", policy="noise=skip")
    return normalized(clusters.evaluate("Purity").per_unit(), {})


@pytest.mark.parametrize("value", range(len(CLASSES)))
def test_names_of_classes(value: int) -> None:
    """A class that the user names is a literal in the query, in the plan and in its text."""
    name, measures = CLASSES[value], "Recall(average='binary') Precision"
    frame = ITEMS.with_columns(pl.col("label", "prediction").replace({"x": name}))
    with database().cursor() as con:
        stage_tables = con.from_arrow(frame.to_arrow())
        labels = ir.Labels(stage_tables, positive=name, unit="user")
        clusters = ir.Clusters(stage_tables, cluster="prediction", noise_cluster=name, policy="noise=skip")
        con.register("labels", frame.to_arrow())
        con.register("clusters", frame.to_arrow())
        for expected, actual in (
            (by_user("x", measures), labels.evaluate(measures)),
            (of_noise(), clusters.evaluate("Purity")),
        ):
            assert normalized(actual.per_unit(), {}).equals(expected)
            again = normalized(con.sql(actual.per_unit.sql()).pl(), {})
            assert again.equals(expected.select(again.columns))


def test_names_of_runs_and_units() -> None:
    """Values of columns are never SQL text: each name is that of a run and of one of its queries."""
    runs, judged = [], []
    for i, name in enumerate(CLASSES):
        query = pl.when(pl.col("query_id") == "q0").then(pl.lit(name)).otherwise(pl.col("query_id") + f" of {i}")
        run = pl.when(pl.col("run_id") == "a").then(pl.lit(name)).otherwise(pl.col("run_id") + f" of {i}")
        runs.append(RUN.with_columns(query_id=query, run_id=run))
        judged.append(QRELS.with_columns(query_id=query))
    run, qrels = pl.concat(runs), pl.concat(judged)
    with database().cursor() as con:
        actual = ir.evaluate(qrels, con.from_arrow(run.to_arrow()), "nDCG@5").per_unit()
    expected = ir.evaluate(qrels, run, "nDCG@5").per_unit()
    assert normalized(actual, {}).equals(normalized(expected, {}))
    own = expected.filter(pl.col("run_id") == pl.col("query_id"))
    assert set(own["run_id"]) == set(CLASSES)
    assert own.filter(pl.col("value") > 0).height == len(CLASSES)
