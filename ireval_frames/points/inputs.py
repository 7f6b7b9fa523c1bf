"""The table of points as handed in, as one canonical frame: keys, `cluster_id`, `item_id`, `weight`, and `x0`, `x1`, ….

Several clusterings of the same points are stacked; `run_id` then names the column that a clustering stands in.
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
from ireval_frames.items.inputs import ItemInputs, Names, free_name
from ireval_frames.points.precomputed import Distances

CLUSTER_ID = Column(
    "cluster_id", "class", ("cluster", "cluster_label", "prediction", "labels", "label"), required=False
)
POINTS = Schema("points", (RUN_ID, ITEM_ID, CLUSTER_ID, WEIGHT), ("run_id", "item_id"))
# What stands before the names of clusters where every noise point is a cluster of its own.
NAMED, ALONE = "c", "n"


@dataclass(frozen=True)
class Described:
    """What the user says of the columns."""

    features: tuple[str, ...]
    clusters: tuple[str, ...]
    columns: Mapping[str, str]
    noise_cluster: Any
    sizes: dict[str, int] = field(default_factory=dict)
    """The number of dimensions of vector columns, once known: SQL text is made from tables without rows."""


class PointInputs(ItemInputs):
    """The canonical frame of one evaluation.

    Args:
        given: the table.
        described: what its columns are.
        by, unit: the user's columns that group units, and whose groups are the units.
        policy: what becomes of noise, and of points in no cluster.
        engine: where the plan runs.
        numbered: points need an id.
        only: of several clusterings, only this one.
        distances: those that were handed in instead of features.

    Attributes:
        features: the names of the coordinates: `x0`, `x1` …
        points: a row per point.
        raw: the same before rows are left out, for the checks.
        cluster_type: the type of the user's clusters.
    """

    def __init__(
        self,
        given: Any,
        described: Described,
        by: tuple[str, ...],
        unit: tuple[str, ...],
        policy: PointPolicy,
        engine: Engine,
        *,
        numbered: bool = False,
        only: str | None = None,
        distances: Distances | None = None,
    ) -> None:
        super().__init__(POINTS, given, Names(described.columns, by, unit), engine, policy.units)
        self.described, self.policy, self.distances = described, policy, distances
        self._free_features()
        self._by_ids = False
        clusters = self._clusters()
        # Whether points are clusters of their own; their names are then of two kinds, so that none is taken for
        # another.
        self.alone = policy.missing == "singleton" or (
            described.noise_cluster is not None and policy.noise == "singleton"
        )
        tells_apart = self._tells_apart() if self.alone else None
        if numbered or distances is not None:
            self.frame = self.numbered(self.frame)
        self._far = None if distances is None else distances.opened(engine, self.frame, self.user_columns["item_id"])
        self._features_there()
        self.vectors = [c for c in described.features if is_list(self.frame, c)]
        coordinates = self._coordinates()
        self.features = tuple(f"x{i}" for i in range(len(coordinates)))
        common = dict(self.keyed) | (
            {"item_id": col(self.user_columns["item_id"])} if "item_id" in self.user_columns else {}
        )
        common |= {"weight": self.number("weight")} if "weight" in self.user_columns else {}
        common |= {} if tells_apart is None else {"own": col(tells_apart)}
        common |= dict(zip(self.features, coordinates, strict=True))
        kinds = {c: self.frame.collect_schema()[c] for c in clusters}
        # Clusterings of different types are compared as text.
        self.mixed = len(set(kinds.values())) > 1
        text = self.mixed or any(_is_text(k) for k in kinds.values())
        self.cluster_type: Any = pl.String if text else next(iter(kinds.values()))
        chosen = clusters if only is None else (only,)
        rows = self.frame.lazy()
        parts = [self._part(rows, common, c, named=len(clusters) > 1) for c in chosen]
        if len(clusters) > 1:
            self.keys = ("run_id", *self.keys)
        self.raw = parts[0] if len(parts) == 1 else concat(parts)
        if self._by_ids:
            self.checks.append(self._ids_differ())
        self.points = self._kept(self.raw)
        self.columns = set(self.points.collect_schema().names())
        if distances is not None:
            self.know_items(self.frame, self.user_columns["item_id"], "points")
            self.checks.append(self._items_differ())

    def read_distances(self) -> None:
        """Read the distances that were handed in, if there are some."""
        if self.distances is not None and self._far is not None:
            self.distances.read(self.engine, self._far, self.user_columns["item_id"])

    def _part(self, rows: Frame, common: Mapping[str, Expr], cluster: str, *, named: bool) -> Frame:
        made = col(cluster).cast(pl.String) if self.cluster_type == pl.String else col(cluster)
        if self.cluster_type in (pl.Float64, pl.Float32):
            made = named_by(made, self.cluster_type)
        name = {"run_id": lit(cluster)} if named else {}
        return rows.select(**name, **common, cluster_id=made)

    def _kept(self, raw: Frame) -> Frame:
        """Without what is no point: a weight of 0, and what the policy drops."""
        cluster, policy = col("cluster_id"), self.policy
        frame = raw.filter(col("weight") > 0) if "weight" in self.user_columns else raw
        if policy.missing == "skip":
            frame = frame.filter(~cluster.is_null())
        if self.described.noise_cluster is not None and policy.noise == "skip":
            frame = frame.filter(~self.is_noise)
        if self.alone:
            alone = concat_str(lit(ALONE), col("own").cast(pl.String))
            named = concat_str(lit(NAMED), cluster.cast(pl.String))
            frame = frame.with_columns(cluster_id=when(self.is_alone).then(alone).otherwise(named))
        return frame

    def _tells_apart(self) -> str:
        """The column that tells points apart which are clusters of their own: the number of the row, or the id.

        Rows of some engines have no numbers; ids must then be there, and differ.
        """
        name = free_name("row_number", self.frame)
        try:
            self.frame = self.engine.number(self.frame.lazy(), name)
        except NotDefined:
            if "item_id" not in self.user_columns:
                raise
            self._by_ids = True
            return self.user_columns["item_id"]
        return name

    def _ids_differ(self) -> Check:
        """Those that are clusters of their own have ids of their own."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"Column {self.user_columns['item_id']!r} holds {rows['own'][0]} for several points, or none, of those "
                "that are clusters of their own.",
                Hint("Name a column that tells them apart: ", Argument("item", "their_name")),
            )

        ids = self.raw.filter(self.is_alone).count_by(*self.keys, "own")
        return Check(ids, (col("n") > 1) | col("own").is_null(), error)

    def _items_differ(self) -> Check:
        """Points that have distances by their ids have ids of their own."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            item = self.user_columns["item_id"]
            return InvalidValue(
                f"Column {item!r} of the points table holds {rows['item_id'][0]} for {rows['n'][0]} points of one "
                "group, and distances are by item.",
                Hint(
                    "Keep one of each, or name what tells groups apart: ",
                    Argument("unit", "user_id"),
                    ", or a column that tells the points apart: ",
                    Argument("item", "their_name"),
                ),
            )

        return Check(self.points.count_by(*self.keys, "item_id"), col("n") > 1, error)

    @property
    def is_alone(self) -> Expr:
        """Whether a point is a cluster of its own."""
        missing = col("cluster_id").is_null()
        alone = missing if self.policy.missing == "singleton" else lit(value=False)
        return alone | self.is_noise if self.policy.noise == "singleton" else alone

    @property
    def is_noise(self) -> Expr:
        """Whether a point is in the cluster that holds noise."""
        noise, cluster = self.described.noise_cluster, col("cluster_id")
        if noise is None:
            return lit(value=False)
        value = (
            str(noise)
            if self.cluster_type == pl.String and self.mixed
            else literal_class(noise, self._kind, "noise_cluster")
        )
        return ~cluster.is_null() & (cluster == lit(value))

    @property
    def _kind(self) -> Any:
        return (
            self.cluster_type
            if self.cluster_type == pl.String
            else class_type({"cluster": self.cluster_type}, {"cluster": "cluster_id"})
        )

    # ---- columns

    @property
    def weighed(self) -> Frame:
        """The points, with those that are left out."""
        return self.raw

    def _free_features(self) -> None:
        """A column that is a feature or a clustering is nothing else, whatever its name."""
        used = {*self.described.features, *self.described.clusters}
        for ours in ("run_id", "item_id", "cluster_id", "weight"):
            if self.user_columns.get(ours) in used and ours not in self.described.columns:
                del self.user_columns[ours]
                if ours == "run_id":
                    self.keys = tuple(k for k in self.keys if k != "run_id")
                    self.keyed.pop("run_id")

    def _clusters(self) -> tuple[str, ...]:
        present = list(self.frame.columns)
        clusters = self.described.clusters
        if not clusters:
            if "cluster_id" not in self.user_columns:
                raise MissingColumn(
                    f"The points table has no column 'cluster_id' (it has: {listed(present, 20)}).",
                    Hint("Name it: ", Argument("cluster", "their_name")),
                )
            return (self.user_columns["cluster_id"],)
        for wanted in clusters:
            if wanted not in present:
                raise MissingColumn(
                    f"The points table has no column {wanted!r} (it has: {listed(present, 20)}).",
                    Hint("Name one of them: ", Argument("cluster", present[0])),
                )
        if len(clusters) > 1 and "run_id" in self.user_columns:
            raise InvalidParameter(
                f"The points table has a run_id, and {len(clusters)} clusterings side by side.",
                "Drop the column, or name one clustering.",
            )
        return clusters

    def _features_there(self) -> None:
        present = list(self.frame.columns)
        for name in self.described.features:
            if name not in present:
                raise MissingColumn(
                    f"The points table has no column {name!r} (it has: {listed(present, 20)}).",
                    Hint("Name some of them: ", Argument("features", ["x", "y"])),
                )

    def _coordinates(self) -> list[Expr]:
        """An expression per dimension; vector columns are taken apart."""
        schema = self.frame.collect_schema()
        out: list[Expr] = []
        for name in self.described.features:
            if name in self.vectors:
                if not schema[name].inner.is_numeric():
                    raise WrongType(
                        f"Column {name!r} of the points table is {schema[name]}; its vectors must hold numbers.",
                        f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.List(pl.Float64)))',
                    )
                listing = col(name).cast(pl.List(pl.Float64))
                out += [listing.list.get(i) for i in range(self.size_of(name))]
            else:
                allowed = "numbers, or vectors of them"
                out.append(number("points", name, schema[name], text=self.from_file, allowed=allowed))
        return out

    def size_of(self, name: str) -> int:
        """The number of dimensions: an array's own; a list's by its first row, which is looked at once."""
        dtype = self.frame.collect_schema()[name]
        if isinstance(dtype, pl.Array):
            return int(dtype.size)
        if name not in self.described.sizes:
            first = self.engine.collect(self.frame.lazy().select(n=col(name).list.len()).head(1))
            self.described.sizes[name] = int(first["n"][0] or 1) if first.height else 1
        return self.described.sizes[name]


def described(
    features: str | Sequence[str] | None,
    cluster: str | Sequence[str] | None,
    columns: Mapping[str, str],
    noise_cluster: Any,
    *,
    distances: bool,
) -> Described:
    """What the user says of the columns, checked.

    Raises:
        InvalidParameter: no feature, or one twice; or features beside distances.
    """
    names, clusters = columns_named(features, "features"), columns_named(cluster, "cluster")
    if names and distances:
        raise InvalidParameter(
            f"Points have the features {listed(names)}, and distances, too.",
            "Leave out the one or the other.",
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
    return Described(names, clusters, columns, noise_cluster)


def _is_text(dtype: Any) -> bool:
    return dtype in (pl.String, *UNTYPED) or isinstance(dtype, pl.Categorical | pl.Enum)
