"""Paired comparisons of items: strengths, win rates, and the bias of the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import PAIRED
from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.expr import lit
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames, found_in, named_columns
from ireval_frames.parameters import CONFIDENCE
from ireval_frames.ratings.paired import estimates
from ireval_frames.ratings.paired.rows import check_order, outcomes


class PairedComparisons:
    """Which of two items was preferred: by raters, or by a model that judges.

    Args:
        comparisons: a table with a row per comparison: both items and the winner.
        a, b, winner: the names of the columns where they differ from item_a, item_b, winner.  The first item is the one
            that was shown first.  The winner is one of the items, "a" or "b", or a tie ("tie", "bothbad", null).
        unit: the column of what they were compared for, such as a prompt or a query.
        length_a, length_b: columns of the lengths of both, for the bias towards the longer one.
        order: the column of the order of comparisons, for Elo; ties are broken by the items.
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
        names = found_in(PAIRED, frame, ItemNames({k: v for k, v in named.items() if v}, self.by))
        keys = [*self.by, *names.values()]
        grouped = [c for c in keys if c != names.get("order")]
        with self._engine.errors():
            # Equal comparisons are counted by the engine.
            count = [Aggregate("n", "count", lit(1.0))]
            self._rows = self._engine.collect(
                frame.select(*keys) if "order" in names else self._engine.group(frame.lazy(), grouped, count)
            )
        if "order" in names:
            self._rows = self._rows.with_columns(n=pl.lit(1.0))
        self._rows = outcomes(self._rows.rename({v: k for k, v in names.items() if k != v}))

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
        distribution ("thurstone"), with mean 0 over connected items; or they are Elo's ratings.  The likelihood is
        maximised by Newton's method; a `ConvergenceWarning` says where it stopped early.

        Args:
            model: bradley-terry, davidson, thurstone, or elo (which goes by `order`).
            confidence: of intervals: normal ones, from the likelihood; of Elo percentiles of replicates.
            prior: the number of comparisons that are added to each compared pair, half of them won by either item;
                above 0 every strength is finite.
            step: K of Elo.
            n_resamples: of Elo, the number of replicates of the comparisons, in their order; 0 is no interval.
            seed: of the draws.

        Returns:
            [by …] item_id value se ci_low ci_high n wins ties component status; status is "converged", "unbounded"
            (the likelihood has no maximum, and there is no value: some items always or never win against others; in
            Davidson's model also where ν grows without bound), "singular" (no standard error can be computed),
            "not_converged" (the value of the last step, without an error), "alone" (compared with no other item), or of
            Elo, which has nothing to fit, "ok".  Values of different components are not comparable.

        Raises:
            UnknownName, InvalidParameter: a model or an option is not allowed, or Elo has no order, or a step with
                which its ratings overflow.
            InvalidValue: a comparison has no order, which Elo needs.
        """
        options = estimates.StrengthOptions(model, confidence, prior, step, n_resamples, seed)
        if model == "elo" and "order" not in self._rows.columns:
            raise InvalidParameter(
                "Elo's ratings depend on the order of the comparisons.",
                Hint("Name its column: ", Argument("order", "time")),
            )
        if model == "elo":
            check_order(self._rows)
        return self._per_group(lambda rows: estimates.strengths(rows, options))

    def win_rates(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """A row per item: the share of its comparisons that it won, ties counting half, with its interval.

        The standard error is that of the mean over units (prompts) where they are known, else over comparisons.  Where
        scores do not vary, as of an item that always wins, the interval is Wilson's, and there is no standard error.

        Args:
            confidence: of Student's interval, or Wilson's.

        Returns:
            [by …] item_id win_rate se ci_low ci_high n_units n.
        """
        CONFIDENCE.check("confidence", confidence)
        return self._per_group(lambda rows: estimates.win_rates(rows, confidence))

    def bias(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """What the judge prefers besides the better item.

        Args:
            confidence: of Wilson's intervals.

        Returns:
            [by …] bias share ci_low ci_high n p_value.  "first": the share of comparisons with a winner that the item
            shown first won; "longer": that the longer item won; "consistent": of units whose two items were compared
            in both orders, the share with one outcome; "first_of_inconsistent": of the others, where both had a winner,
            the share in which it was the first.  `p_value` is the exact sign test of one half, but for "consistent".
        """
        CONFIDENCE.check("confidence", confidence)
        return self._per_group(lambda rows: estimates.bias(rows, confidence))

    def _per_group(self, estimate: Callable[[pl.DataFrame], pl.DataFrame]) -> pl.DataFrame:
        if not self.by:
            return estimate(self._rows)
        groups = self._rows.sort(self.by).partition_by(self.by, as_dict=True, maintain_order=True).items()
        parts = []
        for key, rows in groups:
            names = [pl.Series(b, [k], dtype=self._rows.schema[b]) for b, k in zip(self.by, key, strict=True)]
            parts.append(pl.DataFrame(names).join(estimate(rows), how="cross"))
        return pl.concat(parts, how="vertical_relaxed") if parts else estimate(self._rows)
