"""What a table of points must not hold, and the errors that say so."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.checks import weights_checked
from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import Argument, Hint, InvalidValue, rows_to_fix
from ireval_frames.points.inputs import PointInputs

# Features up to this in size, and groups at least its inverse wide, may be squared twice and summed.
LARGEST = 1e50
# Weights up to this, and from its inverse on, may be summed and squared beside them.
MOST_WEIGHT = 1e30


def checks(inputs: PointInputs) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    engine, raw = inputs.engine, inputs.raw

    def first(bad: nw.Expr) -> pl.DataFrame:
        return engine.collect(raw.filter(bad).head(1))

    def lengths() -> None:
        schema = inputs.frame.collect_schema()
        for name in inputs.vectors:
            if isinstance(schema[name], nw.Array):
                continue
            size = inputs.described.sizes[name]
            length = nw.col(name).list.len()
            found = engine.collect(
                inputs.frame.lazy().filter(~length.is_null() & (length != size)).select(n=length).head(1)
            )
            if found.height:
                raise InvalidValue(
                    f"Column {name!r} of the points table holds vectors of {size} and of {found['n'][0]} numbers.",
                    rows_to_fix("points", name, f".list.len() != {size}"),
                )

    def features() -> None:
        right = engine.collect(
            raw.select(**{x: nw.col(x).is_finite().fill_null(value=False).all() for x in inputs.features})
        ).row(0, named=True)
        bad = [nw.col(x).is_null() | ~nw.col(x).is_finite() for x in inputs.features if right[x] is False]
        if bad:
            found = first(bad[0])
            values = [found[x][0] for x in inputs.features]
            at = next(i for i, v in enumerate(values) if v is None or v - v != 0)
            where, test = _place(inputs, at)
            shown = "null" if values[at] is None else values[at]
            raise InvalidValue(
                f"Column {where!r} of the points table holds {shown}; features must be finite numbers.",
                rows_to_fix("points", where, *test),
            )

    def weights() -> None:
        if "weight" not in inputs.found:
            return
        weights_checked(engine, raw, "points")
        value = nw.col("weight")
        found = first((value > 0) & ((value < 1.0 / MOST_WEIGHT) | (value > MOST_WEIGHT)))
        if found.height:
            raise InvalidValue(
                f"Column 'weight' of the points table holds {found['weight'][0]:g}; squares of sums of such weights "
                "leave the range of floats.",
                f'Scale them: frame.with_columns(pl.col("{inputs.found["weight"]}") / {_power(found["weight"][0])})',
            )

    def clusters() -> None:
        if inputs.policy.missing != "error":
            return
        found = engine.collect(raw.filter(nw.col("cluster_id").is_null()).select(n=nw.len()))["n"][0]
        if found:
            raise InvalidValue(
                f"{found} points are in no cluster.",
                Hint(
                    "Leave them out: ",
                    Argument("policy", "missing=skip"),
                    ", or ",
                    Argument("policy", "missing=singleton"),
                ),
            )

    return [*inputs.checks, lengths, features, weights, lambda: _scales(inputs), clusters]


def _scales(inputs: PointInputs) -> None:
    """Refuse features whose squares, or the squares of these, leave the range of floats.

    Distances would be infinite, or all be 0, and what is made of them wrong without a word.

    Raises:
        InvalidValue: a feature is too large, or all points of a group lie too near to each other.
    """
    hows: tuple[Literal["min", "max"], ...] = ("min", "max")
    ends = [Aggregate(f"{x}_{how}", how, nw.col(x)) for x in inputs.features for how in hows]
    units = inputs.engine.collect(inputs.engine.group(inputs.points, inputs.keys, ends))
    low, high = ([pl.col(f"{x}_{how}") for x in inputs.features] for how in hows)
    largest, widest = units.select(
        largest=pl.max_horizontal(*(e.abs() for e in (*low, *high))),
        widest=pl.max_horizontal(*(h - a for a, h in zip(low, high, strict=True))),
    )
    far = [v for v in largest if v is not None and v > LARGEST]
    near = [v for v in widest if v is not None and 0.0 < v < 1.0 / LARGEST]
    if far or near:
        told = f"A feature is {far[0]:g}" if far else f"The points of a group lie within {near[0]:g}"
        names = ", ".join(f'"{name}"' for name in inputs.described.features)
        raise InvalidValue(
            f"{told}; the squares of such distances leave the range of floats.",
            f"Scale them: frame.with_columns(pl.col({names}) / {_power((far or near)[0])})",
        )


def _power(value: float) -> str:
    return f"1e{math.floor(math.log10(value))}"


def no_whole_weight(measure: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error that a weight is a fraction, where points are counted."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"{measure} counts points, and the weight {rows['weight'][0]:g} is not a whole number.",
            'Weigh by whole numbers, or ask for measures of shares: "SSE RSquared DaviesBouldin".',
        )

    return error


def whole_weights(inputs: PointInputs, what: str) -> None:
    """Refuse weights that are fractions.

    Raises:
        InvalidValue: there is one.
    """
    if "weight" in inputs.columns:
        found = inputs.engine.collect(inputs.points.filter(nw.col("weight") != nw.col("weight").floor()).head(1))
        if found.height:
            raise no_whole_weight(what)(found, 1)


def _place(inputs: PointInputs, at: int) -> tuple[str, tuple[str, ...]]:
    """What the user calls the column of a coordinate, and what finds its rows that are no numbers."""
    wrong = (".is_null()", ".is_nan()", ".is_infinite()")
    for name in inputs.described.features:
        if name not in inputs.vectors:
            if at == 0:
                return name, wrong
            at -= 1
        elif at < inputs.size_of(name):
            return name, (".is_null()", ".list.eval(~pl.element().is_finite().fill_null(False)).list.any()")
        else:
            at -= inputs.size_of(name)
    return inputs.described.features[-1], wrong
