"""What comparisons are controlled for: the length or style of both items, and which one was shown first."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array
from ireval_frames.errors import Argument, Hint, InvalidValue, WrongType

FIRST = "first"
SIDES = ("_a", "_b")


def scaled_differences(rows: pl.DataFrame, names: tuple[str, ...], form: str, *, first: bool) -> tuple[Array, Array]:
    """The covariates of comparisons, and what one unit of each is in the column's own terms (NaN if it is no scale).

    Args:
        rows: with columns NAME_a and NAME_b, or NAME, of each covariate.
        names: of the covariates.
        form: of differences of both sides: "relative" (a − b)/(a + b), divided by its root mean square; "arena"
            (a − b)/(a + b + 1), standardised; "tanh" of (a − b)/s; "difference" (a − b)/s; s is the standard deviation
            of differences.  A column NAME is divided by its root mean square.
        first: whether a constant follows, for the item shown first.

    Raises:
        WrongType: a covariate is no number.
        InvalidValue: it is missing, negative where it is relative, or does not vary.
    """
    n = rows["n"].to_numpy().astype(float)
    columns, units = [], []
    for name in names:
        both = [name + side for side in SIDES]
        values = [numbers_of(rows, c) for c in (both if both[0] in rows.columns else [name])]
        x, unit = _scaled(name, values, n, form)
        columns.append(x)
        units.append(unit)
    if first:
        columns.append(np.ones(rows.height))
        units.append(1.0)
    return np.stack(columns, axis=1) if columns else np.empty((rows.height, 0)), np.array(units)


def numbers_of(rows: pl.DataFrame, column: str) -> Array:
    """A column of numbers, none of them missing."""
    if not rows.schema[column].is_numeric() and rows.height:
        raise WrongType(
            f"Column {column!r} of the comparisons is {rows.schema[column]}; covariates are numbers.",
            f'Convert it: frame.with_columns(pl.col("{column}").cast(pl.Float64))',
        )
    values = rows[column].cast(pl.Float64).fill_null(np.nan).to_numpy()
    if missing := int(rows["n"].to_numpy()[~np.isfinite(values)].sum()):
        raise InvalidValue(
            f"{missing:,} comparisons have no {column!r}: the column is null, NaN or infinite.",
            f'Leave them out: frame.filter(pl.col("{column}").is_finite())',
        )
    return values


def _scaled(name: str, values: list[Array], n: Array, form: str) -> tuple[Array, float]:
    total = n.sum()
    if len(values) == 1:
        d, unit = values[0], float(np.sqrt((n * values[0] ** 2).sum() / total)) if total else 0.0
    else:
        a, b = values
        relative = form in ("relative", "arena")
        if relative and (min(a.min(initial=0.0), b.min(initial=0.0)) < 0):
            raise InvalidValue(
                f"The covariate {name!r} is negative; a difference relative to the sum is for lengths and counts.",
                Hint("Write ", Argument("form", "difference")),
            )
        d = a - b
        if relative:
            size = a + b + (form == "arena")
            d = np.divide(d, size, out=np.zeros_like(d), where=size > 0)
        mean = (n * d).sum() / total if total and form != "relative" else 0.0
        squares = (n * (d - mean) ** 2).sum()
        unit = float(np.sqrt(squares / (total - (form in ("tanh", "difference")))) if total > 1 else 0.0)
        if form == "arena":
            d = d - mean
    if not unit > 0:
        raise InvalidValue(f"The covariate {name!r} is the same for all items.", "Leave it out.")
    return (np.tanh(d / unit) if form == "tanh" and len(values) == 2 else d / unit), unit
