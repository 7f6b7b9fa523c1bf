"""Writes files of what RecTools, RePlay, recommenders and LensKit make of lists of recommended items, a file of each.

Run by hand, once in an environment of each tool: `PYTHON -m tests.reference.making_recommenders`, where PYTHON is one
of those that `python -m benchmarks.recommender_tools FOLDER` makes.  All that can be imported write their files.  They
need other NumPy and pandas than this package.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
Tables = dict[str, Any]
Values = dict[str, float]


def worked() -> Tables:
    """Four users; one list is short, and items E and F are in no training row."""
    train = {"u1": "AB", "u2": "AC", "u3": "ABD", "u4": "A"}
    recs = {"u1": "CDE", "u2": "BE", "u3": "CFE", "u4": "BCD"}
    relevant = {"u1": "D", "u2": "BF", "u3": "F", "u4": "E"}
    features = {"A": ["g1"], "B": ["g1"], "C": ["g1", "g2"], "D": ["g2"], "E": ["g3"], "F": ["g2", "g3"]}
    return tables(train, recs, relevant, features, 3)


def regular() -> Tables:
    """Full lists of items that are all in training rows; what tools leave to their users' data plays no part."""
    draw = random.Random(36)
    items = "ABCDEFGHIJKL"
    train, recs, relevant = {}, {}, {}
    for user in (f"u{i:02}" for i in range(25)):
        mine = draw.sample(items, 8)
        train[user] = "".join(mine[:4])
        relevant[user] = "".join(mine[4 : 5 + draw.randrange(3)])
        recs[user] = "".join(draw.sample([i for i in items if i not in train[user]], 4))
    features = {item: sorted(draw.sample(["g1", "g2", "g3", "g4"], 1 + draw.randrange(3))) for item in items}
    return tables(train, recs, relevant, features, 4)


def tables(
    train: Mapping[str, str], recs: Mapping[str, str], relevant: Mapping[str, str], features: Mapping[str, Any], k: int
) -> Tables:
    """The tables as lists of rows."""
    pairs = {"train": train, "relevant": relevant}
    out: Tables = {name: [[u, i] for u, items in of.items() for i in items] for name, of in pairs.items()}
    out["recs"] = [[u, i, rank] for u, items in recs.items() for rank, i in enumerate(items, 1)]
    return out | {"features": dict(features), "k": k}


def frames(of: Tables) -> tuple[Any, Any, Any]:
    """Recommendations, training and relevant rows of pandas."""
    pd = importlib.import_module("pandas")
    recs = pd.DataFrame(of["recs"], columns=["user_id", "item_id", "rank"])
    recs["score"] = 1.0 / recs["rank"]
    return recs, *(pd.DataFrame(of[name], columns=["user_id", "item_id"]) for name in ("train", "relevant"))


def rectools(of: Tables) -> Values:
    """With features as 0 and 1, distances are of Hamming."""
    pd = importlib.import_module("pandas")
    m = importlib.import_module("rectools.metrics")

    recs, train, relevant = frames(of)
    train["weight"], train["datetime"] = 1.0, pd.Timestamp("2026-03-01")
    k, items = of["k"], sorted(of["features"])
    groups = sorted({g for of_item in of["features"].values() for g in of_item})
    hot = pd.DataFrame([[float(g in of["features"][i]) for g in groups] for i in items], index=items, columns=groups)
    metrics = {
        "HitRate": m.HitRate(k=k), "Precision": m.Precision(k=k), "Recall": m.Recall(k=k), "MAP": m.MAP(k=k),
        "MAP by k": m.MAP(k=k, divide_by_k=True), "NDCG": m.NDCG(k=k),
        "NDCG achievable": m.NDCG(k=k, divide_by_achievable=True), "MRR": m.MRR(k=k),
        "MeanInvUserFreq": m.MeanInvUserFreq(k=k), "AvgRecPopularity": m.AvgRecPopularity(k=k),
        "AvgRecPopularity share": m.AvgRecPopularity(k=k, normalize=True), "Serendipity": m.Serendipity(k=k),
        "CatalogCoverage": m.CatalogCoverage(k=k, normalize=True), "CatalogCoverage count": m.CatalogCoverage(k=k),
        "IntraListDiversity": m.IntraListDiversity(k=k, distance_calculator=m.PairwiseHammingDistanceCalculator(hot)),
        "CoveredUsers": m.CoveredUsers(k=k), "SufficientReco": m.SufficientReco(k=k),
    }  # fmt: skip
    return dict(m.calc_metrics(metrics, recs, interactions=relevant, prev_interactions=train, catalog=items))


def replay(of: Tables) -> Values:
    """On frames of Polars."""
    import polars as pl

    m = importlib.import_module("replay.metrics")

    names = {"user_id": "query_id", "score": "rating"}
    recs, train, relevant = (pl.from_pandas(frame.rename(columns=names)) for frame in frames(of))
    k = of["k"]
    plain = [c(k) for c in (m.HitRate, m.Precision, m.Recall, m.MAP, m.MRR, m.NDCG)]
    out = {name: v for one in plain for name, v in one(recs, relevant).items()}
    for one in (m.Coverage(k), m.Surprisal(k), m.Novelty(k)):
        out |= one(recs, train)
    one_each = pl.DataFrame(
        [(i, g[0]) for i, g in of["features"].items()], schema=["item_id", "category_id"], orient="row"
    )
    out |= m.CategoricalDiversity(k)(recs.join(one_each, on="item_id").drop("item_id"))
    # The most popular items, for everyone.
    counts = train.group_by("item_id").len().sort(["len", "item_id"], descending=[True, False])["item_id"].head(k)
    popular = pl.DataFrame({"item_id": counts, "rating": [1.0 / r for r in range(1, k + 1)]})
    out |= m.Unexpectedness(k)(recs, recs.select("query_id").unique().join(popular, how="cross"))
    return {name.split("@")[0]: float(v) for name, v in out.items()}


def recommenders(of: Tables) -> Values:
    """Of its functions on pandas; training rows have no item that is recommended to their user."""
    e = importlib.import_module("recommenders.evaluation.python_evaluation")

    recs, train, relevant = frames(of)
    # It makes a column of that name.
    recs = recs.drop(columns="rank")
    names = {"col_user": "user_id", "col_item": "item_id"}
    ranked = {**names, "col_prediction": "score", "k": of["k"]}
    accuracy = ("precision_at_k", "recall_at_k", "map", "map_at_k")
    out = {name: getattr(e, name)(relevant, recs, **ranked) for name in accuracy}
    relevant["rating"] = 1.0
    out["ndcg_at_k"] = e.ndcg_at_k(relevant, recs, col_rating="rating", **ranked)
    for name in ("catalog_coverage", "distributional_coverage", "novelty", "diversity", "serendipity"):
        out[name] = getattr(e, name)(train.copy(), recs[["user_id", "item_id"]].copy(), **names)
    relevant["relevance"] = 1.0
    marked = recs.merge(relevant, on=["user_id", "item_id"], how="left").fillna(0.0)[
        ["user_id", "item_id", "relevance"]
    ]
    out["serendipity of relevant"] = e.serendipity(train.copy(), marked, col_relevance="relevance", **names)
    return out


def lenskit(of: Tables) -> Values:
    """Of its bulk analysis; entities get attributes one by one, so measures of similar items are left out."""
    data, m = importlib.import_module("lenskit.data"), importlib.import_module("lenskit.metrics.ranking")

    recs, train, relevant = frames(of)
    k, n = of["k"], len(of["features"])
    run = importlib.import_module("lenskit.metrics.bulk").RunAnalysis()
    every = {
        "Hit": m.Hit(n=k), "Precision": m.Precision(n=k), "Recall": m.Recall(n=k), "RecipRank": m.RecipRank(n=k),
        "NDCG": m.NDCG(n=k), "MeanPopRank": m.MeanPopRank(data.from_interactions_df(train), n=k),
        "ListGini": m.ListGini(n=k, items=n), "ExposureGini": m.ExposureGini(n=k, items=n),
    }  # fmt: skip
    for name, metric in every.items():
        run.add_metric(metric, name)
    lists = data.ItemListCollection.from_df(recs, ["user_id"])
    result = run.measure(lists, data.ItemListCollection.from_df(relevant, ["user_id"]))
    means = result.list_metrics().mean(numeric_only=True).to_dict()
    return {**means, **{name: float(v) for name, v in result.global_metrics().items()}}


TOOLS: dict[str, tuple[str, Callable[[Tables], Values]]] = {
    "rectools": ("rectools", rectools),
    "replay": ("replay-rec", replay),
    "recommenders": ("recommenders", recommenders),
    "lenskit": ("lenskit", lenskit),
}


def main() -> None:
    """Write the file of each tool that is here."""
    for module, (package, evaluate) in TOOLS.items():
        if importlib.util.find_spec(module) is None:
            continue
        stored: dict[str, Any] = {name: version(name) for name in (package, "numpy", "pandas")}
        for name, of in (("worked", worked()), ("regular", regular())):
            values = {metric: float(value) for metric, value in evaluate(of).items()}
            stored[name] = {"tables": of, "values": values}
        file = FOLDER / f"{module}_{version(package)}.json"
        file.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
