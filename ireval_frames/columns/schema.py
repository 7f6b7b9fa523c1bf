"""The schemas of tables: their columns, the names that other tools give to these columns, and what a column may hold.

Inside the package there is one name for one thing (`query_id`, `doc_id`, `score` …).  On input other tools' names
are accepted (`qid`, `docno`, `rel` …), and any name through an explicit mapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from ireval_frames.columns.exact_numbers import one_zero
from ireval_frames.columns.suggestions import likely, or_header
from ireval_frames.columns.user_names import within
from ireval_frames.errors import (
    Argument,
    Code,
    Hint,
    InvalidParameter,
    MissingColumn,
    UnknownName,
    WrongType,
    listed,
    nearest,
)
from ireval_frames.expr import Expr, col

# What a column of positions may hold, in words.
WHOLE = "whole numbers"
ColumnKind = Literal["id", "number", "integer", "class", "time", "text"]


@dataclass(frozen=True)
class Column:
    """A column: its name, its kind of values, and its names elsewhere."""

    name: str
    kind: ColumnKind
    aliases: tuple[str, ...] = ()
    required: bool = True


@dataclass(frozen=True)
class Schema:
    """The schema of a table: its columns, and the columns that together identify a row."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    def __getitem__(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)


# Types of columns that an engine does not name, such as UUIDs, and of columns of nulls.
UNTYPED = (pl.Unknown, pl.Null)
RUN_ID = Column("run_id", "id", ("run", "run_name", "run_tag", "tag", "run-id", "system", "system_id"), required=False)
QUERY_ID = Column("query_id", "id", ("qid", "q_id", "query-id", "topic", "topic_id", "query", "question_id"))
DOC_ID = Column(
    "doc_id",
    "id",
    (
        "docno",
        "docid",
        "did",
        "d_id",
        "doc",
        "document",
        "document_id",
        "corpus-id",
        "corpus_id",
        "pid",
        "item_id",
        "product_id",
        "sku",
        "passage_id",
    ),
)
SCORE = Column("score", "number", ("sim", "similarity", "rsv"), required=False)
RANK = Column("rank", "integer", ("position",), required=False)
RELEVANCE = Column("relevance", "number", ("rel", "label", "judgment", "judgement", "grade", "gain", "rating"))
SUBTOPIC_ID = Column("subtopic_id", "id", ("subtopic", "aspect", "intent"), required=False)
ASSESSOR_ID = Column("assessor_id", "id", ("assessor", "judge", "jg"), required=False)
SUBGROUP_ID = Column("subgroup_id", "id", ("subgroup", "jsg"), required=False)
SUBTOPIC_WEIGHT = Column("subtopic_weight", "number", ("intent_probability",), required=False)
ITERATION = Column("iteration", "id", ("iter", "q0"), required=False)
# Of sampled judgments: the stratum of a pooled document, the method that sampled it, and with what probability.
STRATUM = Column("stratum", "id", ("stratum_id",), required=False)
METHOD = Column("method", "id", ("sampling_method",), required=False)
INCLUSION_PROBABILITY = Column("iprob", "number", ("inclusion_probability",), required=False)
# A column of judgments that exist for retrieved documents only: the number of relevant documents is unknown.
RETRIEVED_ONLY = "retrieved_only"

RUN = Schema("run", (RUN_ID, QUERY_ID, DOC_ID, SCORE, RANK), ("run_id", "query_id", "doc_id"))
QRELS = Schema(
    "qrels",
    (
        QUERY_ID,
        DOC_ID,
        RELEVANCE,
        ITERATION,
        SUBTOPIC_ID,
        ASSESSOR_ID,
        SUBGROUP_ID,
        SUBTOPIC_WEIGHT,
        STRATUM,
        METHOD,
        INCLUSION_PROBABILITY,
    ),
    ("query_id", "subtopic_id", "assessor_id", "subgroup_id", "doc_id"),
)
LABEL = Column("label", "class", ("gold", "y_true", "truth", "target", "true_label", "class", "y"), required=False)
PREDICTION = Column("prediction", "class", ("predicted", "y_pred", "pred", "predicted_label", "system"), required=False)
PREDICTED_SCORE = Column("score", "number", ("probability", "y_score", "prob", "confidence"), required=False)
WEIGHT = Column("weight", "number", ("sample_weight", "weights"), required=False)
ITEM_ID = Column("item_id", "id", ("item", "id", "unit_id", "doc_id", "document_id"), required=False)

MODEL = replace(RUN_ID, aliases=(*RUN_ID.aliases, "model"))
LABELS = Schema("labels", (MODEL, ITEM_ID, LABEL, PREDICTION, PREDICTED_SCORE, WEIGHT), ("run_id", "item_id"))
CLUSTER_ID = Column(
    "cluster_id", "class", ("cluster", "prediction", "predicted", "y_pred", "labels_pred", "community"), required=False
)
CLUSTERS = Schema("clusters", (MODEL, ITEM_ID, LABEL, CLUSTER_ID, WEIGHT), ("run_id", "item_id"))
RATED_ID = Column(
    "item_id", "id", ("item", "unit_id", "unit", "task", "task_id", "subject", "question_id", "doc_id", "id")
)
RATER_ID = Column(
    "rater_id", "id", ("rater", "worker", "worker_id", "annotator", "assessor", "assessor_id", "judge", "coder", "user")
)
RATING = Column("rating", "class", ("label", "answer", "value", "score", "grade", "response", "relevance"))
RATINGS = Schema(
    "ratings",
    tuple(replace(c, required=False) for c in (RATED_ID, RATER_ID, RATING, WEIGHT)),
    ("item_id", "rater_id"),
)
# Beside an id, a column "query" has the text.
_OF_QUERIES = (*(a for a in QUERY_ID.aliases if a != "query"), "_id", "id", "query")
QUERIES = Schema("queries", (replace(QUERY_ID, aliases=_OF_QUERIES),), ("query_id",))
SERP_ID = Column("serp_id", "id", ("serp", "serpid", "page_id", "search_id", "query_response_id"))
SHOWN_DOC_ID = Column(
    "doc_id",
    "id",
    (*DOC_ID.aliases, "documents", "doc_ids", "query_doc_ids", "object_id", "url", "url_id", "urlid"),
)
# Where documents are lists, a result's place in its list is its position.
POSITION = Column("position", "integer", ("positions", "pos", "rank", "ordinal", "slot"), required=False)
CLICK = Column("click", "number", ("clicks", "clicked", "is_click"))
# What is known of a page, on each of its rows.
OF_PAGES = (
    Column("query_id", "id", QUERY_ID.aliases, required=False),
    Column("user_id", "id", ("user", "client_id"), required=False),
    Column("session_id", "id", ("session",), required=False),
    Column("timestamp", "time", ("time", "ts"), required=False),
    Column("page_dwell", "number", (), required=False),
    WEIGHT,
)
# What is known of a result that was shown.
OF_RESULTS = (
    Column("dwell", "number", ("dwell_time", "dwelling_time"), required=False),
    Column("click_time", "number", (), required=False),
    Column("grade", "number", ("relevance", "rel"), required=False),
    Column("propensity", "number", ("propensity_score",), required=False),
)
IMPRESSIONS = Schema(
    "impressions", (RUN_ID, SERP_ID, SHOWN_DOC_ID, POSITION, CLICK, *OF_PAGES, *OF_RESULTS), ("serp_id", "position")
)
PAGES = Schema("pages", (RUN_ID, SERP_ID, *OF_PAGES), ("serp_id",))
# The pages that need interleaved lists.
REQUESTED_PAGES = Schema("pages", (SERP_ID, QUERY_ID), ("serp_id",))
# A row per value of a click model's parameters, by query and document or by grade, and by position.
CLICK_MODEL = Schema(
    "click_model",
    (
        Column("parameter", "id"),
        *(replace(c, required=False) for c in (QUERY_ID, DOC_ID, RELEVANCE)),
        Column("position", "integer", required=False),
        Column("last_click", "integer", required=False),
        Column("value", "number"),
        Column("n", "number", required=False),
    ),
    ("parameter", "query_id", "doc_id", "relevance", "position", "last_click"),
)


def resolve(schema: Schema, present: Iterable[str], columns: Mapping[str, str] | None = None) -> dict[str, str]:
    """The table's own name for each column of the schema that it has.

    Args:
        schema: the schema of the table.
        present: the column names of the table.
        columns: the user's mapping from our names to the table's.

    Raises:
        MissingColumn: a required column is missing, or one that the mapping names.
        UnknownName: the mapping names a column that is not in the schema.
        InvalidParameter: it holds something that is not a name.
    """
    names = list(present)
    folded = {n.lower(): n for n in reversed(names)}
    matches: dict[str, str] = {}
    for ours, name in within(columns, names).items():
        if ours not in {c.name for c in schema.columns}:
            raise UnknownName(
                f"The columns= mapping of the {schema.name} table names {ours!r}, which such a table does not have.",
                nearest(ours, [c.name for c in schema.columns]),
            )
        if not isinstance(name, str):
            raise InvalidParameter(
                f"The column {ours!r} is called {name!r}; columns are named by text.", 'Write one name: "their_name"'
            )
        if name not in names:
            raise MissingColumn(
                f"The {schema.name} table has no column {name!r} (it has: {listed(names, 20)}).",
                nearest(name, names),
            )
        matches[ours] = name
    for column in schema.columns:
        if column.name in matches:
            continue
        for alias in (column.name, *column.aliases):
            # The exact spelling first: a table may hold both `query_id` and `QUERY_ID`.
            match = alias if alias in names else folded.get(alias)
            if match is not None and match not in matches.values():
                matches[column.name] = match
                break
    if absent := [c.name for c in schema.columns if c.required and c.name not in matches]:
        raise missing(schema, absent, names, matches.values())
    return matches


def missing(
    schema: Schema,
    columns: str | Sequence[str],
    names: Iterable[str],
    used: Iterable[str] = (),
    *,
    or_else: str = "",
) -> MissingColumn:
    """The error that required columns are missing; columns that are `used` are not proposed."""
    names, used, columns = list(names), set(used), [columns] if isinstance(columns, str) else columns
    needed = [c.name for c in schema.columns if c.required]
    if len(names) == 1 < len(needed):
        return MissingColumn(
            f"The {schema.name} table has one column, {names[0]!r}, and needs several: {listed(needed)}.",
            "If it is a text file, its first line names the columns, and commas or tabs separate them.",
        )
    known = {a for c in schema.columns for a in (c.name, *c.aliases)} | used
    several = len(columns) > 1
    what = (
        f"The {schema.name} table has no column{'s' * several} {', '.join(map(repr, columns))} "
        f"(it has: {listed(names, 20)})."
    )
    guesses = likely(columns, [n for n in names if n not in known and n.lower() not in known])
    hint = Hint(
        f"Name {'them' if several else 'it'}: ",
        Argument("columns", dict(zip(columns, guesses, strict=True))),
        or_else or f", or rename the column{'s' * several}.",
    )
    return MissingColumn(what, or_header(hint, names))


def grouping_column(table: str, frame: Any, name: str) -> Expr:
    """A column whose values identify groups or items; of floats 0.0 and -0.0 are one value.

    Raises:
        WrongType: engines do not agree about which values are equal: DuckDB's durations are months, days and seconds.
    """
    dtype = frame.collect_schema()[name]
    if isinstance(dtype, pl.Duration):
        raise WrongType(
            f"Column {name!r} of the {table} table is {dtype}; groups and items are identified by text, numbers, "
            "booleans or dates.",
            f'Convert it: frame.with_columns(pl.col("{name}").dt.total_microseconds())',
        )
    if not dtype.is_float():
        return col(name)
    # 32 bits stay 32 bits, so that results can be joined with the user's tables.
    return one_zero(col(name)).cast(dtype) if dtype == pl.Float32 else one_zero(col(name))


def canonical(schema: Schema, frame: Any, columns: Mapping[str, str]) -> list[Expr]:
    """The expressions that give a table's columns our names and types.

    Ids stay text or become 64-bit integers, numbers become 64-bit floats; nothing else is converted.

    Raises:
        WrongType: a column has a type that is not allowed.
    """
    types, out = frame.collect_schema(), []
    for ours, name in columns.items():
        dtype, column = types[name], schema[ours]
        expr = col(name)
        if column.kind == "id":
            if isinstance(dtype, pl.Categorical | pl.Enum):
                expr = expr.cast(pl.String)
            elif dtype in (pl.Int128, pl.UInt128):
                raise wrong_type(schema.name, name, dtype, "text or integers of 64 bits", "String")
            elif dtype.is_integer():
                expr = expr if dtype in (pl.Int64, pl.UInt64) else expr.cast(pl.Int64)
            elif dtype in UNTYPED:
                expr = expr.cast(pl.String)
            elif dtype != pl.String:
                # Pandas makes floats of integers beside nulls: as text, 1.0 would not be 1.
                raise wrong_type(
                    schema.name, name, dtype, "text or integers", "Int64" if dtype.is_float() else "String"
                )
        elif column.kind == "integer":
            if not dtype.is_integer():
                raise wrong_type(schema.name, name, dtype, "integers", "Int64")
            expr = expr if dtype == pl.Int64 else expr.cast(pl.Int64)
        else:
            expr = number(schema.name, name, dtype)
        out.append(expr.alias(ours))
    return out


def number(table: str, column: str, dtype: Any, *, text: bool = False, allowed: str = "numbers") -> Expr:
    """A column of numbers, as floats.

    Args:
        table: the name of the table in errors.
        column: its column.
        dtype: the column's type.
        text: whether text may be numbers, as in files.
        allowed: what the column may hold, in words.

    Raises:
        WrongType: it has another type.
    """
    # Columns of empty frames, and of nulls only, have no known type.
    if not dtype.is_numeric() and dtype not in UNTYPED and not (text and dtype == pl.String):
        raise wrong_type(table, column, dtype, allowed, "Int64" if allowed == WHOLE else "Float64")
    return col(column) if dtype == pl.Float64 else col(column).cast(pl.Float64)


def wrong_type(table: str, column: str, dtype: object, allowed: str, polars_type: str) -> WrongType:
    """A column holds something else than what is allowed, and may become that type."""
    return WrongType(
        f"Column {column!r} of the {table} table is {dtype}; it must hold {allowed}.",
        Hint(
            "Convert it: ",
            Code(
                f'frame.with_columns(pl.col("{column}").cast(pl.{polars_type}))',
                f"write {allowed} in place of the values of {column!r}",
            ),
        ),
    )
