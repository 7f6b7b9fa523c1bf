"""A store in SQL: views over its files in a DuckDB in memory that cannot access anything else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ireval_frames.engines.duckdb.errors import engine_error
from ireval_frames.engines.quoting import quoted, string
from ireval_frames.store.folder import files
from ireval_frames.store.folder.files import Listing, check_files
from ireval_frames.store.tables import TABLES, TIME, Table

if TYPE_CHECKING:
    import duckdb

# The last evaluation of each run and measure in a collection.
LAST = """
CREATE VIEW last_summaries AS
SELECT * EXCLUDE (place) FROM (
    SELECT o.collection, o.made_at, o.tags, o.occasion_id, s.*, m.higher_is_better,
        row_number() OVER (PARTITION BY o.collection, s.run_id, s.groups, s.measure
            ORDER BY o.made_at DESC, o.occasion_id DESC) AS place
    FROM occasions o JOIN summaries s USING (evaluation_id) JOIN measures m USING (evaluation_id, measure)
) WHERE place = 1
"""
MACROS = {
    "latest": (
        "the summaries of the evaluation that a tag names",
        """(tag) AS TABLE
SELECT s.* FROM summaries s
WHERE s.evaluation_id = (SELECT t.evaluation_id FROM tags t WHERE t.name = tag ORDER BY t.made_at DESC LIMIT 1)""",
    ),
    "diff": (
        "the units in which two runs differ, by their last evaluations of a measure in one collection",
        """(baseline, run, of_measure) AS TABLE
WITH last AS (SELECT * FROM last_summaries WHERE measure = of_measure AND run_id IN (baseline, run)
    QUALIFY baseline = run OR min(run_id) OVER (PARTITION BY collection) <> max(run_id) OVER (PARTITION BY collection)),
one AS (SELECT f.collection, v.* FROM "values" v JOIN last f USING (evaluation_id, run_id, groups, measure)
    WHERE v.run_id = baseline AND v.measure = of_measure),
other AS (SELECT f.collection, v.* FROM "values" v JOIN last f USING (evaluation_id, run_id, groups, measure)
    WHERE v.run_id = run AND v.measure = of_measure)
SELECT collection, groups, unit_id, one.value AS value_baseline, other.value AS value, other.value - one.value
    AS difference
FROM one FULL JOIN other USING (collection, groups, unit_id) ORDER BY abs(difference) DESC, unit_id""",
    ),
    "history": (
        "the value of a measure on every occasion, the oldest first",
        """(of_measure) AS TABLE
SELECT o.collection, o.made_at, s.run_id, s.groups, s.measure, s.value, s.n_units, s.n_undefined,
    s.evaluation_id, o.tags
FROM occasions o JOIN summaries s USING (evaluation_id) WHERE s.measure = of_measure
ORDER BY o.made_at, s.run_id, s.groups""",
    ),
}
_TYPES = {"String": "VARCHAR", "Int64": "BIGINT", "Float64": "DOUBLE", "Boolean": "BOOLEAN"}


def connect(listing: Listing, *, external: bool = False, copied: bool = False) -> duckdb.DuckDBPyConnection:
    """A DuckDB in memory with the tables and macros; it reads no file outside the store.

    Args:
        listing: the files.
        external: it has access to other files, and its settings may be changed.
        copied: the tables are in memory, and it has no access to files: DuckDB cannot restrict access to reading.

    Raises:
        FileNotFoundError: a file does not exist any more.
    """
    import duckdb

    con = duckdb.connect(":memory:")
    con.execute("SET parquet_metadata_cache = true")
    # Days and hours do not depend on the machine.
    con.execute("SET GLOBAL TimeZone = 'UTC'")
    kind = "TABLE" if copied else "VIEW"
    if not (external or copied):
        con.execute(f"SET allowed_directories = [{string(str(listing.root) + '/')}]")
        con.execute("SET enable_external_access = false")
    try:
        for table in TABLES.values():
            con.execute(f"CREATE {kind} {quoted(table.name)} AS {_query(table, listing)}")
            con.execute(f"COMMENT ON {kind} {quoted(table.name)} IS {string(table.description)}")
        create_macros(con)
    except duckdb.Error as error:
        con.close()
        check_files(listing)
        # One of them is damaged.
        if files.damaged(listing):
            raise FileNotFoundError from error
        raise engine_error(error) from error
    if not external:
        con.execute("SET enable_external_access = false")
        con.execute("SET python_enable_replacements = false")
        con.execute("SET lock_configuration = true")
    return con


def create_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Create the macros, and the view that they read."""
    for statement in statements():
        con.execute(statement)


def statements() -> list[str]:
    """The statements of the macros, and of the view that they read."""
    result = [LAST]
    for name, (description, text) in MACROS.items():
        result += [f"CREATE MACRO {name}{text}", f"COMMENT ON MACRO TABLE {name} IS {string(description)}"]
    return result


def _query(table: Table, listing: Listing) -> str:
    """The query of the rows of a table, with its columns in their types, null where a file lacks one."""
    columns = ", ".join(f"CAST(NULL AS {sql_type(t)}) AS {quoted(c)}" for c, t in table.schema.items())
    empty = f"SELECT {columns} WHERE false"
    paths = listing.files[table.name]
    if not paths:
        return empty
    complete = [path for path in paths if path not in listing.hidden]
    parts = [_read(complete)] if complete else []
    for path in paths:
        if path in listing.hidden:
            ids = ", ".join(map(string, sorted(listing.hidden[path])))
            parts.append(f"{_read([path])} WHERE evaluation_id NOT IN ({ids})")
    # The empty part has the columns that older files lack; columns of newer releases are left out.
    union = " UNION ALL BY NAME ".join([empty, *parts])
    names = ", ".join(quoted(c) for c in table.columns)
    distinct = f"DISTINCT ON ({', '.join(map(quoted, table.key))}) " if table.name in listing.doubled else ""
    return f"SELECT {distinct}{names} FROM ({union})"  # noqa: S608 - names of ours


def _read(paths: Sequence[Path]) -> str:
    listed = ", ".join(string(str(path)) for path in paths)
    return f"FROM read_parquet([{listed}], union_by_name = true, hive_partitioning = false)"


def sql_type(dtype: Any) -> str:
    """The type of a column in DuckDB."""
    return "TIMESTAMPTZ" if dtype == TIME else _TYPES[str(dtype)]
