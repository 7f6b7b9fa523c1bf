"""Lists of recommended items, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import results
from ireval_frames.columns.recommendations import TABLES
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.conventions.recommendations import RecommendationPolicy
from ireval_frames.documents.subject import ids_as_table
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.recommendations import shown
from ireval_frames.recommendations.parameters import CUTOFF
from ireval_frames.recommendations.request import RecommendationRequest
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Recommendations(Subject[RecommendationPolicy, Evaluation]):
    """Lists of items that were recommended to users.

    Args:
        recs: a row per user and recommended item, with a score or a rank.  With a run_id column, many systems at once.
        train: a row per user and item used before, by which popularity, novelty and histories are known.
        relevant: a row per user and relevant item, such as those used later; with a relevance, if that has grades.
        catalogue: the items that can be recommended: ids, or a table of them.  By default the items of train and of
            all lists, and measures that read their number warn of that.
        features: a row per item and feature, such as a genre; with a weight, if features differ in it.
        distances: a row per two items, with their distance.
        baseline: the list of another recommender for each user, or one list for all users.
        users: the users that are evaluated: ids, or a table of them, which may have a `weight` and the columns of
            `by`.  By default those with a list, and those with relevant items.
        user, item, score: the names of the columns where they differ from user_id, item_id, score (and the names other
            tools use).
        rank: the column of ranks, by which lists are then ordered; without it by scores, if there are any.
        by: columns of `users` that group them; without such a table, of the lists.
        policy: the conventions (see `RecommendationPolicy`).
        engine: "polars", "duckdb" or "spark"; by default where the lists are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what columns are called, ours → theirs, for every table that has such a column; for one table
            `{"train": {"user_id": "uid"}}`.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("MIUF@3 CatalogCoverage@3").summary()["value"].round(4).to_list()
        [1.7917, 0.8333]
    """

    family = "recommendations"
    _conventions = RecommendationPolicy
    _requests = RecommendationRequest
    _evaluations = Evaluation
    _result_columns = (*RESULT_COLUMNS, "n_recommended")
    _of_tables = ("place", "used", "recommended", "feature", "share_of_train", "share_of_lists", "bias_disparity")

    def __init__(
        self,
        recs: Any,
        train: Any = None,
        relevant: Any = None,
        *,
        catalogue: Any = None,
        features: Any = None,
        distances: Any = None,
        baseline: Any = None,
        users: Any = None,
        user: str | None = None,
        item: str | None = None,
        score: str | None = None,
        rank: str | None = None,
        by: str | Sequence[str] = (),
        policy: RecommendationPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Columns | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        if score is not None and rank is not None:
            raise InvalidParameter(
                f"score= names {score!r} and rank= names {rank!r}; lists are ordered by one of them.",
                Hint("Write ", Argument("rank", rank), "."),
            )
        named = {"user_id": user, "item_id": item, "score": score, "rank": rank}
        self.names = TableNames({**{o: n for o, n in named.items() if n is not None}, **(columns or {})}, TABLES)
        self.ranked = rank is not None
        called = self.names.of
        tables = {
            "recs": recs,
            "train": train,
            "relevant": relevant,
            "catalogue": ids_as_table(catalogue, called("catalogue").get("item_id", "item_id"), "catalogue"),
            "features": features,
            "distances": distances,
            "baseline": baseline,
            "users": ids_as_table(users, called("users").get("user_id", "user_id"), "users"),
        }
        super().__init__(
            tables,
            first="recs",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )

    @results.table_method
    def popularity(
        self,
        *,
        cutoff: int | None = None,
        by: str | Sequence[str] | None = None,
        policy: RecommendationPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The items of the catalogue by popularity: how often each was used before, and how often it is recommended.

        Args:
            cutoff: count the top k items of lists; by default all.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] item_id place used recommended: place 1 is the most used item, ties by ascending ids; `used`
            counts users of train, `recommended` lists.

        Example:
            >>> import ireval_frames as ir
            >>> for row in ir.Recommendations(**ir.examples.recommendations()).popularity(cutoff=3).rows():
            ...     print(row)
            ('A', 1, 4.0, 0.0)
            ('B', 2, 2.0, 2.0)
            ('C', 3, 1.0, 3.0)
            ('D', 4, 1.0, 2.0)
            ('E', 5, 0.0, 3.0)
            ('F', 6, 0.0, 1.0)
        """
        CUTOFF.check("cutoff", cutoff)
        request: RecommendationRequest = self._request(by=by, policy=policy, columns=self._of_tables)
        return request.table(shown.popularity(cutoff), "popularity", lambda _: [pl.col("place")])

    @results.table_method
    def features(
        self,
        *,
        cutoff: int | None = None,
        by: str | Sequence[str] | None = None,
        policy: RecommendationPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The features of items: the shares of items that have each, in what users used before and in lists.

        Args:
            cutoff: count the top k items of lists; by default all.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] feature share_of_train share_of_lists bias_disparity, which is the measure `BiasDisparity`.

        Example:
            >>> import ireval_frames as ir
            >>> for row in ir.Recommendations(**ir.examples.recommendations()).features(cutoff=3).rows():
            ...     print(row[0], *(None if value is None else round(value, 4) for value in row[1:]))
            g1 0.875 0.4545 -0.4805
            g2 0.25 0.5455 1.1818
            g3 0.0 0.3636 None
        """
        CUTOFF.check("cutoff", cutoff)
        request: RecommendationRequest = self._request(by=by, policy=policy, columns=self._of_tables)
        return request.table(shown.features(cutoff), "features", lambda _: [pl.col("feature")])
