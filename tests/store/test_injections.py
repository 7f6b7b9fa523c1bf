"""What is written into a store comes back as it was, and changes nothing else; a query only reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError
from ireval_frames.store.adding import tag_file
from ireval_frames.store.tables import TABLES
from tests.cli.commands import invoke
from tests.store.cases import contents, evaluation

TEXTS = (
    "'; DROP VIEW runs; --", "'); DELETE FROM runs; --", "' OR '1'='1", "''", "'", '"', '"; DROP TABLE runs; --', "`",
    "\\", "\\'", "$$", "$1", "?", ":a", "{{ run_id }}", "{}", "{0}", "${HOME}", "$(id)", "`id`", "%s", "%(x)s",
    "a\tb\nc\r\nd", "\x00", "\x1b[31m", "\u202eabc", "ü", "u\u0308", "😀", "\ufeff", "\u2028", "../../etc",
    "/etc/passwd", "a/b", ".", "..", "~", "*", "a[1]*?", "hive=1", "^.*$", ";", "--", "/* */", "NULL", "null", "true",
    "007", "1e999", "nan", "run_id", "value", "</script><b>", "[x](y)", "|", "=1+1", "pack-", ".hidden", "-rf",
    "--store", " ", "x" * 5000, "",
)  # fmt: skip
SECRET = "secret\n1\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ir.Store]:
    """A store of two runs, which no test changes, beside a file that it must not read."""
    path = tmp_path_factory.mktemp("world")
    (path / "secret.csv").write_text(SECRET)
    store = ir.Store(path / "s")
    store.add(evaluation(), collection="c")
    store.add(evaluation("two", -5.0), collection="c")
    yield store
    assert sorted(store.sql("SELECT run_id FROM runs")["run_id"]) == ["one", "two"]


def test_there_are_enough() -> None:
    assert len(TEXTS) >= 60
    assert len({*TEXTS}) == len(TEXTS)


def test_runs_units_groups_and_queries_come_back_as_they_were(tmp_path: Path) -> None:
    """Each text is a run, a query, and a group; the columns of the queries are called by some of them."""
    n = len(TEXTS)
    topics = pl.DataFrame({"query_id": TEXTS, "by'\"": TEXTS[::-1], "'; --": TEXTS, "\\\n": range(n)})
    qrels = pl.DataFrame({"query_id": TEXTS, "doc_id": TEXTS, "relevance": [1] * n})
    runs = pl.DataFrame({"run_id": TEXTS, "query_id": TEXTS, "doc_id": TEXTS, "score": [1.0] * n})
    ev = ir.evaluate(qrels, runs, "RR", queries=topics, by="by'\"", policy="missing=skip")
    store = ir.Store(tmp_path / "s")
    id = store.add(ev, queries=topics)  # noqa: A001
    expected = {(t, t, TEXTS[n - 1 - i]) for i, t in enumerate(TEXTS)}
    for rows in (
        store.values().collect().select("run_id", "unit_id", "groups").rows(),
        store.sql('SELECT run_id, unit_id, groups FROM "values"').rows(),
    ):
        assert {(r, u, json.loads(g)["by'\""]) for r, u, g in rows} == expected
    stored = store.sql("SELECT query_id, attributes FROM queries").rows()
    assert {q: json.loads(a) for q, a in stored} == {
        t: {"by'\"": TEXTS[n - 1 - i], "'; --": t, "\\\n": i} for i, t in enumerate(TEXTS)
    }
    assert {*store.runs().collect()["run_id"]} == {*TEXTS}
    for text in TEXTS[::7]:
        (one,) = store.values("RR", runs=text).collect()["unit_id"]
        assert one == text
        assert store.sql("FROM diff($1, $1, 'RR')", [text])["unit_id"].to_list() == [text]
    store.compact()
    with duckdb.connect(str(store.export(tmp_path / "it's; --.duckdb")), read_only=True) as con:
        assert {*con.execute("SELECT run_id FROM runs").fetchall()} == {(t,) for t in TEXTS}
        assert con.execute("SELECT count(*) FROM history('RR')").fetchall() == [(n,)]
    assert ir.Store(tmp_path / "s").find(id[:5]) == id
    assert {p.name for p in tmp_path.iterdir()} == {"s", "it's; --.duckdb"}


def test_what_is_said_of_an_addition_comes_back_as_it_was(tmp_path: Path) -> None:
    """Each text is a collection, a tag or its value, and all are names of an evaluation."""
    store, ev = ir.Store(tmp_path / "s"), evaluation(measures="RR")
    additions = list(zip(TEXTS[::3], TEXTS[1::3], TEXTS[2::3], strict=False))
    for collection, tag, value in additions:
        id = store.add(ev, collection=collection, tags={tag: value}, command=value)  # noqa: A001
    for text in filter(None, TEXTS):
        tag_file(store.path, text, id)
    rows = store.table("occasions").collect()
    assert {(c, *json.loads(t).items(), d) for c, d, t in rows.select("collection", "command", "tags").rows()} == {
        (c, (t, v), v) for c, t, v in additions
    }
    assert {*store.sql("SELECT name FROM tags")["name"]} == {*TEXTS} - {""}
    assert store.evaluations().collect()["evaluation_id"].to_list() == [id]
    for text in TEXTS[::9]:
        assert store.runs(text).collect().height == 1
        assert store.leaderboard(text, "RR").collect()["value"].to_list() == [0.5]
        assert store.history("RR", collection=text).collect()["collection"].to_list() == [text]
        assert not text or store.find(text) == id
        assert store.sql("SELECT count(*) FROM latest(?)", [text]).item() == bool(text)
    with pytest.raises(InvalidParameter):
        store.tag("", id)
    assert store.check().is_empty()
    assert {p.name for p in tmp_path.iterdir()} == {"s"}


def test_macros_take_texts_as_texts(store: ir.Store) -> None:
    before = contents(store.path.parent)
    for text in TEXTS:
        literal = "'" + text.replace("'", "''") + "'"
        counted = "SELECT (SELECT count(*) FROM latest({0})), count(*) FROM history({0}), diff({0}, {0}, {0})"
        if "\x00" not in text:
            assert store.sql(counted.format(literal)).row(0) == (0, 0)
        assert store.sql(counted.format("$t"), {"t": text}).row(0) == (0, 0)
    assert contents(store.path.parent) == before


def test_a_measure_of_ones_own_has_no_odd_name() -> None:
    for text in TEXTS:
        if not text.isidentifier():
            with pytest.raises((IrevalError, ValueError)):
                ir.evaluate(*ir.examples.ranking(), text)


@pytest.mark.parametrize(
    "name", ["a[1]*", "a?", "{b,c}", "it's", 'a"; --', "hive=1", "ü 😀", "a\nb", "-rf", "%20", "~", "$HOME"]
)
def test_a_store_may_be_in_any_folder(tmp_path: Path, name: str) -> None:
    """Beside it stands a folder that its name would match if it were a pattern."""
    ir.Store(tmp_path / "a1xyz").add(evaluation("other", 1.0))
    for other in ("ab", "b", "a1"):
        shutil.copytree(tmp_path / "a1xyz", tmp_path / other)
    store = ir.Store(tmp_path / name)
    store.add(evaluation(), collection="c")
    assert store.sql("SELECT run_id FROM runs")["run_id"].to_list() == ["one"]
    assert store.values("RR").collect()["run_id"].unique().to_list() == ["one"]
    store.compact()
    assert store.sql("SELECT run_id FROM runs")["run_id"].to_list() == ["one"]
    assert store.history("RR").collect().columns[:2] == ["collection", "made_at"]
    with duckdb.connect(str(store.export(tmp_path / f"{name}.duckdb")), read_only=True) as con:
        assert con.execute("SELECT run_id FROM runs").fetchall() == [("one",)]
    with pytest.raises(IrevalError):
        store.sql(f"FROM '{tmp_path / 'ab'}/runs/*.parquet'")


@pytest.mark.parametrize("text", [t for t in TEXTS[::5] if "\x00" not in t])
def test_commands_take_texts_as_texts(store: ir.Store, text: str) -> None:
    before = contents(store.path.parent)
    at = ["--store", str(store.path)]
    for arguments in (
        ["leaderboard", f"--collection={text}"],
        ["history", "RR", f"--run={text}"],
        ["show", "--", text],
        ["remove", "--", text],
        ["diff", "one", "RR", f"--collection={text}"],
    ):
        result = invoke("store", arguments[0], *at, *arguments[1:])
        assert result.exit_code in (1, 2)
        assert "Traceback" not in result.stderr
    assert contents(store.path.parent) == before


REFUSED = """
CREATE TABLE t AS SELECT 1
CREATE TEMP TABLE t AS SELECT 1
CREATE OR REPLACE VIEW runs AS SELECT 1
CREATE MACRO latest(x) AS 1
CREATE SECRET (TYPE s3)
DROP VIEW runs
ALTER VIEW runs RENAME TO r
COMMENT ON VIEW runs IS 'x'
INSERT INTO runs SELECT * FROM runs
UPDATE runs SET run_id = 'x'
DELETE FROM runs
MERGE INTO runs USING runs r ON true WHEN MATCHED THEN DELETE
SELECT 1; DROP VIEW runs
SELECT 1; SELECT 2
COPY (SELECT 1) TO '{store}/values/x.parquet' (FORMAT parquet)
COPY (SELECT 1) TO '{store}/../x.csv'
COPY runs FROM '{secret}'
EXPLAIN ANALYZE COPY (SELECT 1) TO '{store}/values/x.parquet' (FORMAT parquet)
EXPLAIN ANALYZE DROP VIEW runs
EXPLAIN (ANALYZE, FORMAT json) CREATE TABLE t AS SELECT 1
WITH d AS (COPY (SELECT 1) TO '{store}/values/x.parquet') FROM d
WITH d AS (FROM runs), e AS (COPY (SELECT 1) TO '{store}/x.csv') FROM d
EXPLAIN ANALYZE WITH d AS (COPY (SELECT 1) TO '{store}/x.csv') FROM d
WITH d AS (DELETE FROM runs RETURNING *) FROM d
EXPORT DATABASE '{store}/out'
IMPORT DATABASE '{store}/out'
ATTACH '{store}/../other.duckdb'
ATTACH '{store}/other.duckdb'
DETACH memory
USE memory
SET enable_external_access = true
SET lock_configuration = false
SET allowed_directories = ['/']
RESET lock_configuration
PRAGMA database_list
PRAGMA disable_verification
CALL pragma_version()
INSTALL httpfs
LOAD httpfs
LOAD '{store}/x.duckdb_extension'
PREPARE p AS SELECT 1
EXECUTE p
BEGIN
VACUUM
CHECKPOINT
FROM query('DROP VIEW runs')
FROM query('SELECT 1; DROP VIEW runs')
FROM query('FROM ''{secret}''')
FROM query_table('{secret}')
FROM '{secret}'
FROM "{secret}"
FROM '{store}/../secret.csv'
FROM read_csv('{secret}')
FROM read_csv('{store}/../secret.csv')
FROM read_text('{store}/values/../../secret.csv')
FROM read_text('/etc/passwd')
SELECT (SELECT content FROM read_text(['/etc/passwd']))
FROM read_blob('/etc/passwd')
FROM read_json('/etc/passwd')
FROM sniff_csv('{secret}')
FROM read_parquet('{store}/../*/*.parquet')
FROM parquet_metadata('{store}/../x.parquet')
FROM glob('/*')
FROM glob('{store}/../*')
FROM read_csv('https://example.com/x.csv')
FROM read_csv('s3://bucket/x.csv')
FROM enable_logging(storage = 'file', storage_path = '{store}/log')
SUMMARIZE '{secret}'
DESCRIBE '{secret}'
SELECT getenv('HOME')
PIVOT runs ON run_id USING count(*)
SELECT
FROM nowhere
FROM store
FROM TEXTS
FROM runs JOIN summaries ON true
SELECT INTERVAL 1 DAY
"""


@pytest.mark.parametrize("query", ["", *REFUSED.strip().splitlines()])
def test_a_query_changes_nothing_and_reaches_nothing(store: ir.Store, query: str) -> None:
    before = contents(store.path.parent)
    with pytest.raises(IrevalError):
        store.sql(query.format(store=store.path, secret=store.path.parent / "secret.csv"))
    assert contents(store.path.parent) == before


@pytest.mark.parametrize(
    "query",
    [
        "FROM runs;",
        "SELECT run_id FROM runs -- all",
        "VALUES (1), (2)",
        "DESCRIBE runs",
        "SUMMARIZE runs",
        "SHOW TABLES",
        "EXPLAIN FROM runs",
        "EXPLAIN ANALYZE FROM runs",
        "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t WHERE a < 3) FROM t",
        "FROM runs UNION FROM runs",
        "PIVOT summaries ON measure IN ('RR') USING avg(value) GROUP BY run_id",
        """SELECT '{"type": "COPY_QUERY_NODE"}' AS a""",
        "SELECT date_trunc('day', made_at) AS day FROM occasions",
    ],
)
def test_queries_that_only_read_are_answered(store: ir.Store, query: str) -> None:
    assert not store.sql(query).is_empty()


def test_days_are_those_of_utc(store: ir.Store) -> None:
    assert store.sql("SELECT current_setting('TimeZone')").item() == "UTC"
    hours = store.sql("SELECT strftime(made_at, '%Y-%m-%d %H') AS hour FROM occasions")["hour"]
    assert sorted(hours) == sorted(store.table("occasions").collect()["made_at"].dt.strftime("%Y-%m-%d %H"))


WRITING = """
COPY (SELECT 1 AS a) TO '{file}' (FORMAT parquet)
COPY (SELECT 1 AS a) TO '{file}' (FORMAT csv, USE_TMP_FILE false)
COPY (SELECT 1 AS a) TO '{store}/values/new.parquet'
COPY runs TO '{store}/mine' (FORMAT parquet, PARTITION_BY (run_id))
ATTACH '{store}/new.duckdb'
ATTACH '{store}/../new.duckdb' AS other
EXPORT DATABASE '{store}/all'
FROM read_parquet('{file}')
SET enable_external_access = true
SET allowed_directories = ['/']
FROM read_csv('{store}/../secret.csv')
"""


@pytest.mark.parametrize("query", WRITING.strip().splitlines())
def test_a_connection_reaches_no_file_unless_asked(store: ir.Store, query: str) -> None:
    before, file = contents(store.path.parent), next((store.path / "evaluations").glob("*.parquet"))
    with store.connect() as con, con.cursor() as other:
        for at in (con, other):
            with pytest.raises(duckdb.Error):
                at.execute(query.format(store=store.path, file=file))
        with pytest.raises(duckdb.Error):
            con.sql("FROM runs").write_parquet(str(file))
    assert contents(store.path.parent) == before


def test_a_connection_has_what_the_store_has(store: ir.Store) -> None:
    with store.connect() as con, store.connect(external=True) as views:
        for table in (*(f'"{name}"' for name in TABLES), "history('RR')", "last_summaries"):
            query = f"FROM {table} ORDER BY ALL"
            copied, viewed = (at.sql(query).to_arrow_table().combine_chunks() for at in (con.cursor(), views))
            assert copied.equals(viewed)
        con.execute("DELETE FROM runs")
        assert views.execute("SELECT count(*) FROM runs").fetchall() == [(2,)]
        assert views.execute(f"FROM read_csv('{store.path.parent / 'secret.csv'}')").fetchall() == [(1,)]
    assert store.sql("SELECT count(*) FROM runs").item() == 2


@pytest.mark.parametrize("parameters", [3, 1.5, "a", b"a", object(), {"a"}, True])
def test_parameters_are_a_list_or_a_mapping(store: ir.Store, parameters: object) -> None:
    with pytest.raises(InvalidParameter, match=r"it must be a list, or a mapping(.|\n)*parameters=\["):
        store.sql("SELECT ?", parameters)


@pytest.mark.parametrize(
    "query, parameters",
    [("SELECT ?", []), ("SELECT 1", [1]), ("SELECT ?", {"a": 1}), ("SELECT $a", [1]), ("SELECT $a", {}),
     ("SELECT ?", [object()]), ("SELECT ?", ["\ud800"]), ("SELECT '\ud800'", None), ("SELECT 1\0", None),
     ("SELECT " + "(" * 5000 + "1" + ")" * 5000, None), ("SELECT 1" + "+1" * 9000, None), (5, None), (None, None)],
)  # fmt: skip
def test_odd_queries_are_our_errors(store: ir.Store, query: object, parameters: object) -> None:
    with pytest.raises(IrevalError):
        store.sql(query, parameters)
