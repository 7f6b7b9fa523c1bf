"""The rows of an experiment, and their sums per unit, on their engine."""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import grouping_column, number
from ireval_frames.columns.suggestions import PLACEHOLDER, likely
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Source, is_missing_id, open_engine, open_source
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, MissingColumn, listed, nearest
from ireval_frames.experiments.metrics import Term
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.io.reading import TABLE
from ireval_frames.parameters import choice

VARIANT, UNIT, ROWS = "variant", "unit", "rows"
# The name of the table in errors.
NAME = "experiment"
# What becomes of rows without a unit or a variant, and of units in several variants.
UNKNOWN_UNITS = choice("error", "drop-null", what="rows without a unit or variant")
SEVERAL_VARIANTS = choice("error", "drop", "keep", what="units in several variants")


@dataclass(frozen=True)
class Buckets:
    """Units dealt into a number of buckets, by a portable hash of their ids and a seed."""

    number: int
    seed: int


class Rows:
    """The table of an experiment.

    Args:
        table: a frame, a path, a relation, or with `con` the name of a table.
        variant: the column of variants; None where all rows are of one.
        unit: the column of what was randomised; None where each row is one.
        time: the column of days or times.
        one_row: whether each unit has one row.
        units: one of UNKNOWN_UNITS.
        several_variants: one of SEVERAL_VARIANTS.
        engine, con, storage_options: where it is.

    Attributes:
        all_rows: the table.
        known: the table without rows that lack a unit or variant, if those are left out.
        frame: of these, without units in several variants, if those are left out.

    Raises:
        MissingColumn: a column is missing.
        UnknownName: `units` or `several_variants` is another word.
    """

    def __init__(
        self,
        table: Any,
        variant: str | None,
        unit: str | None,
        time: str | None,
        *,
        one_row: bool = False,
        units: str = "error",
        several_variants: str = "error",
        engine: str | Engine | None = None,
        con: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        self.units = UNKNOWN_UNITS.check("units", units)
        self.several_variants = SEVERAL_VARIANTS.check("several_variants", several_variants)
        self.engine = open_engine(table, engine, con)
        with self.engine.errors():
            located = io.located(table, storage_options)
            self.frame = open_source(Source(located, NAME, TABLE), self.engine, any_names=True)
        self.text = io.is_text_table(table) and not self.engine.names_table(table)
        self.names = list(self.frame.columns)
        self.variant, self.unit, self.time = variant, unit, time
        self.one_row = one_row or unit is None
        for argument, name in (("variant", variant), ("unit", unit), ("time", time)):
            if name is not None:
                self.has(name, argument)
        self.all_rows = self.frame
        if units == "drop-null" and (without_id := self.without_id) is not None:
            self.frame = self.frame.filter(~without_id)
        self.known = self.frame
        if several_variants == "drop" and (variants := self.variants_of_units()) is not None:
            one = variants.filter(col("n") == 1).select(**{str(unit): col(UNIT)})
            self.frame = self.engine.join(self.frame.lazy(), one, [str(unit)], "inner")
        self.checked = False

    @property
    def without_id(self) -> Expr | None:
        """Whether a row has no unit, or no variant."""
        named = [is_missing_id(self.all_rows, name) for name in (self.unit, self.variant) if name is not None]
        return functools.reduce(operator.or_, named) if named else None

    def variants_of_units(self) -> Frame | None:
        """A row per unit, with the number n of its variants; none where each row is a unit or there are no variants."""
        if self.unit is None or self.variant is None:
            return None
        pairs = self.known.select(**{UNIT: self.key(self.unit), VARIANT: self.shown})
        pairs = self.engine.group(pairs, (UNIT, VARIANT), ())
        return self.engine.group(pairs, (UNIT,), [Aggregate("n", "count", lit(1.0))])

    def check(self) -> Rows:
        """The rows, after checking once that each has a unit and a variant, and each unit one variant.

        Raises:
            InvalidValue: a row or unit has not, and `units` or `several_variants` is "error".
        """
        if self.checked:
            return self
        checks: list[Check] = []
        for argument, name in (("unit", self.unit), ("variant", self.variant)):
            if name is not None and self.units == "error":
                checks.append(
                    Check(self.frame, is_missing_id(self.frame, name), functools.partial(_unknown, argument, name))
                )
        variants = None if self.one_row or self.several_variants != "error" else self.variants_of_units()
        if variants is not None:
            checks.append(Check(variants, col("n") > 1, functools.partial(_in_several, self.unit, self.variant)))
        with self.engine.errors():
            run_checks(self.engine, checks)
        self.checked = True
        return self

    def unchecked(self) -> Rows:
        """The same rows without checks."""
        out = copy.copy(self)
        out.checked = True
        return out

    def has(self, name: Any, argument: str) -> None:
        """Refuse a column that the table lacks.

        Raises:
            MissingColumn: it lacks it.
            InvalidParameter: it is no name.
        """
        if not isinstance(name, str):
            raise InvalidParameter(
                f"{argument} is {name!r}; a column is named by text.", Hint("Write ", Argument(argument, "name"), ".")
            )
        if name not in self.names:
            near = nearest(name, self.names)
            hint: str = Hint("Name it: ", Argument(argument, argument if argument in self.names else PLACEHOLDER), ".")
            if argument == "unit":
                hint = Hint(
                    *(
                        "Name it: ",
                        Argument("unit", likely(["user_id"], self.names)[0]),
                        "; where each row is a unit: ",
                    ),
                    Argument("unit", None, option=("row-units", True)),
                )
            raise MissingColumn(
                f"The {NAME} table has no column {name!r} (it has: {listed(self.names, 20)}).",
                near if near.startswith("Did") else hint,
            )

    def key(self, name: str) -> Expr:
        """A column that groups rows."""
        return grouping_column(NAME, self.frame, name)

    @property
    def shown(self) -> Expr:
        """The variant; "all" for a table without variants."""
        return lit("all") if self.variant is None else self.key(self.variant)

    def value(self, term: Term) -> Expr:
        """A number of a row.

        Raises:
            MissingColumn, WrongType: the column is missing, or not numeric.
        """
        if term.column is None:
            return lit(1.0)
        self.has(term.column, "column")
        dtype = self.types[term.column]
        if dtype == pl.Boolean:
            value = col(term.column).cast(pl.Float64)
        else:
            value = number(NAME, term.column, dtype, text=self.text)
        if term.how != "any":
            return value
        # Values other than 0 and 1 make the sum NaN, which is reported.
        flag = when((value == 0.0) | (value == 1.0)).then(value).otherwise(float("nan"))
        return when(~value.is_null()).then(flag)

    @functools.cached_property
    def types(self) -> Mapping[str, Any]:
        """The types of the columns."""
        return self.frame.collect_schema()

    def by_unit(
        self, terms: Sequence[Term], groups: Sequence[str], buckets: Buckets | None = None, *, unit: bool = False
    ) -> Frame:
        """A row per unit.

        Args:
            terms: the numbers of a unit, which become c0, c1 …; null where none of its rows has one.
            groups: columns that become g0, g1 …; of the column of times a unit has the first.
            buckets: deal units into these, instead of their variants.
            unit: whether the result has the unit.
        """
        keys = {VARIANT: self.shown}
        keys |= {f"g{i}": self.key(name) for i, name in enumerate(groups)}
        if self.unit is not None and (unit or buckets or not self.one_row):
            keys[UNIT] = self.key(self.unit)
        values = {f"c{i}": self.value(term) for i, term in enumerate(terms)}
        rows = self.frame.select(**keys, **values)
        if not self.one_row:
            rows = self._summed(rows, list(keys), terms, groups)
        if buckets is not None:
            rows = self.engine.hashed(rows, UNIT, buckets.seed, "hash")
            rows = rows.with_columns(**{VARIANT: (col("hash") % buckets.number).cast(pl.Int64)})
        return rows.with_columns(**self._cut(rows, terms))

    def _summed(self, rows: Frame, keys: Sequence[str], terms: Sequence[Term], groups: Sequence[str]) -> Frame:
        first = {f"g{i}" for i, name in enumerate(groups) if name == self.time}
        aggregates = [Aggregate(name, "min", col(name)) for name in first]
        for i, term in enumerate(terms):
            if term.column is None:
                aggregates.append(Aggregate(f"c{i}", "count", lit(1.0)))
            else:
                aggregates.append(Aggregate(f"c{i}", "plain_sum", col(f"c{i}")))
                aggregates.append(Aggregate(f"n{i}", "present", col(f"c{i}")))
        grouped = self.engine.group(rows, [k for k in keys if k not in first], aggregates)
        columns: dict[str, Expr] = {k: col(k) for k in keys}
        for i, term in enumerate(terms):
            value = col(f"c{i}")
            if term.how == "any":
                value = when((value > 1.0) & ~value.is_nan()).then(1.0).otherwise(value)
            columns[f"c{i}"] = value if term.column is None else when(col(f"n{i}") > 0.0).then(value)
        return grouped.select(**columns)

    def _cut(self, rows: Frame, terms: Sequence[Term]) -> dict[str, Expr]:
        """The columns that are capped."""
        levels = {i: t.at for i, t in enumerate(terms) if t.at is not None}
        uppers: dict[int, float | None] = {i: t.upper for i, t in enumerate(terms)}
        if levels:
            aggregates = [Aggregate(f"c{i}", "quantile", col(f"c{i}"), at=at) for i, at in levels.items()]
            with self.engine.errors():
                cuts = self.engine.numbers(self.engine.group(rows, (), aggregates))
            uppers |= {i: cuts[f"c{i}"] for i in levels}
        out = {}
        for i, term in enumerate(terms):
            value, upper = col(f"c{i}"), uppers[i]
            if upper is not None:
                value = when(value > upper).then(float(upper)).otherwise(value)
            if term.lower is not None:
                value = when(value < term.lower).then(float(term.lower)).otherwise(value)
            if upper is not None or term.lower is not None:
                out[f"c{i}"] = value
        return out


def _unknown(argument: str, name: str, rows: pl.DataFrame, count: int) -> InvalidValue:
    subject, none = "row has" if count == 1 else "rows have", "null" if rows[name][0] is None else "NaN"
    why = "they would count as one unit" if argument == "unit" else "every unit needs its variant"
    return InvalidValue(
        f"{count:,} {subject} no {argument}: column {name!r} is {none}; {why}.",
        Hint("Leave them out: ", Argument("units", "drop-null"), "."),
    )


def _in_several(unit: str | None, variant: str | None, rows: pl.DataFrame, count: int) -> InvalidValue:
    are = "unit is" if count == 1 else "units are"
    example, n = rows[UNIT][0], rows["n"][0]
    return InvalidValue(
        f"{count:,} {are} in several variants, such as {unit} {example!r}, of which column {variant!r} holds {n:.0f}.",
        Hint(
            "Leave them out: ",
            Argument("several_variants", "drop"),
            ", or let each count in all of its variants: ",
            Argument("several_variants", "keep"),
            ".",
        ),
    )
