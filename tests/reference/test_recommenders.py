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
        "SufficientReco": "UserCoverage(at_least={k})@{k}", "Serendipity": "Serendipity@{k}",
        "IntraListDiversity": "ILD(distance='hamming')@{k}",
    },
    "RePlay": {
        "HitRate": "HitRate@{k}", "Precision": "Precision@{k}", "Recall": "Recall@{k}", "MAP": "MAP@{k}",
        "MRR": "MRR@{k}", "NDCG": "NDCG@{k}", "Coverage": "CatalogCoverage@{k}", "Surprisal": "Surprisal@{k}",
        "Novelty": "UnseenShare@{k}", "Unexpectedness": "Unexpectedness@{k}",
    },
    "recommenders": {
        "precision_at_k": "Precision@{k}", "recall_at_k": "Recall@{k}", "map": "MAP(capped=False)@{k}",
        "map_at_k": "MAP@{k}", "ndcg_at_k": "NDCG@{k}", "catalog_coverage": "CatalogCoverage",
        "distributional_coverage": "ItemEntropy", "novelty": "SelfInformation",
        "serendipity": "Serendipity(of='history', relevance=False)",
        "serendipity of relevant": "Serendipity(of='history')",
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


# On purpose otherwise with a short list and items that are in no training row: theirs, and ours of the same value.
OTHERWISE = {
    # They divide by the items of train, or look at these alone; 5 of 6 items are recommended, 3 of 4 in train.
    ("RePlay", "Coverage"): (0.75, "CatalogCoverage@3", 5 / 6),
    ("recommenders", "catalog_coverage"): (1.25, "CatalogCoverage", 5 / 6),
    # Of eleven rows the seven in train are summed up, and the sum is divided by eleven.
    ("recommenders", "novelty"): (19 / 11, "SelfInformation(unseen='null')", 19 / 7),
    # Short lists are divided by their length.
    ("LensKit", "Precision"): (3.5 / 12, "Precision@3", 0.25),
}
# Divided by k, also where lists are shorter.
BY_K = {"Surprisal": "Surprisal(over='k')@3", "Unexpectedness": "Unexpectedness(over='k')@3"}


@pytest.mark.parametrize("tool", SAME)
def test_short_lists_and_items_that_nobody_used(tool: str) -> None:
    stored = STORED[tool]["worked"]
    names = {name: m.replace("{k}", "3") for name, m in SAME[tool].items() if (tool, name) not in OTHERWISE}
    names |= {name: m for name, m in BY_K.items() if tool == "RePlay"}
    theirs = [stored["values"][name] for name in names]
    assert values(stored, list(names.values()), "polars") == pytest.approx(theirs, abs=1e-7)
    for name in SAME[tool]:
        if (tool, name) in OTHERWISE:
            their_value, measure, our_value = OTHERWISE[tool, name]
            assert stored["values"][name] == pytest.approx(their_value)
            assert values(stored, [measure], "polars") == pytest.approx([our_value])
