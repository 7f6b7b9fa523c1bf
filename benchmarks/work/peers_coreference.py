"""Other tools' work on what is extracted from documents."""

import importlib
from collections.abc import Callable
from typing import Any

Means = dict[str, float]


def scorch(gold: str, predicted: str) -> Callable[[], Means]:
    """A loop over documents, whose sets of mentions are made before."""
    scores = importlib.import_module("scorch.scores")
    sides = [_entities(path) for path in (gold, predicted)]
    pairs = [(sides[0][doc], sides[1].get(doc, [])) for doc in sides[0]]
    functions = {"MUCF": scores.muc, "B3F": scores.b_cubed, "CEAFeF": scores.ceaf_e}

    def work() -> Means:
        return {
            f"{name}(aggregation='mean')": float(sum(f(*pair)[2] for pair in pairs)) / len(pairs)
            for name, f in functions.items()
        }

    return work


def _entities(path: str) -> dict[str, list[set[Any]]]:
    """By document, the sets of mentions."""
    polars = importlib.import_module("polars")
    out: dict[str, dict[str, set[Any]]] = {}
    for doc, start, end, entity in polars.read_parquet(path).iter_rows():
        out.setdefault(doc, {}).setdefault(entity, set()).add((start, end))
    return {doc: list(entities.values()) for doc, entities in out.items()}
