"""seqeval's work on tags, on lists that are made before."""

import importlib
from collections.abc import Callable

Means = dict[str, float]


def seqeval(table: str) -> Callable[[], Means]:
    """One call for precision, recall and F1."""
    metrics = importlib.import_module("seqeval.metrics.sequence_labeling")
    polars = importlib.import_module("polars")
    frame = polars.read_parquet(table).group_by("sentence_id", maintain_order=True).agg("gold", "predicted")
    gold, predicted = (frame[side].to_list() for side in ("gold", "predicted"))

    def work() -> Means:
        values = metrics.precision_recall_fscore_support(gold, predicted, average="micro")
        return dict(zip(("Precision", "Recall", "F1"), map(float, values[:3]), strict=True))

    return work
