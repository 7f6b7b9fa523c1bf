"""Other tools: measures of nuggets.  Values are under our names of them."""

import importlib
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from statistics import mean

# Our names of nuggetizer's scores.
MEASURES = {
    "NuggetRecall": "all_score", "NuggetRecall(strict=True)": "strict_all_score",
    "NuggetRecall(level='vital')": "vital_score", "NuggetRecall(level='vital', strict=True)": "strict_vital_score",
}  # fmt: skip


def nuggetizer(folder: str) -> Callable[[], dict[str, float]]:
    """On its records, which were made before; its means are those of each run, whose mean is compared."""
    polars, metrics = importlib.import_module("polars"), importlib.import_module("nuggetizer.core.metrics")
    nuggets, labels = (polars.read_parquet(Path(folder) / f"{name}.parquet") for name in ("nuggets", "assignments"))
    rows = labels.join(nuggets, on=["query_id", "nugget_id"], maintain_order="left")
    ordered = rows.select("run_id", "query_id", "importance", "label").iter_rows()
    runs: dict[str, list[dict[str, object]]] = {}
    for (run, query), of in groupby(ordered, key=lambda row: (row[0], row[1])):
        assigned = [{"importance": importance, "assignment": label} for _, _, importance, label in of]
        runs.setdefault(run, []).append({"qid": query, "nuggets": assigned})

    def work() -> dict[str, float]:
        means = [metrics.calculate_global_metrics(records) for records in runs.values()]
        return {ours: mean(float(of[theirs]) for of in means) for ours, theirs in MEASURES.items()}

    return work
