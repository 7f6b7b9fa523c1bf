"""Ratings of items by raters, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames import catalog, results
from ireval_frames.columns.user_names import columns_named, named_columns
from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.ratings.crowd.subject import Crowd
from ireval_frames.ratings.inputs import COLUMNS
from ireval_frames.ratings.measures.cohen import kappas
from ireval_frames.ratings.options import RatingOptions
from ireval_frames.ratings.request import RatingRequest
from ireval_frames.ratings.result import RatingEvaluation
from ireval_frames.ratings.tables import RatingTables
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS


class Ratings(Crowd):
    """Items with the ratings of several raters: agreement, consensus, and how good raters are.

    Args:
        ratings: a long table with a row per rating: the item, the rater and the rating; or a wide one.
        item, rater, rating, weight: the names of the columns where they differ from item_id, rater_id, rating, weight
            (and the names other tools use).  A weight is that of an item, which counts that many times.
        raters: of a wide table, with a row per item, the columns of the raters.
        unit: columns whose groups of items are evaluated one by one and then averaged; by default all items are one
            unit.
        by: columns that group results.
        level: the level of measurement: "nominal" (categories), "ordinal" (in an order), "interval" or "ratio"
            (numbers).
        categories: the scale, from low to high, where not all of it occurs, or its order is not that of the ratings;
            ordinal ratings that are an enum are in the order of their type.
        distances: between categories, for `KrippendorffAlpha(distance="own")`: a frame or file of
            rating, other_rating and distance, a mapping of pairs, or a function of two of `categories`.
        policy: the conventions (see `RatingPolicy`), such as `policy="duplicates=trust"`.
        engine: "polars", "duckdb" or "spark"; by default where the ratings are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Ratings may be text, enums, integers, booleans or floats; null and NaN are missing ratings.

    Raises:
        MissingColumn, WrongType: the table lacks columns, or has other types.
        UnknownName, InvalidParameter, NotDefined: an engine, policy, level or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"item_id": [1, 1, 2, 2], "rater_id": ["a", "b"] * 2, "rating": ["x", "x", "x", "y"]})
        >>> ir.Ratings(frame).evaluate("PercentAgreement CohenKappa").summary()["value"].to_list()
        [0.5, 0.0]
        >>> wide = pl.DataFrame({"a": ["x", "x"], "b": ["x", "y"]})
        >>> ir.Ratings(wide, raters=["a", "b"]).evaluate("PercentAgreement").summary()["value"].item()
        0.5
    """

    family = "ratings"
    _conventions = RatingPolicy
    _requests = RatingRequest
    _evaluations = RatingEvaluation
    _result_columns = (
        *RESULT_COLUMNS,
        *("n_ratings", "n_raters", "n_rated"),
    )

    def __init__(
        self,
        ratings: Any,
        *,
        item: str | None = None,
        rater: str | None = None,
        rating: str | None = None,
        weight: str | None = None,
        raters: str | Sequence[str] = (),
        unit: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        level: str = "nominal",
        categories: Sequence[Any] | None = None,
        distances: Any = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"ratings": ratings},
            first="ratings",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        self.unit = self._columns_of("unit", unit)
        self._columns = named_columns(columns, dict(zip(COLUMNS, (item, rater, rating, weight), strict=True)))
        self._options = RatingOptions(columns_named(raters, "raters"), level, categories, distances)
        self._left_out: tuple[Any, ...] = ()

    @results.table_method
    def pairwise(
        self,
        *,
        weights: str = "identity",
        by: str | Sequence[str] | None = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Every two raters who share items: the number of these, the share on which they agree, and Cohen's kappa.

        Args:
            weights: the weights of disagreements (see `CohenKappa`).
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [by …] [unit] rater_a rater_b n_rated agreement kappa; the number of items, or their weight.

        Raises:
            NotDefined: the table has no raters.

        Example:
            >>> import ireval_frames as ir
            >>> pairs = ir.Ratings(ir.examples.ratings()).pairwise()
            >>> pairs.select("rater_a", "rater_b", "n_rated", "agreement").row(0)
            ('a', 'b', 9.0, 0.8888888888888888)
        """
        columns = ("rater_a", "rater_b", "agreement", "kappa")
        request: RatingRequest = self._request(by=by, policy=policy, columns=columns)
        measure = catalog.parse(f"CohenKappa(weights={weights!r})", self.family)

        def pairs(tables: RatingTables) -> tuple[Table, dict[str, Expr]]:
            context, table, cells = request.context(tables, measure.name), tables.rater_pairs, tables.shared_cells
            kappa = kappas(context, measure.arguments()["weights"])
            n = cells.sum(tables.shared_size, into=table)
            same = when(col("first_rating") == col("second_rating")).then(tables.shared_size).otherwise(0.0)
            share = cells.sum(same, into=table) / n
            return table, {**{k: col(k) for k in table.keys}, "n_rated": n, "agreement": share, "kappa": kappa}

        return request.table(pairs, "pairs of raters")
