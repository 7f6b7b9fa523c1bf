"""RecTools, RePlay, recommenders and LensKit.  Their figures are stored, as they need other NumPy and pandas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

FILES = {
    "RecTools": "rectools_0.19.0.json", "RePlay": "replay_0.22.0.json", "recommenders": "recommenders_1.2.1.json",
    "LensKit": "lenskit_2025.8.1.json",
}  # fmt: skip
STORED = {tool: json.loads((Path(__file__).parent / file).read_text("utf-8")) for tool, file in FILES.items()}
# Their names, and our measures of these values: of full lists of items that are all known.
SAME = {
    "RecTools": {
        "HitRate": "HitRate@{k}", "Precision": "Precision@{k}", "Recall": "Recall@{k}", "MAP": "MAP(capped=False)@{k}",
        "NDCG achievable": "NDCG@{k}", "NDCG": "NDCG(ideal='k')@{k}", "MRR": "MRR@{k}", "MeanInvUserFreq": "MIUF@{k}",
        "AvgRecPopularity": "ARP@{k}", "AvgRecPopularity share": "ARP(share=True)@{k}",
        "CatalogCoverage": "CatalogCoverage@{k}", "CoveredUsers": "UserCoverage@{k}",
        "SufficientReco": "UserCoverage(at_least={k})@{k}",
    },
    "RePlay": {
        "HitRate": "HitRate@{k}", "Precision": "Precision@{k}", "Recall": "Recall@{k}", "MAP": "MAP@{k}",
        "MRR": "MRR@{k}", "NDCG": "NDCG@{k}", "Coverage": "CatalogCoverage@{k}", "Surprisal": "Surprisal@{k}",
        "Novelty": "UnseenShare@{k}",
    },
    "recommenders": {
        "precision_at_k": "Precision@{k}", "recall_at_k": "Recall@{k}", "map": "MAP(capped=False)@{k}",
        "map_at_k": "MAP@{k}", "ndcg_at_k": "NDCG@{k}", "catalog_coverage": "CatalogCoverage",
        "distributional_coverage": "ItemEntropy", "novelty": "SelfInformation",
    },
    "LensKit": {
        "Hit": "HitRate@{k}", "Precision": "Precision@{k}", "Recall": "Recall(capped=True)@{k}", "RecipRank": "MRR@{k}",
        "MeanPopRank": "PopRank@{k}", "ListGini": "ItemGini@{k}",
        "ExposureGini": "ExposureGini(browsing='geometric', p=0.85)@{k}",
    },
}  # fmt: skip


def tables(of: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `ir.Recommendations`."""
    names = {
        "recs": ["user_id", "item_id", "rank"],
        "train": ["user_id", "item_id"],
        "relevant": ["user_id", "item_id"],
    }
    out = {name: pl.DataFrame(of[name], schema=schema, orient="row") for name, schema in names.items()}
    features = [(item, feature) for item, some in of["features"].items() for feature in some]
    out["features"] = pl.DataFrame(features, schema=["item_id", "feature"], orient="row")
    return {**out, "catalogue": out["features"].select("item_id").unique()}


def values(stored: dict[str, Any], measures: list[str], engine: str) -> list[float]:
    recs = ir.Recommendations(**tables(stored["tables"]), engine=engine)
    out: list[float] = recs.evaluate(measures).summary()["value"].to_list()
    return out


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("tool", SAME)
def test_lists_of_full_length(tool: str, engine: str, agrees: Callable[..., None]) -> None:
    """Each value of a tool's that stands above; LensKit's weights by rank are of single precision."""
    stored = STORED[tool]["regular"]
    measures = [m.replace("{k}", str(stored["tables"]["k"])) for m in SAME[tool].values()]
    theirs = [stored["values"][name] for name in SAME[tool]]
    assert values(stored, measures, engine) == pytest.approx(theirs, abs=1e-7 if tool == "LensKit" else 1e-12)
    agrees(tool, *measures, family="recommendations")
