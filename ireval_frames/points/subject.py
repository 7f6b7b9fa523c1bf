"""Points in clusters, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames import results
from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.items import PointPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.points import frames
from ireval_frames.points.distances import METRICS, PRECOMPUTED
from ireval_frames.points.inputs import point_columns
from ireval_frames.points.precomputed import DISTANCES, Distances
from ireval_frames.points.request import PointRequest
from ireval_frames.results import Result
from ireval_frames.subject import Subject


class Points(Subject[PointPolicy, Evaluation]):
    """Points in clusters: the quality of a clustering without a gold standard.

    Args:
        points: a table with a row per point.
        features: the columns with the coordinates, or one column of vectors (lists or arrays).
        distances: instead of features, the distances of points, by their item_id: a table (or path) with a row per
            pair, item_id, other_id, distance; or a square array of NumPy in the order of the points.  A pair may be
            listed in one direction or both, and an item with itself at distance 0; every two points of a group need a
            distance.  Measures of coordinates, such as those of centroids, are not defined then.
        cluster: the column that says which cluster a point is in; or several such columns, clusterings of the same
            points, named in the column `run_id` of results.
        item, weight: the names of the columns where they differ from item_id, weight (and the names other tools use).
            A point of weight w is w points; measures that count points or pairs of them refuse fractions.
        metric: "euclidean" (the default), "squared_euclidean", "cosine" or "manhattan", for measures of
            distances of points; criteria of scatter and of centroids are always Euclidean.  With `distances` it is
            "precomputed".
        unit: columns whose groups of points are evaluated one by one and then averaged; by default all points are one
            unit.
        by: columns that group units.
        noise_cluster: the cluster that holds noise, such as −1; the policy's field `noise` says how it is treated.  By
            default there is none, and −1 is a cluster, as in scikit-learn.
        policy: the conventions (see `PointPolicy`).
        engine: "polars", "duckdb" or "spark"; by default where the points are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.  Those of
            distances are called `item_id` (or as in the points table), `other_id` and `distance`.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    A `run_id` column means many clusterings at once, a row per clustering and point.  Points that are clusters of
    their own (`policy="noise=singleton"`) are identified by their rows; on DuckDB, where rows have no order, by their
    ids.
    Features may be up to 1e50, groups as narrow as 1e-50, and weights from 1e-30 to 1e30: the fourth
    powers of others are no floats.

    Raises:
        MissingColumn, WrongType: the table lacks columns, or they hold something else.
        InvalidValue: with the first result, features or weights are no numbers, or out of range; or a distance is
            missing, negative or no number, is not 0 from a point to itself, or differs from the way back.
        NotDefined: distances are an array, and rows have no order (DuckDB).
        UnknownName, InvalidParameter: an engine, metric, policy or column that does not exist; features and distances.

    Example:
        >>> import ireval_frames as ir
        >>> points = ir.Points(ir.examples.points(), ["x", "y"], cluster=["k2", "k3"])
        >>> points.evaluate("NumClusters SSE Silhouette").wide()
        shape: (2, 4)
        ┌────────┬─────────────┬──────┬────────────┐
        │ run_id ┆ NumClusters ┆ SSE  ┆ Silhouette │
        │ ---    ┆ ---         ┆ ---  ┆ ---        │
        │ str    ┆ f64         ┆ f64  ┆ f64        │
        ╞════════╪═════════════╪══════╪════════════╡
        │ k2     ┆ 2.0         ┆ 95.2 ┆ 0.545714   │
        │ k3     ┆ 3.0         ┆ 22.0 ┆ 0.66767    │
        └────────┴─────────────┴──────┴────────────┘

        Of three words the edit distances are known:

        >>> import polars as pl
        >>> words = pl.DataFrame({"item_id": ["cat", "cut", "dog"], "cluster": [1, 1, 2]})
        >>> edits = pl.DataFrame(
        ...     {"item_id": ["cat", "cat", "cut"], "other_id": ["cut", "dog", "dog"], "distance": [1, 3, 3]}
        ... )
        >>> ir.Points(words, distances=edits).evaluate("Silhouette Dunn").summary()["value"].round(4).to_list()
        [0.4444, 3.0]
    """

    family = "points"
    _conventions = PointPolicy
    _requests = PointRequest
    _evaluations = Evaluation

    def __init__(
        self,
        points: Any,
        features: str | Sequence[str] | None = None,
        *,
        distances: Any = None,
        cluster: str | Sequence[str] | None = None,
        item: str | None = None,
        weight: str | None = None,
        metric: str | None = None,
        unit: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        noise_cluster: Any = None,
        policy: PointPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"points": points} | ({} if distances is None else {"distances": distances}),
            first="points",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        one = cluster if isinstance(cluster, str) else None
        named = named_columns(columns, {"cluster_id": one, "item_id": item, "weight": weight})
        clusters = named.pop("cluster_id", None) if cluster is None else cluster
        by_distances = distances is not None
        of_pairs = {c.name: named[c.name] for c in DISTANCES.columns if by_distances and c.name in named}
        for ours in ("other_id", "distance"):
            if ours in of_pairs:
                del named[ours]
        self._features = point_columns(features, clusters, named, noise_cluster, distances=by_distances)
        self._distances = Distances(self._user_tables["distances"], of_pairs) if by_distances else None
        self._metric, self.unit = _known(metric, distances=by_distances), self._columns_of("unit", unit)

    @results.table_method
    def silhouettes(
        self,
        *,
        metric: str | None = None,
        self_in_mean: bool = False,
        by: str | Sequence[str] | None = None,
        policy: PointPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The silhouette of every point, and the distances that it is computed from.

        Args:
            metric: the distance instead of the constructor's, of coordinates.
            self_in_mean: whether a includes the point itself, as in `Silhouette`.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] [unit] item_id cluster_id a b silhouette nearest_id, by item; a is null for a
            single point in its cluster.  Without ids of items these are the numbers of the rows, from 0 (not on DuckDB,
            where rows have no order).

        Example:
            >>> import ireval_frames as ir
            >>> frame = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").silhouettes()
            >>> frame.select("item_id", "cluster_id", "nearest_id", frame["silhouette"].round(4)).row(7)
            (7, 'c', 'b', 0.7693)
        """
        name = self._metric_of(metric)
        columns = ("item_id", "cluster_id", "a", "b", "silhouette", "nearest_id")
        request: PointRequest = self._request(by=by, policy=policy, columns=columns)
        return request.rows_of(
            "silhouettes", lambda tables: frames.Silhouettes(tables, name, self_in_mean=self_in_mean), numbered=True
        )

    @results.table_method
    def similarities(
        self,
        *,
        metric: str | None = None,
        by: str | Sequence[str] | None = None,
        policy: PointPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The mean distance of points inside each cluster, and between each two clusters.

        Args:
            metric: the distance instead of the constructor's, of coordinates; "cosine" adds the mean cosine.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] [unit] cluster_id other_id n_pairs distance [similarity]; inside a cluster both ids are its
            own, and a cluster of one point has no pair and no distance.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").similarities().row(5)
            ('c', 'c', 1.0, 2.0)
        """
        name = self._metric_of(metric)
        columns = ("cluster_id", "other_id", "n_pairs", "distance", "similarity")
        request: PointRequest = self._request(by=by, policy=policy, columns=columns)
        return request.rows_of("similarities", lambda tables: frames.Similarities(tables, name))

    def _metric_of(self, metric: str | None) -> str:
        return self._metric if metric is None else _known(metric, distances=self._distances is not None)


def _known(metric: str | None, *, distances: bool) -> str:
    if distances:
        if metric not in (None, PRECOMPUTED):
            raise InvalidParameter(
                f"metric is {metric!r}, but there are distances.",
                "Leave it out, or use features instead of distances.",
            )
        return PRECOMPUTED
    if metric is None:
        return METRICS[0]
    if metric == PRECOMPUTED:
        raise InvalidParameter(
            f"metric is {metric!r}, and there are no distances.",
            Hint("Pass a table of item_id, other_id and distance: ", Argument("distances", "distances.csv"), "."),
        )
    if metric not in METRICS:
        raise InvalidParameter(
            f"metric is {metric!r}; allowed: {', '.join(METRICS)}.",
            Hint("Write ", Argument("metric", "euclidean"), "."),
        )
    return metric
