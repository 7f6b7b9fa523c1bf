"""The effect of each rater on the ranking of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, UnknownName, WrongType, nearest
from ireval_frames.judging.systems import agreement, means, per_measure, values
from ireval_frames.ratings import Ratings


def rater_effect(
    ratings: Ratings,
    run: Any,
    measure: Any = "nDCG@10",
    *,
    query: str = "query_id",
    raters: Sequence[Any] | None = None,
    **options: Any,
) -> pl.DataFrame:
    """The ranking of systems by judgments without each rater in turn, compared with that by all.

    Args:
        ratings: `Ratings` whose items are documents.
        run: the runs, with a run_id.
        measure: that ranks systems, one or several.
        query: the column of queries.
        raters: the raters to leave out in turn; by default all.
        options: of `Ratings.judgments`: `method`, `grades` …

    Returns:
        measure rater_id n_changed n_judged tau tau_ap swaps n_pairs, for each measure in descending order of
        `n_changed`: the number of judgments that change or are lost, the number that are left, and the correlation of
        the order of systems with that by all raters, which is the true one of τ_AP.

    Raises:
        WrongType: the ratings are not `Ratings`.
        NotDefined: the ratings have no raters.
        UnknownName: a rater of `raters` rated nothing.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> rows = [("q", d, r, g) for r, of in (("a", "201"), ("b", "200")) for d, g in zip("xyz", map(int, of))]
        >>> frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "rater_id", "rating"], orient="row")
        >>> documents = {"run_id": ["1", "1", "2", "2"], "query_id": ["q"] * 4, "doc_id": list("xyzy")}
        >>> run = pl.DataFrame({**documents, "score": [2.0, 1.0] * 2})
        >>> effect = ir.judging.rater_effect(ir.Ratings(frame, item="doc_id"), run, "P@1")
        >>> effect.select("rater_id", "n_changed", "swaps").rows()
        [('b', 1, 0), ('a', 0, 0)]
    """
    if not isinstance(ratings, Ratings):
        raise WrongType(
            f"The ratings are of type {type(ratings).__name__}; they must be ir.Ratings.",
            Hint("Write ", Argument("item", "doc_id", "ir.Ratings(frame, {})")),
        )
    judgments = ratings.judgments(query, **options)
    ids = ratings.raters(by=[query])["rater_id"].unique().sort()
    if raters is not None and (unknown := [r for r in raters if r not in ids]):
        raise UnknownName(f"There is no rater {unknown[0]!r}.", nearest(str(unknown[0]), [str(r) for r in ids]))
    before = values(judgments, run, measure)
    types: dict[str, Any] = {"tau": pl.Float64, "tau_ap": pl.Float64, "swaps": pl.Int64, "n_pairs": pl.Int64}
    counts = {"n_changed": pl.Int64, "n_judged": pl.Int64}
    parts = [pl.DataFrame(schema={"measure": pl.String, "rater_id": ids.dtype, **counts, **types})]
    for rater in ids if raters is None else raters:
        left = ratings.without([rater]).judgments(query, **options)
        both = judgments.join(left, on=["query_id", "doc_id"], how="left", suffix="_without")
        changed = both.filter(pl.col("relevance").ne_missing(pl.col("relevance_without"))).height

        def of_measure(with_all: pl.DataFrame, without: pl.DataFrame) -> pl.DataFrame:
            one, other = means(with_all), means(without)
            row = agreement(one, other) if one.height == other.height else dict.fromkeys(types)
            return pl.DataFrame([row], schema=types)

        effects = per_measure(of_measure, before, values(left, run, measure))
        constants = {"rater_id": rater, "n_changed": changed, "n_judged": left.height}
        parts.append(
            effects.with_columns(**{k: pl.lit(v) for k, v in constants.items()})
            .select(parts[0].columns)
            .cast(parts[0].schema)
        )
    measures = pl.Enum(before["measure"].unique(maintain_order=True))
    order = (pl.col("measure").cast(measures), "n_changed", "rater_id")
    return pl.concat(parts).sort(*order, descending=[False, True, False])
