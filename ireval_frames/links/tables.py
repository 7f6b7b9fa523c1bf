"""The tables of an evaluation of links.

```
documents   a row per document: the unit
gold        the links of the gold                predicted   the predicted ones
links_…     a row per link that is compared, of either side: one table for each way to compare
answers     of answers that assessors judged: a row per answer of the gold, its judgment and its class
```
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from ireval_frames.conventions.relations import LinkPolicy
from ireval_frames.documents.compared import Compared, equal_rows, united
from ireval_frames.documents.inputs import SIDES
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.links.inputs import LinkInputs
from ireval_frames.links.matching import DEFAULT, NAMED, SPAN
from ireval_frames.links.overlapping import Overlapping
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator


@dataclass(frozen=True)
class Judged(Compared):
    """What gold and predictions have, and why predictions are not correct.

    Attributes:
        redundant: predictions of what another one has, or that are known already.
        inexact: predictions that assessors call so.
    """

    redundant: Expr
    inexact: Expr


class LinkTables(DocumentTables):
    """The tables, made from the canonical inputs."""

    inputs: LinkInputs
    policy: LinkPolicy

    def __init__(
        self, plan: Plan, inputs: LinkInputs, policy: LinkPolicy, on: str | tuple[str, ...] | None, *, inclusive: bool
    ) -> None:
        super().__init__(plan, inputs, policy)
        self._on, self.inclusive = on, inclusive

    def columns_of(self, on: str | tuple[str, ...] | None) -> tuple[str, ...]:
        """Our names of the columns that must be equal.

        Raises:
            MissingColumn: a table has not all of them.
        """
        return self._resolved(on)[0]

    def compared(self, on: str | tuple[str, ...] | None = None, where: str | None = None) -> Judged:
        """A row per link of a document that is equal in all columns of `on`, of either side."""
        columns, kind, name, counts = self._match(on, where)
        sides = {"gold": self.gold, "predicted": self.predicted}
        repeated = self.policy.duplicates == "spurious"
        if self.inputs.assessed:
            return self._judged(name, columns, kind, counts, repeated=repeated)
        flags = {side: {"counts": counts} for side in SIDES}
        equal = {side: {c: col(c) for c in columns} for side in SIDES}
        rows, table = united(name, self.keys, sides, equal, flags, col("counts"))
        compared = equal_rows(rows, table, kind, repeated=repeated)
        n = compared.counts
        redundant = table.column(when(n.gold > 0).then(n.predicted - n.correct).otherwise(0.0), "redundant")
        return Judged(table, kind, n, redundant, table.column(lit(0.0)))

    def overlapping(self, match: str, on: str | tuple[str, ...] | None, where: str | None) -> Compared:
        """A row per link of each side, whose spans are compared by their overlap.

        Raises:
            NotDefined: spans are not compared, or answers are judged.
        """
        columns, kind, name, counts = self._match(on, where)
        if not set(SPAN) <= set(columns):
            raise NotDefined(
                f"{self.plan.requested_by or 'This'} compares spans, and what must be equal has no start and end: "
                f"{', '.join(self.inputs.user_name('gold', c) for c in columns)}.",
                Hint("Compare them, too: ", Argument("on", ["start", "end", "kb_id"]), ", or write match='strong'."),
            )
        if self.inputs.assessed:
            raise NotDefined(
                f"{self.plan.requested_by or 'This'} compares spans by their overlap, and the gold's answers are "
                "judged one by one.",
                "Drop class_id and judgment from the gold, or write match='strong'.",
            )
        return Overlapping(self, name, columns, kind, counts, inclusive=self.inclusive).compared(match)

    # ---- within

    def _resolved(self, on: str | tuple[str, ...] | None) -> tuple[tuple[str, ...], str | None]:
        """Our names of what must be equal, and which links a match by name counts."""
        on = self._on if on is None else on
        if on is None:
            on = tuple(c for c in DEFAULT if c in self.inputs.present)
            if not on:
                raise MissingColumn(
                    f"Both tables have none of {', '.join(DEFAULT)}, by which links are compared.",
                    Hint("Name what must be equal: ", Argument("on", ["slot", "value"])),
                )
        columns, own = NAMED[on] if isinstance(on, str) else (on, None)
        matches = tuple(NAMED) if len(columns) == 1 else ()
        return tuple(dict.fromkeys(self.inputs.ours(c, matches) for c in columns)), own

    def _match(
        self, on: str | tuple[str, ...] | None, where: str | None
    ) -> tuple[tuple[str, ...], str | None, str, Expr]:
        """What must be equal, the column of types, the name of the table, and which links count."""
        columns, own = self._resolved(on)
        chosen = self.inputs.where if isinstance(self.inputs.where, str) else None
        where = where or own or chosen
        counts = lit(True)  # noqa: FBT003 - a literal
        for column, values in self.inputs.selected.items():
            counts = counts & col(column).is_in(values)
        if where is not None:
            self.inputs.ours("kb_id")
            no_entity = col("kb_id").is_null()
            counts = counts & (no_entity if where == "nil" else ~no_entity)
        kind = "type" if "type" in columns else None
        return columns, kind, "_".join(["links", *columns, *([where] if where else [])]), counts

    def _judged(self, name: str, columns: tuple[str, ...], kind: str | None, counts: Expr, *, repeated: bool) -> Judged:
        """The rows of both sides, where answers of one class are one, and some are not correct."""
        plan, gold = self.plan, self.gold
        known = self.inputs.columns["gold"]
        judgment = col("judgment") if "judgment" in known else lit(0.0)
        shown = {c: col(c) for c in columns}
        of_class = {"class_id": col("class_id")} if "class_id" in known else {}
        keys = (*self.keys, *columns)
        rows = plan.selected(f"{name}_judged", keys, gold, counts, **shown, judgment=judgment, **of_class)
        answers = plan.grouped(f"{name}_answers", rows, *keys)
        best = rows.min(col("judgment"), into=answers)
        # The class of an answer that is correct; others have none.
        answer_class = None
        if of_class:
            correct = when(col("judgment") == 0.0).then(col("class_id"))
            answer_class = rows.min(correct, into=answers)
            last = rows.max(correct, into=answers)
            plan.require(
                answers, answer_class != last, _two_classes(answer_class.output_name, last.output_name, columns)
            )
        sides = {
            "gold": plan.selected(
                f"{name}_gold", keys, answers, best == 0.0, **self._by_class(columns, answer_class, {})
            ),
            "predicted": self._responses(name, columns, counts, answers, best, answer_class),
        }
        compared_columns = {c: col(c) for c in (*columns, *(["answer_class"] if of_class else []))}
        zero, flags = lit(0.0), {"known_before": col("known_before"), "called_inexact": col("called_inexact")}
        both, table = united(
            name, self.keys, sides, dict.fromkeys(SIDES, compared_columns),
            {"gold": {"known_before": zero, "called_inexact": zero}, "predicted": flags},
        )  # fmt: skip
        compared = equal_rows(both, table, kind, repeated=repeated)
        n = compared.counts
        known_before, inexact = (both.sum(col(flag), into=table) for flag in flags)
        of_kind = {"redundant": known_before, "inexact": inexact}
        numbers = {
            what: table.column(when(n.gold > 0).then(0.0).when(e > 0).then(n.predicted).otherwise(0.0), what)
            for what, e in of_kind.items()
        }
        again = when(n.gold > 0).then(n.predicted - n.correct).otherwise(0.0)
        return Judged(table, kind, n, table.column(numbers["redundant"] + again, "redundant"), numbers["inexact"])

    def _responses(
        self, name: str, columns: tuple[str, ...], counts: Expr, answers: Table, best: Expr, answer_class: Expr | None
    ) -> Table:
        """The predictions, with the class of the answer that they are, and what assessors said of it."""
        shown = {c: col(c) for c in columns}
        keys = (*self.keys, *columns)
        rows = self.plan.selected(f"{name}_responses", keys, self.predicted, counts, **shown)
        judged = rows.lookup(best, of=answers)
        own_class = None if answer_class is None else rows.lookup(answer_class, of=answers)
        flags = {"known_before": indicator(judged == 1.0), "called_inexact": indicator(judged == 2.0)}
        return self.plan.selected(f"{name}_predicted", keys, rows, **self._by_class(columns, own_class, flags))

    def _by_class(self, columns: tuple[str, ...], answer_class: Expr | None, flags: dict[str, Expr]) -> dict[str, Expr]:
        """What is counted once: an answer, or all answers of a class; of a class its type is known alone."""
        if answer_class is None:
            return {c: col(c) for c in columns} | flags
        alone = {c: col(c) if c == "type" else when(answer_class.is_null()).then(col(c)) for c in columns}
        return {**alone, "answer_class": answer_class, **flags}


def _two_classes(first: str, last: str, columns: tuple[str, ...]) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error of an answer that is in two classes."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        answer = ", ".join(repr(row[c]) for c in columns)
        return InvalidValue(
            f"The gold has {answer} of {row['item_id']!r} in two classes, {row[first]!r} and {row[last]!r} ({count} "
            "answers are in two).",
            Hint("Give equal answers one class, or compare more: ", Argument("on", ["slot", "value"])),
        )

    return error
