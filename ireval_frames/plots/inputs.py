"""What a picture is made of: values, tables, groups and curves of a result."""

from __future__ import annotations

import inspect
from collections.abc import Container, Sequence
from typing import Any

import polars as pl

from ireval_frames.comparison.values.sources import HasPerUnit, PerUnitValues, per_unit_values
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.results import BoundTable, Result

# Of more groups there are no panels.
MOST_PANELS = 12


def values_of(result: Any) -> PerUnitValues:
    """The values per unit of an evaluation or a comparison.

    Raises:
        InvalidParameter: it is neither.
    """
    if isinstance(result, HasPerUnit):
        return per_unit_values(result)
    if isinstance(values := getattr(result, "values", None), PerUnitValues):
        return values
    raise InvalidParameter(
        f"A {type(result).__name__} has no values per unit.",
        "Draw an evaluation or a comparison; ir.compare makes one of a table, and ir.report(ev) draws intervals of a "
        "bootstrap.",
    )


def result_of(source: Any, method: str, *kind: Any, table_name: str, **options: Any) -> Result:
    """A table: a `Result` itself, or that of Rankings, Labels, Clusters, Points, or of their evaluation.

    Args:
        source: the result, or the object that has it; of an evaluation the groups and conventions are its own.
        method: the method that gives the table.
        kind: its first argument, if it has one.
        table_name: what the provenance of the table calls it.
        options: the method's others.

    Raises:
        InvalidParameter: it is another table, or there is no such method.
    """
    if isinstance(source, Result):
        if source.details.get("table") != table_name:
            raise InvalidParameter(
                f"The table is {source.details.get('table')}, not {table_name}.", f"Give a result that has {method}."
            )
        return source
    for subject in (source, getattr(source, "subject", None)):
        if subject is not None and isinstance(bound := getattr(subject, method, None), BoundTable):
            accepted = inspect.signature(bound).parameters
            own = {} if subject is source else {n: v for n, v in source._options().items() if n in accepted}  # noqa: SLF001 - for users it is plumbing
            table: Result = bound.result(*kind, **own | options)
            return table
    raise InvalidParameter(
        f"A {type(source).__name__} has no {method}.",
        f"Give the subject itself, such as Rankings, Labels or Spans, or write subject.{method}.plot(…).",
    )


def table_of(source: Any, method: str, *kind: Any, table_name: str, **options: Any) -> pl.DataFrame:
    """The frame of that table (`result_of`)."""
    return result_of(source, method, *kind, table_name=table_name, **options).collect()


def one_measure(values: PerUnitValues, measure: Any) -> str:
    """The measure named; it may be left out where there is one.

    Raises:
        UnknownName: it was not evaluated.
        InvalidParameter: there are several, and none is named.
    """
    known = known_measures(values)
    if measure is None:
        if len(known) > 1:
            raise InvalidParameter(f"There are {len(known)} measures.", f'Name one: measure="{known[0]}"')
        return known[0]
    return chosen_measures(values, [measure])[0]


def chosen_measures(values: PerUnitValues, measures: Any) -> list[str]:
    """The measures named, or all.

    Raises:
        UnknownName: one was not evaluated.
    """
    known = known_measures(values)
    if measures is None:
        return known
    several = [measures] if isinstance(measures, str) or not isinstance(measures, Sequence) else measures
    names = [part for m in several for part in ([str(m)] if str(m) in known else str(m).split())]
    for name in names:
        if name not in known:
            raise UnknownName(f"{name!r} was not evaluated.", nearest(name, known))
    return names


def known_measures(values: PerUnitValues) -> list[str]:
    """The measures there are, in their order.

    Raises:
        NotDefined: there are none.
    """
    known = list(values.measures) or ([values.only] if values.only else sorted(values.all_rows["measure"].unique()))
    if not known:
        raise NotDefined("There are no values.", "Evaluate a measure.")
    return known


def grouped(frame: pl.DataFrame, groups: Sequence[str], names: Sequence[str]) -> pl.DataFrame:
    """The columns of by= as one column of text, `group`: "lang = en"; without groups it is empty text."""
    if not groups:
        return frame.with_columns(group=pl.lit(""))
    parts = [
        pl.format("{} = {}", pl.lit(name), pl.col(g).cast(pl.String).fill_null("null"))
        for g, name in zip(groups, names, strict=True)
    ]
    return frame.with_columns(_group=pl.concat_str(parts, separator=", ")).drop(groups).rename({"_group": "group"})


def series(frame: pl.DataFrame, known: Container[str]) -> pl.DataFrame:
    """The columns that distinguish curves, all but the known, as one of text, `run_id`; without any it is "all"."""
    keys = curve_keys(frame, known)
    if not keys:
        return frame.with_columns(run_id=pl.lit("all"))
    if keys == ["run_id"]:
        return frame.with_columns(run_id=text("run_id"))
    parts = [text(k) if k == "run_id" else pl.format("{} = {}", pl.lit(k.removesuffix("_id")), text(k)) for k in keys]
    return frame.with_columns(_series=pl.concat_str(parts, separator=", ")).drop(keys).rename({"_series": "run_id"})


def in_panels(frame: pl.DataFrame, known: Container[str], most: int, highlight: Sequence[str] = ()) -> pl.DataFrame:
    """As `series`; where there are more curves than colours, with a `group` of classes, groups or units: a panel each.

    Args:
        frame: the rows.
        known: the columns that do not distinguish curves.
        most: the number of curves that have colours of their own.
        highlight: curves drawn in colour among all others, in one picture.
    """
    keys = curve_keys(frame, known)
    others = [k for k in keys if k != "run_id"]
    if not others or highlight:
        return series(frame, known)
    n = frame.select(keys).n_unique()
    if n <= most or frame.select(others).n_unique() > MOST_PANELS:
        return series(frame, known)
    name = [k.removesuffix("_id") for k in others]
    return series(grouped(frame, others, name), (*(c for c in frame.columns if c not in keys), "group"))


def curve_keys(frame: pl.DataFrame, known: Container[str]) -> list[str]:
    """The columns that distinguish curves: all but the known."""
    return [c for c in frame.columns if c not in known]


def text(column: str) -> pl.Expr:
    """Ids as text: numbers as they are written."""
    return pl.col(column).cast(pl.String).fill_null("null")


def system_text(values: PerUnitValues) -> pl.Expr:
    """The ids of systems as text; the only one of an evaluation without runs is "run"."""
    return (text("system") if values.system else pl.lit("run")).alias("run_id")


def unit_text(ids: Sequence[str]) -> pl.Expr:
    """The ids of a unit as one text."""
    named = pl.concat_str([text(i) for i in ids], separator=" / ") if ids else pl.lit("")
    return named.alias("unit")
