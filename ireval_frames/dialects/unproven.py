"""Dialects of databases that the tests cannot run: written from their manuals."""

from __future__ import annotations

from sqlglot import exp

from ireval_frames.dialects.dialect import Dialect, Rewrite, ValueType, arguments, call, cast, renamed, same, template
from ireval_frames.dialects.proven import NONE_OF_128_BITS, SAME, WIDER, closed_range, open_range, quantile
from ireval_frames.errors import NotDefined

# Words that cannot be names without quotes.
# Transact-SQL, "Reserved Keywords".
_SQLSERVER = """
ADD ALL ALTER AND ANY AS ASC AUTHORIZATION BACKUP BEGIN BETWEEN BREAK BROWSE BULK BY CASCADE CASE CHECK CHECKPOINT
CLOSE CLUSTERED COALESCE COLLATE COLUMN COMMIT COMPUTE CONSTRAINT CONTAINS CONTAINSTABLE CONTINUE CONVERT CREATE CROSS
CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DBCC DEALLOCATE DECLARE DEFAULT
DELETE DENY DESC DISK DISTINCT DISTRIBUTED DOUBLE DROP DUMP ELSE END ERRLVL ESCAPE EXCEPT EXEC EXECUTE EXISTS EXIT
EXTERNAL FETCH FILE FILLFACTOR FOR FOREIGN FREETEXT FREETEXTTABLE FROM FULL FUNCTION GOTO GRANT GROUP HAVING HOLDLOCK
IDENTITY IDENTITYCOL IDENTITY_INSERT IF IN INDEX INNER INSERT INTERSECT INTO IS JOIN KEY KILL LEFT LIKE LINENO LOAD
MERGE NATIONAL NOCHECK NONCLUSTERED NOT NULL NULLIF OF OFF OFFSETS ON OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML
OPTION OR ORDER OUTER OVER PERCENT PIVOT PLAN PRECISION PRIMARY PRINT PROC PROCEDURE PUBLIC RAISERROR READ READTEXT
RECONFIGURE REFERENCES REPLICATION RESTORE RESTRICT RETURN REVERT REVOKE RIGHT ROLLBACK ROWCOUNT ROWGUIDCOL RULE SAVE
SCHEMA SECURITYAUDIT SELECT SEMANTICKEYPHRASETABLE SEMANTICSIMILARITYDETAILSTABLE SEMANTICSIMILARITYTABLE SESSION_USER
SET SETUSER SHUTDOWN SOME STATISTICS SYSTEM_USER TABLE TABLESAMPLE TEXTSIZE THEN TO TOP TRAN TRANSACTION TRIGGER
TRUNCATE TRY_CONVERT TSEQUAL UNION UNIQUE UNPIVOT UPDATE UPDATETEXT USE USER VALUES VARYING VIEW WAITFOR WHEN WHERE
WHILE WITH WITHIN WRITETEXT
"""
# Snowflake, "Reserved & limited keywords".
_SNOWFLAKE = """
ACCOUNT ALL ALTER AND ANY AS ASOF BETWEEN BY CASE CAST CHECK COLUMN CONNECT CONNECTION CONSTRAINT CREATE CROSS CURRENT
CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DATABASE DELETE DISTINCT DROP ELSE EXISTS FALSE FOLLOWING FOR
FROM FULL GRANT GROUP GSCLUSTER HAVING ILIKE IN INCREMENT INNER INSERT INTERSECT INTO IS ISSUE JOIN LATERAL LEFT LIKE
LOCALTIME LOCALTIMESTAMP MATCH_CONDITION MINUS NATURAL NOT NULL OF ON OR ORDER ORGANIZATION QUALIFY REGEXP REVOKE
RIGHT RLIKE ROW ROWS SAMPLE SCHEMA SELECT SET SOME START TABLE TABLESAMPLE THEN TO TRIGGER TRUE TRY_CAST UNION UNIQUE
UPDATE USING VALUES VIEW WHEN WHENEVER WHERE WITH
"""
# Trino, "Keywords and identifiers".
_TRINO = """
ALTER AND AS AUTO BETWEEN BY CASE CAST CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG CURRENT_DATE CURRENT_PATH
CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEALLOCATE DELETE DESCRIBE DISTINCT DROP ELSE
END ESCAPE EXCEPT EXECUTE EXISTS EXTRACT FALSE FOR FROM FULL GROUP GROUPING HAVING IN INNER INSERT INTERSECT INTO IS
JOIN JSON_ARRAY JSON_EXISTS JSON_OBJECT JSON_QUERY JSON_TABLE JSON_VALUE LEFT LIKE LISTAGG LOCALTIME LOCALTIMESTAMP
NATURAL NORMALIZE NOT NULL ON OR ORDER OUTER PREPARE RECURSIVE RIGHT ROLLUP SELECT SKIP TABLE THEN TRIM TRUE UESCAPE
UNION UNNEST USING VALUES WHEN WHERE WITH
"""


def _passing_nulls(node: exp.Func) -> exp.Expr:
    """`greatest` or `least` of two values without nulls, where the database's function is null if one of them is.

    Raises:
        NotDefined: there are more than two values.
    """
    values = arguments(node)
    if len(values) != 2:
        raise NotDefined(f"{len(values)} values are compared at once.", "Compare two: max_horizontal(a, b)")
    return exp.Coalesce(this=node.copy(), expressions=[n.copy() for n in values])


def _parsed(text: str, dialect: str) -> exp.Join:
    select: exp.Select = exp.maybe_parse(f"FROM t {text}", dialect=dialect)
    (join,) = select.find_all(exp.Join)
    return join


def _joined(text: str, dialect: str, value: exp.Expr) -> exp.Join:
    """A join as text, with a value in the place of its column `list`."""
    join = _parsed(text, dialect)
    for column in list(join.find_all(exp.Column)):
        if column.name == "list":
            column.replace(value)
    return join


def _join(item: exp.Alias, join: exp.Join) -> None:
    """Add a join to the SELECT of a column."""
    select = item.find_ancestor(exp.Select)
    if select is not None:
        select.append("joins", join)


def _bigquery_unnested(item: exp.Alias, _: ValueType) -> None:
    _join(item, _joined("CROSS JOIN UNNEST(list) AS ireval_value", "bigquery", item.this.this))
    item.set("this", exp.column("ireval_value"))


def _trino_unnested(item: exp.Alias, _: ValueType) -> None:
    _join(item, _joined("CROSS JOIN UNNEST(list) AS u(ireval_value)", "trino", item.this.this))
    item.set("this", exp.column("ireval_value", "u"))


def _snowflake_unnested(item: exp.Alias, known: ValueType) -> None:
    join = _joined("CROSS JOIN TABLE(FLATTEN(INPUT => list)) AS u", "snowflake", item.this.this)
    _join(item, join)
    value: exp.Expr = exp.column("value", "u")
    names = {"text": "VARCHAR", "integer": "BIGINT", "double": "DOUBLE", "boolean": "BOOLEAN"}
    item.set("this", cast(value, names[known.kind]) if known.kind in names else value)


def _sqlserver_unnested(item: exp.Alias, _: ValueType) -> None:
    series = item.this.this
    join = _parsed("CROSS APPLY GENERATE_SERIES(1, 2) AS u", "tsql")
    next(join.find_all(exp.GenerateSeries)).replace(series)
    _join(item, join)
    item.set("this", exp.column("value", "u"))


def _texts_without_nulls(node: exp.GroupConcat) -> exp.Expr:
    """The texts contain no nulls, so NULLS FIRST, which the database lacks, is left out."""
    for ordered in node.find_all(exp.Ordered):
        ordered.set("nulls_first", value=True)
    return node


def _trino_not_finite(node: exp.Cast) -> exp.Expr:
    names = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
    return cast(exp.Literal.string(names[node.this.name]), "DOUBLE")


_NULLS: dict[str, Rewrite] = {"Greatest": _passing_nulls, "Least": _passing_nulls}

BIGQUERY = Dialect(
    name="bigquery",
    title="BigQuery",
    writer="bigquery",
    functions=SAME
    | _NULLS
    | {
        "strlen": renamed("BYTE_LENGTH"),
        "Length": renamed("ARRAY_LENGTH"),
        "Explode": same,
        "GenerateSeries": closed_range("GENERATE_ARRAY"),
        "GroupConcat": _texts_without_nulls,
        "AnyValue": renamed("ANY_VALUE"),
        "IsNan": renamed("IS_NAN"),
        "StartsWith": renamed("STARTS_WITH"),
    },
    collated=lambda column, of_list: column if of_list else call("COLLATE", column, ""),
    hashed_nulls=True,
    max_name_bytes=300,
    partitions_doubles=False,
    types=WIDER | {"FLOAT": "", "UBIGINT": "BIGNUMERIC", "INT128": "BIGNUMERIC", "UINT128": "BIGNUMERIC"},
    forbidden_in_names='!"$()*,./;?@[\\]^`{}~',
    unnested=_bigquery_unnested,
)

SNOWFLAKE = Dialect(
    name="snowflake",
    title="Snowflake",
    writer="snowflake",
    functions=SAME
    | {
        "Greatest": renamed("GREATEST_IGNORE_NULLS"),
        "Least": renamed("LEAST_IGNORE_NULLS"),
        "strlen": renamed("OCTET_LENGTH"),
        "Length": renamed("ARRAY_SIZE"),
        "Explode": same,
        "GenerateSeries": open_range("ARRAY_GENERATE_RANGE"),
        "GroupConcat": same,
        "PercentileCont": quantile("PERCENTILE_CONT"),
        "Median": same,
        "AnyValue": renamed("MAX"),
        "IsNan": template("{0} = CAST('nan' AS DOUBLE)"),
        "StartsWith": renamed("STARTSWITH"),
    },
    collated=lambda column, of_list: (
        column if of_list else exp.Collate(this=column, expression=exp.Literal.string("utf8"))
    ),
    reserved=frozenset(_SNOWFLAKE.split()),
    quoted_differ=True,
    types=WIDER | NONE_OF_128_BITS | {"FLOAT": ""},
    max_name_bytes=255,
    unnested=_snowflake_unnested,
)

TRINO = Dialect(
    name="trino",
    title="Trino",
    writer="trino",
    functions=SAME
    | _NULLS
    | {
        "strlen": lambda node: call("length", call("to_utf8", *arguments(node))),
        "Length": renamed("cardinality"),
        "Explode": same,
        "GenerateSeries": closed_range("sequence"),
        "GroupConcat": same,
        "AnyValue": renamed("any_value"),
        "IsNan": renamed("is_nan"),
        "StartsWith": renamed("starts_with"),
    },
    hashed_nulls=True,
    reserved=frozenset(_TRINO.split()),
    types=WIDER | NONE_OF_128_BITS,
    not_finite=_trino_not_finite,
    unnested=_trino_unnested,
)

SQLSERVER = Dialect(
    name="sqlserver",
    title="SQL Server",
    writer="tsql",
    functions={
        "Ln": renamed("LOG"),
        "Explode": same,
        "GenerateSeries": closed_range("GENERATE_SERIES"),
        "strlen": renamed("DATALENGTH"),
    },
    collated=lambda column, _: exp.Collate(this=column, expression=exp.to_identifier("Latin1_General_100_BIN2_UTF8")),
    # It has no such values: where one would arise, the logarithm of 0 raises an error.
    not_finite=lambda _: call("LOG", 0),
    boolean_columns=False,
    reserved=frozenset(_SQLSERVER.split()),
    # Its TINYINT has no sign.
    types=WIDER | NONE_OF_128_BITS | {"TINYINT": "SMALLINT", "FLOAT": "REAL", "TEXT": "NVARCHAR(MAX)"},
    national=True,
    max_name_bytes=128,
    orders_views=False,
    unnested=_sqlserver_unnested,
)

UNPROVEN = (BIGQUERY, SNOWFLAKE, TRINO, SQLSERVER)
