"""Functions, names and the order of text on real databases; unknown functions are refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS
from ireval_frames.errors import EngineError, InvalidParameter, NotDefined, UnknownName
from ireval_frames.expr import Expr
from tests.dialects.databases import DATABASES, close_all, started

pytest.importorskip("sqlglot", reason="sqlglot is not there")

from ireval_frames.dialects.dialect import ValueType
from ireval_frames.dialects.proven import PROVEN
from ireval_frames.dialects.statement import NAMES, dialect_named, translated
from ireval_frames.dialects.unproven import UNPROVEN

ROWS = pl.DataFrame(
    {
        "g": ["a", "a", "a", "b", "b", "c", None, None],
        "x": [0.5, -2.0, 3.0, 0.0, 4.0, None, 0.25, 0.5],
        "n": [1, 2, 3, 4, 5, 6, None, 8],
        "flag": [True, False, None, True, True, False, None, True],
    }
)
TEXT, INTEGER, DOUBLE = ValueType("text"), ValueType("integer"), ValueType("double")
SOURCES = {"t": {"g": TEXT, "x": DOUBLE, "n": INTEGER, "flag": ValueType("boolean")}}
OF_ROWS = {
    "whole division": "n / 4",
    "division": "x / 4e0",
    "of literals": "1 / 4 + 1e0 / 3e0",
    "powers that fade": "pow(0.5e0, n * 1000)",
    "powers": "pow(2e0, n) + pow(x, 2)",
    "exponentials that fade": "exp(0 - n * 1000)",
    "logarithms": "CASE WHEN x > 0 THEN ln(x) ELSE CAST('-inf' AS DOUBLE) END",
    "not a number": "CASE WHEN isnan(CASE WHEN x > 1 THEN CAST('nan' AS DOUBLE) ELSE x END) THEN 1 ELSE 0 END",
    "finite": "CASE WHEN isfinite(CASE WHEN x > 1 THEN CAST('inf' AS DOUBLE) ELSE x END) THEN 1 ELSE 0 END",
    "without a fraction": "CAST(trunc(x) AS BIGINT) + trunc(x * 1.5e0) + CAST(trunc(0 - x * 0.7e0) AS BIGINT)",
    "nothing for 0": "x / nullif(n, 3)",
    "greatest": "greatest(x, 0.3e0)",
    "least": "least(n, x)",
    "bytes": "strlen(g || 'ä' || n)",
    "roots": "sqrt(abs(x)) + floor(x) + ceil(x)",
    "waves": "sin(x) + cos(x)",
    "product so far": "product(x) OVER (PARTITION BY g ORDER BY n NULLS FIRST ROWS UNBOUNDED PRECEDING)",
    "sum so far": "sum(n) OVER (PARTITION BY g ORDER BY n DESC NULLS LAST ROWS UNBOUNDED PRECEDING)",
    "the one before": "lag(x, 1) OVER (PARTITION BY g ORDER BY n NULLS FIRST)",
    "the one after": "lead(x, 1) OVER (PARTITION BY g ORDER BY n NULLS FIRST)",
    "rank": "rank() OVER (ORDER BY g NULLS FIRST) + dense_rank() OVER (ORDER BY g NULLS FIRST)",
}
OF_GROUPS = {
    "sum": "coalesce(fsum(x), 0e0)",
    "sum of whole": "sum(n) / 4",
    "mean": "CASE WHEN isfinite(avg(x)) THEN fsum(x) / count(x) ELSE avg(x) END",
    "mean of whole": "avg(n)",
    "product": "product(x)",
    "quantile": "quantile_cont(x, 0.25e0)",
    "median": "median(x)",
    "spread": "stddev_pop(x) + var_pop(x)",
    "of a sample": "stddev_samp(x) + var_samp(x)",
    "some": "any_value(CASE WHEN g = 'b' THEN x ELSE 2e0 END) * 0e0",
    "all": "CASE WHEN bool_and(flag) THEN 1 ELSE 0 END",
    "any": "CASE WHEN bool_or(flag) THEN 1 ELSE 0 END",
    "distinct": "count(DISTINCT x)",
}


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def _query(columns: dict[str, str], keys: str) -> str:
    items = ", ".join(f'{text} AS "{name}"' for name, text in columns.items())
    return f"SELECT {keys}, {items} FROM t" + (" GROUP BY g" if keys == "g" else "") + f" ORDER BY {keys}"


@pytest.mark.parametrize("columns, keys", [(OF_ROWS, "n"), (OF_GROUPS, "g")], ids=["rows", "groups"])
@pytest.mark.parametrize("dialect", DATABASES)
def test_functions_mean_the_same(dialect: str, columns: dict[str, str], keys: str) -> None:
    database = started(dialect)
    database.load({"t": ROWS})
    text = _query(columns, keys)
    names, actual = database.run(translated(text, dialect_named(dialect), SOURCES))
    with duckdb.connect() as con:
        con.register("t", ROWS.to_arrow())
        expected = {row[0]: row for row in con.execute(text).fetchall()}
    assert len(actual) == len(expected)
    for row in actual:
        for name, value, right in zip(names, row, expected[row[0]], strict=True):
            assert _plain(value) == _plain(right), (name, row[0])


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else pytest.approx(float(value), rel=1e-12, abs=1e-290)


@pytest.mark.parametrize("dialect", DATABASES)
def test_summaries_of_all_kinds(dialect: str) -> None:
    frame = pl.DataFrame(
        {"run_id": [*"aaaabb"], "unit": [1, 1, 2, 3, 1, 2], "label": [*"ynyyny"], "prediction": [*"yyynny"]}
    )
    measures = [ir.labels.Recall(average="binary", aggregation=how) for how in AGGREGATIONS]
    if dialect == "spark":
        # Each takes it some seconds.
        measures = [m for m in measures if m.aggregation in ("mean", "median")]
    evaluation = ir.Labels(frame, unit="unit", positive="y").evaluate(measures)
    database = started(dialect)
    database.load({"labels": frame})
    _, rows = database.run(evaluation.summary.sql(wide=True, dialect=dialect))
    expected = evaluation.wide()
    assert [[row[0], *map(_plain, row[1:])] for row in rows] == [[*r] for r in expected.rows()]


# ---- the order of text

IDS = ["B", "a", "Z", "é", "_", "b", "z", "É", "aa", "Ab", "-a", "10", "9", "ß"]


@pytest.mark.parametrize("dialect", DATABASES)
def test_ties_follow_bytes(dialect: str) -> None:
    """All documents are tied: their ids alone decide, and differ between byte order and any language's."""
    qrels = pl.DataFrame({"query_id": "q", "doc_id": IDS, "relevance": range(len(IDS))})
    run = pl.DataFrame({"query_id": "q", "doc_id": IDS, "score": 1.0})
    evaluation = ir.evaluate(qrels, run, "nDCG@3 RR(rel=12) AP")
    database = started(dialect)
    database.load({"qrels": qrels, "run": run})
    if dialect == "spark":
        for name in ("qrels", "run"):
            frame = database.session.table(name)  # type: ignore[attr-defined]
            ordered = frame.selectExpr(
                *(f"{c} COLLATE UNICODE_CI AS {c}" if c == "doc_id" else c for c in frame.columns)
            )
            ordered.createOrReplaceTempView(name)
        assert database.run("SELECT 'a' COLLATE UNICODE_CI < 'B' COLLATE UNICODE_CI")[1] == [(True,)]
    _, rows = database.run(evaluation.per_unit.sql(wide=True, dialect=dialect))
    assert [*rows[0][1:]] == pytest.approx(evaluation.per_unit(wide=True).row(0)[1:], rel=1e-12)


def test_postgres_orders_bytes_where_a_language_is_the_default() -> None:
    database = started("postgres")
    import psycopg

    try:
        database.run("CREATE COLLATION IF NOT EXISTS words (provider = libc, locale = 'en_US.UTF-8')")
    except psycopg.Error:
        pytest.skip("PostgreSQL finds the order of no language on this machine")
    assert database.run("SELECT 'a' < 'B' COLLATE words, 'a' < 'B' COLLATE \"C\"")[1] == [(True, False)]
    qrels = pl.DataFrame({"query_id": "q", "doc_id": IDS, "relevance": range(len(IDS))})
    run = pl.DataFrame({"query_id": "q", "doc_id": IDS, "score": 1.0})
    evaluation = ir.evaluate(qrels, run, "nDCG@3 AP")
    database.load({"qrels": qrels, "run": run})
    for name in ("qrels", "run"):
        database.run(f"ALTER TABLE {name} ALTER doc_id TYPE text COLLATE words")
    _, rows = database.run(evaluation.per_unit.sql(wide=True, dialect="postgres"))
    assert [*rows[0][1:]] == pytest.approx(evaluation.per_unit(wide=True).row(0)[1:], rel=1e-12)


def test_text_is_ordered_where_a_database_has_other_orders() -> None:
    frames = ir.examples.ranking()
    collations = {"postgres": 'COLLATE "C"', "spark": "COLLATE UTF8_BINARY", "snowflake": "COLLATE(doc_id, 'utf8')"}
    collations |= {"bigquery": "COLLATE(doc_id, '')", "sqlserver": "COLLATE Latin1_General_100_BIN2_UTF8"}
    for dialect in (*PROVEN, *UNPROVEN):
        text = ir.evaluate(*frames, "AP").per_unit.sql(dialect=dialect.name)
        assert collations.get(dialect.name, "") in text
        assert ("COLLATE" in text) == (dialect.name in collations)


# ---- nulls and names


@pytest.mark.parametrize("dialect", DATABASES)
def test_nulls_are_a_group_of_their_own(dialect: str) -> None:
    frame = pl.DataFrame(
        {"lang": ["en", None, "en", None, ""], "label": [*"xxyyx"], "prediction": [*"xyyyx"], "item": range(5)}
    )
    evaluation = ir.Labels(frame, by="lang").evaluate("Accuracy F1(average='macro')")
    database = started(dialect)
    database.load({"labels": frame})
    _, rows = database.run(evaluation.per_unit.sql(wide=True, dialect=dialect))
    assert [[row[0], *map(_plain, row[1:])] for row in rows] == [[*r] for r in evaluation.per_unit(wide=True).rows()]


@pytest.mark.parametrize("dialect", DATABASES)
def test_odd_names_stay(dialect: str) -> None:
    frame = pl.DataFrame({"Group": [*"ab"], "user": [*"xx"], 'say "it"': [*"xy"], "order": [1, 2]})
    evaluation = ir.Labels(frame, by="Group", label="user", prediction='say "it"', unit="order").evaluate("Accuracy")
    database = started(dialect)
    database.load({"labels": frame})
    names, rows = database.run(evaluation.per_unit.sql(wide=True, dialect=dialect))
    assert names == ["Group", "order", "Accuracy"]
    assert [tuple(row) for row in rows] == evaluation.per_unit(wide=True).rows()


def test_long_names() -> None:
    frame = pl.DataFrame({"label": [*"xy"], "prediction": [*"xx"]})
    measure = ir.labels.Recall(average="macro", classes=["x", "y" * 70])
    evaluation = ir.Labels(frame.with_columns(label=pl.Series(["x", "y" * 70]))).evaluate([measure])
    with pytest.raises(NotDefined, match="allows at most 63"):
        evaluation.per_unit.sql(wide=True, dialect="postgres")
    with pytest.raises(NotDefined, match="wide=True"):
        ir.evaluate(*ir.examples.ranking(), "P@5").per_unit.sql(wide=True, dialect="bigquery")
    database = started("postgres")
    database.load({"labels": frame})
    assert len(database.run(evaluation.per_unit.sql(dialect="postgres"))[1]) == evaluation.per_unit().height


def test_a_deep_list_does_not_round_to_nothing() -> None:
    """PostgreSQL refuses to round a double down to 0."""
    n = 6_000
    qrels = pl.DataFrame({"query_id": "q", "doc_id": range(0, n, 7), "relevance": 1})
    run = pl.DataFrame({"query_id": "q", "doc_id": range(n), "score": range(n)})
    evaluation = ir.evaluate(qrels, run, "RBP(p=0.5) ERR(max_rel=1) AP")
    database = started("postgres")
    database.load({"qrels": qrels, "run": run})
    _, rows = database.run(evaluation.per_unit.sql(wide=True, dialect="postgres"))
    assert [*rows[0][1:]] == pytest.approx(evaluation.per_unit(wide=True).row(0)[1:], rel=1e-11)


@pytest.mark.parametrize(
    "where, same",
    [("l.k IS NOT NULL", "r.k IS NOT DISTINCT FROM s.k"), ("r.k IS NOT NULL", "r.k = s.k")],
)
def test_what_is_never_null_is_known_by_its_table(where: str, same: str) -> None:
    tables = "a AS l LEFT JOIN b AS r ON l.k = r.k JOIN a AS s ON r.k IS NOT DISTINCT FROM s.k"
    sources = {name: {"k": INTEGER} for name in "ab"}
    text = translated(f"SELECT l.k FROM {tables} WHERE {where}", dialect_named("datafusion"), sources)
    assert same in " ".join(text.split())


# ---- refusing


def test_keys_that_are_never_null_are_equal() -> None:
    """Of runs the ids are never null; of labels they may be."""
    ranked = ir.evaluate(*ir.examples.ranking(), "AP").per_unit.sql(dialect="postgres")
    assert "IS NOT DISTINCT FROM" not in ranked
    assert "l.doc_id = r.doc_id" in ranked
    assert "IS NULL\n    ) = (" not in ranked
    labelled = ir.Labels(ir.examples.labels()).evaluate("F1(average='macro')").per_unit.sql(dialect="postgres")
    assert "IS NOT DISTINCT FROM" not in labelled


@pytest.mark.parametrize("dialect", [d.name for d in (*PROVEN, *UNPROVEN)])
@pytest.mark.parametrize("function", ["regexp_matches(g, 'a')", "md5(g)", "round(x, 2)", "epoch_us(g)", "foo(g)"])
def test_unknown_functions_are_refused(dialect: str, function: str) -> None:
    name = function.partition("(")[0].replace("_", "")
    with pytest.raises(NotDefined, match=rf"(?i)recall needs the function \w*{name[:5]}"):
        translated(f"SELECT {function} AS c_1 FROM t", dialect_named(dialect), SOURCES, {"c_1": "Recall"}.__getitem__)


def test_the_measure_is_named() -> None:
    with catalog.restored():

        @ir.measure("labels", "Rounded", range=(0, 1), higher_is_better=True)
        def rounded(u: Any) -> Expr:
            """A user's measure, with a function that no dialect has."""
            return (u.correct / u.total).round(1)

        evaluation = ir.Labels(ir.examples.labels()).evaluate([rounded(), "Accuracy"])
    with pytest.raises(NotDefined, match="Rounded needs the function round_even, which we cannot write"):
        evaluation.per_unit.sql(dialect="postgres")


def test_unknown_dialects() -> None:
    evaluation = ir.evaluate(*ir.examples.ranking(), "AP")
    with pytest.raises(UnknownName, match="Did you mean postgres"):
        evaluation.per_unit.sql(dialect="postgre")
    with pytest.raises(InvalidParameter, match="named by its file"):
        evaluation.per_unit.sql(dbt=True, view="per_topic")


def test_names_are_known_without_sqlglot(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(NAMES) == {dialect.name for dialect in (*PROVEN, *UNPROVEN)}
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(UnknownName, match="Did you mean postgres"):
        dialect_named("postgre")
    with pytest.raises(EngineError, match="sqlglot"):
        dialect_named("postgres")


def test_duckdb_is_a_dialect() -> None:
    evaluation = ir.evaluate(*ir.examples.ranking(), "AP")
    assert evaluation.per_unit.sql(dialect="duckdb") == evaluation.per_unit.sql()
