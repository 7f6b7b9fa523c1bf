"""`ireval clusters`: clusterings, by classes."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Clusterings,
    Coverage,
    Item,
    Label,
    NoiseCluster,
    OutputOptions,
    Overlapping,
    Weight,
    parse_cluster,
    split_names,
)
from ireval_frames.cli.options.evaluation import ItemOptions, TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval clusters items.csv                                 AdjustedRand NMI V BCubedF
  ireval clusters items.parquet "AMI Purity" --label topic --cluster found
  ireval clusters items.csv     NMI --cluster k2 --cluster k5
  ireval clusters classes.csv --system clusters.csv --policy missing=skip
  ireval clusters items.csv --by language -o values.parquet
  ireval clusters items.csv --contingency --format csv

\b
`ireval measures clusters` lists the measures.  The columns of CSV and TSV are text.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "AdjustedRand NMI V BCubedF"


@command(epilog=EXAMPLES)
def clusters(
    table: Annotated[
        str,
        Argument(metavar="FILE", help="Items with label and cluster_id: CSV, TSV, JSON lines, Parquet, Arrow."),
    ],
    system: Annotated[
        str | None, Option("--system", metavar="FILE", help="A second table, of item_id and cluster_id.")
    ] = None,
    label: Label = None,
    cluster: Clusterings = None,
    item: Item = None,
    weight: Weight = None,
    noise_cluster: NoiseCluster = None,
    overlapping: Overlapping = False,
    coverage: Coverage = False,
    contingency: Annotated[bool, Option("--contingency", help="The contingency table.")] = False,
    *,
    items: ItemOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate clusterings by the classes of their items."""
    items.at_most_one(contingency=contingency, coverage=coverage)
    measures, names = items.parse("clusters", DEFAULT), split_names(cluster)
    from ireval_frames.clusters import Clusters

    with working("evaluating"):
        noise = parse_cluster(noise_cluster, system or table, next(iter(names), None), tables.columns, tables.stores)
        subject = Clusters(
            table, system, label=label, cluster=names or None, item=item, weight=weight, noise_cluster=noise,
            overlapping=overlapping, **items.groups(), **tables.arguments(),
        )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.contingency() if contingency
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)
