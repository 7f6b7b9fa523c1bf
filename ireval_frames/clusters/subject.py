"""Clusterings of items with known classes, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ireval_frames import results
from ireval_frames.clusters.inputs import COLUMNS
from ireval_frames.clusters.request import ClusterRequest
from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.columns.user_names import columns_named, named_columns
from ireval_frames.conventions.items import ClusterPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.contingency import cross_table
from ireval_frames.plan import Table
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Clusters(Subject[ClusterPolicy, Evaluation]):
    """Items with their classes and clusters: clusterings by external criteria.

    Args:
        clusters: a table with a row per item: its class (`label`) and its cluster (`cluster_id`); lists where an item
            is in several.  Or, with `system`, a long table of item and class.
        system: a long table of item and cluster.  Items that it alone has do not count, and it is said which; those of
            `Coreference` do.
        label, cluster, item, weight: the names of the columns where they differ from label, cluster_id, item_id, weight
            (and the names other tools use).  Several columns of `cluster` are clusterings of the same items, named
            in the column `run_id` of results.  Without `item` each row is an item.  A contingency table is one
            whose weight is the count.
        unit: columns whose groups of items are separate clusterings, evaluated one by one and then averaged; by default
            all items are one unit.
        by: columns that group units.
        noise_cluster: the cluster that holds noise, such as −1; the policy's field `noise` says how it is treated.
        overlapping: items have several rows, one for each of their classes or clusters.
        policy: the conventions (see `ClusterPolicy`), such as `policy="missing=skip"` for items in no cluster (null, or
            absent from `system`).
        engine: "polars", "duckdb" or "spark"; by default where the clusters are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Classes and clusters may be text, enums, integers, booleans or floats.  An item of weight w is w equal items; alone
    in its cluster it makes a cluster of that size.  Measures that count items or pairs of items refuse weights
    that are no whole numbers.  Where clusters overlap, an item in noise and in other clusters is in the others only.  A
    `run_id` column means many clusterings at once.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": ["a", "a", "b", "b"], "cluster_id": [1, 1, 1, 2]})
        >>> ir.Clusters(frame).evaluate("Purity AdjustedRand BCubedF").summary()["value"].round(4).to_list()
        [0.75, 0.0, 0.7059]
        >>> table = pl.DataFrame({"label": ["a", "a", "b", "b"], "k2": [1, 1, 2, 2], "k3": [1, 1, 2, 3]})
        >>> ir.Clusters(table, cluster=["k2", "k3"]).evaluate("AdjustedRand").summary()["value"].round(4).to_list()
        [1.0, 0.5714]
    """

    family = "clusters"
    _conventions = ClusterPolicy
    _requests = ClusterRequest
    _evaluations = Evaluation
    _result_columns = (
        *RESULT_COLUMNS,
        "label",
        "cluster_id",
        "count",
        "share",
        "n_items",
        "n_classes",
        "n_clusters",
    )

    def __init__(
        self,
        clusters: Any,
        system: Any = None,
        *,
        label: str | None = None,
        cluster: str | Sequence[str] | None = None,
        item: str | None = None,
        weight: str | None = None,
        unit: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        noise_cluster: Any = None,
        overlapping: bool = False,
        policy: ClusterPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"clusters": clusters, "system": system},
            first="clusters",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        self.unit = self._columns_of("unit", unit)
        several = () if isinstance(cluster, str) else columns_named(cluster, "cluster")
        self._clusterings = several if len(several) > 1 else ()
        one = next(iter(several), None) if not isinstance(cluster, str) else cluster
        named = dict(zip(COLUMNS, (label, None if self._clusterings else one, item, weight), strict=True))
        self._columns = named_columns(columns, named)
        self._noise_cluster, self._overlapping = noise_cluster, overlapping

    @results.table_method
    def contingency(
        self,
        *,
        normalize: Literal["label", "cluster_id", "all"] | None = None,
        by: str | Sequence[str] | None = None,
        policy: ClusterPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """The contingency table: a row per class and cluster that occur together.

        Args:
            normalize: add the `share` of each cell within its "label", its "cluster_id", or "all" cells.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a table per unit; else one of the items of all units.

        Returns:
            [run_id, by …] [unit] label cluster_id count [share]; counts are sums of the weights.  The cluster of
            singletons, which are in no cluster or in noise, is null.

        Raises:
            NotDefined: classes or clusters overlap.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> ir.Clusters(ir.examples.clusters()).contingency().filter(pl.col("label") == "d").rows()
            [('d', 2, 1.0), ('d', 3, 3.0)]
        """
        request: ClusterRequest = self._request(by=by, policy=policy, unit=self.unit if per_unit else ())

        def select(tables: ClusterTables) -> tuple[Table, dict[str, Expr]]:
            if tables.inputs.overlapping:
                raise NotDefined(
                    "A contingency table is for items in one class and one cluster each; these overlap.",
                    "Join the two tables instead.",
                )
            sides = {
                "label": col("label"),
                "cluster_id": when(col("singleton") == 0).then(col("cluster_id")),
            }
            return cross_table(tables.cells, tables.keys, sides, col("size"), normalize)

        return request.table(select, "contingency")
