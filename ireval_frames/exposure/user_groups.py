"""How much groups of users, or of any units, differ in the value of a measure."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling import bootstrap
from ireval_frames.subject import request_of

COLUMNS = ("measure", "n_groups", "best", "worst", "best_value", "worst_value", "gap", "gap_low", "gap_high", "ratio",
           "ratio_low", "ratio_high", "mad")  # fmt: skip


def gaps(
    evaluation: Evaluation,
    over: str | None = None,
    *,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pl.DataFrame:
    """The gap between the groups of users that are served best and worst, of each measure, with intervals.

    gap = best − worst, ratio = worst / best, and mad the mean of |x_g − x_h| over pairs of groups, of the values x_g of
    an evaluation with `by=`.  Intervals are percentiles of a bootstrap: the units of each group are drawn apart from
    those of the others, and all systems have the same draws.  The two groups are those of the data in all draws;
    chosen among many, their gap is too large on average.

    Args:
        evaluation: of any family, grouped by a column of `by=`, such as that of
            `ir.Rankings(…, by="country").evaluate("nDCG")`.
        over: the column of `by=` whose groups are compared, if there are several.
        confidence: of intervals.
        n_resamples: the number of draws.
        seed: of the draws.

    Returns:
        [run_id, other by …] measure n_groups best worst best_value worst_value gap gap_low gap_high ratio ratio_low
        ratio_high mad.  The best group has the largest value, or the smallest where that is better.  A ratio to 0 is
        null, and so are intervals where a group has one unit.

    Raises:
        NotDefined: the evaluation has no groups.
        UnknownName: it has no such column.

    Source: Ekstrand et al., All The Cool Kids, How Do They Fit In?, FAT* 2018; elliot (MAD).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> run = pl.DataFrame({"query_id": [1, 2, 3, 4], "doc_id": [*"abcd"], "score": [1.0] * 4})
        >>> qrels = run.select("query_id", "doc_id", relevance=pl.Series([1, 1, 0, 1]), country=pl.Series([*"xxyy"]))
        >>> ev = ir.Rankings(qrels, run, by="country").evaluate("P@1")
        >>> ir.exposure.gaps(ev, n_resamples=100).select("best", "worst", "gap", "ratio").row(0)
        ('x', 'y', 0.5, 0.5)
    """
    if not isinstance(evaluation, Evaluation):
        raise InvalidParameter(
            f"The evaluation is of type {type(evaluation).__name__}.",
            Hint("Pass one: ", Argument("by", "country", "ir.Rankings(…, {}).evaluate(…)")),
        )
    by = request_of(evaluation).by
    if not by:
        raise NotDefined(
            "The evaluation has no groups to compare.", Hint("Name their column: ", Argument("by", "country"), ".")
        )
    column = by[0] if over is None and len(by) == 1 else over
    if column not in by:
        raise UnknownName(f"over is {over!r}, which is no column of by= ({', '.join(by)}).", nearest(str(over), by))
    over = str(column)
    b = bootstrap(evaluation, n_resamples=n_resamples, seed=seed, confidence=confidence)
    table = b.table()
    keys = [c for c in table.columns[: table.columns.index("measure")] if c != over]
    replicates = b.replicates().join(
        table.select(*keys, over, "measure", "n_resampled"), on=[*keys, over, "measure"], nulls_equal=True
    )
    lower = [str(m) for m in b.measures if m.definition.higher_is_better is False]
    rows = []
    for name, group in table.filter(pl.col("value").is_not_null()).group_by(*keys, "measure", maintain_order=True):
        ordered = group.sort("value", over, descending=[name[-1] not in lower, False])
        draws = replicates.filter(
            *(pl.col(k).eq_missing(v) for k, v in zip([*keys, "measure"], name, strict=True)), pl.col("n_resampled") > 1
        )
        rows.append(dict(zip([*keys, "measure"], name, strict=True)) | _of_groups(ordered, draws, over, confidence))
    schema = {**{k: table.schema[k] for k in keys}, **_types(table.schema[over])}
    return pl.DataFrame(rows, schema=schema)


def _types(group: Any) -> dict[str, Any]:
    special = {"measure": pl.String, "n_groups": pl.Int64, "best": group, "worst": group}
    return {c: special.get(c, pl.Float64) for c in COLUMNS}


def _of_groups(ordered: pl.DataFrame, draws: pl.DataFrame, over: str, confidence: float) -> dict[str, Any]:
    """The columns of a row.

    Args:
        ordered: a row per group, the best one first.
        draws: the values of the replicates.
        over: the column of groups.
        confidence: of intervals.
    """
    names, values = ordered[over].to_list(), ordered["value"].to_list()
    n, (best, worst) = len(names), (values[0], values[-1])
    pairs = [abs(a - b) for i, a in enumerate(values) for b in values[:i]]
    out = {"n_groups": n, "best": names[0], "worst": names[-1], "best_value": best, "worst_value": worst}
    out |= {
        "gap": best - worst,
        "ratio": worst / best if best else None,
        "mad": sum(pairs) / len(pairs) if pairs else 0.0,
    }
    sides = [
        draws.filter(pl.col(over).eq_missing(name)).select("replicate", **{side: "value"})
        for name, side in ((names[0], "best"), (names[-1], "worst"))
    ]
    both = sides[0].join(sides[1], on="replicate").drop_nulls()
    if n > 1 and both.height:
        ends = ((1 - confidence) / 2, (1 + confidence) / 2)
        gap, ratio = pl.col("best") - pl.col("worst"), pl.col("worst") / pl.col("best")
        drawn = both.select(gap=gap, ratio=pl.when(pl.col("best") != 0).then(ratio))
        for column in ("gap", "ratio"):
            for end, at in zip(("low", "high"), ends, strict=True):
                out[f"{column}_{end}"] = drawn[column].drop_nulls().quantile(at, "linear")
    return out
