"""The group of cases about ratings."""

from functools import partial

from benchmarks.jobs import Bench
from benchmarks.rows import Row, below, faster, peak
from benchmarks.sizes import thousands

CLASSES, EACH = 5, 5


def ratings(bench: Bench) -> list[Row]:
    """Agreement and consensus of many raters, from a frame in memory; crowd-kit beside them on fewer ratings."""
    many = bench.sizes.labels
    some = many // 10
    large, small = ({"table": bench.path(f"ratings_of_{n}_{n // 100}_{CLASSES}", "run.parquet")} for n in (many, some))
    size = f"{thousands(many)} ratings by {thousands(many // 100)} raters"
    skilled = bench.work("ours_ratings.dawid_skene", iterations=20, **large)
    both = [
        partial(bench.work, f"{whose}.{what}", calls=calls, iterations=20, **small)
        for whose, what, calls in (("ours_ratings", "dawid_skene", 5), ("peers_ratings", "crowdkit", 2))
    ]
    return [
        *(
            below(
                f"{size}, Krippendorff's alpha, {level}",
                bench.work("ours_ratings.alpha", calls=3, level=level, **large),
                3,
            )
            for level in ("nominal", "ordinal")
        ),
        below(f"… Dawid-Skene, {CLASSES} classes, 20 iterations", skilled, 30),
        peak("… peak memory", skilled, "<", 8),
        faster(f"Dawid-Skene of {thousands(some)} ratings, 20 iterations, crowd-kit", *bench.turns(both), 20),
    ]
