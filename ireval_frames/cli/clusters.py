"""`ireval clusters`: clusterings, by classes or by the points themselves."""

from __future__ import annotations

from typing import Annotated, Any

import polars as pl
import typer

from ireval_frames import catalog, io
from ireval_frames.cli.options import (
    Arguments,
    By,
    Item,
    Measures,
    OutputFile,
    OutputFormat,
    PerUnit,
    PolicyText,
    Unit,
    Weight,
    at_most_one,
    no_trec,
)
from ireval_frames.cli.output import chosen, deliver, deliver_table
from ireval_frames.cli.progress import working
from ireval_frames.errors import InvalidParameter
from ireval_frames.schema import CLUSTERS, resolve

EXAMPLES = """\b
Examples:
  ireval clusters items.csv                                 AdjustedRand NMI V BCubedF
  ireval clusters items.parquet "AMI Purity" --label topic --cluster found
  ireval clusters classes.csv --system clusters.csv --policy missing=skip
  ireval clusters items.csv --by language -o values.parquet
  ireval clusters items.csv --contingency --format csv
  ireval clusters points.parquet --features x,y --cluster k3 -m "Silhouette DaviesBouldin"

\b
With --features the points themselves are judged: Silhouette CalinskiHarabasz
DaviesBouldin.  `ireval measures` lists the measures.  The columns of CSV and TSV are
text.  Formats: table (four decimals), and csv, json, parquet (in full).
"""
EXTERNAL = "AdjustedRand NMI V BCubedF"
INTERNAL = "Silhouette CalinskiHarabasz DaviesBouldin"


def clusters(
    table: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Items with label and cluster_id: CSV, TSV, JSON lines, Parquet, Arrow."),
    ],
    arguments: Arguments = None,
    measures: Measures = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="FILE", help="A second table, of item_id and cluster_id.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", metavar="COLUMN", help="The column of classes.")] = None,
    cluster: Annotated[str | None, typer.Option("--cluster", metavar="COLUMN", help="The column of clusters.")] = None,
    item: Item = None,
    weight: Weight = None,
    noise_cluster: Annotated[
        str | None, typer.Option("--noise-cluster", metavar="CLUSTER", help="The cluster that holds noise, such as -1.")
    ] = None,
    overlapping: Annotated[
        bool, typer.Option("--overlapping", help="Items stand in several rows, one for each class or cluster.")
    ] = False,
    features: Annotated[
        list[str] | None,
        typer.Option(
            "--features", metavar="COLUMNS", help="Columns of coordinates, comma-separated, or one of vectors."
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help="With --features: euclidean, cosine, …")
    ] = None,
    unit: Unit = None,
    by: By = None,
    per_unit: PerUnit = False,
    contingency: Annotated[bool, typer.Option("--contingency", help="The contingency table.")] = False,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Evaluate clusterings."""
    at_most_one(per_unit=per_unit, contingency=contingency)
    columns = [name.strip() for text in features or () for name in text.split(",") if name.strip()]
    asked = catalog.parse_all(
        [*(measures or ()), *(arguments or ())] or (INTERNAL if columns else EXTERNAL),
        "points" if columns else "clusters",
    )
    shape = no_trec(chosen(format, output))
    external = {
        "--system": system,
        "--label": label,
        "--overlapping": overlapping,
        "--contingency": contingency,
    }
    given = [name for name, value in external.items() if value]
    if columns and given:
        raise InvalidParameter(
            f"{given[0]} speaks of classes; with --features the points themselves are judged.", "Leave one of them out."
        )
    if metric and not columns:
        raise InvalidParameter("--metric speaks of points, and there are no --features.", "Write --features x,y")
    wanted: pl.DataFrame | None = None
    with working("evaluating"):
        noise = _noise_cluster(noise_cluster, system or table, cluster)
        shared: dict[str, Any] = {
            "cluster": cluster, "item": item, "weight": weight, "unit": unit or (), "by": by or (),
            "noise_cluster": noise, "policy": policy,
        }  # fmt: skip
        if columns:
            from ireval_frames.points import Points

            subject: Any = Points(
                table, columns if len(columns) > 1 else columns[0], **({"metric": metric} if metric else {}), **shared
            )
        else:
            from ireval_frames.clusters import Clusters

            subject = Clusters(table, system, label=label, overlapping=overlapping, **shared)
        if contingency:
            wanted = subject.contingency()
        else:
            evaluation = subject.evaluate(asked)
            summary, units = evaluation.summary(), evaluation.per_unit() if per_unit else None
    if wanted is not None:
        deliver_table(wanted, shape, output)
    else:
        deliver(summary, units, asked, shape, output)


def _noise_cluster(text: str | None, table: str, cluster: str | None) -> str | int | float | None:
    """The cluster of noise in the type of its column."""
    if text is None:
        return None
    schema = io.scan_table(table).collect_schema()
    column = resolve(CLUSTERS, schema.names(), {} if cluster is None else {"cluster_id": cluster}).get("cluster_id")
    if column is None or not schema[column].is_numeric():
        return text
    try:
        return float(text) if schema[column].is_float() else int(text)
    except ValueError:
        raise InvalidParameter(
            f"--noise-cluster is {text!r}, but the clusters are numbers.", "Write --noise-cluster -1"
        ) from None
