"""The user's tables of links or slots under our names: a row per link, or per filler of a slot."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.links import COMPARED, GOLD, PREDICTED
from ireval_frames.columns.schema import WHOLE
from ireval_frames.conventions.relations import LinkPolicy
from ireval_frames.documents.compared import type_of_both
from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, MissingColumn, listed, nearest
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class, named_by, side_type
from ireval_frames.items.inputs import ItemNames
from ireval_frames.links.matching import Where

POSITIONS = ("start", "end")
# What assessors say, in order of what counts where they say two things of one answer.
JUDGMENTS = {
    "correct": ("correct", "c", "1"),
    "redundant": ("redundant", "r", "2"),
    "inexact": ("inexact", "x", "3"),
    "wrong": ("wrong", "w", "-1"),
}
UNKNOWN = float(len(JUDGMENTS))


class LinkInputs(DocumentInputs):
    """The links of one evaluation.

    Args:
        tables: the user's tables.
        names: the user's names of columns.
        engine: where the plan runs.
        policy: the conventions.
        compared: the columns that must be equal or select links, as the user writes them.
        where: the links that count.
        nil: what the ids of entities that are in no knowledge base begin with; None for none.

    Attributes:
        present: the columns that both tables have, under our names.
        of_user: the user's further columns, and our names of them.
        positions: those of the columns that are compared and hold positions.
        assessed: whether the gold says which answers are the same, or how they were judged.
        selected: the values that select links, by our names of columns.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: ItemNames,
        engine: Engine,
        policy: LinkPolicy,
        *,
        compared: Sequence[str] = (),
        where: Where = None,
        nil: str | None = "NIL",
    ) -> None:
        self.policy = policy
        self._compared, self.where, self._nil = compared, where, nil
        self.of_user: dict[str, str] = {}
        self.present: tuple[str, ...] = ()
        self._types: dict[str, Any] = {}
        super().__init__((GOLD, PREDICTED), tables, names, engine)
        self.positions = tuple(c for c in POSITIONS if c in self.present and c in compared)
        self.assessed = any(c in self.columns["gold"] for c in ("class_id", "judgment"))
        self.selected: dict[str, tuple[Any, ...]] = {}
        if isinstance(where, tuple):
            for name, values in where:
                ours = self.ours(name)
                dtype = pl.Float64 if ours in POSITIONS else self._types[ours]
                text = self._is_text["gold"]
                line = functools.partial(_selecting, name)
                self.selected[ours] = tuple(literal_class(v, dtype, "where", text=text, line=line) for v in values)

    def row(self, side: str) -> dict[str, Expr]:
        """The columns that both tables have, the user's further ones, and what assessors say."""
        if not self._types:
            self._know_columns()
        out: dict[str, Expr] = {}
        for ours in self.present:
            name = self.columns[side].get(ours, self._user_column(ours))
            value = col(name)
            if ours in POSITIONS:
                out[ours] = self.number_of(side, ours, WHOLE)
                continue
            out[ours] = named_by(value, self._types[ours])
            if ours == "kb_id" and self._nil and self._types[ours] == pl.String:
                out[ours] = when(~out[ours].str.starts_with(self._nil)).then(out[ours])
        return out | (self._assessment() if side == "gold" else {})

    def ours(self, name: str, matches: Sequence[str] = ()) -> str:
        """Our name of a column that the user compares.

        Args:
            name: the user's.
            matches: what else the user may have meant.

        Raises:
            MissingColumn: a table has no such column.
        """
        if name in self.of_user:
            return self.of_user[name]
        ours = name if name in COMPARED else self._meant(name)
        if ours is not None and ours in self.present:
            return ours
        for side in SIDES:
            has = self.frames[side].columns
            if ours not in self.columns[side] if ours else name not in has:
                raise MissingColumn(
                    f"The {side} table has no column {name!r} (it has: {listed(has, 20)}).",
                    nearest(name, [*has, *matches]),
                )
        return name

    def user_name(self, side: str, column: str) -> str:
        """The user's name of a column of one side."""
        return self.columns[side].get(column) or self._user_column(column)

    # ---- within

    def _meant(self, name: str) -> str | None:
        """The column of ours that both tables call so."""
        ours = [c for c in COMPARED if all(self.columns[side].get(c) == name for side in SIDES)]
        return ours[0] if ours else None

    def _know_columns(self) -> None:
        self.present = tuple(c for c in COMPARED if all(c in self.columns[side] for side in SIDES))
        chosen = [name for name, _ in self.where] if isinstance(self.where, tuple) else []
        for name in dict.fromkeys((*self._compared, *chosen)):
            # Those that one table lacks are refused when they are compared.
            own = name not in COMPARED and self._meant(name) is None
            if own and all(name in self.frames[side].columns for side in SIDES):
                self.of_user[name] = f"value_{len(self.of_user)}"
        for ours in self.present:
            if ours not in POSITIONS:
                self._types[ours] = type_of_both(self, ours)
        for name, ours in self.of_user.items():
            self._types[ours] = type_of_both(self, name)
        self.present = (*self.present, *self.of_user.values())
        self._types.setdefault("", pl.String)

    def _user_column(self, ours: str) -> str:
        return next((name for name, value in self.of_user.items() if value == ours), ours)

    def _assessment(self) -> dict[str, Expr]:
        """The class of an answer, and the number of its judgment: null is correct."""
        out, columns, frame = {}, self.columns["gold"], self.frames["gold"]
        if "class_id" in columns:
            name = columns["class_id"]
            out["class_id"] = named_by(col(name), side_type(frame.dtype(name), name))
        if "judgment" in columns:
            name = columns["judgment"]
            text = col(name).cast(pl.String).str.to_lowercase()
            number = lit(UNKNOWN)
            for place, words in reversed(list(enumerate(JUDGMENTS.values()))):
                # Codes may be floats.
                number = when(text.is_in((*words, f"{words[-1]}.0"))).then(float(place)).otherwise(number)
            out["judgment"] = when(text.is_null()).then(0.0).otherwise(number)
        return out


def _selecting(column: str, value: Any) -> Argument:
    """The argument that selects a value of a column."""
    return Argument("where", {column: [value]})
