"""Criteria of clusterings by the points: how they are declared, and the parameter that several have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.parameters import UPWARDS, Parameter
from ireval_frames.points.distances import METRICS


def point_measure(
    name: str, *, range: tuple[float, float] = UPWARDS, **declared: Any
) -> Callable[[catalog.Function], Measure]:
    """Declare a measure of points; its function gets a `PointContext` and the parameters.

    Args:
        name: the canonical name.
        range: the smallest and largest value.
        declared: further arguments of `catalog.measure`.
    """
    return catalog.measure("points", name, range=range, undefined=None, **declared)


def own_metric() -> Parameter:
    """The parameter `metric` of measures of distances of points."""

    def convert(value: Any) -> Any:
        if value is not None and value not in METRICS:
            raise ValueError(" or ".join(repr(m) for m in METRICS))
        return value

    return Parameter(None, "the distance, instead of that of the points", convert)
