"""Discriminative power: the share of pairs of systems that differ significantly by a measure."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.comparison import Comparison, grids_of
from ireval_frames.comparison.rows import pairs_of
from ireval_frames.comparison.text.tables import Block, Cell, Tables, shown, text
from ireval_frames.comparison.text.tables import number as shown_number
from ireval_frames.displayed import Displayed
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.parameters import ALPHA, number
from ireval_frames.stats.resampling import discriminative_power as shares
from ireval_frames.stats.sample import Sample

# The width of a bin, and the accepted share of swaps.
WIDTH = number(0.01, low=0.0, open_ends=True)
MOST_SWAPS = number(0.05, low=0.0, high=1.0, open_ends=True)
TAKEN = ("n_systems", "n_pairs", "n_undefined", "n_significant", "power", "difference_required", "alpha", "other")


class DiscriminativePower(Displayed):
    """The discriminative power of measures (`ir.comparison.discriminative_power`); computed at first use."""

    def __init__(self, comparison: Comparison, alpha: float) -> None:
        self._comparison, self._alpha = comparison, alpha
        self._by, self._lower_is_better = comparison.values.by, comparison.values.lower_is_better
        refuse_reserved(self._by, TAKEN)

    @functools.cached_property
    def _pairs(self) -> pl.DataFrame:
        better = pl.when(pl.col("measure").is_in(self._lower_is_better)).then(-1.0).otherwise(1.0)
        return self._comparison.table().with_columns(_gain=pl.col("difference") * better)

    @functools.cached_property
    def _parts(self) -> list[pl.DataFrame]:
        return self._pairs.partition_by("measure", *self._by, maintain_order=True)

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        rows = [self._row(i, part) for i, part in enumerate(self._parts)]
        return pl.DataFrame(rows, schema_overrides={"difference_required": pl.Float64}, infer_schema_length=None)

    def _row(self, place: int, part: pl.DataFrame) -> dict[str, Any]:
        p = part["p_adjusted"].to_numpy()
        return {
            **part.select("measure", *self._by).row(0, named=True),
            "n_systems": pl.concat([part["baseline"], part["system"]]).n_unique(),
            "n_pairs": len(p),
            "n_undefined": int(np.isnan(p).sum()),
            "n_significant": int((p <= self._alpha).sum()),
            "power": shares.discriminative_power(p, self._alpha),
            "difference_required": self._required(place, part),
            "alpha": self._alpha,
            "test": part["test"][0],
            "correction": part["correction"][0],
        }

    def _required(self, place: int, part: pl.DataFrame) -> float | None:
        test, correction = part.select("test", "correction").row(0)
        if correction not in ("none", test):
            return None
        if test == "bootstrap":
            grid, options = grids_of(self._comparison)[place], self._comparison.options
            sample = Sample(grid.values, pairs_of(grid, options.baseline, ""))
            required = shares.difference_required(sample, options, self._alpha)
            return None if np.isnan(required) else required
        # An interval of something else does not bound differences of means.
        of_means = (part["estimate"] == part["difference"]).all()
        half = (part["ci_high"] - part["ci_low"]) / 2.0
        return float(half.to_numpy().max()) if of_means and not half.null_count() else None

    def table(self) -> pl.DataFrame:
        """A row per measure and [by …].

        Returns:
            measure, [by …], n_systems, n_pairs, n_undefined (pairs without a p-value, which count as not significant),
            n_significant;
            power: n_significant / n_pairs, from 0 to 1, higher is more discriminative;
            difference_required: what a difference of means must exceed to be significant for every pair: the largest
            half-width of the intervals at 1 − α; of "bootstrap" Sakai's, the largest over pairs of the ⌊draws·α⌋-th
            largest |d̄* − d̄|; null where a pair has no interval, the interval is not of the difference of means, or
            p-values are corrected;
            alpha, test, correction.
        """
        return self._table

    def asl(self) -> pl.DataFrame:
        """The curve of achieved significance levels: the p-values of all pairs from the largest down.

        The nearer the curve of a measure is to 0, the more discriminative it is.

        Returns:
            measure, [by …], rank (1 is the largest p-value), baseline, system, difference, p_value (corrected, if that
            was requested).
        """
        parts = []
        for part in self._parts:
            order, p = shares.asl_curve(part["p_adjusted"].to_numpy())
            ordered = part.drop("p_value")[order]
            parts.append(ordered.with_columns(rank=pl.int_range(1, pl.len() + 1), p_value=pl.Series(p)))
        columns = ["measure", *self._by, "rank", "baseline", "system", "difference", "p_value"]
        return pl.concat(parts).select(columns)

    def concordance(self) -> pl.DataFrame:
        """How measures agree about pairs of systems: a row per two measures and [by …].

        Returns:
            measure, other, [by …], n_pairs (with p-values of both), and how many of them show each of these:
            active agreement, disagreement: both are significant and prefer the same system, or opposite ones;
            mixed: one is significant; passive: none is.  Two differences of 0 agree, one of them alone does not;
            agreement: the share of pairs that agree, from 0 to 1; null for no pairs.

        Source: Moffat, Scholer and Thomas, ADCS 2012; Ferro, TOIS 2017.
        """
        keys = [*self._by, "baseline", "system"]
        place = pl.col("measure").rle_id()
        signs = self._pairs.filter(pl.col("p_adjusted").is_not_null()).select(
            *keys,
            "measure",
            _place=place,
            _sign=pl.col("_gain").sign(),
            _significant=pl.col("p_adjusted") <= self._alpha,
        )
        both = signs.join(signs, on=keys, how="inner", nulls_equal=True, suffix="_2", maintain_order="left_right")
        compared_pairs = both.filter(pl.col("_place") < pl.col("_place_2")).with_columns(
            _agree=pl.col("_sign") == pl.col("_sign_2"),
            _how=pl.col("_significant").cast(pl.Int8) + pl.col("_significant_2").cast(pl.Int8),
        )
        counts = {
            f"{how}_{agree}": ((pl.col("_how") == n) & (pl.col("_agree") == (agree == "agreement")))
            .sum()
            .cast(pl.Int64)
            for n, how in ((2, "active"), (1, "mixed"), (0, "passive"))
            for agree in ("agreement", "disagreement")
        }
        columns = ["measure", "measure_2", *self._by]
        out = compared_pairs.group_by(columns, maintain_order=True).agg(
            n_pairs=pl.len().cast(pl.Int64), **counts, agreement=in_order(pl.col("_agree").mean())
        )
        return out.rename({"measure_2": "other"})

    def swaps(self, *, width: float = 0.01, most: float = 0.05) -> pl.DataFrame:
        """How often a difference on one half of the units has the other sign on the other half: the swap method.

        Each draw deals out the units that all systems have into two halves; pairs are put into bins by the absolute
        difference of their means on the first one.

        Args:
            width: of a bin, in units of the measure; there are 21, and the last one has no end.
            most: the share of swaps that is still accepted.

        Returns:
            measure, [by …], low, high: the ends of a bin; n: pairs times draws in it; swap_rate: the share of them
            whose difference has the other sign on the other half, from 0 to 1, null for none; required: whether in
            this bin and all above no more than `most` are swapped; the first such bin has the difference that two
            systems must have on half as many units.

        Raises:
            InvalidParameter: a number is out of range.
            NotDefined: there are fewer than two units that all systems have.

        Source: Voorhees and Buckley, The Effect of Topic Set Size on Retrieval Experiment Error, SIGIR 2002.
        """
        width, most = WIDTH.check("width", width), MOST_SWAPS.check("most", most)
        parts, options = [], self._comparison.options
        for grid in grids_of(self._comparison):
            sample = Sample(grid.values, pairs_of(grid, options.baseline, ""))
            rates = shares.swap_rates(sample, options, width=width, most=most)
            parts.append(
                grid.framed(
                    self._by,
                    {
                        "low": rates.low,
                        "high": np.where(np.isinf(rates.high), np.nan, rates.high),
                        "n": rates.count,
                        "swap_rate": rates.rate,
                        "required": rates.low >= rates.required,
                    },
                )
            )
        return pl.concat(parts)

    def explain(self) -> str:
        """The conventions of the comparison of all pairs."""
        return self._comparison.explain()

    def _displays(self) -> Sequence[Tables]:
        """The table as text."""
        header = ("measure", *self._by, "pairs", "significant", "power", "difference required")
        lines = [
            (
                *(Cell(shown(row[k])) for k in ("measure", *self._by)),
                Cell(str(row["n_pairs"])),
                Cell(str(row["n_significant"])),
                Cell(shown_number(row["power"])),
                Cell(shown_number(row["difference_required"])),
            )
            for row in self._table.iter_rows(named=True)
        ]
        test, correction = self._table.select("test", "correction").row(0)
        adjusted = "" if correction == "none" else f", {correction}" if correction != test else ", of all pairs at once"
        note = f"Pairs with p at most {self._alpha:g} ({test}{adjusted})."
        return [Tables(Block("", header, tuple(lines), 1 + len(self._by)), (), (note,))]

    def __str__(self) -> str:
        return "\n".join(map(text, self._displays()))


def discriminative_power(
    values: Any,
    *,
    alpha: float = 0.05,
    test: str = "t",
    correction: str = "none",
    **options: Any,
) -> DiscriminativePower:
    """The share of pairs of systems that differ significantly by a measure, its curve, and how measures agree.

    power = |{pairs with p ≤ α}| / |pairs|.  It describes how sensitive a measure is on these systems and units, not
    whether it is valid.

    Args:
        values: an evaluation of several systems, or a table of values per unit, as `ir.compare` takes them.
        alpha: the level of significance.
        test: any of `ir.compare`; "randomized-tukey" and "bootstrap" (here with Sakai's p-value, kind="studentised")
            are usual.
        correction: of p-values; by default none, as in the literature; tests of all pairs at once need none.
        options: those of `ir.compare`: unit, system, measure, value, by, missing, n_resamples, seed and more.

    Raises:
        InvalidParameter: alpha does not lie between 0 and 1.
        NotDefined: there is one system, or the test gives no p-values.
        UnknownName, MissingColumn and others: as `ir.compare`.

    Source: Sakai, Evaluating Evaluation Metrics based on the Bootstrap, SIGIR 2006; Carterette, TOIS 2012.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> a, b, c = [0.1, 0.2, 0.3, 0.2], [0.5, 0.5, 0.8, 0.6], [0.2, 0.1, 0.4, 0.2]
        >>> frame = pl.DataFrame({"query_id": [1, 2, 3, 4], "a": a, "b": b, "c": c})
        >>> found = ir.comparison.discriminative_power(frame)
        >>> found.table().select("n_pairs", "n_significant", pl.col("power", "difference_required").round(4)).row(0)
        (3, 2, 0.6667, 0.1523)
        >>> found.asl()["p_value"].round(4).to_list()
        [0.6376, 0.0023, 0.0006]
    """
    level = ALPHA.check("alpha", alpha)
    if "confidence" in options:
        raise InvalidParameter("The confidence is 1 − alpha.", Hint("Write ", Argument("alpha", level), "."))
    if not isinstance(test, str):
        raise InvalidParameter(f"test is {test!r}; discriminative power is by one test.", 'Write test="t".')
    if test == "bootstrap":
        # Sakai's p-value, with which discriminative power was introduced.
        options = {"kind": "studentised"} | options
    comparison = compare(values, test=test, correction=correction, confidence=1.0 - level, **options)
    if not comparison.options.tests[0].p_values:
        raise NotDefined(f"{test} gives no p-values.", 'Write test="t", or another that does.')
    return DiscriminativePower(comparison, level)
