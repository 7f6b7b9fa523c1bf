"""The tables of an evaluation of spans.

```
documents   a row per document                exact      gold and predicted spans of one place and type
gold        a row per gold span               overlaps   gold and predicted spans with common positions
predicted   a row per predicted span          aligned    the one-to-one matching of both
```

A row of two spans has the columns of the gold one, and those of the predicted one as `predicted_start` and so on.
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.spans.assignment import best_pairs
from ireval_frames.spans.overlaps import PREDICTED, OverlapTables, equal, of_predicted


class SpanTables(OverlapTables):
    """The tables, made from the canonical inputs."""

    @cached_property
    def _unmatched(self) -> tuple[Table, Table]:
        """The spans of both sides that no span equals."""
        sides = []
        for side in (self.gold, self.predicted):
            alone = self.exact.count(into=side) == 0
            sides.append(self.plan.selected(f"{side.name}_alone", side.keys, side, side.column(alone, "alone")))
        return sides[0], sides[1]

    @cached_property
    def _near(self) -> Table:
        """The pairs of spans with common positions, which no span equals."""
        return self.plan.compute_once(self.pairs_of("near", *self._unmatched), cached=True)

    @cached_property
    def _same_place(self) -> Table:
        """Pairs of one place and different types, in the order of their types."""
        keys, order = (*self.keys, *self.place), [c for c in self.span if c not in self.place]
        sides = []
        for side in self._unmatched:
            turn = side.over(col("start").cum_count(), keys, order, "turn")
            columns = {c: col(c) for c in keys} | {"turn": turn.cast(pl.Int64)}
            named = {c if side is self._unmatched[0] else f"{PREDICTED}{c}": col(c) for c in order}
            sides.append(self.plan.selected(f"{side.name}_in_turn", (*keys, "turn"), side, **columns, **named))
        gold, predicted = sides
        return self.plan.joined("same_place", (*keys, "turn"), gold, predicted, on=(*keys, "turn"))

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
            places = {f"{PREDICTED}{c}": col(c) for c in self.place}
            rows.append((
                self._same_place,
                {**document, **gold, **predicted, **places, "same_place": lit(1.0), "same_type": lit(0.0)},
            ))  # fmt: skip
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
            gold, predicted = self._unmatched
            matched = self._same_place.count(into=gold)
            by_prediction = self.plan.selected(
                "same_place_by_prediction", (*self.keys, *self.span), self._same_place,
                **{c: col(c if c in self.place else f"{PREDICTED}{c}") for c in self.span},
            )  # fmt: skip
            others = self._named(predicted, "predicted_in_place", in_place=by_prediction.count(into=predicted))
            conditions.append((near.lookup(matched, of=gold) == 0) & (near.lookup(col("in_place"), of=others) == 0))
        where = None
        for condition in conditions:
            where = condition if where is None else where & condition
        return self.plan.selected(f"{name}_candidates", near.keys, near, where)

    def _named(self, predicted: Table, name: str, **columns: Expr) -> Table:
        """Predicted spans under the names that they have beside gold ones."""
        keys = (*self.keys, *of_predicted(self.span))
        own = {k: col(k) for k in self.keys} | {f"{PREDICTED}{c}": col(c) for c in self.span}
        return self.plan.selected(name, keys, predicted, **own, **columns)

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
