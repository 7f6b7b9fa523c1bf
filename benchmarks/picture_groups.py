"""The group of cases about pictures."""

from functools import partial
from typing import Any

from benchmarks.jobs import Bench
from benchmarks.rows import Row, within

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
    works = [partial(bench.work, f"ours_pictures.{function}", calls=2, **options, drawn=d) for d in (True, False)]
    return within(case, *bench.turns(works), 1.1)
