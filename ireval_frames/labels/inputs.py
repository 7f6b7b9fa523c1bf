"""The tables as handed in, as canonical frames of one engine.

Single labels: a row per item with its `label` and `prediction`.  Multi-label: a row per item, and two long frames of the
classes it has and the classes it got.  Keys are `run_id` if there is one, then the `by` columns, then those of the unit.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames import io
from ireval_frames.engines.base import Engine
from ireval_frames.engines.sources import Frame, Source, names_of, opened
from ireval_frames.errors import InvalidParameter, MismatchedTables, MissingColumn, WrongType, listed
from ireval_frames.labels.probabilities import long
from ireval_frames.policy import LabelPolicy
from ireval_frames.schema import LABELS, Schema, resolve

GIVEN = ("label", "prediction", "item_id", "score", "weight")


@dataclass(frozen=True)
class Names:
    """What the user calls the columns: ours → theirs; `by` and `unit` in the user's order."""

    columns: Mapping[str, str]
    by: tuple[str, ...]
    unit: tuple[str, ...]


class LabelInputs:
    """The canonical frames of one evaluation.

    Attributes:
        keys: what one unit is.
        by, unit: the aliases of the user's columns.
        items: a row per item: keys, `weight` and `score` if there are any; single labels: `label` and `prediction`.
        gold, system: multi-label only: keys, `item_id`, `class_id`.
        probabilities: keys, `item_id`, `class_id`, `probability`, if there are any.
        class_type: the type in which labels and predictions can be compared.
    """

    def __init__(self, given: Mapping[str, Any], names: Names, engine: Engine, policy: LabelPolicy) -> None:
        self.engine, self.policy = engine, policy
        self.checks: list[Callable[[], None]] = []
        self.by = tuple(f"by_{i}" for i in range(len(names.by)))
        self.unit = tuple(f"unit_{i}" for i in range(len(names.unit)))
        self.by_names = dict(zip(self.by, names.by, strict=True))
        self.unit_names = dict(zip(self.unit, names.unit, strict=True))
        frame = opened(Source(given["labels"], "labels", io.scan_table), engine)
        second = given.get("predictions")
        other = None if second is None else opened(Source(second, "predictions", io.scan_table), engine)
        # Columns of text files are text, and numbers among them are cast where numbers are wanted.
        self.from_file = isinstance(given["labels"], str | os.PathLike)
        self.found = found_in(LABELS, frame, names)
        if "label" not in self.found:
            raise MissingColumn(f"The labels table has no column 'label' (it has: {listed(names_of(frame), 20)}).", 'Name it: label="their_name"')
        several = "run_id" in self.found
        self.keys = (*(("run_id",) if several else ()), *self.by, *self.unit)
        self._keyed = {**({"run_id": nw.col(self.found["run_id"])} if several else {}), **_aliased(frame, self.by_names | self.unit_names)}
        self.multi = other is not None or any(_is_list(frame, self.found.get(c)) for c in ("label", "prediction"))
        self.gold: nw.LazyFrame | None = None
        self.system: nw.LazyFrame | None = None
        self.probabilities: nw.LazyFrame | None = None
        chances = given.get("probabilities")
        if chances is not None and "item_id" not in self.found:
            frame = engine.number(frame.lazy(), "item_id")
            self.found["item_id"] = "item_id"
        if other is not None:
            self._two_tables(frame, other, names)
        elif self.multi:
            self._lists(frame)
        else:
            wanted = ("label", "prediction", "score", "weight", *(["item_id"] if chances is not None else []))
            self.items = self._columns(frame, [c for c in wanted if c in self.found])
        if chances is not None:
            item = {"item_id": nw.col(self.found["item_id"])}
            self.probabilities = long(chances, frame, {**self._keyed, **item}, (*self.keys, "item_id"), self.class_type, engine, given.get("classes"))
        self.columns = set(self.items.collect_schema().names())

    # ---- the three shapes

    def _columns(self, frame: Frame, wanted: Sequence[str]) -> nw.LazyFrame:
        schema = frame.collect_schema()
        out = dict(self._keyed)
        for ours in wanted:
            theirs = self.found[ours]
            if ours in ("score", "weight") and not schema[theirs].is_numeric() and not (self.from_file and schema[theirs] == nw.String):
                raise WrongType(
                    f"Column {theirs!r} of the labels table is {schema[theirs]}; it must hold numbers.",
                    f'Convert it: frame.with_columns(pl.col("{theirs}").cast(pl.Float64))',
                )
            out[ours] = nw.col(theirs).cast(nw.Float64) if ours in ("score", "weight") else nw.col(theirs)
        types = {ours: schema[self.found[ours]] for ours in wanted if ours in ("label", "prediction")}
        if types:
            self.class_type = class_type(types, self.found)
        return frame.lazy().select(**out)

    def _lists(self, frame: Frame) -> None:
        """A row per item; its classes in list columns."""
        schema = frame.collect_schema()
        for side in ("label", "prediction"):
            if side in self.found and not _is_list(frame, self.found[side]):
                raise WrongType(
                    f"Column {self.found[side]!r} is {schema[self.found[side]]}, but the other side holds lists.",
                    f'Make it a list, too: frame.with_columns(pl.concat_list("{self.found[side]}"))',
                )
        if "item_id" not in self.found:
            frame = self.engine.number(frame.lazy(), "item_id")
            self.found["item_id"] = "item_id"
        rows = frame.lazy()
        weight = {"weight": nw.col(self.found["weight"]).cast(nw.Float64)} if "weight" in self.found else {}
        item = {"item_id": nw.col(self.found["item_id"])}
        self.items = rows.select(**self._keyed, **item, **weight)
        present = [s for s in ("label", "prediction") if s in self.found]
        inner: dict[str, Any] = {s: schema[self.found[s]].inner for s in present}  # type: ignore[attr-defined]
        self.class_type = class_type(inner, self.found)
        sides = {}
        for side in present:
            exploded = rows.select(**self._keyed, **item, class_id=nw.col(self.found[side])).explode("class_id")
            sides[side] = exploded.with_columns(nw.col("class_id").cast(self.class_type)).filter(~nw.col("class_id").is_null())
        self.gold, self.system = sides.get("label"), sides.get("prediction")

    def _two_tables(self, labels: Frame, predictions: Frame, names: Names) -> None:
        """Two long tables of item and class; the items are those of either."""
        theirs = found_in(LABELS, predictions, Names({k: v for k, v in names.columns.items() if v in names_of(predictions)}, (), ()))
        for what, found, side in (("labels", self.found, "label"), ("predictions", theirs, "prediction")):
            if "item_id" not in found:
                raise MissingColumn(f"The {what} table has no column 'item_id'.", 'Name it: item="their_name"')
            if side not in found and not (side == "prediction" and "label" in found):
                raise MissingColumn(f"The {what} table has no column {side!r}.", f'Name it: {side}="their_name"')
        guess = theirs.get("prediction") or theirs["label"]
        types = {"label": labels.collect_schema()[self.found["label"]], "prediction": predictions.collect_schema()[guess]}
        self.class_type = class_type(types, {"label": self.found["label"], "prediction": guess})
        if ("run_id" in theirs) != ("run_id" in self.found) and "run_id" in self.found:
            raise MismatchedTables("The labels table has a run_id, the predictions table has none.", "Drop it from the labels.")
        mine = _aliased(predictions, self.by_names | self.unit_names)
        several = {"run_id": nw.col(theirs["run_id"])} if "run_id" in theirs else {}
        gold_keys = {k: e for k, e in self._keyed.items() if k != "run_id"}
        gold = labels.lazy().select(**gold_keys, item_id=nw.col(self.found["item_id"]), class_id=nw.col(self.found["label"]).cast(self.class_type))
        system = predictions.lazy().select(**several, **mine, item_id=nw.col(theirs["item_id"]), class_id=nw.col(guess).cast(self.class_type))
        if several:
            # Every run is held against the same labels.
            gold = self.engine.join(system.select("run_id").unique(), gold, (), "inner")
            self.keys = ("run_id", *(k for k in self.keys if k != "run_id"))
        item = (*self.keys, "item_id")
        sides = [f.select(*item).unique() for f in (gold, system)]
        if self.policy.missing == "error":
            self.checks.append(functools.partial(self._none_missing, sides[0], sides[1], item))
        if self.policy.missing == "skip":
            self.items = self.engine.join(sides[0], sides[1], item, "inner")
            gold, system = (self.engine.join(f, self.items, item, "inner") for f in (gold, system))
        else:
            self.items = nw.concat(sides, how="vertical").unique()
        self.gold, self.system = (f.select(*item, "class_id").filter(~nw.col("class_id").is_null()).unique() for f in (gold, system))
        if "weight" in self.found:
            weights = labels.lazy().select(**gold_keys, item_id=nw.col(self.found["item_id"]), weight=nw.col(self.found["weight"]).cast(nw.Float64))
            # An item whose rows differ in weight stands twice then, which is refused; one that the labels lack has none, too.
            self.items = self.engine.join(self.items, weights.unique(), [k for k in item if k != "run_id" or not several], "left")

    def _none_missing(self, labels: nw.LazyFrame, predictions: nw.LazyFrame, item: Sequence[str]) -> None:
        """Refuse items that only one of two tables has."""
        marked = [f.select(*item, side=nw.lit(side)) for f, side in ((labels, 1.0), (predictions, 2.0))]
        once = nw.concat(marked, how="vertical").group_by(*item).agg(side=nw.col("side").sum()).filter(nw.col("side") != 3.0)
        found = self.engine.collect(once.head(5))
        if found.height:
            where = "predictions" if found["side"][0] == 1.0 else "labels"
            raise MismatchedTables(
                f"The {where} table lacks the item {found['item_id'][0]!r}.",
                'Count it without classes there (policy="missing=empty") or leave it out ("missing=skip").',
            )


def found_in(schema: Schema, frame: Frame, names: Names) -> dict[str, str]:
    """The user's name of each canonical column that the frame has."""
    present = names_of(frame)
    for wanted in (*names.by, *names.unit):
        if wanted not in present:
            raise MissingColumn(f"The labels table has no column {wanted!r} (it has: {listed(present, 20)}).", "Group by its columns.")
    used = {*names.by, *names.unit}
    return resolve(schema, [n for n in present if n not in used or n in names.columns.values()], names.columns)


def _aliased(frame: Frame, aliases: Mapping[str, str]) -> dict[str, nw.Expr]:
    present = names_of(frame)
    lacking = [theirs for theirs in aliases.values() if theirs not in present]
    if lacking:
        raise MissingColumn(
            f"A table has no column {lacking[0]!r} (it has: {listed(present, 20)}).", "Both tables need the columns of by= and unit=."
        )
    return {alias: nw.col(theirs) for alias, theirs in aliases.items()}


def _is_list(frame: Frame, column: str | None) -> bool:
    return column is not None and isinstance(frame.collect_schema()[column], nw.List | nw.Array)


def class_type(types: Mapping[str, Any], found: Mapping[str, str]) -> Any:
    """The type in which the labels of both columns can be compared.

    Raises:
        WrongType: a column holds what is no label.
        MismatchedTables: one holds text, the other numbers.
    """
    kinds = {side: _kind(dtype, found.get(side, side)) for side, dtype in types.items()}
    if len(set(kinds.values())) == 1:
        return next(iter(kinds.values()))
    if nw.String in kinds.values():
        (text,) = (s for s, k in kinds.items() if k == nw.String)
        (number,) = (s for s, k in kinds.items() if k != nw.String)
        raise MismatchedTables(
            f"Column {found.get(text, text)!r} holds text and column {found.get(number, number)!r} holds numbers, so none is equal.",
            f'Give both one type: frame.with_columns(pl.col("{found.get(number, number)}").cast(pl.String))',
        )
    return nw.Float64


def _kind(dtype: Any, column: str) -> Any:
    if dtype in (nw.String, nw.Unknown) or isinstance(dtype, nw.Categorical | nw.Enum):
        return nw.String
    if dtype.is_integer() or dtype == nw.Boolean:
        return nw.Int64
    if dtype.is_float():
        return nw.Float64
    raise WrongType(f"Column {column!r} is {dtype}, which is no label.", "Labels are text, integers, numbers or booleans, or lists of them.")


def literal_class(value: Any, dtype: Any, where: str) -> Any:
    """A class that the user names, in the type of the classes.

    Raises:
        InvalidParameter: it is text among numbers, or a number among text.
    """
    if isinstance(value, str) == (dtype == nw.String):
        return value if isinstance(value, str) else float(value) if dtype == nw.Float64 else int(value)
    kind = "text" if dtype == nw.String else "numbers"
    raise InvalidParameter(
        f"{where} names the class {value!r}, but the labels are {kind}.", f"Write {where}={str(value)!r}." if kind == "text" else "Write the number."
    )
