"""`ireval points`: clusterings by internal criteria."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Clusterings,
    Item,
    NoiseCluster,
    OutputOptions,
    Weight,
    parse_cluster,
    split_names,
)
from ireval_frames.cli.options.evaluation import ItemOptions, TableOptions
from ireval_frames.cli.output.running import capture, working

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
    noise_cluster: NoiseCluster = None,
    *,
    items: ItemOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate clusterings by the distances of their points."""
    measures = items.parse("points", DEFAULT if distances is None else OF_DISTANCES)
    clusters, coordinates = split_names(cluster), split_names(features)
    from ireval_frames.points import Points

    with working("evaluating"):
        noise = parse_cluster(noise_cluster, table, next(iter(clusters), None), tables.columns, tables.stores)
        subject = Points(
            table, coordinates[0] if len(coordinates) == 1 else coordinates, distances=distances, metric=metric,
            cluster=clusters if len(clusters) > 1 else next(iter(clusters), None), item=item, weight=weight,
            noise_cluster=noise, **items.groups(), **tables.arguments(),
        )  # fmt: skip
        values = items.values(capture(subject.evaluate(measures)), measures)
    out.result(values)
