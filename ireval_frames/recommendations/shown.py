"""Tables of items and of features, in what users used before and in lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.tables import RecommendationTables

Select = Callable[[RecommendationTables], tuple[Table, Mapping[str, Expr]]]


def _groups(tables: RecommendationTables) -> tuple[Table, list[str]]:
    """A row per system and group of users, and its keys."""
    keys = [k for k in tables.keys if k != "item_id"]
    return tables.plan.grouped("groups_of_users", tables.documents, *keys), keys


def popularity(cutoff: int | None) -> Select:
    """A row per system, group and item of the catalogue: how often it was used, and how often it is recommended."""

    def select(tables: RecommendationTables) -> tuple[Table, Mapping[str, Expr]]:
        c = RecommendationContext(tables, "popularity")
        c.needs("train")
        plan, (groups, keys) = tables.plan, _groups(tables)
        catalogue = tables.catalogue
        used = catalogue.column(catalogue.lookup(tables.used, of=tables.popularity).fill_null(0.0))
        descending = catalogue.column(-used, "descending")
        place = catalogue.over(descending.cum_count(), (), [descending.name, "doc_id"], "place")
        with plan.into(groups):
            recommended, n = c.recommended(lit(1.0), cutoff)
        rows = plan.joined("items_of_groups", (*keys, "doc_id"), groups, catalogue)
        columns = {
            **{key: col(key) for key in keys},
            "doc_id": col("doc_id"),
            "place": rows.column(rows.lookup(place, of=catalogue).cast(pl.Int64)),
            "used": rows.lookup(used, of=catalogue),
            "recommended": rows.column(rows.lookup(n, of=recommended).fill_null(0.0)),
        }
        return rows, columns

    return select


def features(cutoff: int | None) -> Select:
    """A row per system, group and feature: the shares of items with it among the rows of train and of lists."""

    def select(tables: RecommendationTables) -> tuple[Table, Mapping[str, Expr]]:
        c = RecommendationContext(tables, "features")
        c.needs("features")
        c.needs("train")
        plan, (groups, keys) = tables.plan, _groups(tables)
        lists, train, users = tables.lists, tables.train, tables.documents
        names = plan.grouped("names_of_features", tables.features, "feature")
        rows = plan.joined("features_of_groups", (*keys, "feature"), groups, names)
        top = c.within(lit(1.0), cutoff)
        in_lists = plan.joined(
            "all_features_of_lists", (*lists.keys, "feature"), lists, tables.features, on=("doc_id",)
        )
        n = ratio(
            in_lists.sum(in_lists.lookup(lists.column(top), of=lists), into=rows),
            rows.lookup(lists.sum(top, into=groups), of=groups),
        )
        of_users = plan.joined("train_of_users", (*users.keys, "doc_id"), users, train, on=("item_id",))
        times = of_users.lookup(tables.times, of=train)
        used = plan.joined(
            "features_of_train_of_users", (*of_users.keys, "feature"), of_users, tables.features, on=("doc_id",)
        )
        before = ratio(
            used.sum(used.lookup(of_users.column(times), of=of_users), into=rows),
            rows.lookup(of_users.sum(times, into=groups), of=groups),
        )
        before, after = rows.column(before), rows.column(n)
        columns = {
            **{key: col(key) for key in (*keys, "feature")},
            "share_of_train": before,
            "share_of_lists": after,
            "bias_disparity": rows.column(ratio(after - before, before)),
        }
        return rows, columns

    return select
