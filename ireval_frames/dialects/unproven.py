"""The words of databases that our tests cannot run: translated by the books."""

from __future__ import annotations

from sqlglot import exp

from ireval_frames.dialects import reserved
from ireval_frames.dialects.dialect import Dialect, Word, arguments, call, called, cast, same, written
from ireval_frames.dialects.known import Known
from ireval_frames.dialects.proven import NONE_OF_128_BITS, SAME, WIDER, closed_range, open_range, quantile
from ireval_frames.errors import NotDefined


def _passing_nulls(node: exp.Func) -> exp.Expr:
    """The largest or smallest of two, where the function itself is null if one of them is.

    Raises:
        NotDefined: there are more of them.
    """
    some = arguments(node)
    if len(some) != 2:
        raise NotDefined(f"{len(some)} values are compared at once.", "Compare two: max_horizontal(a, b)")
    return exp.Coalesce(this=node.copy(), expressions=[n.copy() for n in some])


def _parsed(text: str, dialect: str) -> exp.Join:
    found: exp.Select = exp.maybe_parse(f"FROM t {text}", dialect=dialect)
    (join,) = found.find_all(exp.Join)
    return join


def _joined(text: str, dialect: str, value: exp.Expr) -> exp.Join:
    """A join as text, with a value in the place of its column `given`."""
    join = _parsed(text, dialect)
    for column in list(join.find_all(exp.Column)):
        if column.name == "given":
            column.replace(value)
    return join


def _join(item: exp.Alias, join: exp.Join) -> None:
    """Join it to what the SELECT of a column reads."""
    select = item.find_ancestor(exp.Select)
    if select is not None:
        select.append("joins", join)


def _bigquery_unnested(item: exp.Alias, _: Known) -> None:
    _join(item, _joined("CROSS JOIN UNNEST(given) AS ireval_value", "bigquery", item.this.this))
    item.set("this", exp.column("ireval_value"))


def _trino_unnested(item: exp.Alias, _: Known) -> None:
    _join(item, _joined("CROSS JOIN UNNEST(given) AS u(ireval_value)", "trino", item.this.this))
    item.set("this", exp.column("ireval_value", "u"))


def _snowflake_unnested(item: exp.Alias, known: Known) -> None:
    join = _joined("CROSS JOIN TABLE(FLATTEN(INPUT => given)) AS u", "snowflake", item.this.this)
    _join(item, join)
    value: exp.Expr = exp.column("value", "u")
    names = {"text": "VARCHAR", "integer": "BIGINT", "double": "DOUBLE", "boolean": "BOOLEAN"}
    item.set("this", cast(value, names[known.kind]) if known.kind in names else value)


def _sqlserver_unnested(item: exp.Alias, _: Known) -> None:
    made = item.this.this
    join = _parsed("CROSS APPLY GENERATE_SERIES(1, 2) AS u", "tsql")
    next(join.find_all(exp.GenerateSeries)).replace(made)
    _join(item, join)
    item.set("this", exp.column("value", "u"))


def _texts_without_nulls(node: exp.GroupConcat) -> exp.Expr:
    """There are no nulls among the texts, so nothing is said of their place, for which there is no word."""
    for ordered in node.find_all(exp.Ordered):
        ordered.set("nulls_first", value=True)
    return node


def _trino_not_finite(node: exp.Cast) -> exp.Expr:
    names = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
    return cast(exp.Literal.string(names[node.this.name]), "DOUBLE")


_NULLS: dict[str, Word] = {"Greatest": _passing_nulls, "Least": _passing_nulls}

BIGQUERY = Dialect(
    name="bigquery",
    title="BigQuery",
    writer="bigquery",
    words=SAME
    | _NULLS
    | {
        "strlen": called("BYTE_LENGTH"),
        "Length": called("ARRAY_LENGTH"),
        "Explode": same,
        "GenerateSeries": closed_range("GENERATE_ARRAY"),
        "GroupConcat": _texts_without_nulls,
        "AnyValue": called("ANY_VALUE"),
        "IsNan": called("IS_NAN"),
    },
    collated=lambda column, of_list: column if of_list else call("COLLATE", column, ""),
    hashed_nulls=True,
    longest_name=300,
    partitions_doubles=False,
    types=WIDER | {"FLOAT": "", "UBIGINT": "BIGNUMERIC", "INT128": "BIGNUMERIC", "UINT128": "BIGNUMERIC"},
    refused_in_names='!"$()*,./;?@[\\]^`{}~',
    unnested=_bigquery_unnested,
)

SNOWFLAKE = Dialect(
    name="snowflake",
    title="Snowflake",
    writer="snowflake",
    words=SAME
    | {
        "Greatest": called("GREATEST_IGNORE_NULLS"),
        "Least": called("LEAST_IGNORE_NULLS"),
        "strlen": called("OCTET_LENGTH"),
        "Length": called("ARRAY_SIZE"),
        "Explode": same,
        "GenerateSeries": open_range("ARRAY_GENERATE_RANGE"),
        "GroupConcat": same,
        "PercentileCont": quantile("PERCENTILE_CONT"),
        "Median": same,
        "AnyValue": called("MAX"),
        "IsNan": written("{0} = CAST('nan' AS DOUBLE)"),
    },
    collated=lambda column, of_list: (
        column if of_list else exp.Collate(this=column, expression=exp.Literal.string("utf8"))
    ),
    reserved=reserved.SNOWFLAKE,
    quoted_differ=True,
    types=WIDER | NONE_OF_128_BITS | {"FLOAT": ""},
    longest_name=255,
    unnested=_snowflake_unnested,
)

TRINO = Dialect(
    name="trino",
    title="Trino",
    writer="trino",
    words=SAME
    | _NULLS
    | {
        "strlen": lambda node: call("length", call("to_utf8", *arguments(node))),
        "Length": called("cardinality"),
        "Explode": same,
        "GenerateSeries": closed_range("sequence"),
        "GroupConcat": same,
        "AnyValue": called("any_value"),
        "IsNan": called("is_nan"),
    },
    hashed_nulls=True,
    reserved=reserved.TRINO,
    types=WIDER | NONE_OF_128_BITS,
    not_finite=_trino_not_finite,
    unnested=_trino_unnested,
)

SQLSERVER = Dialect(
    name="sqlserver",
    title="SQL Server",
    writer="tsql",
    words={
        "Ln": called("LOG"),
        "Explode": same,
        "GenerateSeries": closed_range("GENERATE_SERIES"),
        "strlen": called("DATALENGTH"),
    },
    collated=lambda column, _: exp.Collate(this=column, expression=exp.to_identifier("Latin1_General_100_BIN2_UTF8")),
    # It has none; the logarithm of 0 is an error where a value would be infinite or no number.
    not_finite=lambda _: call("LOG", 0),
    conditions=False,
    reserved=reserved.SQLSERVER,
    # Its TINYINT has no sign.
    types=WIDER | NONE_OF_128_BITS | {"TINYINT": "SMALLINT", "FLOAT": "REAL", "TEXT": "NVARCHAR(MAX)"},
    national=True,
    longest_name=128,
    orders_views=False,
    unnested=_sqlserver_unnested,
)

UNPROVEN = (BIGQUERY, SNOWFLAKE, TRINO, SQLSERVER)
