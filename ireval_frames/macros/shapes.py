"""The tables that the macros of each family read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.clusters import Clusters
from ireval_frames.declaration import Measure
from ireval_frames.engines.quoting import string
from ireval_frames.labels import Labels
from ireval_frames.macros.checks import unique_rows
from ireval_frames.macros.macro import Option
from ireval_frames.macros.tables import (
    UNIT,
    Column,
    class_of,
    id_column,
    id_like,
    number,
    number_or_one,
    paths,
    run_id,
    score,
    select_table,
    source,
    text,
    unit,
)
from ireval_frames.organization import Organization
from ireval_frames.ranking import Rankings
from ireval_frames.ranking.inputs.facets import WEIGHT, reads
from ireval_frames.ranking.inputs.model_parameters import READS
from ireval_frames.similarity import Similarity

POSITIVE = Option("positive", "", check="positive IS NOT NULL", allowed="one of the classes")
DUPLICATES = Option(
    "duplicates", "VARCHAR", "'error'", check="duplicates IN ('error', 'trust')", allowed="'error' or 'trust'"
)


@dataclass(frozen=True)
class Shape:
    """The tables of a family's macros, and the subject that plans them.

    Attributes:
        family: the family.
        tables: the columns of each table, in the order of the macro's parameters.
        subject: makes the subject of such tables.
        positive: whether measures read a positive class.
        constants: the SELECTs that replace constant tables of the subject, by their columns.
        more: further tables, which `constants` read.
        suffix: the end of the names of macros.
        unique: columns of the last table whose values must be distinct.
    """

    family: str
    tables: Mapping[str, Sequence[Column]]
    subject: Callable[..., Any]
    positive: bool = False
    constants: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    more: tuple[str, ...] = ()
    suffix: str = ""
    unique: tuple[str, ...] = ()

    def holds(self, measure: Measure) -> bool:
        """Whether the tables have the columns that a measure reads; for labels, either predictions or scores."""
        columns = {c.name for table in self.tables.values() for c in table}
        read = {*measure.definition.reads, *(reads([measure]) if self.family == "ranking" else ())}
        return columns.issuperset(read) and (self.family != "labels" or ("score" in columns) == ("score" in read))

    @property
    def options(self) -> list[Option]:
        """The options of its macros, besides those of the measure."""
        return [POSITIVE] * self.positive + [DUPLICATES] * bool(self.unique)

    def guarded(self, body: str, options: Sequence[Option], conditions: Sequence[str] = ()) -> str:
        """The statement with checks of the options' values and of duplicate rows."""
        refused = [(o.check, f"{o.name} must be {o.allowed}.") for o in options if o.check]
        refused += [(condition, f"This must hold: {condition}.") for condition in conditions]
        whens = [f"WHEN ({check}) IS NOT TRUE THEN error({string(message)})" for check, message in refused]
        checks = [f"CASE {' '.join(whens)} ELSE TRUE END"] if whens else []
        if self.unique:
            name, columns = list(self.tables.items())[-1]
            checks.append(unique_rows(source(name, columns), self.unique, DUPLICATES.name))
        return f"SELECT * FROM (\n{body}\n)\nWHERE {' AND '.join(checks)}" if checks else body

    def empty(self) -> dict[str, pl.DataFrame]:
        """Tables without rows."""
        return {name: pl.DataFrame(schema={c.name: c.type for c in columns}) for name, columns in self.tables.items()}

    def selects(self) -> dict[str, str]:
        """The SELECT that reads each table."""
        return {name: select_table(name, columns) for name, columns in self.tables.items()}


LABEL, PREDICTION = class_of("label", "prediction"), class_of("prediction", "label")
DOCUMENT = ("run_id", "query_id", "doc_id")
RUN = (run_id(), id_column("query_id"), id_column("doc_id"), score())


def _rankings(*facets: Column) -> Shape:
    ids = (id_like("query_id", "run"), *facets, id_like("doc_id", "run"))
    tables = {
        "qrels": (*ids, number("relevance")),
        "run": RUN,
    }
    return Shape("ranking", tables, Rankings, unique=DOCUMENT)


def _with_click_model() -> Shape:
    """Judgments, parameters of a click model by query and document, and a run."""
    ids = (id_like("query_id", "run"), id_like("doc_id", "run"))
    places = [Column(c, pl.Int64, f"CAST({c} AS BIGINT)", optional=True) for c in ("position", "last_click")]
    impressions = Column("n", pl.Float64, "CAST(n AS DOUBLE)", optional=True)
    tables = {
        "qrels": (*ids, number("relevance")),
        "click_model": (text(READS), *ids, *places, number("value"), impressions),
        "run": RUN,
    }
    return Shape("ranking", tables, Rankings, unique=DOCUMENT)


def _labelled(*columns: Column, positive: bool) -> Shape:
    def subject(labels: pl.DataFrame, positive: Any = None) -> Labels:
        return Labels(labels, unit=UNIT, positive=positive)

    return Shape("labels", {"labels": (run_id(), unit(), *columns, number_or_one("weight"))}, subject, positive)


def _with_probabilities(label: Column) -> Shape:
    tables = {
        "labels": (unit(), id_column("item_id"), label, number_or_one("weight")),
        "probabilities": (run_id(), id_column("item_id"), class_of("label"), number("probability")),
    }

    def subject(labels: pl.DataFrame, probabilities: pl.DataFrame) -> Labels:
        return Labels(labels, unit=UNIT, probabilities=probabilities)

    return Shape("labels", tables, subject)


def _with_hierarchy() -> Shape:
    columns = (run_id(), unit(), LABEL, PREDICTION, number_or_one("weight"))

    def subject(labels: pl.DataFrame) -> Labels:
        return Labels(labels, unit=UNIT, hierarchy={"class": "parent"})

    ancestors = paths("hierarchy", "label", "parent")
    return Shape("labels", {"labels": columns}, subject, constants=ancestors, more=("hierarchy",))


def _organized(*, priority: bool, relatedness: bool) -> Shape:
    """Documents of topics, with the columns of one task or of both."""
    item = (id_like("query_id", "system"), id_like("item_id", "system"))
    gold = [number("relevance")] * priority + [class_of("label")] * relatedness
    system = [score()] * priority + [class_of("cluster_id")] * relatedness
    tables = {
        "gold": (*item, *gold),
        "system": (run_id(), id_column("query_id"), id_column("item_id"), *system),
    }
    suffix = "" if priority and relatedness else "priority" if priority else "relatedness"
    return Shape("organization", tables, Organization, suffix=suffix)


def _clusters(clusters: pl.DataFrame) -> Clusters:
    return Clusters(clusters, unit=UNIT)


# A measure takes the first shape of its family that fits; one with a positive class or further tables
# only if it reads these.
SHAPES = (
    _rankings(),
    _rankings(text("subtopic_id"), number_or_one(WEIGHT)),
    _rankings(text("assessor_id", optional=True), text("subgroup_id", optional=True)),
    _rankings(text("stratum")),
    _rankings(text("method", optional=True), number("iprob")),
    _with_click_model(),
    _labelled(LABEL, PREDICTION, positive=True),
    _with_hierarchy(),
    _labelled(LABEL, PREDICTION, positive=False),
    _labelled(number("label"), number("prediction"), positive=False),
    _labelled(class_of("label"), number("score"), positive=True),
    _with_probabilities(class_of("label")),
    Shape(
        "clusters",
        {"clusters": (run_id(), unit(), class_of("label"), class_of("cluster_id"), number_or_one("weight"))},
        _clusters,
    ),
    Shape("similarity", {"runs": RUN}, Similarity, unique=DOCUMENT),
    _organized(priority=True, relatedness=True),
    _organized(priority=True, relatedness=False),
    _organized(priority=False, relatedness=True),
)
# The ends of the names of macros, in families with several kinds of tables.
SUFFIXES = {"organization": tuple(shape.suffix for shape in SHAPES if shape.family == "organization")}
