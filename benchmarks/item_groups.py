"""Labels, clusters, points and document organization."""

from benchmarks.jobs import Bench, Measured, Result
from benchmarks.rows import Row, below, faster, within


def labels(bench: Bench) -> list[Row]:
    """Classifiers: a report, scores, groups."""
    table = bench.path("labels", "run.parquet")
    report, bare = (
        bench.work("ours_labels.report", calls=3, table=table),
        bench.work("bare.group_by", calls=3, table=table),
    )
    inside = bench.work("ours_labels.inside", calls=3, table=table)
    rows = [faster("classification report, 20 text labels", report, bench.work("peers_labels.report", table=table), 40)]
    for case, score, limit in (("all scores distinct", "score", 3), ("10,000 scores", "rounded", 20)):
        ours = bench.work("ours_labels.curves", calls=3, table=table, score=score)
        rows.append(
            faster(
                f"ROC AUC and average precision, {case}",
                ours,
                bench.work("peers_labels.curves", table=table, score=score),
                limit,
            )
        )
    ours = bench.work("ours_labels.groups", calls=3, table=table)
    rows.append(
        faster("macro F1 and accuracy of 1,000 groups", ours, bench.work("peers_labels.groups", table=table), 50)
    )
    return [*rows, within("DuckDB, report's measures, bare GROUP BY", inside, bare, 2)]


def clusters(bench: Bench) -> list[Row]:
    """Clusterings by external criteria: four measures, chance, groups."""
    table, many = bench.path("clusters", "run.parquet"), bench.path("many_clusters", "run.parquet")
    ours, peer_result = (
        bench.work("ours_clusters.external", calls=3, table=table),
        bench.work("peers_clusters.external", table=table),
    )

    def by_group(label: str, cluster: str) -> tuple[Result, Result]:
        columns = {"label": label, "cluster": cluster}
        return bench.work("ours_clusters.groups", calls=3, table=table, **columns), bench.work(
            "peers_clusters.groups", table=table, **columns
        )

    chance = (
        bench.work("ours_clusters.external", calls=3, table=many, measures="AMI"),
        bench.work("peers_clusters.external", table=many, measures="AMI"),
    )
    bare = bench.work("bare.group_by", calls=3, table=table, name="clusters", columns="label_name, cluster_name")
    return [
        faster("ARI, NMI, V and Fowlkes-Mallows", ours, peer_result, 20),
        faster("AMI of 2,000 × 2,000 clusters", *chance, 20),
        faster("the four measures of 1,000 groups, 10 × 10 clusters", *by_group("few_labels", "few_clusters"), 50),
        faster("… 60 × 50 clusters", *by_group("label", "cluster_id")),
        within(
            "DuckDB, text, the four measures, bare GROUP BY",
            bench.work("ours_clusters.inside", calls=3, table=table),
            bare,
            2,
        ),
    ]


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


def organization(bench: Bench) -> list[Row]:
    """F(R,S): a large topic, many topics."""
    # Options are handed over as text.
    number = bench.sizes.labels // 10
    n, many = str(number), f"{number // 1000} k documents"
    rows = [
        below(
            f"F(R,S) of one topic, {many}, {what}, {engine}",
            bench.work("ours_organization.topic", calls=3, n=n, what=what, engine=engine),
            2,
        )
        for engine in ("polars", "duckdb")
        for what in ("ranked", "clustered", "ranked and clustered")
    ]
    rows.append(
        below(
            f"F(R,S) of one topic, {many}, gold and system joined by text ids",
            bench.work("ours_organization.two_tables", calls=3, n=n),
            2,
        )
    )
    rows.append(
        below(
            f"F(R,S) of one topic, {many}, each in one to three clusters",
            bench.work("ours_organization.overlapping", n=n),
            2,
        )
    )
    together = bench.work("ours_organization.topics", calls=3, n=n, topics="1000")
    return [
        *rows,
        faster(
            f"F(R,S) of 1,000 topics, {many}, and one by one",
            together,
            bench.work("ours_organization.one_by_one", n=n, topics="1000"),
            50,
        ),
    ]
