"""Propensities as the user hands them in, as a table by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import polars as pl

from ireval_frames.engines.inputs.frames import names_files, polars_frame
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    NotDefined,
    listed,
)
from ireval_frames.io.reading import TABLE

# The names of a column of propensities; parameters of click models are read by `_examination`.
NAMES = ("propensity", "examination")
TRUST = ("alpha", "beta")


@runtime_checkable
class ByPosition(Protocol):
    """Has propensities by position."""

    def table(self) -> pl.DataFrame:
        """A row per position."""


@runtime_checkable
class Fitted(Protocol):
    """A click model, one of whose parameters may be the examination of positions."""

    def parameters(self) -> pl.DataFrame:
        """A row per parameter."""


def by_position(propensities: Any) -> tuple[pl.DataFrame, bool]:
    """A row per position: position, propensity, and alpha and beta if known; and whether they are estimates.

    They are estimates where they have intervals, or are parameters of a click model.

    Args:
        propensities: as estimated; a fitted PBM or its parameters, which are divided by that of position 1, without
            those that it cannot compare; a mapping from positions; numbers from position 1 on;
            or a table of `position` and `propensity` (or `examination`).

    Raises:
        MissingColumn: a table lacks a column.
        InvalidValue: a propensity is null, 0 or less, or infinite; a model knows nothing of position 1.
        DuplicateRows: a position has several rows.
        InvalidParameter: it is none of these.
        NotDefined: a click model has no examination.
    """
    # Text files have an empty string where a value is not known.
    frame = _frame(propensities).with_columns(pl.col(pl.String).replace("", None))
    modelled = "parameter" in frame.columns
    frame = _examination(frame) if modelled else frame
    names = frame.columns
    value = next((n for n in NAMES if n in names), None)
    if "position" not in names or (value is None and not set(TRUST) <= set(names)):
        missing = "position" if "position" not in names else "propensity"
        raise MissingColumn(
            f"The table of propensities has no column {missing!r} (it has: {listed(names, 20)}).",
            f"Rename one: frame.rename({{'their_name': {missing!r}}}).",
        )
    columns = {"propensity": value} if value is not None else {}
    columns |= {n: n for n in TRUST if n in names}
    try:
        out = frame.select(
            pl.col("position").cast(pl.Int64),
            **{ours: pl.col(name).cast(pl.Float64) for ours, name in columns.items()},
        ).sort("position")
    except pl.exceptions.PolarsError:
        raise InvalidValue(
            "The table of propensities holds values that are no numbers.",
            "Positions are whole numbers, propensities floats.",
        ) from None
    positions = frame["position"].cast(pl.Float64)
    if (fractions := positions.filter((positions != positions.floor()).fill_null(value=False))).len():
        raise InvalidValue(
            f"The table of propensities has the position {fractions[0]:g}.", "Positions are whole numbers, from 1."
        )
    # A position without a propensity counts as absent.
    out = out.drop_nulls()
    _refuse(out)
    estimated = modelled or {"low", "high"} <= set(names)
    return _relative(out) if modelled else out, estimated


def _frame(table: Any) -> pl.DataFrame:
    if isinstance(table, ByPosition):
        return table.table()
    if isinstance(table, Fitted):
        return table.parameters()
    if isinstance(table, Mapping):
        table = pl.DataFrame({"position": list(table), "propensity": list(table.values())}, strict=False)
    elif isinstance(table, Sequence) and not isinstance(table, str) and not names_files(table):
        table = pl.DataFrame({"position": range(1, len(table) + 1), "propensity": list(table)}, strict=False)
    elif isinstance(table, (bool, int, float)):
        raise InvalidParameter(
            f"propensity is {table!r}; a propensity belongs to a position.",
            Hint("Write them from position 1 on: ", Argument("propensity", [1.0, 0.5])),
        )
    return polars_frame(table, "propensities", TABLE)


def _examination(parameters: pl.DataFrame) -> pl.DataFrame:
    """The rows of a click model's parameters that are estimates of the examination of positions."""
    rows = parameters.filter(pl.col("parameter") == "examination")
    if not rows.height or "value" not in rows.columns:
        raise NotDefined(
            "These are parameters of a click model that has no examination of positions.", 'Write log.fit("PBM").'
        )
    if "status" in rows.columns:
        rows = rows.filter(pl.col("status").is_in(["disconnected", "prior", "undefined"]).not_().fill_null(value=True))
    return rows.rename({"value": "propensity"})


def _relative(table: pl.DataFrame) -> pl.DataFrame:
    """Propensities as multiples of that of position 1."""
    first = table.filter(pl.col("position") == 1)["propensity"]
    if table.height and not first.len():
        raise InvalidValue(
            "The click model cannot compare position 1, by which all others are divided, with "
            f"{listed(table['position'])}.",
            Hint("Hand them in: ", Argument("propensity", {1: 1.0, 2: 0.5}), "."),
        )
    return table.with_columns(pl.col("propensity") / (first[0] if first.len() else 1.0))


def _refuse(table: pl.DataFrame) -> None:
    repeated = table.filter(pl.col("position").is_duplicated())
    if repeated.height:
        position = repeated["position"][0]
        raise DuplicateRows(
            f"Position {position} has {repeated.filter(pl.col('position') == position).height} propensities.",
            "Keep one row of each position; propensities by device or query go into a column of the log.",
        )
    if not table.height:
        raise InvalidValue("The table of propensities has no rows.", "Write a mapping: propensity={1: 1.0, 2: 0.5}")
    for name in ("propensity", "alpha"):
        if name not in table.columns:
            continue
        bad = table.filter(~(pl.col(name).is_finite() & (pl.col(name) > 0)).fill_null(value=False))
        if bad.height:
            raise InvalidValue(
                f"The {name} of position {bad['position'][0]} is {bad[name][0]}; it must be above 0.",
                "A position that is never examined is never clicked: leave its rows out of the log.",
            )
    if "beta" in table.columns and (bad := table.filter(~pl.col("beta").is_finite())).height:
        raise InvalidValue(
            f"The beta of position {bad['position'][0]} is {bad['beta'][0]}; it is a number.",
            "It is the probability of a click on what is not relevant: 0 where there are none.",
        )
