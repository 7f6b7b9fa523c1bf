"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option
from ireval_frames.cli.output.tables import Format, Values, chosen, deliver, deliver_table
from ireval_frames.columns.schema import CLUSTERS, Schema, resolve
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.parameters import CONFIDENCE, SEED

Arguments = Annotated[list[str] | None, Argument(metavar="[MEASURES]", help="Measures.")]
Measures = Annotated[
    list[str] | None, Option("-m", "--measure", metavar="TEXT", help="Measures, one or several; repeatable.")
]
Columns = Annotated[
    list[str] | None,
    Option("--column", metavar="OURS=THEIRS", help="What a column is called, such as score=sim; repeatable."),
]
Qrels = Annotated[str, Argument(metavar="QRELS", help="The judgments: TREC, CSV, TSV, JSON lines, Parquet, Arrow.")]
Queries = Annotated[str | None, Option("--queries", metavar="FILE", help="A table of query_id and columns for --by.")]
Confidence = Annotated[float, CONFIDENCE]
Seed = Annotated[int, SEED]
Collection = Annotated[str | None, Option("--collection", metavar="NAME", help="What was searched.")]
Label = Annotated[str | None, Option("--label", metavar="COLUMN", help="The column of labels.")]
Score = Annotated[str | None, Option("--score", metavar="COLUMN", help="The column of scores.")]
Weight = Annotated[str | None, Option("--weight", metavar="COLUMN", help="The column of weights, or of counts.")]
Prediction = Annotated[str | None, Option("--prediction", metavar="COLUMN", help="The column of predictions.")]
Cluster = Annotated[str | None, Option("--cluster", metavar="COLUMN", help="The column of clusters.")]
Clusterings = Annotated[
    list[str] | None, Option("--cluster", metavar="COLUMN", help="The column of clusters; repeatable.")
]
Item = Annotated[str | None, Option("--item", metavar="COLUMN", help="The column of ids.")]
NoiseCluster = Annotated[
    str | None, Option("--noise-cluster", metavar="CLUSTER", help="The cluster that holds noise, such as -1.")
]
Overlapping = Annotated[
    bool, Option("--overlapping", help="Items stand in several rows, one for each class or cluster.")
]
Unit = Annotated[
    list[str] | None, Option("--unit", metavar="COLUMN", help="Evaluate groups by this column and average.")
]
By = Annotated[list[str] | None, Option("--by", metavar="COLUMN", help="Group by this column; repeatable.")]
Over = Annotated[
    list[str] | None,
    Option(
        "--over",
        metavar="COLUMN",
        help="A column of --by or --unit: its groups are summarised first; repeatable, from coarse to fine.",
    ),
]
PerUnit = Annotated[bool, Option("--per-unit", "-q", help="A value for every unit: for rankings the query.")]
Coverage = Annotated[bool, Option("--coverage", help="How much of the one table the other one has, instead of values.")]
EngineName = Annotated[str | None, Option("--engine", metavar="NAME", help="polars (default) or duckdb.")]
StorageOptions = Annotated[
    list[str] | None,
    Option(
        "--storage-option", metavar="KEY=VALUE", help="What the stores of paths such as s3://… are told; repeatable."
    ),
]
PolicyText = Annotated[
    str | None, Option("--policy", metavar="TEXT", help="A preset and field=value pairs, comma-separated.")
]
OutputFormat = Annotated[
    Format | None, Option("--format", "-f", help="How to write the result; by default as -o's name tells.")
]
OutputFile = Annotated[
    str | None, Option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
]


def no_trec(shape: Format) -> Format:
    """Refuse trec_eval's columns.

    Raises:
        InvalidParameter: they are asked for.
    """
    if shape is Format.trec:
        raise InvalidParameter("trec_eval's columns are those of rankings.", "Write --format csv")
    return shape


@dataclass(frozen=True)
class Written:
    """How a table is written; trec_eval's columns are refused."""

    format: OutputFormat = None
    output: OutputFile = None
    shape: Format = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", no_trec(chosen(self.format, self.output)))

    def table(self, found: pl.DataFrame) -> None:
        """Write a table that is a result as it is."""
        deliver_table(found, self.shape, self.output)

    def result(self, found: Values | pl.DataFrame) -> None:
        """Write the values of measures, or a table."""
        if isinstance(found, Values):
            deliver(found, self.shape, self.output)
        else:
            self.table(found)


def at_most_one(**asked: bool) -> None:
    """Refuse results of which each stands for itself.

    Raises:
        InvalidParameter: two are asked for.
    """
    if sum(asked.values()) > 1:
        names = [f"--{name.replace('_', '-')}" for name in asked]
        raise InvalidParameter(
            f"{', '.join(names[:-1])} and {names[-1]} are results of their own and cannot be combined.",
            "Ask for one of them.",
        )


def mapping(pairs: list[str] | None) -> dict[str, str]:
    """The columns that `--column` names, ours → theirs.

    Raises:
        InvalidParameter: one is no OURS=THEIRS.
    """
    return key_values(pairs, "--column", "OURS=THEIRS", "score=sim")


def storage(pairs: list[str] | None) -> dict[str, str] | None:
    """What `--storage-option` says of stores.

    Raises:
        InvalidParameter: one is no KEY=VALUE.
    """
    return key_values(pairs, "--storage-option", "KEY=VALUE", "aws_region=eu-central-1") or None


def key_values(given: list[str] | None, option: str, form: str, example: str) -> dict[str, str]:
    """The pairs that an option names.

    Raises:
        InvalidParameter: one is not of that form.
    """
    out = {}
    for pair in given or ():
        key, equals, value = pair.partition("=")
        if not equals or not key or not value:
            # A value may be a secret.
            shown = repr(pair) if option == "--column" or not equals else f"{key}=…"
            raise InvalidParameter(f"{option} is {shown}; it must be {form}.", f"Write {option} {example}")
        out[key] = value
    return out


def of_tables(columns: Mapping[str, str], *schemas: Schema) -> list[dict[str, str] | None]:
    """The columns of each kind of table: `run.query_id` is the run's, `query_id` that of every table that has one.

    Raises:
        UnknownName: no such table has that column.
    """
    known = [f"{s.name}.{c.name}" for s in schemas for c in s.columns]
    for ours in columns:
        if ours not in known and ours not in (name.partition(".")[2] for name in known):
            raise UnknownName(f"--column names {ours!r}, which the tables do not have.", nearest(ours, known))
    out: list[dict[str, str] | None] = []
    for schema in schemas:
        mine = {c.name: columns[c.name] for c in schema.columns if c.name in columns}
        mine |= {c.name: columns[own] for c in schema.columns if (own := f"{schema.name}.{c.name}") in columns}
        out.append(mine or None)
    return out


def several(texts: list[str] | None) -> list[str]:
    """Names with commas between them, of an option that may be repeated."""
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()]


def cluster_named(
    text: str | None, table: str, column: str | None, columns: dict[str, str], stores: dict[str, str] | None = None
) -> str | int | float | None:
    """The cluster of noise in the type of its column.

    Raises:
        InvalidParameter: it is text among numbers.
    """
    if text is None:
        return None
    schema = io.scan_table(table, stores).collect_schema()
    named = columns.get("cluster_id") if column is None else column
    found = resolve(CLUSTERS, schema.names(), {} if named is None else {"cluster_id": named}).get("cluster_id")
    if found is None or not schema[found].is_numeric():
        return text
    try:
        return float(text) if schema[found].is_float() else int(text)
    except ValueError:
        raise InvalidParameter(
            f"--noise-cluster is {text!r}, but the clusters are numbers.", "Write --noise-cluster -1"
        ) from None
