"""`ireval clusters`: clusterings, by classes."""

from __future__ import annotations

from typing import Annotated

from ireval_frames import catalog
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Arguments,
    By,
    Clusterings,
    Columns,
    Coverage,
    EngineName,
    Item,
    Label,
    Measures,
    NoiseCluster,
    OutputFile,
    OutputFormat,
    Over,
    Overlapping,
    PerUnit,
    PolicyText,
    StorageOptions,
    Unit,
    Weight,
    at_most_one,
    cluster_named,
    mapping,
    no_trec,
    several,
    storage,
)
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import chosen, deliver, deliver_table

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
    arguments: Arguments = None,
    measures: Measures = None,
    system: Annotated[
        str | None, Option("--system", metavar="FILE", help="A second table, of item_id and cluster_id.")
    ] = None,
    label: Label = None,
    cluster: Clusterings = None,
    item: Item = None,
    weight: Weight = None,
    column: Columns = None,
    noise_cluster: NoiseCluster = None,
    overlapping: Overlapping = False,
    unit: Unit = None,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
    coverage: Coverage = False,
    contingency: Annotated[bool, Option("--contingency", help="The contingency table.")] = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Evaluate clusterings by the classes of their items."""
    at_most_one(per_unit=per_unit, contingency=contingency, coverage=coverage)
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "clusters")
    shape, columns, named = no_trec(chosen(format, output)), mapping(column), several(cluster)
    from ireval_frames.clusters import Clusters

    stores = storage(storage_option)
    with working("evaluating"):
        subject = Clusters(
            table, system, label=label, cluster=named or None, item=item, weight=weight, columns=columns,
            noise_cluster=cluster_named(noise_cluster, system or table, next(iter(named), None), columns, stores),
            overlapping=overlapping, unit=unit or (), by=by or (), engine=engine, policy=policy,
            storage_options=stores,
        )  # fmt: skip
        wanted = subject.contingency() if contingency else None
        if coverage:
            wanted = subject.evaluate(asked).coverage()
        if wanted is None:
            evaluation = kept(subject.evaluate(asked))
            summary, units = evaluation.summary(over=over or ()), evaluation.per_unit() if per_unit else None
    if wanted is not None:
        deliver_table(wanted, shape, output)
    else:
        deliver(summary, units, asked, shape, output)
