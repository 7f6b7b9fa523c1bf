"""`ireval organization`: ranking, filtering and clustering of documents, together or alone."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Cluster, Coverage, Item, Label, OutputOptions, Overlapping, Score
from ireval_frames.cli.options.evaluation import ItemOptions, TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval organization items.csv                             Reliability Sensitivity RS
  ireval organization gold.csv --system found.csv "RS(alpha=0.3)"
  ireval organization items.parquet --unit query_id --relevance grade --score sim -q
  ireval organization items.csv --policy missing=singleton --by language

\b
Scores are evaluated by relevance (ranking), cluster_id by label (clustering), and a
document without a score was not returned.  The columns of CSV and TSV are text.
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
    system: Annotated[
        str | None, Option("--system", metavar="FILE", help="A second table: the output of the system.")
    ] = None,
    relevance: Annotated[str | None, Option("--relevance", metavar="COLUMN", help="The column of grades.")] = None,
    score: Score = None,
    rank: Annotated[str | None, Option("--rank", metavar="COLUMN", help="The column of ranks.")] = None,
    label: Label = None,
    cluster: Cluster = None,
    item: Item = None,
    overlapping: Overlapping = False,
    coverage: Coverage = False,
    *,
    items: ItemOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate the organization of documents: ranking, filtering and clustering at once."""
    items.at_most_one(coverage=coverage)
    measures = items.parse("organization", DEFAULT)
    from ireval_frames.organization import Organization

    with working("evaluating"):
        evaluation = Organization(
            table, system, item=item, relevance=relevance, label=label, score=score, rank=rank, cluster=cluster,
            overlapping=overlapping, **items.groups(), **tables.arguments(),
        ).evaluate(measures)  # fmt: skip
        capture(evaluation)
        result = evaluation.coverage() if coverage else items.values(evaluation, measures)
    out.result(result)
