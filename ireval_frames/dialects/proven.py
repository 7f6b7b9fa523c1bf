"""Dialects of databases on which the tests run every measure; on Spark all but those of ratings and recommendations."""

from __future__ import annotations

import math

from sqlglot import exp

from ireval_frames.dialects.dialect import Dialect, Rewrite, call, cast, double, renamed, same, square, template
from ireval_frames.errors import NotDefined


def _without_blanks(node: exp.Trim) -> exp.Expr:
    """Blanks are what all databases remove where no characters are named."""
    if node.expression != exp.Literal.string(" "):
        raise NotDefined(
            f"{node.sql('duckdb')} removes other characters than blanks.",
            "Run the statement in DuckDB: sql() without dialect=.",
        )
    return exp.Trim(this=node.this)


# Functions that most databases have under the same name.
SAME: dict[str, Rewrite] = {"Array": same, "LogicalAnd": same, "LogicalOr": same, "Trim": _without_blanks}
# Wider standard types for types that only some databases have.
WIDER = {
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INT",
    "UINT": "BIGINT",
    "UBIGINT": "DECIMAL(20, 0)",
    "INT128": "DECIMAL(39, 0)",
    "UINT128": "DECIMAL(39, 0)",
}
# Decimal numbers of at most 38 digits are too few for these.
NONE_OF_128_BITS = {"INT128": "", "UINT128": ""}
# Below these the value is 0 as a double; PostgreSQL refuses to round down to it.
_LOWEST_EXPONENT = -700.0
_SMALLEST = 1e-300
# Half of the smallest number of 32 bits.
_LOST_IN_32_BITS = 2.0**-150


def _ends(node: exp.GenerateSeries) -> tuple[exp.Expr, exp.Expr]:
    """The first and the last number of a half-open range."""
    end = node.args["end"]
    if isinstance(end, exp.Add) and end.expression == exp.Literal.number(1):
        return node.args["start"], end.this
    return node.args["start"], exp.Sub(this=end, expression=exp.Literal.number(1))


def open_range(name: str) -> Rewrite:
    """A function for a half-open range of integers."""
    return lambda node: call(name, node.args["start"], node.args["end"])


def closed_range(name: str) -> Rewrite:
    """A function for a closed range of integers."""
    return lambda node: call(name, *_ends(node))


def _unnested(name: str) -> Rewrite:
    return lambda node: call(name, node.this)


def _ordered_texts(node: exp.GroupConcat) -> tuple[exp.Expr, exp.Expr]:
    """The ordered distinct text that is joined, and the separator."""
    ordered = node.this
    if not isinstance(ordered, exp.Order) or not isinstance(ordered.this, exp.Distinct):
        raise NotDefined(
            f"{node.sql('duckdb')} does not join distinct texts in their order.",
            "Run the statement in DuckDB: sql() without dialect=.",
        )
    return ordered.this.expressions[0], node.args["separator"]


def quantile(name: str) -> Rewrite:
    """A quantile as an ordered-set aggregate."""

    def rewrite(node: exp.Func) -> exp.Expr:
        at = node.args.get("expression") or double(0.5)
        order = exp.Order(expressions=[exp.Ordered(this=node.this, nulls_first=False)])
        return exp.WithinGroup(this=call(name, at), expression=order)

    return rewrite


# ---- PostgreSQL


def _pg_exp(node: exp.Exp) -> exp.Expr:
    low = exp.LT(this=node.this.copy(), expression=double(_LOWEST_EXPONENT))
    return exp.Case(ifs=[exp.If(this=low, true=double(0.0))], default=exp.Exp(this=node.this))


def _pg_pow(node: exp.Pow) -> exp.Expr:
    """A power of a base below 1 that would round to 0 is 0."""
    base, power = node.this, node.expression
    bare = base.this if isinstance(base, exp.Cast) else base
    if power == exp.Literal.number(2):
        return square(base, node)
    if not isinstance(bare.unnest(), exp.Literal) or not 0 < float(bare.unnest().name) < 1:
        return node
    most = math.log(_SMALLEST) / math.log(float(bare.unnest().name))
    high = exp.GT(this=power.copy(), expression=double(float(int(most))))
    return exp.Case(ifs=[exp.If(this=high, true=double(0.0))], default=node.copy())


def _pg_cast(node: exp.Cast) -> exp.Expr:
    if node.to.this != exp.DataType.Type.FLOAT:
        return node
    lost = exp.LTE(this=exp.Abs(this=node.this.copy()), expression=double(_LOST_IN_32_BITS))
    value = exp.Case(ifs=[exp.If(this=lost, true=double(0.0))], default=node.this.copy())
    return exp.Cast(this=value, to=node.to)


def _pg_unnest(node: exp.Explode) -> exp.Expr:
    if isinstance(node.this, exp.Anonymous):
        return node.this
    for branch in node.this.find_all(exp.Array):
        branch.replace(exp.Literal.string("{NULL}"))
    return call("unnest", node.this)


POSTGRES = Dialect(
    name="postgres",
    title="PostgreSQL",
    writer="postgres",
    functions=SAME
    | {
        "Cast": _pg_cast,
        "Exp": _pg_exp,
        "Pow": _pg_pow,
        "strlen": renamed("octet_length"),
        "Length": renamed("cardinality"),
        "Explode": _pg_unnest,
        "GenerateSeries": closed_range("generate_series"),
        "GroupConcat": same,
        "PercentileCont": quantile("percentile_cont"),
        "Median": quantile("percentile_cont"),
        "AnyValue": renamed("any_value"),
        "IsNan": template("{0} = CAST('nan' AS DOUBLE)"),
        "StartsWith": renamed("starts_with"),
    },
    collated=lambda column, _: exp.Collate(this=column, expression=exp.to_identifier("C", quoted=True)),
    materializes="ours",
    hashed_nulls=True,
    decimal_literals=True,
    max_name_bytes=63,
    truncates_names=True,
    types=WIDER,
    strict_squares=True,
)

# ---- ClickHouse


def _ch_strings(node: exp.GroupConcat) -> exp.Expr:
    text, between = _ordered_texts(node)
    return call("arrayStringConcat", call("arraySort", call("groupUniqArray", text)), between)


def _ch_quantile(node: exp.Func) -> exp.Expr:
    at = node.args.get("expression") or double(0.5)
    return exp.ParameterizedAgg(this="quantileExactInclusive", expressions=[at], params=[node.this])


CLICKHOUSE = Dialect(
    name="clickhouse",
    title="ClickHouse",
    writer="clickhouse",
    functions=SAME
    | {
        "fsum": renamed("sumKahan"),
        "strlen": renamed("length"),
        "Length": renamed("length"),
        "Explode": _unnested("arrayJoin"),
        "GenerateSeries": open_range("range"),
        "GroupConcat": _ch_strings,
        "PercentileCont": _ch_quantile,
        "Median": _ch_quantile,
        "AnyValue": renamed("any"),
        "LogicalAnd": renamed("min"),
        "LogicalOr": renamed("max"),
        "IsNan": renamed("isNaN"),
        "StartsWith": renamed("startsWith"),
    },
    materializes="all",
    single_number_type=True,
    aliases_join_columns=True,
    reserved=frozenset({"TOP"}),
    signed_zeros=True,
    suffix=(
        "SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1,"
        " enable_materialized_cte = 1, max_ast_elements = 50000000, max_expanded_ast_elements = 50000000"
    ),
)

# ---- Spark SQL

SPARK = Dialect(
    name="spark",
    title="Spark SQL",
    writer="spark",
    functions=SAME
    | {
        "strlen": renamed("octet_length"),
        "Length": renamed("size"),
        "Explode": _unnested("explode"),
        "GenerateSeries": closed_range("sequence"),
        "GroupConcat": same,
        "PercentileCont": renamed("percentile"),
        "Median": renamed("median"),
        "AnyValue": lambda node: call("any_value", node.this, exp.true()),
        "IsNan": renamed("isnan"),
        "StartsWith": renamed("startswith"),
    },
    collated=lambda column, of_list: (
        cast(column, "VARCHAR[]") if of_list else exp.Collate(this=column, expression=exp.to_identifier("UTF8_BINARY"))
    ),
    types=WIDER | NONE_OF_128_BITS,
)

# ---- DataFusion


def _df_nullif(node: exp.Nullif) -> exp.Expr:
    """DataFusion's NULLIF does not take -0.0 for 0."""
    return exp.Nullif(this=exp.Add(this=exp.paren(node.this), expression=double(0.0)), expression=node.expression)


DATAFUSION = Dialect(
    name="datafusion",
    title="DataFusion",
    writer="postgres",
    functions=SAME
    | {
        "strlen": renamed("octet_length"),
        "Length": renamed("cardinality"),
        "Explode": _unnested("unnest"),
        "GenerateSeries": open_range("range"),
        "GroupConcat": same,
        "PercentileCont": quantile("percentile_cont"),
        "Median": renamed("median"),
        "AnyValue": renamed("max"),
        "IsNan": renamed("isnan"),
        "StartsWith": renamed("starts_with"),
        "Nullif": _df_nullif,
    },
    reserved=frozenset({"TOP"}),
    types=WIDER
    | {"UTINYINT": "TINYINT UNSIGNED", "USMALLINT": "SMALLINT UNSIGNED", "UINT": "INT UNSIGNED"}
    | {"UBIGINT": "BIGINT UNSIGNED"},
    orders_literals=False,
)

PROVEN = (POSTGRES, CLICKHOUSE, SPARK, DATAFUSION)
