"""The groups of cases about clusterings."""

from benchmarks.jobs import Bench, Result
from benchmarks.rows import Row, faster, within


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
