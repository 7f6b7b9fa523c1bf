"""The tables of an evaluation of relations.

```
documents   a row per document: the unit
gold        the relations of the gold            predicted   the predicted ones
relations   a row per relation that is compared, of either side: one table for each way to compare
```
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.conventions.relations import RelationPolicy
from ireval_frames.documents.compared import Compared, equal_rows, united
from ireval_frames.documents.inputs import SIDES
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.errors import Argument, Hint, MissingColumn
from ireval_frames.expr import Expr, col, when
from ireval_frames.relations.inputs import RelationInputs

# What must be equal of each argument of a relation.
OF_ARGUMENTS = {
    "strict": ("start", "end", "type"),
    "boundary": ("start", "end"),
    "head": ("token",),
    "entities": ("id",),
}
# What must be equal of an event: its trigger, or one of its arguments; and the column of its type.
TRIGGER = ("head_start", "head_end")
OF_EVENTS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "trigger-identification": (TRIGGER, None),
    "trigger-classification": ((*TRIGGER, "head_type"), "head_type"),
    "argument-identification": (("tail_start", "tail_end", "head_type"), "head_type"),
    "argument-classification": (("tail_start", "tail_end", "head_type", "label"), "label"),
}
MATCHES = (*OF_ARGUMENTS, *OF_EVENTS)


class RelationTables(DocumentTables):
    """The tables, made from the canonical inputs."""

    inputs: RelationInputs
    policy: RelationPolicy

    @cached_property
    def incomplete(self) -> dict[str, tuple[Expr, str]]:
        """By column, which rows lack a part of what the plan compares, and what that is."""
        return {}

    def compared(self, match: str, *, attached: bool = False) -> Compared:
        """A row per relation, trigger or argument of a document, of either side, and its counts."""
        name = f"relations_{match}".replace("-", "_") + ("_attached" if attached else "")
        columns, kind = self.columns_of(match, attached=attached)
        self._need(match, [c for c in columns if not c.endswith("_token")])
        self.incomplete.update(self._incomplete(match, attached=attached))
        sides = {"gold": self.gold, "predicted": self.predicted}
        in_order = self._in_order(match) if match in OF_ARGUMENTS else {c: col(c) for c in columns}
        # An event without arguments is a row whose argument is null.
        last = self._part("tail", OF_ARGUMENTS[match][0]) if match in OF_ARGUMENTS else col(columns[0])
        counts = {side: {"counts": ~last.is_null()} for side in SIDES}
        rows, table = united(name, self.keys, sides, dict.fromkeys(SIDES, in_order), counts, col("counts"))
        return equal_rows(rows, table, kind, repeated=self.policy.duplicates == "spurious")

    def columns_of(self, match: str, *, attached: bool = False) -> tuple[tuple[str, ...], str | None]:
        """The columns that must be equal, and that of the types."""
        if match in OF_EVENTS:
            columns, kind = OF_EVENTS[match]
            return (*columns, *(TRIGGER if attached else ())), kind
        parts = OF_ARGUMENTS[match]
        return ("label", *(f"{side}_{part}" for side in ("head", "tail") for part in parts)), "label"

    def _in_order(self, match: str) -> dict[str, Expr]:
        """What must be equal of relations; the smaller argument is the first where a relation has no direction."""
        head, tail = ({part: self._part(side, part) for part in OF_ARGUMENTS[match]} for side in ("head", "tail"))
        undirected = self.inputs.undirected
        if not undirected:
            turned: Expr | None = None
        else:
            turned = _smaller(list(tail.values()), list(head.values()))
            if not isinstance(undirected, bool):
                turned = col("label").is_in(undirected) & turned
        columns = {"label": col("label")}
        for side, own, other in (("head", head, tail), ("tail", tail, head)):
            for part, value in own.items():
                columns[f"{side}_{part}"] = value if turned is None else when(turned).then(other[part]).otherwise(value)
        return columns

    def _part(self, side: str, part: str) -> Expr:
        """A column of an argument; its head word is by default its last token."""
        name = f"{side}_{part}"
        if part != "token":
            return col(name)
        named = any(name in self.inputs.columns[s] for s in SIDES)
        self._need("head", [name if named else f"{side}_end"])
        if not named:
            return col(f"{side}_end")
        return col(name).fill_null(col(f"{side}_end")) if f"{side}_end" in self.inputs.present else col(name)

    def _incomplete(self, match: str, *, attached: bool) -> dict[str, tuple[Expr, str]]:
        """By column, which rows have a label and no argument, or no trigger where triggers are compared."""
        out = {}
        lacks = "a relation lacks an argument" if match in OF_ARGUMENTS else "an argument has a role and no span"
        if match in OF_ARGUMENTS or match.startswith("argument"):
            parts = OF_ARGUMENTS.get(match, ("start",))
            for side in ("head", "tail") if match in OF_ARGUMENTS else ("tail",):
                column = f"{side}_{parts[0]}"
                column = column if column in self.inputs.present else f"{side}_end"
                if "label" in self.inputs.present:
                    out[column] = ~col("label").is_null() & self._part(side, parts[0]).is_null(), lacks
        if match.startswith("trigger") or attached:
            out["head_start"] = col("head_start").is_null(), "an event has no trigger"
        return out

    def _need(self, match: str, columns: list[str]) -> None:
        """Refuse a comparison of columns that the tables have not.

        Raises:
            MissingColumn: one of them has not all of them.
        """
        inputs = self.inputs
        for side in SIDES:
            for column in columns:
                if column not in inputs.columns[side]:
                    raise MissingColumn(
                        f"{self.plan.requested_by or 'This'} compares {match!r}, and the {side} table has no column "
                        f"{column!r}.",
                        Hint("Name it: ", Argument("columns", {column: "their_name"}), _instead(match, inputs.present)),
                    )


def _instead(match: str, present: tuple[str, ...]) -> str:
    """Another comparison that the columns allow."""
    for other, parts in OF_ARGUMENTS.items():
        needed = {f"{side}_{'end' if part == 'token' else part}" for side in ("head", "tail") for part in parts}
        if other != match and match in OF_ARGUMENTS and {"label", *needed} <= set(present):
            return f", or compare less: F1(match={other!r})."
    return "."


def _smaller(one: list[Expr], other: list[Expr]) -> Expr:
    """Whether the values of the first come before those of the second; null comes first."""
    first = when(one[0].is_null()).then(~other[0].is_null()).otherwise(~other[0].is_null() & (one[0] < other[0]))
    if len(one) == 1:
        return first
    equal = when(one[0].is_null()).then(other[0].is_null()).otherwise(~other[0].is_null() & (one[0] == other[0]))
    return first | (equal & _smaller(one[1:], other[1:]))
