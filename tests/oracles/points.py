"""Internal criteria of clusterings as plain loops, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tests.oracles.clustering import Clustering, Maybe, Point, point
from tests.oracles.points_centroids import (
    ball_hall,
    banfeld_raftery,
    calinski_harabasz,
    davies_bouldin,
    log_ss,
    num_clusters,
    num_points,
    pbm,
    r_squared,
    ratkowsky_lance,
    s_dbw,
    sd,
    sd_distance,
    sd_scattering,
    sse,
    xie_beni,
)
from tests.oracles.points_matrices import det_ratio, ksq_det_w, log_det, scott_symons, trace_wib
from tests.oracles.points_pairs import (
    c_index,
    dunn,
    g_plus,
    gamma,
    inter_distance,
    inter_similarity,
    intra_distance,
    intra_similarity,
    mcclain_rao,
    pairs,
    point_biserial,
    silhouette,
    silhouette_error,
    silhouette_of,
    simplified_silhouette,
    tau,
    wemmert_gancarski,
)

__all__ = ["ORACLES", "Clustering", "Point", "pairs", "point", "silhouette_of", "value"]

ORACLES: dict[str, Callable[..., Maybe]] = {
    "NumPoints": num_points,
    "NumClusters": num_clusters,
    "SSE": sse,
    "RSquared": r_squared,
    "CalinskiHarabasz": calinski_harabasz,
    "LogSS": log_ss,
    "BallHall": ball_hall,
    "BanfeldRaftery": banfeld_raftery,
    "RatkowskyLance": ratkowsky_lance,
    "DaviesBouldin": davies_bouldin,
    "XieBeni": xie_beni,
    "PBM": pbm,
    "SDScattering": sd_scattering,
    "SDDistance": sd_distance,
    "SD": sd,
    "SDbw": s_dbw,
    "Silhouette": silhouette,
    "SilhouetteError": silhouette_error,
    "SimplifiedSilhouette": simplified_silhouette,
    "WemmertGancarski": wemmert_gancarski,
    "IntraDistance": intra_distance,
    "InterDistance": inter_distance,
    "IntraSimilarity": intra_similarity,
    "InterSimilarity": inter_similarity,
    "McClainRao": mcclain_rao,
    "PointBiserial": point_biserial,
    "Dunn": dunn,
    "CIndex": c_index,
    "Gamma": gamma,
    "GPlus": g_plus,
    "Tau": tau,
    "DetRatio": det_ratio,
    "LogDet": log_det,
    "KsqDetW": ksq_det_w,
    "ScottSymons": scott_symons,
    "TraceWiB": trace_wib,
}


# Of the same points, whatever is asked of them.
clustering = functools.cache(Clustering)


def value(name: str, points: Sequence[Point], metric: str = "euclidean", **parameters: Any) -> float | None:
    """The measure of that name; `metric` is that of the points, unless the measure has its own."""
    chosen = {"metric": metric} | {k: v for k, v in parameters.items() if v is not None}
    result = ORACLES[name](clustering(tuple(points)), **chosen)
    return None if result is None else float(result)
