"""Comparisons of two items at a time: strengths, win rates, and the bias of who compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.schema import PAIRED
from ireval_frames.columns.user_names import columns_named
from ireval_frames.crowds.answers import Array, sums
from ireval_frames.crowds.elo import elo, resampled
from ireval_frames.crowds.linked import linked
from ireval_frames.crowds.strengths import Compared, Strengths, bradley_terry, davidson, thurstone
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import Argument, ConvergenceWarning, Hint, InvalidParameter, listed, warn
from ireval_frames.expr import lit
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import Names, found_in, named_columns
from ireval_frames.parameters import CONFIDENCE, SEED, choice, number, whole
from ireval_frames.ratings.paired.rows import coded, has_order, outcomes

MODELS: dict[str, Callable[..., Strengths]] = {
    "bradley-terry": bradley_terry,
    "thurstone": thurstone,
    "davidson": davidson,
}


# Errors below this are those of rounding.
ALIKE = 1e-12


class PairedComparisons:
    """Which of two items was preferred: by raters, or by a model that judges.

    Args:
        comparisons: a table with a row per comparison: both items and the winner.
        a, b, winner: the names of the columns where they differ from item_a, item_b, winner.  The first item is the one
            that was shown first.  The winner is one of the items, "a" or "b", or a tie ("tie", "bothbad", null).
        unit: the column of what they were compared for, such as a prompt or a query.
        length_a, length_b: columns of the lengths of both, for the bias towards the longer one.
        order: the column that tells which came first, for Elo; of equal ones the items decide.
        by: columns that group results.
        engine: "polars", "duckdb" or "spark"; by default where the comparisons are.

    Raises:
        MissingColumn: the table lacks a column.
        WrongType: items of both columns have types that cannot be equal, or lengths are no numbers.
        InvalidValue: an item is missing or stands against itself, or the winner is neither item nor a tie.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> rows = [("x", "y", "x"), ("x", "y", "y"), ("y", "x", "x"), ("x", "y", "tie")]
        >>> frame = pl.DataFrame(rows, schema=["item_a", "item_b", "winner"], orient="row")
        >>> found = ir.ratings.PairedComparisons(frame).strengths()
        >>> found.select("item_id", pl.col("value").round(3), "wins", "status").rows()
        [('x', 0.255, 2.0, 'converged'), ('y', -0.255, 1.0, 'converged')]
    """

    def __init__(
        self,
        comparisons: Any,
        *,
        a: str | None = None,
        b: str | None = None,
        winner: str | None = None,
        unit: str | None = None,
        length_a: str | None = None,
        length_b: str | None = None,
        order: str | None = None,
        by: str | Sequence[str] = (),
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.by = columns_named(by)
        short = {"item_a": a, "item_b": b, "winner": winner, "unit_id": unit, "order": order}
        named = named_columns(columns, {**short, "length_a": length_a, "length_b": length_b})
        self._engine = open_engine(comparisons, engine, con)
        frame = open_source(Source(comparisons, "comparisons", TABLE), self._engine)
        found = found_in(PAIRED, frame, Names({k: v for k, v in named.items() if v}, self.by))
        keys = [*self.by, *found.values()]
        grouped = [c for c in keys if c != found.get("order")]
        with self._engine.errors():
            # Comparisons that look alike are counted where they are.

            count = [Aggregate("n", "count", lit(1.0))]
            self._rows = self._engine.collect(
                frame.select(*keys) if "order" in found else self._engine.group(frame.lazy(), grouped, count)
            )
        if "order" in found:
            self._rows = self._rows.with_columns(n=pl.lit(1.0))
        self._rows = outcomes(self._rows.rename({v: k for k, v in found.items() if k != v}))

    def strengths(
        self,
        model: str = "bradley-terry",
        *,
        confidence: float = 0.95,
        prior: float = 0.0,
        step: float = 32.0,
        n_resamples: int = 200,
        seed: int = 0,
    ) -> pl.DataFrame:
        """A row per item, the strongest first.

        Strengths are on the scale of the logistic ("bradley-terry", and "davidson" with ties) or of the normal
        distribution ("thurstone"), 0 on the mean of linked items; or they are Elo's ratings.  Those of the largest
        likelihood are found by Newton's method; a `ConvergenceWarning` says where it stopped early.

        Args:
            model: bradley-terry, davidson, thurstone, or elo (which goes by `order`).
            confidence: of intervals: normal ones, from the likelihood; of Elo percentiles of replicates.
            prior: comparisons that are added to each pair that was compared, half of them won by either item: then
                every strength is finite.
            step: K of Elo.
            n_resamples: of Elo, how often the comparisons are resampled, in their order; 0 is no interval.
            seed: of the draws.

        Returns:
            [by …] item_id value se ci_low ci_high n wins ties component status; status is "converged", "unbounded"
            (there is no largest likelihood, and no value: some items always or never win against others; in Davidson's
            model also where wins and ties leave ν without bound), "singular" (no standard error can be computed),
            "not_converged" (the value is where the steps ended, without an error), "alone" (compared with none), or of
            Elo, which has nothing to fit, "ok".  Items of different components were not compared, one way or another.

        Raises:
            UnknownName, InvalidParameter: there is no such model, an option cannot be meant, Elo has no order, or a
                step with which its ratings are no numbers.
            InvalidValue: a comparison has no place in the order that Elo goes by.
        """
        choice(*MODELS, "elo").check("model", model)
        if model == "elo" and "order" not in self._rows.columns:
            raise InvalidParameter(
                "Elo's ratings depend on the order of the comparisons.",
                Hint("Name its column: ", Argument("order", "time")),
            )
        CONFIDENCE.check("confidence", confidence)
        number(0.5, low=0.0).check("prior", prior)
        number(32.0, low=0.0).check("step", step)
        whole(200, low=0).check("n_resamples", n_resamples)
        SEED.check("seed", seed)
        if model == "elo":
            has_order(self._rows)
        return self._grouped(lambda rows: _strengths(rows, model, prior, step, confidence, n_resamples, seed))

    def win_rates(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """A row per item: the share of its comparisons that it won, a tie as half, with its interval.

        The standard error is that of the mean over units (prompts) where they are known, else over comparisons.  Where
        all of them are alike, as of an item that always wins, the interval is Wilson's, and there is no error.

        Args:
            confidence: of Student's interval, or Wilson's.

        Returns:
            [by …] item_id win_rate se ci_low ci_high n_units n.
        """
        CONFIDENCE.check("confidence", confidence)
        return self._grouped(lambda rows: _win_rates(rows, confidence))

    def bias(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """What the judge prefers besides the better item.

        Args:
            confidence: of Wilson's intervals.

        Returns:
            [by …] bias share ci_low ci_high n p_value: "first", the share of comparisons with a winner that the item
            shown first won; "longer", that the longer item won; "consistent", of units whose two items were compared
            in both orders the share with one outcome; "first_of_inconsistent", of the others, where both had a winner,
            the share in which it was the first.  `p_value`, but for "consistent", is the exact sign test of one half.
        """
        CONFIDENCE.check("confidence", confidence)
        return self._grouped(lambda rows: _bias(rows, confidence))

    def _grouped(self, of: Callable[[pl.DataFrame], pl.DataFrame]) -> pl.DataFrame:
        if not self.by:
            return of(self._rows)
        parts = self._rows.sort(self.by).partition_by(self.by, as_dict=True, maintain_order=True).items()
        made = []
        for key, rows in parts:
            names = [pl.Series(b, [k], dtype=self._rows.schema[b]) for b, k in zip(self.by, key, strict=True)]
            made.append(pl.DataFrame(names).join(of(rows), how="cross"))
        return pl.concat(made, how="vertical_relaxed") if made else of(self._rows)


def _strengths(
    rows: pl.DataFrame, model: str, prior: float, step: float, confidence: float, n_resamples: int, seed: int
) -> pl.DataFrame:
    from scipy.special import ndtri

    rows = rows.sort("order", "item_a", "item_b", "score") if model == "elo" else rows
    items, a, b = coded(rows)
    k, score, n = len(items), rows["score"].to_numpy(), rows["n"].to_numpy()
    ties = np.bincount(np.concatenate([a, b]), weights=np.tile(n * (score == 0.5), 2), minlength=k)
    of = np.bincount(np.concatenate([a, b]), weights=np.tile(n, 2), minlength=k)
    wins = np.bincount(a, weights=n * (score == 1), minlength=k) + np.bincount(b, weights=n * (score == 0), minlength=k)
    ends = None
    if model == "elo":
        some = n_resamples > 1
        with np.errstate(over="ignore", invalid="ignore"):
            drawn = resampled(a, b, score, k, step, n_resamples, seed)
            se = drawn.std(axis=0, ddof=1) if some else np.full(k, np.nan)
        ends = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0) if some else None
        made = Strengths(elo(a, b, score, k, step), se, linked(a, b, k), ["ok"] * k)
        if not (np.isfinite(made.value).all() and np.isfinite(drawn).all() and (np.isfinite(se).all() or not some)):
            raise InvalidParameter(
                f"With the step {step!r} Elo's ratings are beyond all numbers.", Hint("Write ", Argument("step", 32.0))
            )
    else:
        low, high, turned = np.minimum(a, b), np.maximum(a, b), a > b
        pair, place = np.unique(low * k + high, return_inverse=True)
        points = np.where(turned, 1 - score, score)
        won, lost, tied = (sums(place, n * (points == x), len(pair)) for x in (1, 0, 0.5))
        made = MODELS[model](Compared(pair // k, pair % k, won, lost, tied, k), prior)
        early = {"not_converged": "did not converge", "singular": "have no standard errors: their matrix is singular"}
        for status, said in early.items():
            if there := [i for i, found in zip(items, made.status, strict=True) if found == status]:
                warn(f"The strengths ({model}) of {len(there)} items {said}: {listed(there, 3)}.", ConvergenceWarning)
    if ends is None:
        ends = made.value + np.array([[-1.0], [1.0]]) * float(ndtri((1 + confidence) / 2)) * made.se
    out = pl.DataFrame(
        {
            "item_id": items,
            "value": made.value,
            "se": made.se,
            "ci_low": ends[0],
            "ci_high": ends[1],
            "n": of,
            "wins": wins,
            "ties": ties,
            "component": made.component,
            "status": made.status,
        }
    ).with_columns(pl.selectors.float().fill_nan(None))
    return out.sort("value", "item_id", descending=[True, False], nulls_last=True)


def _win_rates(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    from scipy.special import stdtrit

    from ireval_frames.stats.proportions.intervals import wilson

    unit = ["unit_id"] if "unit_id" in rows.columns else []
    sides = pl.concat(
        [
            rows.select(*unit, "n", item_id="item_a", score="score"),
            rows.select(*unit, "n", item_id="item_b", score=1 - pl.col("score")),
        ]
    )
    if unit:
        of_unit = sides.group_by("item_id", *unit).agg(
            score=(pl.col("score") * pl.col("n")).sum() / pl.col("n").sum(), n=pl.col("n").sum()
        )
        counted, weight = of_unit.with_columns(w=pl.lit(1.0)), pl.col("w")
    else:
        counted, weight = sides.with_columns(w=pl.col("n")), pl.col("w")
    mean = (pl.col("score") * weight).sum() / weight.sum()
    squares = (weight * (pl.col("score") - mean) ** 2).sum()
    out = counted.group_by("item_id").agg(
        win_rate=mean, squares=squares, n_units=weight.sum().cast(pl.Int64), n=pl.col("n").sum().cast(pl.Int64)
    )
    n = out["n_units"].to_numpy().astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.where(n > 1, np.sqrt(out["squares"].to_numpy() / (n - 1) / n), np.nan)
        # What never varied has no error that its variance could tell.
        se = np.where(se > ALIKE, se, np.nan)
        t = np.array([stdtrit(x - 1, (1 + confidence) / 2) if x > 1 else np.nan for x in n])
    rate = out["win_rate"].to_numpy()
    low, high = wilson(rate * n, n, confidence)
    known = ~np.isnan(se)
    ends = {
        "se": se,
        "ci_low": np.where(known, np.maximum(rate - t * se, 0.0), low),
        "ci_high": np.where(known, np.minimum(rate + t * se, 1.0), high),
    }
    made = out.with_columns(**{k: pl.Series(v, dtype=pl.Float64).fill_nan(None) for k, v in ends.items()})
    return made.select("item_id", "win_rate", "se", "ci_low", "ci_high", "n_units", "n").sort(
        "win_rate", "item_id", descending=[True, False]
    )


def _bias(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    from scipy.special import bdtr

    from ireval_frames.stats.proportions.intervals import wilson

    found: list[tuple[str, float, float]] = []
    decided = rows.filter(pl.col("score") != 0.5)
    found.append(("first", float((decided["score"] * decided["n"]).sum()), float(decided["n"].sum())))
    if {"length_a", "length_b"} <= set(rows.columns):
        longer = decided.filter(pl.col("length_a") != pl.col("length_b"))
        hit = (longer["score"] == 1) == (longer["length_a"] > longer["length_b"])
        found.append(("longer", float((hit * longer["n"]).sum()), float(longer["n"].sum())))
    if "unit_id" in rows.columns:
        low, high = (f("item_a", "item_b") for f in (pl.min_horizontal, pl.max_horizontal))
        both = rows.with_columns(low=low, high=high, turned=pl.col("item_a") > pl.col("item_b"))
        mean = (pl.col("score") * pl.col("n")).sum() / pl.col("n").sum()
        sides = both.group_by("unit_id", "low", "high", "turned").agg(score=mean)
        one, other = (sides.filter(pl.col("turned") == t).drop("turned") for t in (False, True))
        pairs = one.join(other, on=["unit_id", "low", "high"], suffix="_turned")
        same = pairs["score"] == 1 - pairs["score_turned"]
        found.append(("consistent", float(same.sum()), float(pairs.height)))
        mixed = pairs.filter(~same & (pl.col("score") != 0.5) & (pl.col("score_turned") != 0.5))
        found.append(("first_of_inconsistent", float((mixed["score"] == 1).sum()), float(mixed.height)))
    hits, n = (np.array([f[i] for f in found], dtype=float) for i in (1, 2))
    low_, high_ = wilson(hits, n, confidence)
    p: Array = np.array(
        [
            np.nan if m == 0 or name == "consistent" else min(1.0, 2 * float(bdtr(min(h, m - h), int(m), 0.5)))
            for name, h, m in found
        ]
    )
    with np.errstate(invalid="ignore"):
        part = np.where(n > 0, hits / np.maximum(n, 1), np.nan)
    columns = {"share": part, "ci_low": low_, "ci_high": high_, "n": n.astype(int), "p_value": p}
    made = pl.DataFrame({"bias": [f[0] for f in found], **columns})
    return made.with_columns(pl.selectors.float().fill_nan(None))
