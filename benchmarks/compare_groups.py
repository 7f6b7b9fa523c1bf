"""The groups of cases about comparing systems."""

from benchmarks.jobs import Bench, Measured, Missing, Result
from benchmarks.rows import Row, below, faster, peak, within

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
