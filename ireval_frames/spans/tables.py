"""The tables of an evaluation of spans.

```
documents   a row per document                exact      gold and predicted spans of one place and type
gold        a row per gold span               overlaps   gold and predicted spans with common positions
predicted   a row per predicted span          aligned    the one-to-one matching of both
```

A row of two spans has the columns of the gold one, and those of the predicted one as `predicted_start` and so on.
"""

from __future__ import annotations

import functools
import operator
from functools import cached_property

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator
from ireval_frames.spans.assignment import best_pairs
from ireval_frames.spans.overlaps import PREDICTED, OverlapTables, equal, of_predicted

# More copies of one span than a document has.
COPIES = 2.0**26


class SpanTables(OverlapTables):
    """The tables, made from the canonical inputs."""

    @cached_property
    def _unmatched(self) -> tuple[Table, Table]:
        """The spans of both sides that no span equals."""
        plan, key, sides = self.plan, (*self.keys, *self.span), []
        for side, other in ((self.gold, self.predicted), (self.predicted, self.gold)):
            others = plan.selected(f"{other.name}_keys", key, other, **{k: col(k) for k in key}, equal=lit(1.0))
            beside = plan.joined(f"{side.name}_beside", key, side, others, on=key, how="left")
            sides.append(plan.selected(f"{side.name}_alone", key, beside, col("equal").is_null()))
        return sides[0], sides[1]

    @cached_property
    def _near(self) -> Table:
        """The pairs of spans with common positions, which no span equals."""
        return self.plan.compute_once(self.pairs_of("near", *self._unmatched), cached=True)

    @cached_property
    def _same_place(self) -> Table:
        """Pairs of one place and different types, in the order of their types."""
        near = self._near
        equal_place = functools.reduce(operator.and_, (col(c) == col(f"{PREDICTED}{c}") for c in self.place))
        pairs = self.plan.selected("one_place", near.keys, near, equal_place)
        turns = (self._turn(pairs, prefix) for prefix in ("", PREDICTED))
        gold, predicted = (pairs.column(turn, "turn") for turn in turns)
        return self.plan.compute_once(self.plan.selected("same_place", near.keys, pairs, gold == predicted))

    def _turn(self, pairs: Table, prefix: str) -> Expr:
        """The place of one side's span in the order of those of its document and place; null is the first type."""
        keys, of_type = (*self.keys, *self.place), col(f"{prefix}type")
        untyped = pairs.over(indicator(of_type.is_null()).max(), keys, name="untyped")
        turn = pairs.over(of_type.rank("dense"), keys, name="order").cast(pl.Float64).fill_null(0.0) + untyped
        if "copy" not in self.span:
            return turn
        return pairs.over(pairs.column(turn * COPIES + col(f"{prefix}copy")).rank("dense"), keys, name="order")

    def aligned(self, threshold: float | None = None, *, typed: bool = False) -> Table:
        """The pairs of the matching: `same_place` and `same_type` are 1 or 0.

        Spans of one place and type are matched first, then those of one place, in the order of their types; the others
        so that the sum of their intersections over unions is largest, then the number of pairs of one type, then that
        of pairs.

        Args:
            threshold: the least intersection over union; by default there is a common position.
            typed: only spans of one type are matched.
        """
        name = "_".join(["aligned", *([f"{threshold:g}"] if threshold else []), *(["typed"] if typed else [])])
        plan, keys = self.plan, (*self.keys, *self.pair)
        edges = self._candidates(name, threshold, typed=typed)
        one, other = (*self.keys, *self.span), (*self.keys, *of_predicted(self.span))
        n_gold, n_predicted = (edges.over(col("shared").count(), side) for side in (one, other))
        single = edges.column((n_gold == 1) & (n_predicted == 1), "single")
        singles = plan.selected(f"{name}_singles", keys, edges, single)
        tangled = plan.selected(f"{name}_tangled", keys, edges, ~single)
        solved = plan.applied(
            f"{name}_solved", keys, tangled, best_pairs(self.keys, self.span), {"iou": pl.Float64}, by=self.keys
        )
        document = {k: col(k) for k in self.keys}
        same_type = when(equal(col("type"), col("predicted_type"))).then(1.0).otherwise(0.0)
        gold = {c: col(c) for c in self.span}
        predicted = {c: col(c) for c in of_predicted(self.span)}
        equals = {f"{PREDICTED}{c}": col(c) for c in self.span}
        rows = [(self.exact, {**document, **gold, **equals, "same_place": lit(1.0), "same_type": lit(1.0)})]
        if self._types_differ and not typed:
            of_place = {**document, **gold, **predicted, "same_place": lit(1.0), "same_type": lit(0.0)}
            rows.append((self._same_place, of_place))
        overlapping = {**document, **gold, **predicted, "same_place": lit(0.0), "same_type": same_type}
        rows += [(singles, overlapping), (solved, overlapping)]
        return plan.compute_once(plan.concat(name, keys, *rows))

    @property
    def _types_differ(self) -> bool:
        return self.inputs.type is not None

    def _candidates(self, name: str, threshold: float | None, *, typed: bool) -> Table:
        """The pairs of spans that are matched by how much they overlap."""
        near, conditions = self._near, []
        if threshold is not None:
            conditions.append(col("iou") >= threshold)
        if typed:
            conditions.append(equal(col("type"), col("predicted_type")))
        elif self._types_differ:
            for side, key in (("gold", self.span), ("predicted", of_predicted(self.span))):
                on = (*self.keys, *key)
                placed = self.plan.selected(
                    f"placed_{side}", on, self._same_place, **{c: col(c) for c in on}, **{f"{side}_placed": lit(1.0)}
                )
                near = self.plan.joined(f"near_{side}", near.keys, near, placed, on=on, how="left")
                conditions.append(col(f"{side}_placed").is_null())
        where = functools.reduce(operator.and_, conditions) if conditions else None
        return self.plan.selected(f"{name}_candidates", near.keys, near, where)

    def repeated(self, spans: Table) -> Table:
        """Those of some predicted spans that overlap another one whose match they overlap, too."""
        plan, key = self.plan, (*self.keys, *self.span)
        again = self.pairs_of("again", spans, self.predicted, ("predicted", "predicted"))
        names = {c: f"matched_{c}" for c in self.span}
        own = {k: col(k) for k in self.keys}
        matched = plan.selected(
            "matched", (*self.keys, *of_predicted(self.span)), self.aligned(), **own,
            **{of: col(c) for c, of in names.items()}, **{c: col(c) for c in of_predicted(self.span)},
        )  # fmt: skip
        on = (*self.keys, *of_predicted(self.span))
        beside = plan.joined("beside", (*key, *on[len(self.keys) :]), again, matched, on=on)
        renamed = plan.selected(
            "beside_matched",
            (*key, *names.values()),
            beside,
            **own,
            **{c: col(c) for c in (*self.span, *names.values())},
        )
        touched = plan.selected(
            "touched_spans", (*key, *names.values()), self.overlaps, **own,
            **{names[c]: col(c) for c in self.span}, **{c: col(f"{PREDICTED}{c}") for c in self.span},
        )  # fmt: skip
        return plan.joined("repeated", (*key, *names.values()), renamed, touched, on=(*key, *names.values()))
