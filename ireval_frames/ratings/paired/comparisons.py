"""Comparisons of two items: their tables, counted by an engine, and what needs no model of strengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import polars as pl

from ireval_frames.columns.paired import PAIRED, SCORED_PAIRS
from ireval_frames.columns.user_names import columns_named, named_columns
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, listed, nearest
from ireval_frames.expr import lit
from ireval_frames.io.any_table import is_text_table
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames, found_in
from ireval_frames.parameters import CONFIDENCE, choice
from ireval_frames.ratings.paired import estimates
from ireval_frames.ratings.paired.both_orders import merged, outcomes_of_items
from ireval_frames.ratings.paired.covariates import SIDES
from ireval_frames.ratings.paired.favours import favours
from ireval_frames.ratings.paired.rows import numbers_of_text, outcomes, refuse_missing


class Comparisons:
    """The part of `PairedComparisons` that needs no model of strengths.

    Attributes:
        by: the columns that group results.
        in_order: whether the first item was shown first, as not where both orders became one comparison.
    """

    in_order = True

    def __init__(
        self,
        comparisons: Any,
        *,
        a: str | None = None,
        b: str | None = None,
        winner: str | None = None,
        score: str | None = None,
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
        short = {"item_a": a, "item_b": b, "winner": winner, "score": score, "unit_id": unit, "order": order}
        named = named_columns(columns, {**short, "length_a": length_a, "length_b": length_b})
        named = {k: v for k, v in named.items() if v}
        if {"winner", "score"} <= set(named):
            raise InvalidParameter("Comparisons have winners or scores.", Hint("Leave out ", Argument("winner", None)))
        self._engine = open_engine(comparisons, engine, con)
        self._frame = open_source(Source(comparisons, "comparisons", TABLE), self._engine)
        schema = SCORED_PAIRS if "score" in named or self._has_scores_only(named) else PAIRED
        self._names = found_in(schema, self._frame, ItemNames(named, self.by))
        self._of_text = is_text_table(comparisons)
        self._rows = self._counted()

    def _has_scores_only(self, named: Mapping[str, str]) -> bool:
        """Whether the table has a column of scores, and none that could be of winners."""
        columns = {name.lower() for name in self._frame.columns}
        winner = next(c for c in PAIRED.columns if c.name == "winner")
        return "winner" not in named and "score" in columns and not columns & {"winner", *winner.aliases}

    def _counted(
        self, cluster: str | None = None, covariates: Sequence[str] = (), more: Mapping[str, str] | None = None
    ) -> pl.DataFrame:
        """The comparisons, equal ones counted by the engine, with their clusters and covariates."""
        columns = {**self._names}
        named_columns = {**({} if cluster is None else {"cluster": cluster}), **(more or {})}
        columns |= {ours: self._column(own) for ours, own in named_columns.items()}
        for name in covariates:
            sides = [name + side for side in SIDES]
            if not set(sides) <= set(columns):
                present = set(self._frame.columns)
                here = sides if set(sides) <= present else [name] if name in present else []
                if not here:
                    raise MissingColumn(
                        f"The comparisons table has no columns {sides[0]!r} and {sides[1]!r}, and no column {name!r} "
                        f"(it has: {listed(self._frame.columns, 20)}).",
                        "Name a covariate by the beginning of its two columns.",
                    )
                columns |= {c: c for c in here}
        if taken := [c for c in self.by if c in (*named_columns, *covariates)]:
            raise InvalidParameter(
                f"Results are grouped by the column {taken[0]!r}, and this call needs one of that name.",
                "Rename it, or leave it out of by=.",
            )
        keys = list(dict.fromkeys([*self.by, *columns.values()]))
        grouped = [c for c in keys if c != columns.get("order")]
        with self._engine.errors():
            count = [Aggregate("n", "count", lit(1.0))]
            rows = self._engine.collect(
                self._frame.select(*keys)
                if "order" in columns
                else self._engine.group(self._frame.lazy(), grouped, count)
            )
        n = pl.lit(1.0) if "order" in columns else pl.col("n")
        rows = rows.select(*self.by, **{ours: pl.col(own) for ours, own in columns.items()}, n=n)
        if self._of_text:
            rows = numbers_of_text(rows, [c for c in columns if c not in ("item_a", "item_b", "winner", "unit_id")])
        for ours, own in named_columns.items():
            refuse_missing(rows, ours, own)
        rows = outcomes(rows, columns)
        # What is drawn stands in one order on every engine.
        return rows.sort(rows.columns) if covariates else rows

    def _column(self, name: str) -> str:
        """The user's name of a column that is one of ours or of the table's.

        Raises:
            MissingColumn: it is neither.
        """
        if name in self._frame.columns:
            return name
        if name in self._names:
            return self._names[name]
        raise MissingColumn(
            f"The comparisons table has no column {name!r} (it has: {listed(self._frame.columns, 20)}).",
            nearest(name, list(self._frame.columns)) or "Name another one.",
        )

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
            the share in which it was the first.  Of `merged` comparisons there is "longer" only.  `p_value` is the
            exact sign test of one half, but for "consistent".
        """
        CONFIDENCE.check("confidence", confidence)
        table = self._per_group(lambda rows: estimates.bias(rows, confidence))
        return table if self.in_order else table.filter(pl.col("bias") == "longer")

    def favours(self, families: Mapping[Any, Any], *, judge: str = "judge", confidence: float = 0.95) -> pl.DataFrame:
        """Whether judges favour the items of their own family, such as models built like them.

        Each family's items are compared with the others on units that its own judges and other judges saw.

        Args:
            families: the family of each item, and of each judge that has one.
            judge: the column of judges.
            confidence: of Student's intervals over units.

        Returns:
            [by …] family own others favour se ci_low ci_high p_value p_corrected n_units: the win rate of the family's
            items against those of other families by judges of the family, and by all others; their difference; p-values
            of t tests over units, corrected by Holm.

        Raises:
            NotDefined: comparisons have no units, or no family has a judge and an item.
            InvalidParameter: an item has no family.
            MissingColumn: there is no column of judges.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("x", "y", "x" if i % 4 else "y", i, "jx") for i in range(20)]
            >>> rows += [("x", "y", "x" if i % 2 else "y", i, "person") for i in range(20)]
            >>> names = ["item_a", "item_b", "winner", "prompt_id", "judge"]
            >>> pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=names, orient="row"))
            >>> pairs.favours({"x": "X", "y": "Y", "jx": "X"}).select("family", "own", "others", "favour").rows()
            [('X', 0.75, 0.5, 0.25)]
        """
        CONFIDENCE.check("confidence", confidence)
        rows = self._counted(more={"judge": judge})
        return self._per_group(lambda part: favours(part, families, confidence), rows)

    def merged(self, *, inconsistent: str = "tie") -> Self:
        """Comparisons of two items in both orders for one unit, as one comparison.

        Args:
            inconsistent: what becomes of two orders with different outcomes: a "tie", as in MT-Bench, or "left-out".

        Returns:
            Comparisons with scores, one per unit and two items; those in one order only stay as they are.  Their column
            of units is called as before, and the first item is the first by name.  Two bad answers stay so where all
            comparisons say it.

        Raises:
            NotDefined: comparisons have no units.

        Source: Zheng and others, Judging LLM-as-a-Judge, NeurIPS 2023.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("x", "y", "x", 1), ("y", "x", "x", 1), ("x", "y", "x", 2), ("y", "x", "y", 2)]
            >>> names = ["item_a", "item_b", "winner", "prompt_id"]
            >>> pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=names, orient="row"))
            >>> pairs.merged().outcomes().select("item_id", "wins", "losses", "good_ties").rows()
            [('x', 1, 0, 1), ('y', 0, 1, 1)]
        """
        choice("tie", "left-out").check("inconsistent", inconsistent)
        rows = merged(self._rows, self.by, inconsistent)
        unit = self._names["unit_id"]
        pairs = type(self)(rows.rename({"unit_id": unit}), score="score", unit=unit, by=self.by)
        pairs.in_order = False
        return pairs

    def outcomes(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """A row per item: how often it won and lost, and how often neither item won because both were good, or bad.

        Args:
            confidence: of Wilson's intervals.

        Returns:
            [by …] item_id n wins losses good_ties bad_ties share_of_bad ci_low ci_high: the last three are of the share
            of comparisons in which both were bad; a tie of no kind counts as good.
        """
        CONFIDENCE.check("confidence", confidence)
        return self._per_group(lambda rows: outcomes_of_items(rows, confidence))

    def _per_group(
        self, estimate: Callable[[pl.DataFrame], pl.DataFrame], rows: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        rows = self._rows if rows is None else rows
        if not self.by:
            return estimate(rows)
        groups = rows.sort(self.by).partition_by(self.by, as_dict=True, maintain_order=True).items()
        parts = []
        for key, part in groups:
            names = [pl.Series(b, [k], dtype=rows.schema[b]) for b, k in zip(self.by, key, strict=True)]
            parts.append(pl.DataFrame(names).join(estimate(part), how="cross"))
        return pl.concat(parts, how="vertical_relaxed") if parts else estimate(rows)
