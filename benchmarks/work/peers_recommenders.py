"""Other tools: measures of recommended items.  Values are under our names of them."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Our names, and theirs of the same values, with what they need.
RECTOOLS: dict[str, tuple[str, dict[str, bool]]] = {
    "HitRate@10": ("HitRate", {}), "Recall@10": ("Recall", {}), "MAP(capped=False)@10": ("MAP", {}),
    "NDCG(ideal='k')@10": ("NDCG", {}), "MIUF@10": ("MeanInvUserFreq", {}), "ARP@10": ("AvgRecPopularity", {}),
    "Serendipity@10": ("Serendipity", {}), "CatalogCoverage@10": ("CatalogCoverage", {"normalize": True}),
}  # fmt: skip
REPLAY = {
    "HitRate@10": "HitRate", "Recall@10": "Recall", "MAP(capped=True)@10": "MAP", "NDCG@10": "NDCG", "MRR@10": "MRR",
    "CatalogCoverage@10": "Coverage", "Surprisal@10": "Surprisal", "UnseenShare@10": "Novelty",
}  # fmt: skip
MEASURES = {"rectools": tuple(RECTOOLS), "replay": tuple(REPLAY)}


def _parquet(module: Any, folder: str, *names: str) -> list[Any]:
    return [module.read_parquet(Path(folder) / f"{name}.parquet") for name in names]


def rectools(folder: str) -> Callable[[], dict[str, float]]:
    """On frames of pandas, which were loaded before."""
    pandas, metrics = importlib.import_module("pandas"), importlib.import_module("rectools.metrics")
    recs, train, relevant, catalogue = _parquet(pandas, folder, "recs", "train", "relevant", "catalogue")
    train["weight"], train["datetime"] = 1.0, pandas.Timestamp("2026-03-01")
    wanted = {ours: getattr(metrics, name)(k=10, **options) for ours, (name, options) in RECTOOLS.items()}
    items = catalogue["item_id"].to_numpy()

    def work() -> dict[str, float]:
        options = {"interactions": relevant, "prev_interactions": train, "catalog": items}
        found = metrics.calc_metrics(wanted, recs, **options)
        return {name: float(value) for name, value in found.items()}

    return work


def replay(folder: str) -> Callable[[], dict[str, float]]:
    """On frames of Polars, which were loaded before."""
    polars, metrics = importlib.import_module("polars"), importlib.import_module("replay.metrics")
    recs, train, relevant = _parquet(polars, folder, "recs", "train", "relevant")
    recs = recs.select(query_id="user_id", item_id="item_id", rating=1.0 / polars.col("rank"))
    train, relevant = (frame.rename({"user_id": "query_id"}) for frame in (train, relevant))
    wanted = [getattr(metrics, name)(10) for name in REPLAY.values()]

    def work() -> dict[str, float]:
        found = metrics.OfflineMetrics(wanted)(recs, relevant, train)
        # Its coverage is that of the items of train.
        return {ours if name != "Coverage" else name: float(found[f"{name}@10"]) for ours, name in REPLAY.items()}

    return work
