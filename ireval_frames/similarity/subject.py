"""Comparing rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.sources import open_engine
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation import Evaluation
from ireval_frames.inputs import columns_named
from ireval_frames.similarity import conventions
from ireval_frames.similarity.comparison import Build, Comparison

FAMILY = "similarity"
RESULT_COLUMNS = (
    "run_id",
    "other_run_id",
    "ranking",
    "other_ranking",
    "query_id",
    "measure",
    "value",
    "n_units",
    "n_undefined",
    "n_common",
)


def rank_similarity(
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    against: Any = None,
    by: str | Sequence[str] = (),
    ties: str = "tied",
    items: str = "common",
    missing: str = "undefined",
    depth: int | None = None,
    itself: bool = False,
    descending: bool = True,
    engine: str | Engine | None = None,
    con: Any = None,
    columns: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare rankings: every two runs query by query, two tables of runs, or orders of anything else.

    Args:
        runs: rankings of documents (run_id, query_id, doc_id, score or rank), which are compared query by query, or of
            any items ([ranking] item, score or rank), such as systems; an `Evaluation` stands for its runs as each of
            its measures orders them.
        measures: "Tau RBO(p=0.95)@100", a measure such as `ir.similarity.RBO(p=0.95) @ 100`, or several.
        against: a second table: its rankings are compared with those of `runs`, which are not compared with each other.
        by: columns that group the results.
        ties: "tied"; or broken by id first, "trec_eval" (descending) or "doc_id" (ascending).
        items: rank correlations are over the "common" items of two rankings; "same"
            refuses rankings of different items.
        missing: where a run lacks a query of the other, the value is "undefined"; or "skip" the query, or an "error".
        depth: keep only the first N items of every ranking.
        itself: compare every ranking with itself too, where there is one table.
        descending: whether larger scores stand first; ranks always count from the first.
        engine: "polars" or "duckdb"; by default where the runs are.
        con: a DuckDB connection; strings are then names of its tables (or paths).
        columns: names of the tables' columns where they differ from ours.

    Returns:
        A `Comparison`.  `per_unit()` has the columns run_id, other_run_id, query_id, measure, value; `summary()` is the
        mean over queries, with n_units and n_undefined; `matrix()` has a row and a column per run.  Rankings of items
        have `ranking` and `other_ranking` instead, and no query_id unless the table has one.

    Raises:
        DataError: the tables are at fault: an item stands twice in one ranking, a score is NaN, an id is null.
        UsageError: a measure, parameter or option does not exist or is not allowed.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> other = run.with_columns(score=-run["score"])
        >>> ir.rank_similarity(run, "Tau RBO", against=other).summary()["value"].round(4).to_list()
        [-1.0, 0.7378]
    """
    conventions.check({"ties": ties, "items": items, "missing": missing})
    by = columns_named(by)
    taken = [b for b in by if b in RESULT_COLUMNS]
    if taken:
        raise InvalidParameter(
            f"by={taken[0]!r} is a column of the result already.", "Group by other columns, or rename this one."
        )
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise InvalidParameter(
            f"depth is {depth!r}; it must be a whole number of at least 1, or None.", "Write depth=1000."
        )
    asked = catalog.parse_all(measures, FAMILY)
    for measure in asked:
        measure.arguments()
    if isinstance(runs, Evaluation):
        runs, groups = orders(runs)
        by, descending = by or groups, True
    given = {"runs": runs, "against": against}
    options = {"ties": ties, "items": items, "missing": missing}
    build = Build(given, columns or {}, by, options, depth, descending, itself)
    return Comparison(
        asked, build, open_engine(runs, engine, con), family=FAMILY, policy=conventions.described(options)
    )


def orders(evaluation: Evaluation) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The runs of an evaluation as each measure orders them, best first: ranking, item, score; and the `by` columns.

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
    by = tuple(c for c in summary.columns if c not in RESULT_COLUMNS)
    worse = [str(m) for m in evaluation.measures if m.definition.higher_is_better is False]
    score = pl.when(pl.col("measure").is_in(worse)).then(-pl.col("value")).otherwise("value")
    defined = summary.filter(pl.col("value").is_not_null())
    return defined.select(*by, ranking="measure", item="run_id", score=score), by
