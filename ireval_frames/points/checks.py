"""The checks of a table of points, and their errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Literal

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, InvalidValue, rows_to_fix
from ireval_frames.expr import col, max_horizontal
from ireval_frames.items.checks import weights
from ireval_frames.points.inputs import PointInputs

# The largest size of features, and the inverse of the smallest width of groups, whose fourth powers are floats.
MAX_FEATURE = 1e50
# The largest weight, and the inverse of the smallest.
MAX_WEIGHT = 1e30


def checks(inputs: PointInputs) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    return [lambda: run_checks(inputs.engine, declared(inputs)), inputs.read_distances]


def declared(inputs: PointInputs) -> Iterator[Check]:
    """The checks of the inputs."""
    yield from inputs.checks
    yield from _lengths(inputs)
    yield from (_finite(inputs, i, feature) for i, feature in enumerate(inputs.features))
    if "weight" in inputs.user_columns:
        yield weights(inputs.raw, "points", inputs.user_columns["weight"])
        yield _weights_in_range(inputs)
    if inputs.features:
        yield from _scales(inputs)
    if inputs.policy.missing == "error":
        yield Check(inputs.raw, col("cluster_id").is_null(), _in_no_cluster)


def _lengths(inputs: PointInputs) -> Iterator[Check]:
    """The vectors of a column have one length."""
    schema = inputs.frame.collect_schema()
    for name in inputs.vectors:
        if not isinstance(schema[name], pl.Array):
            size, length = inputs.point_columns.sizes[name], col(name).list.len()
            yield Check(inputs.frame, ~length.is_null() & (length != size), _other_length(name, size))


def _other_length(name: str, size: int) -> Callable[[pl.DataFrame, int], InvalidValue]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"Column {name!r} of the points table holds vectors of {size} and of {len(rows[name][0])} numbers.",
            rows_to_fix("points", name, f".list.len() != {size}"),
        )

    return error


def _finite(inputs: PointInputs, at: int, feature: str) -> Check:
    """Coordinates are finite numbers."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        where, test = _place(inputs, at)
        value = rows[feature][0]
        return InvalidValue(
            f"Column {where!r} of the points table holds {'null' if value is None else value}; features must be finite "
            "numbers.",
            rows_to_fix("points", where, *test),
        )

    return Check(inputs.raw, col(feature).is_null() | ~col(feature).is_finite(), error)


def _weights_in_range(inputs: PointInputs) -> Check:
    """Squares of sums of weights are floats."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        weight = rows["weight"][0]
        return InvalidValue(
            f"Column 'weight' of the points table holds {weight:g}; squares of sums of such weights are no floats.",
            f'Scale them: frame.with_columns(pl.col("{inputs.user_columns["weight"]}") / {_power(weight)})',
        )

    value = col("weight")
    return Check(inputs.raw, (value > 0) & ((value < 1.0 / MAX_WEIGHT) | (value > MAX_WEIGHT)), error)


def _scales(inputs: PointInputs) -> Iterator[Check]:
    """The fourth powers of features are floats.

    Otherwise distances would be infinite, or all 0, and results silently wrong.
    """
    names = ", ".join(f'"{name}"' for name in inputs.point_columns.features)

    def error(text: str, column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
        return lambda rows, _: InvalidValue(
            f"{text} {rows[column][0]:g}; the squares of such distances exceed the range of floats.",
            f"Scale them: frame.with_columns(pl.col({names}) / {_power(rows[column][0])})",
        )

    functions: tuple[Literal["min", "max"], ...] = ("min", "max")
    ends = [Aggregate(f"{x}_{f}", f, col(x)) for x in inputs.features for f in functions]
    low, high = ([col(f"{x}_{f}") for x in inputs.features] for f in functions)
    units = inputs.engine.group(inputs.points, inputs.keys, ends).select(
        largest=max_horizontal(*(e.abs() for e in (*low, *high))),
        widest=max_horizontal(*(h - a for a, h in zip(low, high, strict=True))),
    )
    yield Check(units, col("largest") > MAX_FEATURE, error("A feature is", "largest"))
    near = (col("widest") > 0.0) & (col("widest") < 1.0 / MAX_FEATURE)
    yield Check(units, near, error("The points of a group lie within", "widest"))


def _in_no_cluster(rows: pl.DataFrame, count: int) -> InvalidValue:
    del rows
    return InvalidValue(
        f"{count} points are in no cluster.",
        Hint("Leave them out: ", Argument("policy", "missing=skip"), ", or ", Argument("policy", "missing=singleton")),
    )


def _power(value: float) -> str:
    return f"1e{math.floor(math.log10(value))}"


def fractional_weight(measure: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error that a weight is a fraction, where points are counted."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"{measure} counts points, and the weight {rows['weight'][0]:g} is not a whole number.",
            'Weigh by whole numbers, or evaluate measures of shares: "SSE RSquared DaviesBouldin".',
        )

    return error


def whole_weights(inputs: PointInputs, name: str) -> Iterator[Check]:
    """Weights are no fractions, where points are counted."""
    if "weight" in inputs.columns:
        yield Check(inputs.points, col("weight") != col("weight").floor(), fractional_weight(name))


def _place(inputs: PointInputs, at: int) -> tuple[str, tuple[str, ...]]:
    """The user's column of a coordinate, and the conditions that find its rows without numbers."""
    invalid = (".is_null()", ".is_nan()", ".is_infinite()")
    for name in inputs.point_columns.features:
        if name not in inputs.vectors:
            if at == 0:
                return name, invalid
            at -= 1
        elif at < inputs.size_of(name):
            array = isinstance(inputs.frame.collect_schema()[name], pl.Array)
            listed = ".arr.to_list()" if array else ""
            return name, (".is_null()", f"{listed}.list.eval(~pl.element().is_finite().fill_null(False)).list.any()")
        else:
            at -= inputs.size_of(name)
    return inputs.point_columns.features[-1], invalid
