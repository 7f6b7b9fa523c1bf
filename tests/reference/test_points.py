"""Measures of points equal scikit-learn's where it defines them, and figures of permetrics where that is right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from sklearn import metrics
from sklearn.cluster import KMeans

import ireval_frames as ir

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
FEATURES = ["a", "b", "c", "d"]

SCIKIT_LEARN: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "Silhouette": metrics.silhouette_score,
    "Silhouette(metric='squared_euclidean')": lambda x, k: metrics.silhouette_score(x, k, metric="sqeuclidean"),
    "Silhouette(metric='cosine')": lambda x, k: metrics.silhouette_score(x, k, metric="cosine"),
    "Silhouette(metric='manhattan')": lambda x, k: metrics.silhouette_score(x, k, metric="manhattan"),
    "DaviesBouldin": metrics.davies_bouldin_score,
    "CalinskiHarabasz": metrics.calinski_harabasz_score,
}


def table(seed: int, shape: str) -> pl.DataFrame:
    """Points of six groups, each in other clusters."""
    rng = np.random.default_rng(seed)
    n, clusters = 300, 7
    cluster = rng.integers(0, clusters, n)
    x = rng.normal(size=(n, 4)) + 2 * rng.normal(size=(clusters, 4))[cluster]
    if shape == "grid":
        x = np.round(x) + 0.5
    if shape == "copies":
        x = x[rng.integers(0, 40, n)]
    if shape == "singleton":
        cluster[0] = 99
    if shape == "noise":
        cluster[:20] = -1
    return pl.DataFrame(dict(zip(FEATURES, x.T, strict=True)) | {"cluster": cluster, "group": rng.integers(0, 3, n)})


@engines
@pytest.mark.parametrize("shape", ["blobs", "grid", "copies", "singleton", "noise"])
def test_scores(shape: str, engine: str, agrees) -> None:
    frame = table(len(shape), shape)
    values = ir.Points(frame, FEATURES, by="group", engine=engine).evaluate(list(SCIKIT_LEARN)).wide()
    for row in values.iter_rows(named=True):
        part = frame.filter(group=row["group"])
        x, cluster = part.select(FEATURES).to_numpy(), part["cluster"].to_numpy()
        for name, function in SCIKIT_LEARN.items():
            # Its Euclidean distances are products of matrices, which leave 1e-8 of equal points.
            assert row[name] == pytest.approx(function(x, cluster), abs=1e-7 if shape == "copies" else 1e-12), name
    agrees("scikit-learn", *SCIKIT_LEARN, family="points")


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
def test_samples(metric: str, agrees) -> None:
    frame = table(7, "singleton")
    actual = ir.Points(frame, FEATURES, metric=metric).silhouettes()
    expected = metrics.silhouette_samples(frame.select(FEATURES).to_numpy(), frame["cluster"].to_numpy(), metric=metric)
    assert actual["silhouette"].to_numpy() == pytest.approx(expected, abs=1e-10)
    agrees("scikit-learn", "Silhouette", family="points")


def test_inertia_over_k(agrees) -> None:
    """What KMeans calls inertia_, for several numbers of clusters in one call."""
    frame = table(3, "blobs").drop("cluster")
    fits = {
        f"k{k}": KMeans(k, n_init=1, random_state=0, tol=0).fit(frame.select(FEATURES).to_numpy()) for k in (2, 3, 5)
    }
    clustered = frame.with_columns(**{name: pl.Series(fit.labels_) for name, fit in fits.items()})
    actual = ir.Points(clustered, FEATURES, cluster=list(fits)).evaluate("NumClusters Inertia").wide()
    assert actual["NumClusters"].to_list() == [2, 3, 5]
    assert actual["SSE"].to_list() == pytest.approx([fit.inertia_ for fit in fits.values()], rel=1e-12)
    agrees("scikit-learn", "SSE", family="points")


def test_what_it_calls_an_error_is_undefined() -> None:
    frame = table(1, "blobs").head(5)
    for cluster in (pl.lit(0), pl.int_range(pl.len())):
        one = frame.with_columns(cluster=cluster)
        for name, function in SCIKIT_LEARN.items():
            with pytest.raises(ValueError, match="Number of labels"):
                function(one.select(FEATURES).to_numpy(), one["cluster"].to_numpy())
            assert ir.Points(one, FEATURES).evaluate(name).summary()["value"].item() is None


# permetrics 2.1.0 on the points of ir.examples.points(), in three clusters and in two.
PERMETRICS = {
    "BallHall(scatter='sums')": (7.333333333333333, 47.599999999999994),
    "XieBeni": (0.040072859744990905, 0.13744513744513742),
    "DaviesBouldin": (0.39168959476893184, 0.6057157361749305),
    "BanfeldRaftery": (6.931471805599452, 17.066420814643948),
    "KsqDetW": (999.0000000000007, 2747.999999999999),
    "DetRatio": (132.26726726726721, 21.37069383794276),
    "Dunn": (1.1785113019775793, 0.5229763603684907),
    "CalinskiHarabasz": (33.303030303030305, 12.575163398692814),
    "LogDet": (43.96342164807107, 27.55818482988094),
    "LogSS": (2.4070361042690314, 0.5858135607779034),
    "Silhouette": (0.6676704280666433, 0.5457140611651035),
    "SSE": (22.0, 95.19999999999999),
    "RSquared": (0.9173622704507512, 0.6424040066777964),
}


@pytest.mark.parametrize("name", PERMETRICS)
def test_stored_figures(name: str, agrees) -> None:
    actual = ir.Points(ir.examples.points(), ["x", "y"], cluster=["k3", "k2"]).evaluate(name).wide()
    assert dict(actual.select("run_id", name).rows()) == pytest.approx(
        dict(zip(("k3", "k2"), PERMETRICS[name], strict=True)), rel=1e-12
    )
    agrees("permetrics", name, family="points")
