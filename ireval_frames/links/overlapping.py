"""Links whose spans are compared by their overlap; what else must be equal is equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ireval_frames.documents.compared import Compared, Counts, equal_rows, united
from ireval_frames.documents.inputs import SIDES
from ireval_frames.expr import Expr, col, lit, max_horizontal, min_horizontal
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

if TYPE_CHECKING:
    from ireval_frames.links.tables import LinkTables


class Overlapping:
    """The mentions of both sides, each once.

    Args:
        tables: the tables of the plan.
        name: what the tables are called.
        columns: what must be equal, start and end among them.
        kind: the column of types.
        counts: which links count.
        inclusive: whether ends are positions in the span.
    """

    def __init__(
        self,
        tables: LinkTables,
        name: str,
        columns: tuple[str, ...],
        kind: str | None,
        counts: Expr,
        *,
        inclusive: bool,
    ) -> None:
        self.plan, self.keys, self.name, self.kind = tables.plan, tables.keys, f"{name}_spans", kind
        self.rest = tuple(c for c in columns if c not in ("start", "end"))
        self.more = 1.0 if inclusive else 0.0
        self.mentions: dict[str, Table] = {}
        for side in SIDES:
            rows = self.plan.selected(
                f"{self.name}_of_{side}", (*self.keys, *columns), getattr(tables, side), counts,
                **{c: col(c) for c in columns},
            )  # fmt: skip
            self.mentions[side] = self.plan.grouped(f"{self.name}_{side}", rows, *self.keys, *columns)

    def compared(self, match: str) -> Compared:
        """The counts of mentions, or of their characters."""
        if match == "characters":
            characters = {side: self.characters(side) for side in SIDES}
            equal = {side: {c: col(c) for c in (*self.rest, "place")} for side in SIDES}
            rows, table = united(f"{self.name}_characters", self.keys, characters, equal)
            return equal_rows(rows, table, self.kind, repeated=False)
        shares = self._covered() if match == "sum" else self._best()
        parts = []
        for side in SIDES:
            mentions, share = self.mentions[side], shares[side]
            value = indicator(share > 0) if match == "weak" else ratio(share, self.length()).fill_null(0.0)
            one = {s: lit(1.0 if s == side else 0.0) for s in SIDES}
            covered = mentions.column(value, "share")
            correct = {"correct": covered * one["gold"], "correct_predicted": covered * one["predicted"]}
            shown = {k: col(k) for k in (*self.keys, *self.rest, "start", "end")}
            parts.append((mentions, {**shown, **one, **correct}))
        keys = (*self.keys, *self.rest, "start", "end")
        table = self.plan.concat(f"{self.name}_{match}", keys, *parts)
        return Compared(
            table, self.kind, Counts(*(col(c) for c in ("gold", "predicted", "correct", "correct_predicted")))
        )

    def length(self) -> Expr:
        """The number of characters of a mention."""
        return col("end") - col("start") + self.more

    def characters(self, side: str) -> Table:
        """A row per character of each mention."""
        low, high = col("start"), col("end") - 1.0 + self.more
        return self.plan.expand_range(f"{self.name}_places_{side}", "place", self.mentions[side], low, high)

    def _best(self) -> dict[str, Expr]:
        """At the mentions of each side, the largest overlap with one of the other."""
        pairs, out = self._pairs(), {}
        last, first = min_horizontal(col("end"), col("other_end")), max_horizontal(col("start"), col("other_start"))
        shared = pairs.column((last - first + self.more).clip(0.0), "shared")
        for side, place in (("gold", "{}"), ("predicted", "other_{}")):
            own = {c: col(c) for c in self.rest} | {end: col(place.format(end)) for end in ("start", "end")}
            of_side = self.plan.selected(
                f"{self.name}_pairs_of_{side}", (*self.keys, *own), pairs, **own, shared=shared
            )
            out[side] = of_side.max(col("shared"), into=self.mentions[side]).fill_null(0.0)
        return out

    def _pairs(self) -> Table:
        """Pairs of mentions that may overlap: positions are cut into stretches, and both are in one of them."""
        plan, keys = self.plan, (*self.keys, *self.rest)
        parts = [(self.mentions[side], {k: col(k) for k in self.keys} | {"size": self.length()}) for side in SIDES]
        sizes = plan.concat(f"{self.name}_lengths", self.keys, *parts)
        mean = plan.grouped(f"{self.name}_mean_length", sizes)
        width = mean.column((sizes.sum(col("size"), into=mean) / sizes.count(into=mean)).clip(1.0), "width")
        expanded = []
        for side, place in (("gold", "{}"), ("predicted", "other_{}")):
            own = {c: col(c) for c in self.rest} | {place.format(end): col(end) for end in ("start", "end")}
            table = plan.selected(f"{self.name}_placed_{side}", (*self.keys, *own), self.mentions[side], **own)
            stretch = table.lookup(width, of=mean)
            start, end = (col(place.format(end)) for end in ("start", "end"))
            low, high = (start / stretch).floor(), ((end - 1.0 + self.more) / stretch).floor()
            expanded.append(plan.expand_range(f"{self.name}_stretches_{side}", "stretch", table, low, high))
        gold, predicted = expanded
        rows = (*keys, "stretch", "start", "end", "other_start", "other_end")
        return plan.joined(f"{self.name}_pairs", rows, gold, predicted, on=(*keys, "stretch"))

    def _covered(self) -> dict[str, Expr]:
        """At the mentions of each side, how many of their characters any mention of the other side has."""
        characters = {side: self.characters(side) for side in SIDES}
        out = {}
        for side, other in (SIDES, SIDES[::-1]):
            keys = (*self.keys, *self.rest, "place")
            places = self.plan.grouped(f"{self.name}_any_{other}", characters[other], *keys)
            mine = self.plan.selected(f"{self.name}_covered_{side}", (*keys, "start", "end"), characters[side])
            shared = self.plan.joined(f"{self.name}_shared_{side}", (*keys, "start", "end"), mine, places, on=keys)
            out[side] = shared.count(into=self.mentions[side])
        return out
