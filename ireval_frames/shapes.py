"""Collected values as the frames that users see, a row or a column per measure, and as values to compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.built import SUMMARY, Built
from ireval_frames.comparison.values import Values
from ireval_frames.coverage import BOTH
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars import PolarsEngine

_SUMMARY = dict(zip(SUMMARY, (pl.String, pl.Float64, pl.Int64, pl.Int64), strict=True))


def summary_long(
    frame: pl.DataFrame, measures: Sequence[Measure], groups: Sequence[str], named: Mapping[str, str]
) -> pl.DataFrame:
    """A row per group and measure of a summary that has columns `v0`, `u0` … of each measure."""
    n, height = len(measures), frame.height
    names = [str(m) for m in measures]
    if not groups:
        # One row; putting it together from columns takes longer than from its values.
        told = frame.row(0, named=True)
        columns = {
            "measure": names,
            "value": [told[f"v{i}"] for i in range(n)],
            "n_units": [told["n_units"]] * n,
            "n_undefined": [told[f"u{i}"] for i in range(n)],
        }
        return pl.DataFrame(columns, schema=_SUMMARY)
    # Row by row, a measure after the other.
    place = pl.int_range(n * height, eager=True)
    row, measure = place // n, place % n
    column = measure * height + row
    made = {name: frame[name].gather(row) for name in groups}
    made["measure"] = pl.Series(names, dtype=pl.String).gather(measure)
    made["value"] = pl.concat([frame[f"v{i}"] for i in range(n)]).gather(column)
    made["n_units"] = frame["n_units"].gather(row)
    made["n_undefined"] = pl.concat([frame[f"u{i}"] for i in range(n)]).gather(column)
    return pl.DataFrame({named.get(name, name): values for name, values in made.items()})


def summary_wide(
    frame: pl.DataFrame, measures: Sequence[Measure], groups: Sequence[str], named: Mapping[str, str]
) -> pl.DataFrame:
    """A row per group of such a summary, a column per measure."""
    values = [pl.col(f"v{i}").alias(str(m)) for i, m in enumerate(measures)]
    return frame.select(*groups, *values).rename(dict(named), strict=False)


def long(units: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    """A row per unit and measure of what has columns `m0`, `m1` …, whose labels are given."""
    names = list(labels)
    keys = [c for c in units.columns if c not in names]
    rows = units.with_row_index("_row")
    melted = rows.unpivot(names, index=["_row", *keys], variable_name="measure", value_name="value")
    order = pl.col("measure").replace_strict({n: i for i, n in enumerate(names)}, return_dtype=pl.Int64)
    melted = melted.sort("_row", order, maintain_order=True).drop("_row")
    return melted.with_columns(pl.col("measure").replace_strict(dict(labels), return_dtype=pl.String))


def one_row(engine: Engine, frame: Frame) -> pl.DataFrame:
    """A summary of all units: values, and counts of units."""
    if engine.in_process:
        return engine.collect(frame)
    types = {name: pl.Float64 if name.startswith("v") else pl.Int64 for name in frame.columns}
    return pl.DataFrame({name: [value] for name, value in engine.numbers(frame).items()}, schema=types)


def values_of(
    built: Built, units: pl.DataFrame, measures: Sequence[Measure], met: pl.DataFrame | None, said: Sequence[str]
) -> Values:
    """Collected values per unit, and what tells systems, units and groups apart.

    Args:
        built: the plan.
        units: the values.
        measures: of which measures.
        met: what the tables have in common, a row per group; None where there is one table.
        said: what was said of it.
    """
    engine, several = PolarsEngine(), "run_id" in built.groups
    by = [k for k in built.groups if k != "run_id"]
    unit = [k for k in built.keys if k not in built.groups]
    keys = {f"by_{i}": pl.col(k) for i, k in enumerate(by)} | {f"unit_{i}": pl.col(k) for i, k in enumerate(unit)}
    system = pl.col("run_id") if several else pl.lit("")
    labels = {f"m{i}": str(m) for i, m in enumerate(measures)}
    rows = long(units, labels).select(**keys, measure="measure", system=system, value="value")
    return Values(
        engine,
        engine.from_polars(rows),
        "run_id" if several else None,
        tuple(built.named.get(k, k) for k in unit),
        tuple(built.named.get(k, k) for k in by),
        tuple(labels.values()),
        tuple(str(m) for m in measures if m.definition.higher_is_better is False),
        unmet=frozenset() if met is None else _unmet(met, by, system),
        overlap=tuple(said),
    )


def _unmet(met: pl.DataFrame, by: Sequence[str], system: pl.Expr) -> frozenset[tuple[Any, ...]]:
    """The systems, each behind its group, that have nothing in common with what they are held against."""
    nothing = met.filter(pl.col(BOTH) == 0)
    if not {*by} <= {*met.columns}:
        return frozenset()
    return frozenset(nothing.with_columns(_system=system).select(*by, "_system").rows())
