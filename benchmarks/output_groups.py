"""Stores and plots."""

from functools import partial
from typing import Any

from benchmarks.jobs import Bench, Measured
from benchmarks.names import FIVE
from benchmarks.rows import Row, below, peak, shown, within

QUERIES, MEASURES, EVALUATIONS = 10_000, 10, 3_000
BY_VALUES = 'SELECT avg(mean) FROM (SELECT run_id, measure, avg(value) AS mean FROM "values" GROUP BY ALL)'
BY_SUMMARIES = "SELECT avg(mean) FROM (SELECT run_id, measure, avg(value) AS mean FROM summaries GROUP BY ALL)"


def store(bench: Bench) -> list[Row]:
    """Millions of values added to a store, and asked again; digests of what is evaluated."""
    runs = max(2, bench.sizes.labels // QUERIES)
    values = runs * QUERIES * MEASURES
    described_size = f"{values / 1e6:g} M values of {runs:,} runs, {QUERIES:,} queries and {MEASURES} measures"
    add = bench.work("ours_outputs.add", calls=2, runs=runs)
    size = f"{add.values['bytes']:.2f} bytes a value" if isinstance(add, Measured) else str(add)
    rate = f"{values / add.seconds / 1e6:.1f} M values a second" if isinstance(add, Measured) else str(add)
    memory = f"{(add.peak - add.loaded) / 1e9:.2f} GB" if isinstance(add, Measured) else str(add)
    folder = bench.path(f"store_of_{runs}", "s")
    return [
        below(f"{described_size}, added", add, values / 1e6),
        shown("… that is", rate),
        peak("… peak memory, with the values themselves", add, "<", 2),
        shown("… of which for adding", memory),
        shown("… on the disk", size),
        below(
            "… mean by run and measure, leaderboard", bench.work("ours_outputs.leaderboard", calls=3, folder=folder), 1
        ),
        below(
            "… the same in SQL, of summaries",
            bench.work("ours_outputs.sql", calls=3, folder=folder, query=BY_SUMMARIES),
            1,
        ),
        below(
            "… the same in SQL, of values", bench.work("ours_outputs.sql", calls=3, folder=folder, query=BY_VALUES), 1
        ),
        below("… two runs compared", bench.work("ours_outputs.compare", calls=3, folder=folder), 0.3),
        below(
            f"{EVALUATIONS:,} evaluations listed after compact",
            bench.work("ours_outputs.listed", calls=3, evaluations=EVALUATIONS),
            1,
        ),
        _digests(
            bench, "text", {"qrels": bench.path("passages", "qrels.txt"), "run": bench.path("passages", "run.txt")}
        ),
        _digests(bench, "frames in memory", bench.parquet("passages")),
    ]


def _digests(bench: Bench, what: str, files: dict[str, str]) -> Row:
    """What digests of the tables cost, beside the evaluation."""
    both = [
        partial(bench.work, "ours_outputs.evaluated", calls=5, **files, measures=FIVE, digests=d) for d in (True, False)
    ]
    described_size = f"{bench.sizes.described('passages')} of {what}, evaluated with digests; without"
    return within(described_size, *bench.turns(both), 1.15)


OF_LABELS = ("confusion", "curve roc", "curve precision-recall", "thresholds", "reliability")
OF_RUNS = ("systems", "units", "distribution", "precision_recall")


def pictures(bench: Bench) -> list[Row]:
    """The rows of a picture, beside the table or the evaluation that it is drawn of; the same rows behind both."""
    table, files = bench.path("labels", "run.parquet"), bench.parquet("passages")
    size = f"{bench.sizes.labels / 1e6:g} M items, picture; table"
    rows = [_limited(bench, f"{name} of {size}", "of_labels", table=table, name=name) for name in OF_LABELS]
    size = f"{bench.sizes.described('passages')}, picture; evaluation"
    return rows + [_limited(bench, f"{name} of {size}", "of_runs", **files, name=name) for name in OF_RUNS]


def _limited(bench: Bench, case: str, function: str, **options: Any) -> Row:
    """A picture beside its table, in turns."""
    works = [partial(bench.work, f"ours_outputs.{function}", calls=2, **options, drawn=d) for d in (True, False)]
    return within(case, *bench.turns(works), 1.1)
