"""The group of cases about pictures."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, within

OF_LABELS = ("confusion", "curve roc", "curve precision-recall", "thresholds", "reliability")
OF_RUNS = ("systems", "units", "distribution", "precision_recall")


def pictures(bench: Bench) -> list[Row]:
    """The rows of a picture, beside the table or the evaluation that it is drawn of; the same rows behind both."""
    table, files = bench.path("labels", "run.parquet"), bench.parquet("passages")
    rows = []
    for name in OF_LABELS:
        drawn, told = (
            bench.work("ours_pictures.of_labels", calls=3, table=table, name=name, drawn=d) for d in (True, False)
        )
        rows.append(within(f"{name} of {bench.sizes.labels / 1e6:g} M items, picture; table", drawn, told, 1.15))
    for name in OF_RUNS:
        drawn, told = (bench.work("ours_pictures.of_runs", calls=3, **files, name=name, drawn=d) for d in (True, False))
        rows.append(within(f"{name} of {bench.sizes.told('passages')}, picture; evaluation", drawn, told, 1.15))
    return rows
