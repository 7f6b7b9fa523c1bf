"""`ireval organization`: documents ranked, filtered and clustered, all at once or one of these."""

from __future__ import annotations

from typing import Annotated

from ireval_frames import catalog
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Arguments,
    By,
    Cluster,
    Columns,
    Coverage,
    EngineName,
    Item,
    Label,
    Measures,
    OutputFile,
    OutputFormat,
    Over,
    Overlapping,
    PerUnit,
    PolicyText,
    Score,
    StorageOptions,
    Unit,
    at_most_one,
    mapping,
    no_trec,
    storage,
)
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import chosen, deliver, deliver_table

EXAMPLES = """\b
Examples:
  ireval organization items.csv                             Reliability Sensitivity RS
  ireval organization gold.csv --system found.csv "RS(alpha=0.3)"
  ireval organization items.parquet --unit query_id --relevance grade --score sim -q
  ireval organization items.csv --policy missing=singleton --by language

\b
Relevance against scores is ranking, label against cluster_id is clustering, and a
document that has no score was not returned.  The columns of CSV and TSV are text.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Reliability Sensitivity RS"


@command(epilog=EXAMPLES)
def organization(
    table: Annotated[
        str,
        Argument(
            metavar="FILE", help="Items with relevance and score, or label and cluster_id, or all: CSV, Parquet, …"
        ),
    ],
    arguments: Arguments = None,
    measures: Measures = None,
    system: Annotated[
        str | None, Option("--system", metavar="FILE", help="A second table: what the system made of the items.")
    ] = None,
    relevance: Annotated[str | None, Option("--relevance", metavar="COLUMN", help="The column of grades.")] = None,
    score: Score = None,
    rank: Annotated[str | None, Option("--rank", metavar="COLUMN", help="The column of ranks.")] = None,
    label: Label = None,
    cluster: Cluster = None,
    item: Item = None,
    column: Columns = None,
    overlapping: Overlapping = False,
    unit: Unit = None,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
    coverage: Coverage = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Evaluate the organization of documents: ranking, filtering and clustering at once."""
    at_most_one(per_unit=per_unit, coverage=coverage)
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "organization")
    shape, columns = no_trec(chosen(format, output)), mapping(column)
    from ireval_frames.organization import Organization

    with working("evaluating"):
        evaluation = Organization(
            table, system, item=item, relevance=relevance, label=label, score=score, rank=rank, cluster=cluster,
            columns=columns, unit=unit, by=by or (), overlapping=overlapping, engine=engine, policy=policy,
            storage_options=storage(storage_option),
        ).evaluate(asked)  # fmt: skip
        kept(evaluation)
        found = evaluation.coverage() if coverage else evaluation.summary(over=over or ())
        units = evaluation.per_unit() if per_unit else None
    if coverage:
        deliver_table(found, shape, output)
    else:
        deliver(found, units, asked, shape, output)
