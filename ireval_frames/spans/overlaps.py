"""The tables of spans and of their common positions.

Spans are compared with those near them alone: an engine joins stretches of positions, not all spans of a document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import polars as pl

from ireval_frames.conventions.spans import SpanPolicy
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.expr import Expr, col, max_horizontal, min_horizontal, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import ratio
from ireval_frames.spans.inputs import SpanInputs

PREDICTED = "predicted_"


def of_predicted(names: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of a predicted span beside a gold one."""
    return tuple(f"{PREDICTED}{name}" for name in names)


def equal(one: Expr, other: Expr) -> Expr:
    """Whether two columns are equal, of which null equals null."""
    return when(one.is_null() | other.is_null()).then(one.is_null() & other.is_null()).otherwise(one == other)


def _overlap(shared: Expr, sizes: Iterable[Expr]) -> dict[str, Expr]:
    """The number of common positions, that of the positions of either span, and their ratio."""
    one, other = sizes
    union = one + other - shared
    return {"shared": shared, "union": union, "iou": ratio(shared, union)}


class OverlapTables(DocumentTables):
    """Spans, pairs of them with common positions, and positions."""

    inputs: SpanInputs
    policy: SpanPolicy

    def __init__(self, plan: Plan, inputs: SpanInputs, policy: SpanPolicy) -> None:
        super().__init__(plan, inputs, policy)
        self.span = inputs.span
        # What identifies the place of a span, whatever its type.
        self.place = tuple(c for c in inputs.span if c in ("start", "end", "shape"))
        self.pair = (*inputs.span, *of_predicted(inputs.span))

    # ---- spans

    @cached_property
    def gold(self) -> Table:
        """The gold spans."""
        return self.plan.input("gold", (*self.keys, *self.span), self.inputs.gold)

    @cached_property
    def predicted(self) -> Table:
        """The predicted spans."""
        return self.plan.input("predicted", (*self.keys, *self.span), self.inputs.predicted)

    @cached_property
    def both(self) -> Table:
        """The spans of both sides; of each what most tables of types and positions need."""
        columns = {c: col(c) for c in (*self.keys, "type")}
        parts = ((side, {**columns, "size": side.column(self.length)}) for side in (self.gold, self.predicted))
        return self.plan.concat("spans", (*self.keys, "type"), *parts)

    @property
    def length(self) -> Expr:
        """The number of positions of a span."""
        return col("length") if self.inputs.fragments else (col("end") - col("start")).cast(pl.Float64)

    # ---- pairs of spans

    @cached_property
    def exact(self) -> Table:
        """The pairs of one place and type."""
        key = (*self.keys, *self.span)
        return self.plan.compute_once(self.plan.joined("exact", key, self.gold, self.predicted, on=key))

    @cached_property
    def overlaps(self) -> Table:
        """All pairs with common positions: `shared` is their number, `iou` the share of those of either."""
        return self.plan.compute_once(self.pairs_of("overlaps", self.gold, self.predicted))

    @cached_property
    def touching(self) -> Table:
        """The pairs of one type with common positions."""
        return self.plan.selected(
            "touching", (*self.keys, *self.pair), self.overlaps, equal(col("type"), col("predicted_type"))
        )

    def by_prediction(self, pairs: Table) -> Table:
        """Pairs with the columns of a predicted span in the place of those of the gold one."""
        of = {name: col(f"{PREDICTED}{name}") for name in self.span}
        of |= {name: col(name) for name in ("same_place", "same_type") if pairs.has(name)}
        return self.plan.selected(f"{pairs.name}_by_prediction", (*self.keys, *self.span), pairs, **of)

    # ---- positions

    @cached_property
    def positions(self) -> tuple[Table, Table, Table]:
        """Stretches of positions of one type that are in gold, in predicted, and in common spans; `size` of each."""
        plan, keys = self.plan, (*self.keys, "type")
        sides = []
        for name, spans in (("gold", self.gold), ("predicted", self.predicted)):
            rows, first, last = spans, "start", "end"
            if self.inputs.fragments:
                rows, first, last = self._pieces[name], "piece_start", "piece_end"
            # Of spans that overlap, each has the positions behind the ends of those that begin before it.
            before = rows.over(col(last).cum_max(), keys, [first, last], "before", before=True)
            start = rows.column(max_horizontal(col(first), before.fill_null(0)), "from")
            own = {c: col(c) for c in keys} | {"start": start, "end": col(last)}
            size = (col(last) - start).cast(pl.Float64)
            sides.append(
                plan.selected(f"{name}_positions", (*keys, "start", "end"), rows, col(last) > start, **own, size=size)
            )
        return sides[0], sides[1], self._met("common_positions", (sides[0], sides[1]), ("start", "end"), ("type",))

    # ---- overlaps

    def pairs_of(
        self, name: str, first: Table, second: Table, pieces: tuple[str, str] = ("gold", "predicted")
    ) -> Table:
        """The pairs of spans of two tables that have common positions; `pieces` are the sides that they are of."""
        plan, keys = self.plan, (*self.keys, *self.pair)
        own, key = {k: col(k) for k in keys}, (*self.keys, *self.span)
        if not self.inputs.fragments:
            met = self._met(f"{name}_met", (first, second), ("start", "end"))
            sizes = [(col(f"{p}end") - col(f"{p}start")).cast(pl.Float64) for p in ("", PREDICTED)]
            return plan.selected(name, keys, met, **own, **_overlap(col("size"), sizes))
        sides = tuple(
            plan.joined(f"{name}_{of.name}_pieces", (*key, "piece_start", "piece_end"), of, self._pieces[side], on=key)
            for side, of in zip(pieces, (first, second), strict=True)
        )
        met = self._met(f"{name}_met", sides, ("piece_start", "piece_end"))
        spans = plan.grouped(f"{name}_of_spans", met, *keys)
        sizes = [met.max(col(c), into=spans) for c in ("length", "predicted_length")]
        shared = met.sum(col("size"), into=spans)
        return plan.selected(name, keys, spans, **own, **_overlap(shared, sizes))

    def _met(self, name: str, sides: Sequence[Table], ends: tuple[str, str], same: tuple[str, ...] = ()) -> Table:
        """The pairs of rows of two tables that have common positions, whose number is `size`.

        Positions are cut into stretches of the mean length of a span, so that rows are compared with those of their
        stretches alone.

        Args:
            name: the name of the table.
            sides: the tables, of gold and of predicted spans.
            ends: the columns of the first position, and of the one after the last.
            same: columns of both that are equal.
        """
        plan, on = self.plan, (*self.keys, *same)
        expanded = []
        for side, prefix in zip(sides, ("", PREDICTED), strict=True):
            of = [c for c in (*self.span, *ends, "length") if c not in same and side.has(c)]
            columns = {c: col(c) for c in on} | {f"{prefix}{c}": col(c) for c in dict.fromkeys(of)}
            place = tuple(f"{prefix}{c}" for c in ends)
            side_name = f"{name}_{side.name}"
            table = plan.selected(side_name, tuple(c for c in columns if not c.endswith("length")), side, **columns)
            width = table.lookup(self._stretch, of=self.all_spans)
            low, high = ((p.cast(pl.Float64) / width).floor() for p in (col(place[0]), col(place[1]) - 1))
            expanded.append(plan.expand_range(f"{side_name}_stretches", "stretch", table, low, high))
        gold, predicted = expanded
        met = plan.joined(f"{name}_pairs", (*gold.keys, *predicted.keys), gold, predicted, on=(*on, "stretch"))
        first = max_horizontal(*(col(f"{prefix}{ends[0]}") for prefix in ("", PREDICTED)))
        last = min_horizontal(*(col(f"{prefix}{ends[1]}") for prefix in ("", PREDICTED)))
        # Rows that share several stretches meet where their common positions begin.
        begins = (first.cast(pl.Float64) / width).floor() == col("stretch").cast(pl.Float64)
        columns = {c: col(c) for t in expanded for c in t.keys if c != "stretch"}
        columns |= {c: col(c) for c in ("length", "predicted_length") if met.has(c)}
        size = (last - first).cast(pl.Float64)
        return plan.selected(name, tuple(columns), met, (last > first) & begins, **columns, size=size)

    @cached_property
    def all_spans(self) -> Table:
        """One row for all spans."""
        return self.plan.grouped("all_spans", self.both)

    @cached_property
    def _stretch(self) -> Expr:
        """The mean length of spans, at least 1."""
        return (
            (self.both.sum(col("size"), into=self.all_spans) / self.both.count(into=self.all_spans).clip(1.0))
            .clip(1.0)
            .ceil()
        )

    @cached_property
    def _pieces(self) -> dict[str, Table]:
        """The fragments of the spans of each side."""
        columns = (*self.keys, *self.span, "piece_start", "piece_end")
        frames = {"gold": self.inputs.gold_pieces, "predicted": self.inputs.predicted_pieces}
        return {s: self.plan.input(f"{s}_pieces", columns, f.select(*columns)) for s, f in frames.items() if f}
