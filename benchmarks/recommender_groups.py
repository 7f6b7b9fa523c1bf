"""Measures of recommended items, beside RecTools and RePlay."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, peak, shown, within
from benchmarks.sizes import thousands
from benchmarks.work.peers_recommenders import MEASURES

DEPTH = 10
# Peak memory of ILD per pair of a list's items; and what DuckDB gets, which writes what does not fit to disk.
BYTES_PER_PAIR = 100
MEMORY = "3GB"


def recommenders(bench: Bench) -> list[Row]:
    """Lists of recommended items (`--peers` an environment of `benchmarks.recommender_tools`)."""
    users = bench.sizes.recommended
    folder = bench.path(f"recommended_of_{users}_{DEPTH}", "")
    what = f"{thousands(users * DEPTH)} recommendations of {thousands(users)} users"
    rows = []
    for tool, measures in MEASURES.items():
        ours = bench.work("ours_recommenders.frames", calls=2, folder=folder, measures=" ".join(measures))
        peer = bench.work(f"peers_recommenders.{tool}", folder=folder)
        rows.append(faster(f"{what}, {len(measures)} measures of {tool}", ours, peer, 10))
        if tool == "rectools":
            rows.append(within("… bare joins and one GROUP BY", ours, bench.work("bare.recommended", folder=folder)))
    pairs = users * DEPTH * (DEPTH - 1) // 2
    for engine in ("polars", "duckdb"):
        diversity = bench.work("ours_recommenders.diversity", folder=folder, engine=engine, memory=MEMORY)
        rows.append(shown(f"ILD of {thousands(pairs)} pairs by features, {engine}", str(diversity)))
        rows.append(peak("… peak memory", diversity, "<", max(1.0, pairs * BYTES_PER_PAIR / 1e9)))
    return rows
