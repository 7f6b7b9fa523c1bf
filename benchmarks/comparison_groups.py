"""Comparisons of systems, experiments, ratings and resampling."""

import sys
from functools import partial

from benchmarks.jobs import Bench, Measured, Missing, Result
from benchmarks.rows import Row, below, faster, peak, within
from benchmarks.sizes import thousands

SYSTEMS, UNITS, MEASURES, DRAWS = 21, 1_000, 5, 10_000
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2


def compare(bench: Bench) -> list[Row]:
    """All pairs of systems, randomisation, a matrix of thousands, millions of users in DuckDB."""
    some = {"systems": SYSTEMS, "units": UNITS}
    both = bench.work("ours_compare.pairs", calls=3, **some, measures=MEASURES, tests=["t", "wilcoxon"])
    drawn = {**some, "measures": 1, "tests": ["randomization"], "n_resamples": DRAWS}
    random = bench.work("ours_compare.pairs", calls=3, **drawn)
    # One thread takes as long as it works: CPU time against CPU time.
    alone = bench.work("ours_compare.pairs", calls=3, **drawn, threads=1)
    scipy = _of_all_pairs(bench.work("peers_compare.scipy", calls=2, **some, n_resamples=DRAWS))
    ranx = _of_all_pairs(bench.work("peers_compare.ranx", calls=2, **some, n_resamples=DRAWS))
    many = bench.work(
        "ours_compare.pairs",
        calls=2,
        systems=bench.sizes.systems[0],
        units=bench.sizes.systems[1],
        measures=1,
        tests=["t"],
    )
    size = f"{bench.sizes.systems[0]:,} systems × {bench.sizes.systems[1]:,} units, t of all pairs"
    users = bench.sizes.labels
    welch = bench.work("ours_compare.welch", calls=3, users=users)
    bare = bench.work("ours_compare.group_by", calls=3, users=users)
    return [
        below(f"{SYSTEMS} systems × {UNITS:,} units × {MEASURES} measures, t and Wilcoxon of {PAIRS} pairs", both, 1),
        below(f"randomisation of {PAIRS} pairs, {DRAWS:,} draws", random, 1.5),
        faster("… one thread, scipy's permutation_test of one pair × pairs", alone, scipy, 300),
        faster("… ranx's Fisher test of one pair × pairs", random, ranx, 100),
        below(size, many, 10),
        peak("… peak memory", many, "<", 4),
        within(f"Welch, {users / 1e6:g} M users in DuckDB, bare GROUP BY", welch, bare, 1.2),
    ]


def _of_all_pairs(one: Result) -> Result:
    """What a tool that looks at one pair takes for all."""
    return one if isinstance(one, Missing) else Measured(one.seconds * PAIRS, one.peak, {}, one.loaded)


METRICS = 10


def experiments(bench: Bench) -> list[Row]:
    """Ten metrics with CUPED of two variants in one GROUP BY of DuckDB, over Parquet."""
    many, some = bench.sizes.users[0], bench.sizes.labels
    large = {"table": bench.path(f"experiment_of_{many}_{METRICS}", "run.parquet"), "metrics": METRICS}
    small = {"table": bench.path(f"experiment_of_{some}_{METRICS}", "run.parquet"), "metrics": METRICS}
    calls = 3
    ours = bench.work("ours_experiments.cuped", calls=calls, **large)
    bare = bench.work("ours_experiments.group_by", calls=calls, **large)
    size = f"{METRICS} metrics with CUPED"
    return [
        within(f"{thousands(many)} users, {size}, bare GROUP BY of the sums", ours, bare, 1.3),
        peak("… peak memory", ours, "<", 2),
        faster(
            f"{thousands(some)} users, {size}, tea-tasting on Polars",
            bench.work("ours_experiments.cuped", calls=calls, **small),
            bench.work("peers.tea_tasting", calls=calls, **small),
        ),
    ]


CLASSES, EACH = 5, 5


def ratings(bench: Bench) -> list[Row]:
    """Agreement and consensus of many raters, from a frame in memory; crowd-kit beside them on fewer ratings."""
    many = bench.sizes.labels
    some = many // 10
    large, small = ({"table": bench.path(f"ratings_of_{n}_{n // 100}_{CLASSES}", "run.parquet")} for n in (many, some))
    size = f"{thousands(many)} ratings by {thousands(many // 100)} raters"
    skilled = bench.work("ours_experiments.dawid_skene", iterations=20, **large)
    both = [
        partial(bench.work, f"{module}.{function}", calls=calls, iterations=20, **small)
        for module, function, calls in (("ours_experiments", "dawid_skene", 5), ("peers", "crowdkit", 2))
    ]
    return [
        *(
            below(
                f"{size}, Krippendorff's alpha, {level}",
                bench.work("ours_experiments.alpha", calls=3, level=level, **large),
                3,
            )
            for level in ("nominal", "ordinal")
        ),
        below(f"… Dawid-Skene, {CLASSES} classes, 20 iterations", skilled, 30),
        peak("… peak memory", skilled, "<", 8),
        faster(f"Dawid-Skene of {thousands(some)} ratings, 20 iterations, crowd-kit", *bench.turns(both), 20),
    ]


CODE = """
import sys, polars as pl, ireval_frames as ir
path, how = sys.argv[1:]
given = {{
    "cells": {{}}, "users": {{"cluster": "segment"}}, "items": {{"weights": "hash"}},
}}[how]
frame = pl.read_parquet(path, columns=["label", "prediction", "segment"])
if how == "items":
    frame = frame.drop("segment").with_row_index("item_id")
found = ir.resampling.bootstrap(ir.Labels(frame), "F1(average='macro')", n_resamples={n_resamples}, **given).table()
print(found.select("measure", "value").write_csv(), end="")
"""


def bootstrap(bench: Bench) -> list[Row]:
    """Macro F1 of text labels with 200 replicates, as whole processes."""
    table, rows = bench.path("labels", "run.parquet"), []
    code = CODE.format(n_resamples=200)
    size = f"{thousands(bench.sizes.labels)} rows"
    for case, how, limit in (
        (f"bootstrap of macro F1, {size}, 200 replicates", "cells", 60.0),
        ("… drawn by 1,000 users", "users", 60.0),
        ("… every item with a draw of its own", "items", 60.0),
    ):
        result = bench.process(sys.executable, "-c", code, table, how)
        rows += [below(case, result, limit), peak("… peak memory", result, "<", 4)]
    return rows
