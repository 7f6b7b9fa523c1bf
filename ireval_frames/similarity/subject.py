"""Similarity: rankings to be compared, query by query or as wholes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.conventions.rankings import SimilarityPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import SUMMARY
from ireval_frames.similarity.evaluation import SimilarityEvaluation, SimilarityRequest
from ireval_frames.similarity.schemas import KINDS
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Similarity(Subject[SimilarityPolicy, SimilarityEvaluation]):
    """Rankings that are compared: every two runs query by query, two tables of runs, or orders of anything else.

    Args:
        runs: rankings of documents (run_id, query_id, doc_id, score or rank), which are compared query by query, or of
            any items ([ranking] item, score or rank), such as systems; an `Evaluation` stands for its runs as each of
            its measures orders them.
        against: a second one of these: its rankings are compared with those of `runs`, which are not compared with each
            other.
        by: columns that group the results; of an evaluation its own by default.
        itself: compare every ranking with itself too, where there is one table.
        descending: whether larger scores stand first; ranks always count from the first.
        policy: the conventions (see `SimilarityPolicy`): a policy, a preset's name, or "field=value,…".
        engine: "polars", "duckdb" or "spark"; by default where the runs are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: names of the tables' columns where they differ from ours: `{"score": "sim"}` for both tables,
            `{"against": {"score": "sim"}}` for one.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

    Tables may be frames of any kind Narwhals knows, paths (also globs and lists of runs), DuckDB relations, or names of
    DuckDB tables.  An evaluation is computed when it is handed in.

    Results have the columns run_id, other_run_id, query_id; rankings of items have `ranking` and `other_ranking`
    instead, and no query_id unless the table has one.  A summary is over queries, and `matrix()` has a row and a column
    for each run.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.
        NotDefined: an evaluation of one run, which puts nothing into an order.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> other = run.with_columns(score=-run["score"])
        >>> ir.Similarity(run, against=other).evaluate("Tau RBO").summary()["value"].round(4).to_list()
        [-1.0, 0.7378]
    """

    family = "similarity"
    _conventions = SimilarityPolicy
    _requests = SimilarityRequest
    _evaluations = SimilarityEvaluation
    _result_columns = (
        *RESULT_COLUMNS,
        "other_run_id",
        "ranking",
        "other_ranking",
        "query_id",
        "n_common",
    )

    def __init__(
        self,
        runs: Any,
        *,
        against: Any = None,
        by: str | Sequence[str] = (),
        itself: bool = False,
        descending: bool = True,
        policy: SimilarityPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Columns | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        given = {"runs": runs, "against": against}
        for name, table in given.items():
            if isinstance(table, Evaluation):
                given[name], groups = orders(table)
                by = by or groups
        super().__init__(
            given, first="runs", by=by, policy=policy, engine=engine, con=con, storage_options=storage_options
        )
        self.names = TableNames(columns, KINDS)
        self.itself, self.descending = itself, descending


def orders(evaluation: Evaluation) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The runs of an evaluation as each measure orders them: by …, ranking, item, rank; and the `by` columns.

    Runs for which a measure is undefined are not in its order.

    Raises:
        NotDefined: the evaluation is of one run.
    """
    summary = evaluation.summary()
    if "run_id" not in summary.columns:
        raise NotDefined(
            "This evaluation is of one run, and its measures put nothing into an order.",
            "Evaluate a table of several runs (run_id).",
        )
    by = tuple(c for c in summary.columns if c not in ("run_id", *SUMMARY))
    lower = [str(m) for m in evaluation.measures if m.definition.higher_is_better is False]
    goodness = pl.when(pl.col("measure").is_in(lower)).then(-pl.col("value")).otherwise("value")
    rank = goodness.rank("min", descending=True).over("measure", *by).cast(pl.Int64)
    defined = summary.filter(pl.col("value").is_not_null())
    return defined.select(*by, ranking="measure", item="run_id", rank=rank), by
