"""The groups of cases about points in clusters.

`points` needs the tables `points` (50 k points of 32 dimensions), `point_groups` (1,000 groups of 1,000 points of 8)
and `many_points` (1 M points of 32).
"""

from benchmarks.jobs import Bench, Measured, Result
from benchmarks.rows import Row, faster, within

CENTROIDS = "CalinskiHarabasz DaviesBouldin"
LINEAR = "Silhouette(metric='squared_euclidean')"


def points(bench: Bench) -> list[Row]:
    """Clusterings by internal criteria: silhouettes, centroids, groups."""
    table, grouped, many = (bench.path(name, "run.parquet") for name in ("points", "point_groups", "many_points"))
    ours, peer_result = (
        bench.work("ours_points.measures", table=table, names="Silhouette"),
        bench.work("peers_points.measures", table=table, names="Silhouette"),
    )

    def by_group(names: str) -> tuple[Result, Result]:
        return bench.work("ours_points.groups", calls=3, table=grouped, names=names), bench.work(
            "peers_points.groups", table=grouped, names=names
        )

    centroids = bench.work("ours_points.measures", calls=3, table=many, names=CENTROIDS)
    return [
        faster("exact Euclidean silhouette, 50 k points × 32", ours, peer_result, 1),
        smaller("… memory beyond that of the table and the programs", ours, peer_result, 10),
        faster("squared Euclidean silhouette of 1,000 groups of 1,000 points × 8", *by_group(LINEAR)),
        faster("… Calinski-Harabasz and Davies-Bouldin", *by_group(CENTROIDS)),
        faster("… Euclidean silhouette", *by_group("Silhouette")),
        faster(
            "Calinski-Harabasz and Davies-Bouldin, 1 M points × 32",
            centroids,
            bench.work("peers_points.measures", table=many, names=CENTROIDS),
        ),
        within(
            "… on DuckDB, on Polars", bench.work("ours_points.inside", calls=3, table=many, names=CENTROIDS), centroids
        ),
    ]


def smaller(case: str, ours: Result, peer: Result, limit: float) -> Row:
    """How many times as much memory the peer's work takes beyond what is loaded; the target is at least that."""
    if isinstance(ours, Measured) and isinstance(peer, Measured):
        mine, peer_result = ours.peak - ours.loaded, peer.peak - peer.loaded
        return Row(case, f"{mine / 1e9:.2f} GB", f"{peer_result / 1e9:.2f} GB", peer_result / mine, "≥", limit)
    return Row(case, str(ours), str(peer), None, "≥", limit)
