"""Similarity: rankings to be compared, query by query or as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.conventions.rankings import SimilarityPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import SUMMARY
from ireval_frames.similarity.evaluation import SimilarityEvaluation, SimilarityRequest
from ireval_frames.similarity.files import KINDS
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Similarity(Subject[SimilarityPolicy, SimilarityEvaluation]):
    """Rankings to compare: all pairs of runs query by query, two tables of runs, or rankings of any other items.

    Args:
        runs: rankings of documents (run_id, query_id, doc_id, score or rank), which are compared query by query, or of
            any items ([ranking] item, score or rank), such as systems; an `Evaluation` is read as the rankings of its
            runs by each of its measures.
        against: a second one of these: its rankings are compared with those of `runs`, which are not compared with each
            other.
        by: columns that group the results; of an evaluation its own by default.
        itself: with one table, compare every ranking with itself, too.
        descending: whether larger scores come first; ranks always count from the first.
        policy: the conventions (see `SimilarityPolicy`): a policy, a preset's name, or "field=value,…".
        engine: "polars", "duckdb" or "spark"; by default where the runs are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: names of the tables' columns where they differ from ours: `{"score": "sim"}` for both tables,
            `{"against": {"score": "sim"}}` for one.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Tables may be frames of any kind Narwhals knows, paths (also globs and lists of runs), DuckDB relations, or names of
    DuckDB tables.  An evaluation is computed immediately.

    Results have the columns run_id, other_run_id, query_id; rankings of items have `ranking` and `other_ranking`
    instead, and no query_id unless the table has one.  A summary is over queries, and `matrix()` has a row and a column
    for each run.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.
        NotDefined: an evaluation of one run, which ranks nothing.

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
        tables = {"runs": runs, "against": against}
        for name, table in tables.items():
            if isinstance(table, Evaluation):
                tables[name], groups = rankings_of(table)
                by = by or groups
        super().__init__(
            tables, first="runs", by=by, policy=policy, engine=engine, con=con, storage_options=storage_options
        )
        self.names = TableNames(columns, KINDS)
        self.itself, self.descending = itself, descending


def rankings_of(evaluation: Evaluation) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The runs of an evaluation ranked by each measure: by …, ranking, item, rank; and the `by` columns.

    Runs for which a measure is undefined are not in its ranking.

    Raises:
        NotDefined: the evaluation is of one run.
    """
    summary = evaluation.summary()
    if "run_id" not in summary.columns:
        raise NotDefined(
            "This evaluation is of one run, so its measures rank nothing.",
            "Evaluate a table of several runs (run_id).",
        )
    by = tuple(c for c in summary.columns if c not in ("run_id", *SUMMARY))
    lower = [str(m) for m in evaluation.measures if m.definition.higher_is_better is False]
    goodness = pl.when(pl.col("measure").is_in(lower)).then(-pl.col("value")).otherwise("value")
    rank = goodness.rank("min", descending=True).over("measure", *by).cast(pl.Int64)
    defined = summary.filter(pl.col("value").is_not_null())
    return defined.select(*by, ranking="measure", item="run_id", rank=rank), by


def ranking(text: str, name: str = "") -> pl.DataFrame:
    """A ranking from text: items in order, tied ones in brackets.

    Args:
        text: items separated by blanks, such as "a (b c) d".
        name: adds a column `ranking` with this name, so that several rankings can be concatenated.

    Returns:
        [ranking] item rank; tied items have the rank of the first of them.

    Raises:
        InvalidParameter: the brackets do not match, or there is no item.

    Example:
        >>> import ireval_frames as ir
        >>> ir.similarity.ranking("a (b c) d").rows()
        [('a', 1), ('b', 2), ('c', 2), ('d', 4)]
    """
    items: list[str] = []
    ranks: list[int] = []
    tied = 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            if (word == "(") == bool(tied):
                raise InvalidParameter(
                    f"The brackets of {text!r} do not match.", 'Write "a (b c) d": b and c are tied.'
                )
            tied = len(items) + 1 if word == "(" else 0
            continue
        items.append(word)
        ranks.append(tied or len(items))
    if tied or not items:
        raise InvalidParameter(f"{text!r} is not a ranking.", 'Write "a (b c) d": b and c are tied.')
    names = {"ranking": [name] * len(items)} if name else {}
    return pl.DataFrame({**names, "item": items, "rank": ranks})
