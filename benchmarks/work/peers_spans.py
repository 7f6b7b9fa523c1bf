"""nervaluate's work on spans, on lists that are made before."""

import importlib
from collections.abc import Callable

Means = dict[str, float]
MODES = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}


def nervaluate(gold: str, predicted: str) -> Callable[[], Means]:
    """One call for all four modes."""
    evaluator = importlib.import_module("nervaluate").Evaluator
    polars = importlib.import_module("polars")
    sides = []
    for path in (gold, predicted):
        rows = polars.read_parquet(path)
        documents: list[list[dict[str, object]]] = [[] for _ in range(rows["doc_id"].max() + 1)]
        for doc, start, end, kind in rows.iter_rows():
            documents[doc].append({"label": kind, "start": start, "end": end - 1})
        sides.append(documents)
    tags = rows["type"].unique().to_list()

    def work() -> Means:
        overall = evaluator(*sides, tags=tags, loader="dict").evaluate()["overall"]
        out = {}
        for mode, name in MODES.items():
            of = overall[name]
            for measure, value in (("Precision", of.precision), ("Recall", of.recall), ("F1", of.f1)):
                out[f"{measure}(match={mode!r})"] = float(value)
        # The default is not written; by type its first overlapping span is now and then another one.
        return {name.replace("(match='strict')", ""): value for name, value in out.items() if "type" not in name}

    return work
