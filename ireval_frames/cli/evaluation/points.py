"""`ireval points`: clusterings, by the points themselves."""

from __future__ import annotations

from typing import Annotated

from ireval_frames import catalog
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Arguments,
    By,
    Clusterings,
    Columns,
    EngineName,
    Item,
    Measures,
    NoiseCluster,
    OutputFile,
    OutputFormat,
    Over,
    PerUnit,
    PolicyText,
    StorageOptions,
    Unit,
    Weight,
    cluster_named,
    mapping,
    no_trec,
    several,
    storage,
)
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import chosen, deliver

EXAMPLES = """\b
Examples:
  ireval points points.parquet --features x,y               Silhouette CalinskiHarabasz DaviesBouldin
  ireval points points.parquet SSE --features x,y --cluster k2 --cluster k3
  ireval points vectors.parquet --features embedding --metric cosine -o values.csv
  ireval points words.csv --distances edits.csv             Silhouette Dunn McClainRao

\b
Several clusterings of the points are several rows.  `ireval measures points` lists the
measures.  Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Silhouette CalinskiHarabasz DaviesBouldin"
OF_DISTANCES = "Silhouette Dunn McClainRao"


@command(epilog=EXAMPLES)
def points(
    table: Annotated[
        str, Argument(metavar="FILE", help="Points with their cluster: CSV, TSV, JSON lines, Parquet, Arrow.")
    ],
    arguments: Arguments = None,
    measures: Measures = None,
    features: Annotated[
        list[str] | None,
        Option("--features", metavar="COLUMNS", help="Columns of coordinates, comma-separated, or one of vectors."),
    ] = None,
    distances: Annotated[
        str | None,
        Option(
            "--distances",
            metavar="FILE",
            help="Instead of coordinates, a table of item_id, other_id, distance: a row per pair of points.",
        ),
    ] = None,
    cluster: Clusterings = None,
    metric: Annotated[str | None, Option("--metric", metavar="NAME", help="euclidean (the default), cosine, …")] = None,
    item: Item = None,
    weight: Weight = None,
    column: Columns = None,
    noise_cluster: NoiseCluster = None,
    unit: Unit = None,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Evaluate clusterings by the distances of their points."""
    asked = catalog.parse_all(
        [*(measures or ()), *(arguments or ())] or (DEFAULT if distances is None else OF_DISTANCES), "points"
    )
    shape, columns, clusters, named = (
        no_trec(chosen(format, output)),
        mapping(column),
        several(cluster),
        several(features),
    )
    from ireval_frames.points import Points

    stores = storage(storage_option)
    with working("evaluating"):
        evaluation = Points(
            table, named[0] if len(named) == 1 else named, distances=distances, metric=metric,
            cluster=clusters if len(clusters) > 1 else next(iter(clusters), None),
            item=item, weight=weight, columns=columns,
            noise_cluster=cluster_named(noise_cluster, table, next(iter(clusters), None), columns, stores),
            unit=unit or (), by=by or (), engine=engine, policy=policy,
            storage_options=stores,
        ).evaluate(asked)  # fmt: skip
        kept(evaluation)
        summary, units = evaluation.summary(over=over or ()), evaluation.per_unit() if per_unit else None
    deliver(summary, units, asked, shape, output)
