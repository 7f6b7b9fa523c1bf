"""Values per unit, system and measure, from whatever holds them: an evaluation, a long or a wide table, a query."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import RUN_ID, grouping_column, number
from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    UnknownName,
    WrongType,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io.reading import TABLE

# The columns of a row besides those of by=.
MEASURE, SYSTEM, VALUE = "measure", "system", "value"
# Squares of larger numbers overflow, and those of smaller ones are 0.
LARGEST, SMALLEST = 1e140, 1e-140
# How a text begins that is a query and no name of a table.
QUERIES = ("select", "with", "from", "values", "(")


@dataclass(frozen=True, eq=False)
class PerUnitValues:
    """Values of measures, a row per group, measure, system and unit.

    Attributes:
        engine: where they are.
        frame: by_0 …, measure, system, unit_0 …, value, and what `extra` names.
        system, unit, by: the names of these columns; None where there is one system.
        measures: the measures in the order of the request; empty for those of the table.
        lower_is_better: the measures of which less is better.
        only: the one measure of a table that has no column of measures.
        extra: further columns, ours → the user's: `replicate`, `label`.
        unmet: (by …, system): the systems that have no id in common with what they were evaluated against.
        notes: what the evaluation tells of its values: ids that are in one of its tables only.
        pooled: what it tells of measures that summaries pool.
    """

    engine: Engine
    frame: Frame
    system: str | None
    unit: tuple[str, ...]
    by: tuple[str, ...]
    measures: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    only: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    unmet: frozenset[tuple[Any, ...]] = frozenset()
    notes: tuple[str, ...] = ()
    pooled: tuple[str, ...] = ()

    @property
    def groups(self) -> list[str]:
        """The aliases of the columns of by=."""
        return [f"by_{i}" for i in range(len(self.by))]

    @property
    def units(self) -> list[str]:
        """The aliases of the columns that identify units."""
        return [f"unit_{i}" for i in range(len(self.unit))]

    @property
    def named(self) -> dict[str, str]:
        """The user's names by alias."""
        return {**dict(zip(self.groups, self.by, strict=True)), **dict(zip(self.units, self.unit, strict=True))}

    @functools.cached_property
    def all_rows(self) -> pl.DataFrame:
        """The rows under the aliases; NaN is null."""
        with self.engine.errors():
            return self.engine.collect(self.frame).with_columns(pl.col(VALUE).fill_nan(None))

    @functools.cached_property
    def rows(self) -> pl.DataFrame:
        """The rows that hold a value, under the aliases.

        Raises:
            InvalidValue: values are infinite, too large or too small to be squared, or ids are null.
        """
        rows = self.all_rows.filter(pl.col(VALUE).is_not_null())
        refuse_endless(
            self, rows.group_by(MEASURE, maintain_order=True).agg(pl.col(VALUE).abs().max().alias("largest"))
        )
        for alias in (MEASURE, SYSTEM, *self.units):
            if rows[alias].null_count():
                name = self.called(alias)
                raise InvalidValue(
                    f"Column {name!r} holds {rows[alias].null_count()} nulls; a value has a measure, system and unit.",
                    rows_to_fix("table", name, ".is_null()"),
                )
        return rows

    def called(self, alias: str) -> str:
        """The user's name of a column."""
        return {SYSTEM: self.system or SYSTEM, **self.named, **self.extra}.get(alias, alias)


def refuse_endless(values: PerUnitValues, largest: pl.DataFrame) -> None:
    """Refuse values of which no mean or variance can be: the largest absolute ones, `largest`, are infinite or nearly.

    Raises:
        InvalidValue: they are; or all values of a measure are so small that their squares are 0.
    """
    column = values.called(VALUE)
    most = largest["largest"]
    if most.is_infinite().any():
        if values.measures:
            measure = largest.filter(most.is_infinite())[MEASURE][0]
            raise InvalidValue(
                f"Values of {measure} are infinite, so that they have no mean and no difference.",
                "Leave it out, or evaluate under other conventions, such as failures=recorded of timings.",
            )
        raise InvalidValue(f"Column {column!r} holds infinite values.", rows_to_fix("table", column, ".is_infinite()"))
    for bad, than, sign in ((most > LARGEST, LARGEST, "*"), ((most > 0) & (most < SMALLEST), SMALLEST, "/")):
        if bad.any():
            raise InvalidValue(
                f"Values of {largest.filter(bad)[MEASURE][0]} reach {most.filter(bad)[0]:.3g}; of numbers "
                f"{'above' if sign == '*' else 'below'} {than:g} there are no variances.",
                f'Take another unit: frame.with_columns(pl.col("{column}") {"/" if sign == "*" else "*"} 1e150)',
            )


@runtime_checkable
class HasPerUnit(Protocol):
    """What has values per unit: an evaluation."""

    def _values_of_units(self) -> PerUnitValues:
        """The values."""

    def grouped(self, by: str | Sequence[str]) -> HasPerUnit:
        """The same, its units grouped by other columns."""


def per_unit_values(result: HasPerUnit) -> PerUnitValues:
    """The values per unit of an evaluation, with what identifies systems, units and groups."""
    return result._values_of_units()  # noqa: SLF001 - for users it is plumbing


@dataclass(frozen=True)
class Columns:
    """The names of the columns of a table of values; `systems` and `measures` name those of a wide one."""

    unit: tuple[str, ...]
    system: str
    measure: str = MEASURE
    value: str = VALUE
    by: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)


def values_of(
    source: Any,
    columns: Columns,
    *,
    lower_is_better: str | Iterable[str] = (),
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> PerUnitValues:
    """The values of an evaluation, or of any table.

    A table is long if it has a column of values: then it has one of systems, and one of measures if there are several.
    One that has systems and no values is wide by measures: its other columns of numbers are measures.  One that has
    neither is wide by systems: its other columns of numbers are systems.

    Args:
        source: an evaluation, a frame, a path, a relation, or with `con` the name of a table or a query.
        columns: the names of its columns.
        lower_is_better: the measures of which less is better, of a table; an evaluation knows its own.
        engine: "polars", "duckdb" or "spark"; by default where the table is.
        con: a DuckDB connection or a Spark session.
        storage_options: options of the stores of remote paths.

    Raises:
        MissingColumn, WrongType: the table lacks columns, or they hold something else.
        UnknownName: there is no such measure.
    """
    if isinstance(source, HasPerUnit):
        for name in columns.extra:
            raise InvalidParameter(f"{name} is of tables; an evaluation knows its own.", f"Leave out {name}=.")
        values = per_unit_values(source.grouped(columns.by) if columns.by else source)
        return _of_evaluation(values, columns)
    lower_is_better = columns_named(lower_is_better, "lower_is_better")
    place = open_engine(source, engine, con)
    with place.errors():
        table = con.sql(source) if con is not None and _is_query(source) else io.located(source, storage_options)
        frame = open_source(Source(table, "values", TABLE), place, any_names=True)
        rows = _arranged(frame, columns, text=io.is_text_table(source) and not place.names_table(source))
    present = list(frame.columns)
    system = columns.system if columns.system in present else None if columns.value in present else SYSTEM
    only = columns.value if columns.value in present and columns.measure not in present else None
    values = PerUnitValues(
        place, rows, system, columns.unit, columns.by, lower_is_better=lower_is_better, only=only, extra=columns.extra
    )
    if lower_is_better:
        known = values.rows[MEASURE].unique().sort().to_list()
        for name in lower_is_better:
            if name not in known:
                raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, known))
    return values


def _is_query(source: Any) -> bool:
    return isinstance(source, str) and source.lstrip().lower().startswith(QUERIES) and any(c in source for c in " \n(")


def _of_evaluation(values: PerUnitValues, columns: Columns) -> PerUnitValues:
    """With a column of by= as the system, where one is requested."""
    if columns.system in values.by:
        place = values.by.index(columns.system)
        rest = [i for i in range(len(values.by)) if i != place]
        keys = {f"by_{j}": col(f"by_{i}") for j, i in enumerate(rest)}
        further = [MEASURE, *values.units, VALUE]
        if values.system is not None:
            keys[f"by_{len(rest)}"] = col(SYSTEM)
        frame = values.frame.select(**keys, system=col(f"by_{place}"), **{c: col(c) for c in further})
        by = (*(values.by[i] for i in rest), *([values.system] if values.system is not None else []))
        return PerUnitValues(
            values.engine,
            frame,
            columns.system,
            values.unit,
            by,
            values.measures,
            values.lower_is_better,
            extra=values.extra,
        )
    return values


def _arranged(frame: Frame, columns: Columns, *, text: bool) -> Frame:
    """The rows under our names, long whatever they were.

    Raises:
        MissingColumn: a column is not there.
        WrongType: values are no numbers.
    """
    present = list(frame.columns)
    keys = {f"by_{i}": name for i, name in enumerate(columns.by)} | {
        f"unit_{i}": name for i, name in enumerate(columns.unit)
    }
    for argument, names in (("unit", columns.unit), ("by", columns.by), *((o, (n,)) for o, n in columns.extra.items())):
        for name in names:
            if name not in present:
                raise MissingColumn(
                    f"The table of values has no column {name!r} (it has: {listed(present, 20)}).",
                    Hint("Name it: ", Argument(argument, _guess(frame, columns))),
                )
    selected = {a: grouping_column("values", frame, n) for a, n in keys.items()}
    selected |= {ours: col(name) for ours, name in columns.extra.items()}
    if label := columns.extra.get("label"):
        selected["label"] = _zero_or_one(label, frame.collect_schema()[label], text=text)
    several = {SYSTEM: grouping_column("values", frame, columns.system)} if columns.system in present else {}
    types = frame.collect_schema()
    if columns.measure in present and types[columns.measure].is_float():
        raise WrongType(
            f"Column {columns.measure!r} of the values table is {types[columns.measure]}; it names the measures.",
            Hint("Name the column that does, or one that is not there: ", Argument("measure", "metric"), "."),
        )
    if columns.value in present:
        measure = col(columns.measure).cast(pl.String) if columns.measure in present else lit(columns.value)
        value = number("values", columns.value, types[columns.value], text=text)
        system = several or {SYSTEM: lit("")}
        return frame.select(**selected, measure=measure, **system, value=value)
    used = {*keys.values(), *columns.extra.values(), columns.system, columns.measure}
    wide = [n for n in present if n not in used and (types[n].is_numeric() or (text and types[n] == pl.String))]
    if not wide:
        raise MissingColumn(
            f"The table of values has no column {columns.value!r}, and no other columns of numbers (it has: "
            f"{listed(present, 20)}).",
            Hint("Name it: ", Argument("value", "score")),
        )
    parts = []
    for name in wide:
        value = number("values", name, types[name], text=text)
        if several:
            parts.append(frame.select(**selected, measure=lit(name), **several, value=value))
        else:
            measure = col(columns.measure).cast(pl.String) if columns.measure in present else lit(columns.value)
            parts.append(frame.select(**selected, measure=measure, system=lit(name), value=value))
    return concat(parts)


def _zero_or_one(name: str, dtype: Any, *, text: bool) -> Expr:
    """A column of classes as numbers; the test checks that these are 0 and 1.

    Raises:
        WrongType: they are no numbers.
    """
    if dtype == pl.Boolean:
        return col(name).cast(pl.Float64)
    return number("values", name, dtype, text=text, allowed="0 and 1")


def _guess(frame: Frame, columns: Columns) -> str:
    """The column that is meant by a name that there is not: one of values, which are floats, hardly is."""
    used = {*columns.unit, *columns.by, columns.system, columns.measure, columns.value}
    types = {name: dtype for name, dtype in frame.collect_schema().items() if name not in {*used, *RUN_ID.aliases}}
    # What tells units apart is an id.
    return min(types, key=lambda n: (types[n].is_float(), not n.endswith("_id")), default="their_name")


def columns_of(
    *,
    unit: str | Sequence[str],
    system: str,
    measure: str = MEASURE,
    value: str = VALUE,
    by: str | Sequence[str] = (),
    **extra: str | None,
) -> Columns:
    """The columns of a table of values, as they were named.

    Raises:
        InvalidParameter: one is no name, or is named twice.
    """
    one = {"system": system, "measure": measure, "value": value} | {o: n for o, n in extra.items() if n is not None}
    for argument, name in one.items():
        if not isinstance(name, str) or not name:
            raise InvalidParameter(
                f"{argument} is {name!r}; a column is named by text.", Hint("Write ", Argument(argument, "name"), ".")
            )
    units, groups = columns_named(unit, "unit"), columns_named(by, "by")
    if not units:
        raise InvalidParameter(
            "unit names no column.", Hint("Write ", Argument("unit", "query_id"), ", or what tells the units apart.")
        )
    twice = [n for i, n in enumerate([*units, *groups, *one.values()]) if n in [*units, *groups, *one.values()][:i]]
    if twice:
        raise InvalidParameter(f"The column {twice[0]!r} is named twice.", "Give each column one meaning.")
    return Columns(units, system, measure, value, groups, {o: n for o, n in extra.items() if n is not None})
