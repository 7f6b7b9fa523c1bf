"""Lists of recommended items, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.columns.recommendations import TABLES
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.conventions.recommendations import RecommendationPolicy
from ireval_frames.documents.subject import ids_as_table
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.recommendations.request import RecommendationRequest
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
