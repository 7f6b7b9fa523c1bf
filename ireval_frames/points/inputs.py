"""The user's table of points as one frame: keys, `cluster_id`, `item_id`, `weight`, and `x0`, `x1`, ….

Several clusterings of the same points are stacked; `run_id` is then the column of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.columns.schema import ITEM_ID, RUN_ID, UNTYPED, WEIGHT, Column, Schema, number
from ireval_frames.columns.user_names import columns_named
from ireval_frames.conventions.items import PointPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    NotDefined,
    WrongType,
    listed,
)
from ireval_frames.expr import Expr, col, concat_str, lit, when
from ireval_frames.items.class_types import class_type, is_list, literal_class, named_by
from ireval_frames.items.inputs import ItemInputs, ItemNames, free_name
from ireval_frames.points.precomputed import Distances

CLUSTER_ID = Column(
    "cluster_id", "class", ("cluster", "cluster_label", "prediction", "labels", "label"), required=False
)
POINTS = Schema("points", (RUN_ID, ITEM_ID, CLUSTER_ID, WEIGHT), ("run_id", "item_id"))
# The prefixes of clusters and of singletons, where both occur.
NAMED, ALONE = "c", "n"


@dataclass(frozen=True)
class PointColumns:
    """The user's columns, and the cluster of noise."""

    features: tuple[str, ...]
    clusters: tuple[str, ...]
    names: Mapping[str, str]
    noise_cluster: Any
    sizes: dict[str, int] = field(default_factory=dict)
    """The number of dimensions of vector columns, once known: SQL text is made from tables without rows."""


class PointInputs(ItemInputs):
    """The points of one evaluation.

    Args:
        table: the user's table.
        columns: the user's columns.
        by, unit: the columns that group units, and those whose groups are units.
        policy: the treatment of noise, and of points in no cluster.
        engine: where the plan runs.
        numbered: whether points need an id.
        only: of several clusterings, only this one.
        distances: the user's distances, instead of features.

    Attributes:
        features: the names of the coordinates: `x0`, `x1` …
        points: a row per point.
        raw: the same before rows are left out, for the checks.
        cluster_type: the type of the user's clusters.
    """

    def __init__(
        self,
        table: Any,
        columns: PointColumns,
        by: tuple[str, ...],
        unit: tuple[str, ...],
        policy: PointPolicy,
        engine: Engine,
        *,
        numbered: bool = False,
        only: str | None = None,
        distances: Distances | None = None,
    ) -> None:
        super().__init__(POINTS, table, ItemNames(columns.names, by, unit), engine, policy.units)
        self.point_columns, self.policy, self.distances = columns, policy, distances
        self._free_features()
        self._by_ids = False
        clusters = self._clusters()
        # Whether points may be singletons; clusters and singletons then have different prefixes.
        self.singletons = policy.missing == "singleton" or (
            columns.noise_cluster is not None and policy.noise == "singleton"
        )
        row_id = self._row_id() if self.singletons else None
        if numbered or distances is not None:
            self.frame = self.numbered(self.frame)
        self._distance_rows = (
            None if distances is None else distances.opened(engine, self.frame, self.user_columns["item_id"])
        )
        self._check_features()
        self.vectors = [c for c in columns.features if is_list(self.frame, c)]
        coordinates = self._coordinates()
        self.features = tuple(f"x{i}" for i in range(len(coordinates)))
        common = dict(self.keyed) | (
            {"item_id": col(self.user_columns["item_id"])} if "item_id" in self.user_columns else {}
        )
        common |= {"weight": self.number("weight")} if "weight" in self.user_columns else {}
        common |= {} if row_id is None else {"own": col(row_id)}
        common |= dict(zip(self.features, coordinates, strict=True))
        types = {c: self.frame.collect_schema()[c] for c in clusters}
        # Clusterings of different types are compared as text.
        self.mixed = len(set(types.values())) > 1
        text = self.mixed or any(_is_text(t) for t in types.values())
        self.cluster_type: Any = pl.String if text else next(iter(types.values()))
        selected = clusters if only is None else (only,)
        rows = self.frame.lazy()
        parts = [self._part(rows, common, c, named=len(clusters) > 1) for c in selected]
        if len(clusters) > 1:
            self.keys = ("run_id", *self.keys)
        self.raw = parts[0] if len(parts) == 1 else concat(parts)
        if self._by_ids:
            self.checks.append(self._unique_singletons())
        self.points = self._counted(self.raw)
        self.columns = set(self.points.collect_schema().names())
        if distances is not None:
            self.know_items(self.frame, self.user_columns["item_id"], "points")
            self.checks.append(self._unique_items())

    def read_distances(self) -> None:
        """Read the user's distances, if there are any."""
        if self.distances is not None and self._distance_rows is not None:
            self.distances.read(self.engine, self._distance_rows, self.user_columns["item_id"])

    def _part(self, rows: Frame, common: Mapping[str, Expr], cluster: str, *, named: bool) -> Frame:
        value = col(cluster).cast(pl.String) if self.cluster_type == pl.String else col(cluster)
        if self.cluster_type in (pl.Float64, pl.Float32):
            value = named_by(value, self.cluster_type)
        name = {"run_id": lit(cluster)} if named else {}
        return rows.select(**name, **common, cluster_id=value)

    def _counted(self, raw: Frame) -> Frame:
        """The rows without weights of 0 and without those that the policy leaves out."""
        cluster, policy = col("cluster_id"), self.policy
        frame = raw.filter(col("weight") > 0) if "weight" in self.user_columns else raw
        if policy.missing == "skip":
            frame = frame.filter(~cluster.is_null())
        if self.point_columns.noise_cluster is not None and policy.noise == "skip":
            frame = frame.filter(~self.is_noise)
        if self.singletons:
            single = concat_str(lit(ALONE), col("own").cast(pl.String))
            named = concat_str(lit(NAMED), cluster.cast(pl.String))
            frame = frame.with_columns(cluster_id=when(self.is_singleton).then(single).otherwise(named))
        return frame

    def _row_id(self) -> str:
        """The column that identifies singletons: the number of the row, or the unique id if rows have no order."""
        name = free_name("row_number", self.frame)
        try:
            self.frame = self.engine.number(self.frame.lazy(), name)
        except NotDefined:
            if "item_id" not in self.user_columns:
                raise
            self._by_ids = True
            return self.user_columns["item_id"]
        return name

    def _unique_singletons(self) -> Check:
        """Singletons have unique ids."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"Column {self.user_columns['item_id']!r} holds {rows['own'][0]} for several points, or none, "
                "of those that are clusters of their own.",
                Hint("Name a column of unique ids: ", Argument("item", "their_name")),
            )

        ids = self.raw.filter(self.is_singleton).count_by(*self.keys, "own")
        return Check(ids, (col("n") > 1) | col("own").is_null(), error)

    def _unique_items(self) -> Check:
        """Points with distances have unique ids."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            item = self.user_columns["item_id"]
            return InvalidValue(
                f"Column {item!r} of the points table holds {rows['item_id'][0]} for {rows['n'][0]} points of one "
                "group, and distances are by item.",
                Hint(
                    "Keep one of each, or name the columns of groups: ",
                    Argument("unit", "user_id"),
                    ", or a column of unique ids: ",
                    Argument("item", "their_name"),
                ),
            )

        return Check(self.points.count_by(*self.keys, "item_id"), col("n") > 1, error)

    @property
    def is_singleton(self) -> Expr:
        """Whether a point is a cluster of its own."""
        missing = col("cluster_id").is_null()
        single = missing if self.policy.missing == "singleton" else lit(value=False)
        return single | self.is_noise if self.policy.noise == "singleton" else single

    @property
    def is_noise(self) -> Expr:
        """Whether a point is in the cluster that holds noise."""
        noise, cluster = self.point_columns.noise_cluster, col("cluster_id")
        if noise is None:
            return lit(value=False)
        value = (
            str(noise)
            if self.cluster_type == pl.String and self.mixed
            else literal_class(noise, self._class_type, "noise_cluster")
        )
        return ~cluster.is_null() & (cluster == lit(value))

    @property
    def _class_type(self) -> Any:
        return (
            self.cluster_type
            if self.cluster_type == pl.String
            else class_type({"cluster": self.cluster_type}, {"cluster": "cluster_id"})
        )

    # ---- columns

    @property
    def weighted_items(self) -> Frame:
        """The points, with those that are left out."""
        return self.raw

    def _free_features(self) -> None:
        """Columns of features and clusterings have no other role, whatever their name."""
        used = {*self.point_columns.features, *self.point_columns.clusters}
        for ours in ("run_id", "item_id", "cluster_id", "weight"):
            if self.user_columns.get(ours) in used and ours not in self.point_columns.names:
                del self.user_columns[ours]
                if ours == "run_id":
                    self.keys = tuple(k for k in self.keys if k != "run_id")
                    self.keyed.pop("run_id")

    def _clusters(self) -> tuple[str, ...]:
        present = list(self.frame.columns)
        clusters = self.point_columns.clusters
        if not clusters:
            if "cluster_id" not in self.user_columns:
                raise MissingColumn(
                    f"The points table has no column 'cluster_id' (it has: {listed(present, 20)}).",
                    Hint("Name it: ", Argument("cluster", "their_name")),
                )
            return (self.user_columns["cluster_id"],)
        for column in clusters:
            if column not in present:
                raise MissingColumn(
                    f"The points table has no column {column!r} (it has: {listed(present, 20)}).",
                    Hint("Name one of them: ", Argument("cluster", present[0])),
                )
        if len(clusters) > 1 and "run_id" in self.user_columns:
            raise InvalidParameter(
                f"The points table has a run_id, and {len(clusters)} clusterings side by side.",
                "Drop the column, or name one clustering.",
            )
        return clusters

    def _check_features(self) -> None:
        present = list(self.frame.columns)
        for name in self.point_columns.features:
            if name not in present:
                raise MissingColumn(
                    f"The points table has no column {name!r} (it has: {listed(present, 20)}).",
                    Hint("Name some of them: ", Argument("features", ["x", "y"])),
                )

    def _coordinates(self) -> list[Expr]:
        """An expression per dimension; vectors have several."""
        schema = self.frame.collect_schema()
        out: list[Expr] = []
        for name in self.point_columns.features:
            if name in self.vectors:
                if not schema[name].inner.is_numeric():
                    raise WrongType(
                        f"Column {name!r} of the points table is {schema[name]}; its vectors must hold numbers.",
                        f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.List(pl.Float64)))',
                    )
                vector = col(name).cast(pl.List(pl.Float64))
                out += [vector.list.get(i) for i in range(self.size_of(name))]
            else:
                allowed = "numbers, or vectors of them"
                out.append(number("points", name, schema[name], text=self.from_file, allowed=allowed))
        return out

    def size_of(self, name: str) -> int:
        """The number of dimensions: of the type of arrays, and of the first row of lists, which is read once."""
        dtype = self.frame.collect_schema()[name]
        if isinstance(dtype, pl.Array):
            return int(dtype.size)
        if name not in self.point_columns.sizes:
            first = self.engine.collect(self.frame.lazy().select(n=col(name).list.len()).head(1))
            self.point_columns.sizes[name] = int(first["n"][0] or 1) if first.height else 1
        return self.point_columns.sizes[name]


def point_columns(
    features: str | Sequence[str] | None,
    cluster: str | Sequence[str] | None,
    columns: Mapping[str, str],
    noise_cluster: Any,
    *,
    distances: bool,
) -> PointColumns:
    """The user's columns, checked.

    Raises:
        InvalidParameter: there are no features, or one twice; or features and distances.
    """
    names, clusters = columns_named(features, "features"), columns_named(cluster, "cluster")
    if names and distances:
        raise InvalidParameter(
            f"Points have the features {listed(names)}, and distances, too.",
            "Leave one of them out.",
        )
    if not names and not distances:
        raise InvalidParameter(
            "Points need features, or distances.",
            Hint(
                "Name them: ",
                Argument("features", ["x", "y"]),
                ", or a column of vectors: ",
                Argument("features", "embedding"),
                ", or a table of item_id, other_id and distance: ",
                Argument("distances", "distances.csv"),
            ),
        )
    return PointColumns(names, clusters, columns, noise_cluster)


def _is_text(dtype: Any) -> bool:
    return dtype in (pl.String, *UNTYPED) or isinstance(dtype, pl.Categorical | pl.Enum)
