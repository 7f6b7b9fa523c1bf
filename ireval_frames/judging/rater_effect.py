"""What the choice of raters does to the ranking of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, UnknownName, WrongType, nearest
from ireval_frames.judging.orders import agreement, means, values
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
    """The ranking of systems by judgments without each rater in turn, beside that by all.

    Args:
        ratings: `Ratings` whose units are documents.
        run: the runs, with a run_id.
        measure: what systems are ranked by.
        query: the column of queries.
        raters: who is left out, one after another; by default each of them.
        options: of `Ratings.judgments`: `method`, `grades` …

    Returns:
        rater_id n_changed n_judged tau tau_ap swaps n_pairs, those first without whom most changes: how many judgments
        change or are gone, how many are left, and how near the order of the systems is to that by all raters, which
        τ_AP takes as the true one.

    Raises:
        WrongType: the ratings are no `Ratings`.
        NotDefined: it is not known who rated.
        UnknownName: a rater of `raters` rated nothing.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> rows = [("q", d, r, g) for r, of in (("a", "201"), ("b", "200")) for d, g in zip("xyz", map(int, of))]
        >>> frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "rater_id", "rating"], orient="row")
        >>> found = {"run_id": ["1", "1", "2", "2"], "query_id": ["q"] * 4, "doc_id": list("xyzy")}
        >>> run = pl.DataFrame({**found, "score": [2.0, 1.0] * 2})
        >>> made = ir.rater_effect(ir.Ratings(frame, unit="doc_id"), run, "P@1")
        >>> made.select("rater_id", "n_changed", "swaps").rows()
        [('b', 1, 0), ('a', 0, 0)]
    """
    if not isinstance(ratings, Ratings):
        raise WrongType(
            f"The ratings are of type {type(ratings).__name__}; they must be ir.Ratings.",
            Hint("Write ", Argument("unit", "doc_id", "ir.Ratings(frame, {})")),
        )
    whole = ratings.judgments(query, **options)
    ids = ratings.raters(by=[query])["rater_id"].unique().sort()
    if raters is not None and (strange := [r for r in raters if r not in ids]):
        raise UnknownName(f"There is no rater {strange[0]!r}.", nearest(str(strange[0]), [str(r) for r in ids]))
    before = means(values(whole, run, measure))
    rows = []
    for rater in ids if raters is None else raters:
        left = ratings.without([rater]).judgments(query, **options)
        both = whole.join(left, on=["query_id", "doc_id"], how="left", suffix="_without")
        changed = both.filter(pl.col("relevance").ne_missing(pl.col("relevance_without"))).height
        after = means(values(left, run, measure))
        told = agreement(before, after) if after.height == before.height else {}
        rows.append({"rater_id": rater, "n_changed": changed, "n_judged": left.height, **told})
    types: dict[str, Any] = {"tau": pl.Float64, "tau_ap": pl.Float64, "swaps": pl.Int64, "n_pairs": pl.Int64}
    schema: dict[str, Any] = {
        "rater_id": ids.dtype,
        "n_changed": pl.Int64,
        "n_judged": pl.Int64,
        **types,
    }
    return pl.DataFrame(rows, schema=schema).sort("n_changed", "rater_id", descending=[True, False])
