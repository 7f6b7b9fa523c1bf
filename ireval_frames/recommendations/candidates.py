"""Measures of lists in which the relevant item stands among sampled ones: what they would be of all items.

A list of one relevant item and m sampled others has other values than the list of all n items, and orders systems
differently (Krichene and Rendle, On sampled metrics for item recommendation, KDD 2020).  Only AUC keeps its mean.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.catalog.parsing import split
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, NotDefined, SampleWarning, warn
from ireval_frames.parameters import choice, number, whole
from ireval_frames.recommendations.subject import Recommendations

if TYPE_CHECKING:
    from ireval_frames.stats.sampled_ranks import Array

SAMPLED = whole(what="how many other items are drawn for each relevant one", example=99)
ITEMS = whole(what="the number of items that a list of all would have", low=2, example=10_000)
GAMMA = number(0.01, "the weight of the variance of what is estimated", 0.0, 1.0, open_ends=True)
SAMPLING = choice("uniform", "popularity", what="how the other items were drawn")
ESTIMATES = ("sampled", "rank_estimate", "least_squares")
AUC = "AUC"


def sampled_candidates(
    recs: Recommendations,
    measures: str | Measure | Iterable[str | Measure] = "HitRate@10 NDCG@10 MRR",
    *,
    sampled: int,
    n_items: int,
    gamma: float = 0.01,
    replacement: bool = True,
    sampling: str = "uniform",
) -> SampledCandidates:
    """What measures of lists of one relevant item and sampled others would be if the lists were of all items.

    The rank r̃ of the relevant item among m sampled others is 1 + Bin(m, (r − 1)/(n − 1)), where r is its rank among n
    items.  Two estimates of a measure f(r) are computed from it:

    - `rank_estimate`: f at ⌊1 + (n − 1)·(r̃ − 1)/m⌋, which is crude;
    - `least_squares`: f̂(r̃), one number for each r̃, so that the mean over all r of bias² + γ·variance is least.  Single
      values may lie outside of the measure's range; their means estimate the measure's mean.

    Args:
        recs: the lists, with the relevant items; each user has one, and it is in the list.
        measures: of HitRate, Recall, Precision, F1, MAP, MRR and NDCG, and `AUC`.
        sampled: m, how many other items were drawn for each user.
        n_items: n, how many items a list of all would have, with the relevant one: those of the catalogue, without the
            ones that are never shown to a user, such as those of their training rows.
        gamma: γ; small ones have less bias and more variance.
        replacement: whether an item could be drawn several times.
        sampling: "uniform", or "popularity" if popular items were drawn more often: then neither estimate holds, and
            both are null.

    Raises:
        NotDefined: a measure is no function of one rank.
        InvalidParameter: there are fewer items than were drawn, or a value is not allowed.
        InvalidValue: a user has several relevant items, or one that is not in the list.

    Warns:
        SampleWarning: users have no relevant item, lists are shorter than what was drawn, or items were drawn by
            popularity.

    Source: Krichene and Rendle (2020), §5 and §6.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> recs = pl.DataFrame({"user_id": list("aaabbb"), "item_id": list("xyzxyz"), "rank": [1, 2, 3] * 2})
        >>> test = pl.DataFrame({"user_id": ["a", "b"], "item_id": ["x", "y"]})
        >>> of = ir.recommendations.sampled_candidates(
        ...     ir.Recommendations(recs, relevant=test), "HitRate@1", sampled=2, n_items=100
        ... )
        >>> of.summary().select("measure", "sampled", "rank_estimate").row(0)
        ('HitRate@1 sampled(2, uniform)', 0.5, 0.5)
    """
    if not isinstance(recs, Recommendations):
        raise InvalidParameter(
            f"recs is a {type(recs).__name__}.", "Write ir.Recommendations(recs, relevant=test) in its place."
        )
    m, n = SAMPLED.check("sampled", sampled), ITEMS.check("n_items", n_items)
    GAMMA.check("gamma", gamma)
    SAMPLING.check("sampling", sampling)
    if not replacement and m > n - 1:
        raise InvalidParameter(
            f"{m:,} items cannot be drawn from {n - 1:,} others without replacement.",
            Hint("Write ", Argument("n_items", m + 1), " or more."),
        )
    functions = _functions(measures)
    ranks = _ranks(recs, m)
    exact = _exact(functions, n)
    if sampling == "popularity":
        warn(
            "Items were drawn by popularity, so that the rank among them does not tell the rank among all: both "
            "estimates are null, and the sampled values are not those of lists of all items.",
            SampleWarning,
        )
    return SampledCandidates(ranks, tuple(functions), m, n, gamma, replacement, sampling, exact)


@dataclass(frozen=True)
class SampledCandidates:
    """Measures of lists with sampled items, and what they are estimated to be of all items.

    Attributes:
        ranks: [run_id] user_id, and `sampled_rank`, the rank of the user's relevant item in the list.
        measures: their names.
        sampled: how many other items were drawn.
        n_items: how many items a list of all would have.
        gamma: the weight of the variance in the estimates by least squares.
        replacement: whether an item could be drawn several times.
        sampling: how they were drawn.
    """

    ranks: pl.DataFrame
    measures: tuple[str, ...]
    sampled: int
    n_items: int
    gamma: float
    replacement: bool
    sampling: str
    _exact: Array = field(repr=False)

    def named(self, measure: str) -> str:
        """The name of a measure's value of sampled items, such as `HitRate@10 sampled(99, uniform)`."""
        return f"{measure} sampled({self.sampled}, {self.sampling})"

    def estimates(self) -> pl.DataFrame:
        """What each rank among the sampled items is worth.

        Returns:
            measure sampled_rank sampled rank_estimate least_squares: a row per measure and rank from 1 to m + 1.
        """
        from ireval_frames.stats import sampled_ranks as ranks

        m, n = self.sampled, self.n_items
        guesses = ranks.estimated_ranks(n, m)
        unbiased = [name == AUC for name in self.measures]
        fitted = ranks.least_squares(self._exact, n, m, self.gamma, replacement=self.replacement)
        parts = []
        for i, name in enumerate(self.measures):
            own = _exact(_functions([name]), m + 1)[:, 0]
            columns = {
                "sampled": own,
                "rank_estimate": own if unbiased[i] else self._exact[guesses - 1, i],
                "least_squares": own if unbiased[i] else fitted[:, i],
            }
            part = pl.DataFrame({"measure": [self.named(name)] * (m + 1), "sampled_rank": range(1, m + 2), **columns})
            parts.append(part)
        out = pl.concat(parts)
        known = pl.lit(self.sampling == "uniform")
        return out.with_columns(pl.when(known).then(pl.col(c)) for c in ESTIMATES[1:])

    def per_unit(self) -> pl.DataFrame:
        """The values of each user; the estimates are means of many, not values of one.

        Returns:
            [run_id] user_id sampled_rank measure sampled rank_estimate least_squares.
        """
        worth = self.estimates()
        names = pl.DataFrame({"measure": [self.named(name) for name in self.measures]})
        out: pl.DataFrame = self.ranks.join(names, how="cross", maintain_order="left_right").join(
            worth, on=["measure", "sampled_rank"], how="left", maintain_order="left"
        )
        return out

    def summary(self) -> pl.DataFrame:
        """The means over users.

        Returns:
            [run_id] measure n_units sampled rank_estimate least_squares, and least_squares_se, the standard error of
            that mean over users.
        """
        keys = self.ranks.columns[:-2]
        error = pl.col("least_squares").std() / pl.len().sqrt()
        out: pl.DataFrame = (
            self.per_unit()
            .group_by(*keys, "measure", maintain_order=True)
            .agg(
                pl.len().cast(pl.Int64).alias("n_units"), *(pl.col(c).mean() for c in ESTIMATES), least_squares_se=error
            )
        )
        return out

    def at_ranks(self, ranks: Sequence[int]) -> pl.DataFrame:
        """What is expected of an item at these ranks among all items: how far sampled values and estimates are off.

        Args:
            ranks: from 1 to n.

        Returns:
            measure rank exact sampled rank_estimate least_squares.

        Raises:
            InvalidParameter: a rank is not from 1 to n.
        """
        import numpy as np

        from ireval_frames.stats import sampled_ranks

        if wrong := [r for r in ranks if isinstance(r, bool) or not isinstance(r, int) or not 1 <= r <= self.n_items]:
            raise InvalidParameter(
                f"ranks holds {wrong[0]!r}; ranks are whole numbers from 1 to {self.n_items:,}.",
                Hint("Write ", Argument("ranks", [1, 10]), "."),
            )
        at = np.asarray(list(ranks))
        weights = sampled_ranks.probabilities(at, self.n_items, self.sampled, replacement=self.replacement)
        worth, parts = self.estimates(), []
        for i, name in enumerate(self.measures):
            of = worth.filter(measure=self.named(name))
            expected = {c: weights @ of[c].to_numpy() for c in ESTIMATES if of[c].null_count() == 0}
            nothing = {c: pl.Series([None] * len(at), dtype=pl.Float64) for c in ESTIMATES if c not in expected}
            exact = self._exact[at - 1, i]
            parts.append(pl.DataFrame({"measure": name, "rank": at, "exact": exact, **expected, **nothing}))
        return pl.concat(parts).select("measure", "rank", "exact", *ESTIMATES)


# ---- what measures are of one rank

_OF_A_RANK: dict[str, Callable[[Any, int], Any]] = {
    "HitRate": lambda r, k: r <= k,
    "Recall": lambda r, k: r <= k,
    "Precision": lambda r, k: (r <= k) / k,
    "F1": lambda r, k: (r <= k) * 2.0 / (k + 1.0),
    "MAP": lambda r, k: (r <= k) / r,
    "MRR": lambda r, k: (r <= k) / r,
}


def _functions(measures: str | Measure | Iterable[str | Measure]) -> dict[str, Measure | None]:
    """The measures by name; AUC, which only this has, is None.

    Raises:
        NotDefined: a measure reads more than a rank.
    """
    words = split(measures) if isinstance(measures, str) else [measures] if isinstance(measures, Measure) else measures
    out: dict[str, Measure | None] = {}
    for word in words:
        if word == AUC:
            out[AUC] = None
            continue
        (measure,) = catalog.parse_all(word, "recommendations")
        allowed = [*_OF_A_RANK, "NDCG", AUC]
        if measure.name not in allowed or {name for name, _ in measure.values} - {"cutoff", "capped"}:
            raise NotDefined(
                f"{measure} has no estimate from sampled items: it is no function of the rank of one item alone.",
                f"Take one of {', '.join(allowed)}, without other parameters than @k.",
            )
        out[str(measure)] = measure
    return out


def _exact(functions: dict[str, Measure | None], n: int) -> Array:
    """A row per rank from 1 to n, a column per measure."""
    import numpy as np

    r = np.arange(1.0, n + 1.0)
    columns = []
    for measure in functions.values():
        if measure is None:
            columns.append((n - r) / (n - 1.0))
            continue
        k = dict(measure.values).get("cutoff") or n
        columns.append((r <= k) / np.log2(r + 1.0) if measure.name == "NDCG" else _OF_A_RANK[measure.name](r, k) * 1.0)
    return np.column_stack(columns)


# ---- ranks among the sampled items


def _ranks(recs: Recommendations, m: int) -> pl.DataFrame:
    """[run_id] user_id sampled_rank: of the users with a relevant item.

    Raises:
        InvalidValue: a user has several relevant items, or one that is not in the list, or further down than m + 1.
    """
    last = m + 1
    of_hits = [f"Precision@{last}", f"Recall@{last}"]
    with warnings.catch_warnings():
        # Of such lists evaluations warn that they are such.
        warnings.filterwarnings("ignore", "Every relevant item is in", SampleWarning)
        rows = recs.evaluate(["MRR", *of_hits]).per_unit(wide=True, counts=True)
    keys = rows.columns[: rows.columns.index("MRR")]
    user, there = keys[-1], rows.filter(pl.col("MRR").is_not_null())
    if absent := rows.height - there.height:
        warn(f"{absent:,} of {rows.height:,} users have no relevant item, and are left out.", SampleWarning)
    hits = pl.col(of_hits[0]) * last
    for wrong, what, hint in (
        (
            pl.col("n_recommended") > last,
            f"longer lists than {m:,} sampled items and one relevant item",
            Hint("Say how many were drawn, such as ", Argument("sampled", max(rows["n_recommended"]) - 1), "."),
        ),
        (
            hits < 0.5,
            "a list without their relevant item",
            "Add it to the list: its rank among the sampled items is what estimates are made of.",
        ),
        (
            (hits > 1.5) | (pl.col(of_hits[1]) < 1.0),
            "several relevant items",
            "Make a list of each: name user and item together as the user, each list with one relevant item.",
        ),
    ):
        if (refused := there.filter(wrong)).height:
            raise InvalidValue(
                f"{refused.height:,} of {there.height:,} users have {what}, such as {refused[user][0]!r}.", hint
            )
    if there.is_empty():
        raise InvalidValue("No user has a relevant item.", "Look at the ids of users in both tables.")
    if (longest := max(there["n_recommended"])) < last:
        warn(
            f"No list has more than {longest:,} items, though {m:,} were drawn beside the relevant one: ranks are "
            f"taken as those among {last:,}.  Where lists hold all that was drawn, sampled= is their length less 1.",
            SampleWarning,
        )
    return there.select(*keys, sampled_rank=(1.0 / pl.col("MRR")).round().cast(pl.Int64))
