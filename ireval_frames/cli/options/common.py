"""Options that commands share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option
from ireval_frames.cli.output.tables import Format, Values, deliver, deliver_table, format_of
from ireval_frames.columns.schema import CLUSTERS, Schema, resolve
from ireval_frames.columns.user_names import TableNames
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.parameters import CONFIDENCE, SEED

Arguments = Annotated[list[str] | None, Argument(metavar="[MEASURES]", help="Measures.")]
Measures = Annotated[
    list[str] | None, Option("-m", "--measure", metavar="TEXT", help="Measures, one or several; repeatable.")
]
Columns = Annotated[
    list[str] | None,
    Option("--column", metavar="OURS=THEIRS", help="The name of a column, such as score=sim; repeatable."),
]
Qrels = Annotated[str, Argument(metavar="QRELS", help="The judgments: TREC, CSV, TSV, JSON lines, Parquet, Arrow.")]
Queries = Annotated[str | None, Option("--queries", metavar="FILE", help="A table of query_id and columns for --by.")]
Confidence = Annotated[float, CONFIDENCE]
Seed = Annotated[int, SEED]
BuiltPage = Annotated[
    str | None,
    Option("--page", metavar="FOLDER", help="The built page, if neither its package nor a checkout is there."),
]
REPORT_OUTPUT = "A name that ends in .html; with --interactive, any other one is a folder."
INTERACTIVE = "Plots show the values under the mouse; a folder has its tables in SQL, too."
Collection = Annotated[str | None, Option("--collection", metavar="NAME", help="The name of the collection.")]
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
    str | None, Option("--noise-cluster", metavar="CLUSTER", help="The cluster of noise, such as -1.")
]
Overlapping = Annotated[bool, Option("--overlapping", help="Items have several rows, one for each class or cluster.")]
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
PerUnit = Annotated[bool, Option("--per-unit", "-q", help="A value for every unit, such as a query or a document.")]
Coverage = Annotated[bool, Option("--coverage", help="The overlap of the tables, instead of values.")]
EngineName = Annotated[str | None, Option("--engine", metavar="NAME", help="polars (default) or duckdb.")]
StorageOptions = Annotated[
    list[str] | None,
    Option("--storage-option", metavar="KEY=VALUE", help="An option for paths such as s3://…; repeatable."),
]
PolicyText = Annotated[
    str | None, Option("--policy", metavar="TEXT", help="A preset and field=value pairs, comma-separated.")
]
OutputFormat = Annotated[
    Format | None, Option("--format", "-f", help="The format of the result; by default that of -o's name.")
]
OutputFile = Annotated[str | None, Option("-o", "--output", metavar="FILE", help="Write to a file, atomically.")]


def refuse_trec(shape: Format) -> Format:
    """Refuse trec_eval's columns.

    Raises:
        InvalidParameter: they are requested.
    """
    if shape is Format.trec:
        raise InvalidParameter("trec_eval's columns are those of rankings.", "Write --format csv")
    return shape


@dataclass(frozen=True)
class OutputOptions:
    """The format and file of a table; trec_eval's columns are refused."""

    format: OutputFormat = None
    output: OutputFile = None
    shape: Format = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", refuse_trec(format_of(self.format, self.output)))

    @property
    def names_no_table(self) -> bool:
        """Whether the output is a file whose name is not that of a table."""
        return self.format is None and self.shape is Format.table and self.output not in (None, "-")

    def table(self, table: pl.DataFrame) -> None:
        """Write a table as it is."""
        deliver_table(table, self.shape, self.output)

    def result(self, result: Values | pl.DataFrame) -> None:
        """Write the values of measures, or a table."""
        if isinstance(result, Values):
            deliver(result, self.shape, self.output)
        else:
            self.table(result)


def at_most_one(**requested: bool) -> None:
    """Refuse more than one of several results.

    Raises:
        InvalidParameter: two are requested.
    """
    if sum(requested.values()) > 1:
        names = [f"--{name.replace('_', '-')}" for name in requested]
        raise InvalidParameter(
            f"{', '.join(names[:-1])} and {names[-1]} are results of their own and cannot be combined.",
            "Choose one of them.",
        )


def mapping(pairs: list[str] | None) -> dict[str, str]:
    """The columns of `--column`, our name → the user's.

    Raises:
        InvalidParameter: one is not OURS=THEIRS.
    """
    return key_values(pairs, "--column", "OURS=THEIRS", "score=sim")


def storage(pairs: list[str] | None) -> dict[str, str] | None:
    """The options of `--storage-option`.

    Raises:
        InvalidParameter: one is not KEY=VALUE.
    """
    return key_values(pairs, "--storage-option", "KEY=VALUE", "aws_region=eu-central-1") or None


def key_values(texts: list[str] | None, option: str, form: str, example: str) -> dict[str, str]:
    """The pairs of an option.

    Raises:
        InvalidParameter: one is not of that form.
    """
    pairs = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            # A value may be a secret.
            shown = repr(text) if option == "--column" or not equals else f"{key}=…"
            raise InvalidParameter(f"{option} is {shown}; it must be {form}.", f"Write {option} {example}")
        pairs[key] = value
    return pairs


def columns_argument(columns: Mapping[str, str], *schemas: Schema) -> dict[str, str | dict[str, str]]:
    """`--column` as the argument `columns=`: `run.query_id` is the run's, `query_id` that of every table that has one.

    Raises:
        UnknownName: no such table has that column.
    """
    known = [f"{s.name}.{c.name}" for s in schemas for c in s.columns]
    of_tables: dict[str, dict[str, str]] = {}
    for ours, name in columns.items():
        if ours not in known and ours not in (one.partition(".")[2] for one in known):
            is_ours = any(name in (one, one.partition(".")[2]) for one in known)
            hint = f"Write --column {name}={ours}" if is_ours else nearest(ours, known)
            raise UnknownName(f"--column names {ours!r}, which the tables do not have.", hint)
        table, _, column = ours.rpartition(".")
        of_tables.setdefault(table, {})[column] = name
    return {**of_tables.pop("", {}), **of_tables}


def of_one(columns: Mapping[str, str], schema: Schema) -> dict[str, str]:
    """The names of the columns of one of several tables."""
    names = {c.name: columns[c.name] for c in schema.columns if c.name in columns}
    return names | {c.name: columns[own] for c in schema.columns if (own := f"{schema.name}.{c.name}") in columns}


def table_names(columns: Mapping[str, str], *schemas: Schema) -> TableNames:
    """The names of the columns of several tables."""
    return TableNames(columns_argument(columns, *schemas), {s.name: (s,) for s in schemas})


def split_names(texts: list[str] | None) -> list[str]:
    """The comma-separated names of an option that may be repeated."""
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()]


def parse_cluster(
    text: str | None, table: str, column: str | None, columns: dict[str, str], stores: dict[str, str] | None = None
) -> str | int | float | None:
    """The cluster of noise in the type of its column.

    Raises:
        InvalidParameter: it is text, and the column has numbers.
    """
    if text is None:
        return None
    schema = io.scan_table(table, stores).collect_schema()
    name = columns.get("cluster_id") if column is None else column
    resolved = resolve(CLUSTERS, schema.names(), {} if name is None else {"cluster_id": name}).get("cluster_id")
    if resolved is None or not schema[resolved].is_numeric():
        return text
    try:
        return float(text) if schema[resolved].is_float() else int(text)
    except ValueError:
        raise InvalidParameter(
            f"--noise-cluster is {text!r}, but the clusters are numbers.", "Write --noise-cluster -1"
        ) from None
