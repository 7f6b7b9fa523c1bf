"""What macros read: the tables of each family, by name, their columns checked where they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.clusters import Clusters
from ireval_frames.engines.sql_names import identifier, string
from ireval_frames.labels import Labels
from ireval_frames.ranking import Rankings

UNIT = "unit_id"


@dataclass(frozen=True)
class Column:
    """A column of a table that a macro reads.

    Attributes:
        name: what it is called.
        type: the type of the plan.
        text: how it is read; by default as it is.
        optional: a table may lack it.
        refused: conditions of values that are refused, with what is said.
    """

    name: str
    type: Any = pl.String
    text: str = ""
    optional: bool = False
    refused: tuple[tuple[str, str], ...] = ()

    def read(self, table: str) -> str:
        """The column as the door of a table reads it."""
        text = (self.text or identifier(self.name)).replace("{table}", identifier(table))
        if not self.refused:
            return f"{text} AS {identifier(self.name)}"
        whens = " ".join(
            f"WHEN {condition} THEN error({string(f'Column {self.name} of the {table} table {said}')})"
            for condition, said in self.refused
        )
        return f"CASE {whens} ELSE {text} END AS {identifier(self.name)}"


def id_column(name: str) -> Column:
    """A column of ids, none of them null."""
    return Column(name, refused=((f"{identifier(name)} IS NULL", "is null; every row needs one."),))


def _number(name: str, *, allowed: str, bad: str) -> Column:
    value = f"CAST({name} AS DOUBLE)"
    return Column(name, pl.Float64, value, refused=((f"{name} IS NULL OR {bad.format(value)}", allowed),))


def _text(name: str) -> Column:
    return Column(name, text=f"CAST({name} AS VARCHAR)")


RUN_ID = Column("run_id", text="coalesce(CAST(run_id AS VARCHAR), {table})", optional=True)
UNIT_ID = Column(UNIT, text=f"CAST({UNIT} AS VARCHAR)", optional=True)
SCORE = _number("score", allowed="is null or NaN; scores must be numbers.", bad="isnan({})")
WEIGHT = Column(
    "weight",
    pl.Float64,
    "coalesce(CAST(weight AS DOUBLE), 1e0)",
    optional=True,
    refused=(("NOT (CAST(weight AS DOUBLE) >= 0 AND isfinite(CAST(weight AS DOUBLE)))", "is below 0 or not finite."),),
)
# A document has one grade: judgments by subtopic or by assessor have none of the columns of a plan here.
GRADE = Column(
    "relevance",
    pl.Float64,
    "CAST(relevance AS DOUBLE)",
    refused=(
        (
            "relevance IS NULL OR NOT isfinite(CAST(relevance AS DOUBLE))",
            "is null or not finite; grades must be numbers.",
        ),
        ("count(*) OVER (PARTITION BY query_id, doc_id) > 1", "judges a document twice; keep one grade of each."),
    ),
)


def door(table: str, columns: Sequence[Column], argument: str = "") -> str:
    """The SELECT that reads a table by the name that an argument has; that of the table, if it has no other."""
    items = ",\n  ".join(column.read(table) for column in columns)
    source = f"query_table({identifier(argument or table)})"
    if absent := [f"NULL AS {identifier(c.name)}" for c in columns if c.optional]:
        # A table may lack them: they are null then.
        source = f"(FROM {source} UNION ALL BY NAME SELECT {', '.join(absent)} WHERE FALSE)"
    return f"SELECT\n  {items}\nFROM {source}"


@dataclass(frozen=True)
class Shape:
    """Tables of a family, and the subject of empty ones.

    Attributes:
        family: the family.
        tables: the columns of each table, in the order of the macro's arguments.
        subject: what makes the plan of these tables.
        unit: the column of units in results.
        positive: whether it looks at one class.
    """

    family: str
    tables: Mapping[str, Sequence[Column]]
    subject: Callable[..., Any]
    unit: str
    positive: bool = False

    def holds(self, reads: Sequence[str]) -> bool:
        """Whether the tables have what a measure reads, and of labels either predictions or scores."""
        given = {c.name for columns in self.tables.values() for c in columns}
        return given.issuperset(reads) and (self.family != "labels" or ("score" in given) == ("score" in reads))

    def is_class(self, value: str) -> str:
        """The condition that a value is one of the classes, if there are any."""
        (table, columns), *_ = self.tables.items()
        sides = [c.text for c in columns if c.name in ("label", "prediction")]
        found = " OR ".join(f"{side} = {value}" for side in sides)
        return f"(SELECT count(*) = 0 OR coalesce(bool_or({found}), FALSE) FROM query_table({identifier(table)}))"

    def empty(self) -> dict[str, pl.DataFrame]:
        """Tables without rows."""
        return {name: pl.DataFrame(schema={c.name: c.type for c in columns}) for name, columns in self.tables.items()}

    def doors(self) -> dict[str, str]:
        """The SELECT that reads each table."""
        return {name: door(name, columns) for name, columns in self.tables.items()}


def _labelled(*columns: Column, positive: bool) -> Shape:
    def subject(labels: pl.DataFrame, positive: Any = None) -> Labels:
        return Labels(labels, unit=UNIT, positive=positive)

    return Shape("labels", {"labels": (RUN_ID, UNIT_ID, *columns, WEIGHT)}, subject, UNIT, positive)


def _as_number(name: str) -> Column:
    return Column(name, pl.Float64, f"CAST({name} AS DOUBLE)")


def _clusters(clusters: pl.DataFrame) -> Clusters:
    return Clusters(clusters, unit=UNIT)


# Of each family the first shape that a measure can be asked of; one with a positive class if it reads that.
SHAPES = (
    Shape(
        "ranking",
        {
            "qrels": (id_column("query_id"), id_column("doc_id"), GRADE),
            "run": (RUN_ID, id_column("query_id"), id_column("doc_id"), SCORE),
        },
        Rankings,
        "query_id",
    ),
    _labelled(_text("label"), _text("prediction"), positive=True),
    _labelled(_text("label"), _text("prediction"), positive=False),
    _labelled(_as_number("label"), _as_number("prediction"), positive=False),
    _labelled(_text("label"), SCORE, positive=True),
    Shape(
        "clusters",
        {"clusters": (RUN_ID, UNIT_ID, _text("label"), _text("cluster_id"), WEIGHT)},
        _clusters,
        UNIT,
    ),
)
