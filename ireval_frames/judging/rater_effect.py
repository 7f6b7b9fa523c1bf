"""What the choice of raters does to the ranking of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, UnknownName, WrongType, nearest
from ireval_frames.judging.orders import agreement, each, means, values
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
        ratings: `Ratings` whose items are documents.
        run: the runs, with a run_id.
        measure: what systems are ranked by, one or several.
        query: the column of queries.
        raters: who is left out, one after another; by default each of them.
        options: of `Ratings.judgments`: `method`, `grades` …

    Returns:
        measure rater_id n_changed n_judged tau tau_ap swaps n_pairs, of each measure those first without whom most
        changes: how many judgments change or are gone, how many are left, and how near the order of the systems is to
        that by all raters, which τ_AP takes as the true one.

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
        >>> made = ir.judging.rater_effect(ir.Ratings(frame, item="doc_id"), run, "P@1")
        >>> made.select("rater_id", "n_changed", "swaps").rows()
        [('b', 1, 0), ('a', 0, 0)]
    """
    if not isinstance(ratings, Ratings):
        raise WrongType(
            f"The ratings are of type {type(ratings).__name__}; they must be ir.Ratings.",
            Hint("Write ", Argument("item", "doc_id", "ir.Ratings(frame, {})")),
        )
    whole = ratings.judgments(query, **options)
    ids = ratings.raters(by=[query])["rater_id"].unique().sort()
    if raters is not None and (strange := [r for r in raters if r not in ids]):
        raise UnknownName(f"There is no rater {strange[0]!r}.", nearest(str(strange[0]), [str(r) for r in ids]))
    before = values(whole, run, measure)
    types: dict[str, Any] = {"tau": pl.Float64, "tau_ap": pl.Float64, "swaps": pl.Int64, "n_pairs": pl.Int64}
    counts = {"n_changed": pl.Int64, "n_judged": pl.Int64}
    parts = [pl.DataFrame(schema={"measure": pl.String, "rater_id": ids.dtype, **counts, **types})]
    for rater in ids if raters is None else raters:
        left = ratings.without([rater]).judgments(query, **options)
        both = whole.join(left, on=["query_id", "doc_id"], how="left", suffix="_without")
        changed = both.filter(pl.col("relevance").ne_missing(pl.col("relevance_without"))).height

        def of_measure(with_all: pl.DataFrame, without: pl.DataFrame) -> pl.DataFrame:
            one, other = means(with_all), means(without)
            told = agreement(one, other) if one.height == other.height else dict.fromkeys(types)
            return pl.DataFrame([told], schema=types)

        told = each(of_measure, before, values(left, run, measure))
        row = {"rater_id": rater, "n_changed": changed, "n_judged": left.height}
        parts.append(
            told.with_columns(**{k: pl.lit(v) for k, v in row.items()}).select(parts[0].columns).cast(parts[0].schema)
        )
    asked = pl.Enum(before["measure"].unique(maintain_order=True))
    order = (pl.col("measure").cast(asked), "n_changed", "rater_id")
    return pl.concat(parts).sort(*order, descending=[False, True, False])
