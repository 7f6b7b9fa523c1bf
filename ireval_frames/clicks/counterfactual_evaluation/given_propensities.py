"""Propensities as handed in: a table by position, whatever holds it."""

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

# What tables call a propensity; parameters of models of clicks are read by their own rule.
NAMES = ("propensity", "examination")
TRUST = ("alpha", "beta")


@runtime_checkable
class ByPosition(Protocol):
    """What has propensities by position."""

    def table(self) -> pl.DataFrame:
        """A row per position."""


@runtime_checkable
class Fitted(Protocol):
    """A click model, one of whose parameters may be the examination of positions."""

    def parameters(self) -> pl.DataFrame:
        """A row per parameter."""


def by_position(given: Any) -> tuple[pl.DataFrame, bool]:
    """A row per position: position, propensity, and alpha and beta where they are there; and whether it is an estimate.

    It is one where it has intervals, or is a parameter of a click model.

    Args:
        given: propensities that were estimated; a fitted PBM, or its parameters, which are divided by that of position
            1 and of which what is not linked to it is left out; a mapping from positions; numbers from position 1 on;
            or a table of `position` and `propensity` (or `examination`).

    Raises:
        MissingColumn: a table lacks a column.
        InvalidValue: a propensity is null, 0 or less, or infinite; a model knows nothing of position 1.
        DuplicateRows: a position stands twice.
        InvalidParameter: it is nothing of the kind.
        NotDefined: a click model has no examination.
    """
    # Files of text have nothing where a value is not known.
    frame = _framed(given).with_columns(pl.col(pl.String).replace("", None))
    modelled = "parameter" in frame.columns
    frame = _examination(frame) if modelled else frame
    names = frame.columns
    value = next((n for n in NAMES if n in names), None)
    if "position" not in names or (value is None and not set(TRUST) <= set(names)):
        lacking = "position" if "position" not in names else "propensity"
        raise MissingColumn(
            f"The table of propensities has no column {lacking!r} (it has: {listed(names, 20)}).",
            f"Rename one: frame.rename({{'their_name': {lacking!r}}}).",
        )
    kept = {"propensity": value} if value is not None else {}
    kept |= {n: n for n in TRUST if n in names}
    try:
        out = frame.select(
            pl.col("position").cast(pl.Int64),
            **{ours: pl.col(theirs).cast(pl.Float64) for ours, theirs in kept.items()},
        ).sort("position")
    except pl.exceptions.PolarsError:
        raise InvalidValue(
            "The table of propensities holds what is no number.", "Positions are whole numbers, propensities floats."
        ) from None
    whole = frame["position"].cast(pl.Float64)
    if (odd := whole.filter((whole != whole.floor()).fill_null(value=False))).len():
        raise InvalidValue(
            f"The table of propensities has the position {odd[0]:g}.", "Positions are whole numbers, from 1."
        )
    # A position without a propensity is one that is not there.
    out = out.drop_nulls()
    _refuse(out)
    estimated = modelled or {"low", "high"} <= set(names)
    return _relative(out) if modelled else out, estimated


def _framed(given: Any) -> pl.DataFrame:
    if isinstance(given, ByPosition):
        return given.table()
    if isinstance(given, Fitted):
        return given.parameters()
    if isinstance(given, Mapping):
        given = pl.DataFrame({"position": list(given), "propensity": list(given.values())}, strict=False)
    elif isinstance(given, Sequence) and not isinstance(given, str) and not names_files(given):
        given = pl.DataFrame({"position": range(1, len(given) + 1), "propensity": list(given)}, strict=False)
    elif isinstance(given, (bool, int, float)):
        raise InvalidParameter(
            f"propensity is {given!r}; a propensity belongs to a position.",
            Hint("Write them from position 1 on: ", Argument("propensity", [1.0, 0.5])),
        )
    return polars_frame(given, "propensities", TABLE)


def _examination(parameters: pl.DataFrame) -> pl.DataFrame:
    """The rows of a click model's parameters that are of the examination of positions and that clicks tell of."""
    rows = parameters.filter(pl.col("parameter") == "examination")
    if not rows.height or "value" not in rows.columns:
        raise NotDefined(
            "These are parameters of a click model that has no examination of positions.", 'Write log.fit("PBM").'
        )
    if "status" in rows.columns:
        rows = rows.filter(pl.col("status").is_in(["unlinked", "prior", "undefined"]).not_().fill_null(value=True))
    return rows.rename({"value": "propensity"})


def _relative(table: pl.DataFrame) -> pl.DataFrame:
    """Propensities as multiples of that of position 1."""
    first = table.filter(pl.col("position") == 1)["propensity"]
    if table.height and not first.len():
        raise InvalidValue(
            "The click model cannot compare position 1, by which all others are divided, with "
            f"{listed(table['position'])}.",
            Hint("Say yourself what they are: ", Argument("propensity", {1: 1.0, 2: 0.5}), "."),
        )
    return table.with_columns(pl.col("propensity") / (first[0] if first.len() else 1.0))


def _refuse(table: pl.DataFrame) -> None:
    twice = table.filter(pl.col("position").is_duplicated())
    if twice.height:
        raise DuplicateRows(
            f"Position {twice['position'][0]} has {twice.filter(pl.col('position') == twice['position'][0]).height} "
            "propensities.",
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
                "What is never examined is never clicked: leave out of the log what stands there.",
            )
    if "beta" in table.columns and (bad := table.filter(~pl.col("beta").is_finite())).height:
        raise InvalidValue(
            f"The beta of position {bad['position'][0]} is {bad['beta'][0]}; it is a number.",
            "It is the probability of a click on what is not relevant: 0 where there are none.",
        )
