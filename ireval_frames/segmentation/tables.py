"""The tables of an evaluation of segmentations.

```
documents   a row per document, with its length      gold, predicted   a row per boundary
boundaries  a row per boundary of either side        window starts     where the boundaries in a window change
```
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from ireval_frames.conventions.segmentation import SegmentationPolicy
from ireval_frames.documents.inputs import SIDES
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator
from ireval_frames.segmentation import steps
from ireval_frames.segmentation.inputs import SegmentationInputs


@dataclass(frozen=True)
class WindowStarts:
    """A row per document and position from which on windows have other boundaries inside."""

    table: Table
    gold: Expr
    """The number of gold boundaries in the windows that start here, before the next row."""
    predicted: Expr
    """The number of predicted ones."""
    number: Expr
    """The number of these windows."""
    of_document: Expr
    """In `documents`: the number of windows."""


class SegmentationTables(DocumentTables):
    """The tables, made from the canonical inputs.

    A boundary is the number of positions before it, from 1 to the number of positions less 1.
    """

    inputs: SegmentationInputs
    policy: SegmentationPolicy
    row_keys = ("boundary",)

    # ---- of documents

    @property
    def length(self) -> Expr:
        """In `documents`: the number of positions.

        Raises:
            MissingColumn: it is not known.
        """
        self.inputs.need_lengths(self.plan.requested_by)
        return col("length")

    def width(self, k: int | None, window: str) -> Expr:
        """In `documents`: the width of windows, by the policy `window` where k is None."""
        if k is not None:
            return lit(float(k))
        number = self.gold.count(into=self.documents)
        if window == "boundaries":
            width = _half_to_even((self.length - 1.0) / (2.0 * number.clip(lower_bound=1.0)))
        else:
            width = _half_to_even(self.length / (2.0 * (number + 1.0))).clip(lower_bound=2.0)
        return self.documents.column(width, "width")

    # ---- of windows

    def window_starts(self, k: int | None, window: str, *, padded: bool) -> WindowStarts:
        """Where the boundaries inside of windows change.

        The window from position i to i + k has the boundaries from i to i + k − 1: one enters at b − k + 1, and leaves
        at b + 1.
        """
        documents, name = self.documents, f"{k or window}{'_padded' if padded else ''}"
        width = documents.column(self.width(k, window), "width")
        first = documents.column(1.0 - width if padded else lit(1.0), "first")
        behind = documents.column(self.length + 1.0 - (0.0 if padded else width), "behind")
        end = documents.column(when(behind > first).then(behind).otherwise(first), "end")
        parts = []
        for side, table in (("gold", self.gold), ("predicted", self.predicted)):
            size, low, high = (table.lookup(e, of=documents) for e in (width, first, end))
            changes = {f"{s}_change": lit(0.0) for s in SIDES}
            for place, by in ((col("boundary") - size + 1.0, 1.0), (col("boundary") + 1.0, -1.0)):
                columns = {key: col(key) for key in self.keys}
                columns["place"] = table.column(place.clip(low, high), "place")
                parts.append((table, {**columns, **changes, f"{side}_change": lit(by)}))
        rows = self.plan.concat(f"window_changes_{name}", (*self.keys, "place"), *parts)
        starts = self.plan.grouped(f"window_starts_{name}", rows, *self.keys, "place")
        inside = {}
        for side in SIDES:
            change = rows.sum(col(f"{side}_change"), into=starts)
            inside[side] = starts.over(change.cum_sum(), self.keys, ["place"], name=f"{side}_inside")
        next_place = starts.over(col("place").shift(-1), self.keys, ["place"], name="next_place")
        number = next_place.fill_null(starts.lookup(end, of=documents)) - col("place")
        return WindowStarts(
            starts, inside["gold"], inside["predicted"], starts.column(number, "number"), documents.column(end - first)
        )

    # ---- of boundaries

    @cached_property
    def both(self) -> Table:
        """A row per boundary and side that has it: `is_gold` and `is_predicted`, 1 or 0."""
        boundary = {k: col(k) for k in (*self.keys, "boundary")}
        return self.plan.concat(
            "boundaries_of_both",
            (*self.keys, "boundary"),
            (self.gold, {**boundary, "is_gold": lit(1.0), "is_predicted": lit(0.0)}),
            (self.predicted, {**boundary, "is_gold": lit(0.0), "is_predicted": lit(1.0)}),
        )

    @cached_property
    def boundaries(self) -> Table:
        """A row per boundary of either side."""
        return self.plan.grouped("boundaries", self.both, *self.keys, "boundary")

    @cached_property
    def in_both(self) -> Expr:
        """In `boundaries`: 1 where both sides have it."""
        gold, predicted = (self.both.sum(col(f"is_{s}"), into=self.boundaries) for s in ("gold", "predicted"))
        return self.boundaries.column(gold * predicted, "in_both")

    @cached_property
    def unmatched(self) -> Table:
        """A row per boundary of one side only, with `is_gold`."""
        is_gold = self.both.sum(col("is_gold"), into=self.boundaries)
        return self.plan.selected(
            "unmatched",
            (*self.keys, "boundary"),
            self.boundaries,
            where=self.in_both == 0.0,
            boundary=col("boundary"),
            is_gold=is_gold,
        )

    def matches(self, tolerance: int) -> Expr:
        """In `documents`: the largest number of matches of boundaries up to this distance."""
        if not tolerance:
            return self.boundaries.sum(self.in_both, into=self.documents)
        names = [f"matches_{tolerance}"]
        return self._computed(f"within_{tolerance}", self.both, names, steps.matches, tolerance=tolerance)[0]

    def near_misses(self, transpositions: int) -> tuple[Expr, Expr]:
        """In `documents`: the number of near misses, and the sum of their distances."""
        if transpositions == 1:
            return lit(0.0), lit(0.0)
        if transpositions == 2:
            moved = self._neighbours()
            return moved, moved
        names = [f"near_misses_{transpositions}", f"distance_{transpositions}"]
        moved, distance = self._computed(
            f"nearer_than_{transpositions}", self.unmatched, names, steps.near_misses, below=transpositions
        )
        return moved, distance

    def _computed(
        self, name: str, table: Table, names: Sequence[str], step: Callable[..., pl.DataFrame], **options: int
    ) -> list[Expr]:
        """Columns of documents from a step in Python; 0 for documents without a row of the table."""
        function = functools.partial(step, keys=self.keys, names=tuple(names), **options)
        functools.update_wrapper(function, step)
        types = dict.fromkeys(names, pl.Float64)
        computed = self.plan.applied(name, self.keys, table, function, types, by=self.keys)
        return [self.documents.lookup(col(n), of=computed).fill_null(0.0) for n in names]

    def _neighbours(self) -> Expr:
        """In `documents`: the number of near misses of neighbouring positions.

        Where unmatched boundaries follow each other without a gap, on alternating sides, every two are one.
        """
        plan, unmatched = self.plan, self.unmatched
        previous, side = (unmatched.over(col(c).shift(1), self.keys, ["boundary"]) for c in ("boundary", "is_gold"))
        follows = (previous + 1.0 == col("boundary")) & (side != col("is_gold"))
        begins = unmatched.column(indicator(~follows.fill_null(value=False)), "begins")
        chain = unmatched.over(begins.cum_sum(), self.keys, ["boundary"], name="chain")
        in_chains = plan.selected("in_chains", (*self.keys, "chain"), unmatched, chain=chain)
        chains = plan.grouped("chains", in_chains, *self.keys, "chain")
        pairs = chains.column((in_chains.count(into=chains) / 2.0).floor(), "pairs")
        return chains.sum(pairs, into=self.documents)


def _half_to_even(number: Expr) -> Expr:
    """A number rounded, a half to the even one: databases round in several ways, and floor in one."""
    up = (number + 0.5).floor()
    is_half, is_odd = up - number == 0.5, up / 2.0 != (up / 2.0).floor()
    return when(is_half & is_odd).then(up - 1.0).otherwise(up)
