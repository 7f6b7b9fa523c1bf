"""Scores over folds: each fold's, their mean and spread, and the score of all rows pooled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named, refuse_reserved
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, WrongType
from ireval_frames.subject import Subject

SPREAD = ("mean", "std", "min", "max", "n_folds", "n_undefined")


def scores(
    subject: Subject[Any, Any],
    measures: str | Measure | Iterable[str | Measure],
    *,
    by: str | Sequence[str] | None = None,
    column: str | Sequence[str] = "fold",
) -> pl.DataFrame:
    """The folds' scores, their mean and spread, and the pooled score.

    Mean and pooled score differ for measures that are no means over items, such as F and AUC.  Folds in which a measure
    is undefined are left out of the mean and counted in `n_undefined`.

    Args:
        subject: what to evaluate, such as `ir.Labels(frame)`; its table has the fold column.
        measures: as in `evaluate`.
        by: group by these columns instead of the subject's.
        column: the fold column, or columns: `["repeat", "fold"]` of repeated folds.

    Returns:
        [run_id, by …] measure mean std min max n_folds n_undefined pooled scores.  `scores` is the list of the folds'
        scores, in their order; `std` is that of a sample.

    Raises:
        WrongType: the subject cannot be evaluated.
        InvalidParameter: some rows are never tested (fold −1, see `by_time`), or `by` names the fold column or a column
            of the result.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = ir.examples.labels().with_columns(fold=pl.col("item_id") % 2)
        >>> ir.splits.scores(ir.Labels(frame), "F1(average='macro')").select("mean", "pooled").row(0)
        (0.611111111111111, 0.611111111111111)
    """
    if not isinstance(subject, Subject):
        raise WrongType(
            f"A {type(subject).__name__} cannot be evaluated.",
            "Make a subject of the frame: ir.splits.scores(ir.Labels(frame), …)",
        )
    folds = columns_named(column, "column")
    grouped = list(subject.by) if by is None else list(columns_named(by))
    if twice := [c for c in folds if c in grouped]:
        raise InvalidParameter(f"{twice[0]!r} is the fold column, and by= names it, too.", "Leave it out of by=.")
    refuse_reserved(grouped, (*SPREAD, "pooled", "scores"), "by")
    # An iterator would be used up by the first of two evaluations.
    parsed = measures if isinstance(measures, str | Measure) else list(measures)
    try:
        per_fold = subject.evaluate(parsed, by=[*grouped, *folds]).summary()
    except MissingColumn as error:
        absent = [fold for fold in folds if f"no column {fold!r}" in error.what]
        if not absent or error.hint.startswith("Did"):
            raise
        raise MissingColumn(
            error.what,
            Hint("Name the column of folds: ", Argument("column", "their_name"), ", or add it by ir.splits."),
        ) from None
    for fold in folds:
        if per_fold.schema[fold].is_integer() and (per_fold[fold] < 0).any():
            raise InvalidParameter(
                f"Column {fold!r} holds {per_fold[fold].min()}: rows that no fold tests.",
                f'Leave them out: frame.filter(pl.col("{fold}") >= 0)',
            )
    groups = [c for c in per_fold.columns if c not in (*folds, "measure", "value", "n_units", "n_undefined")]
    value = pl.col("value")
    spread = [
        value.mean(),
        value.std(),
        value.min(),
        value.max(),
        pl.len().cast(pl.Int64),
        value.null_count().cast(pl.Int64),
    ]
    grouped_folds = per_fold.sort(folds, maintain_order=True).group_by(*groups, "measure", maintain_order=True)
    over = grouped_folds.agg(**dict(zip(SPREAD, spread, strict=True)), scores=value)
    pooled = subject.evaluate(parsed, by=grouped).summary().select(*groups, "measure", pooled="value")
    joined: pl.DataFrame = pooled.join(
        over, on=[*groups, "measure"], how="left", nulls_equal=True, maintain_order="left"
    )
    return joined.select(*groups, "measure", *SPREAD, "pooled", "scores")
