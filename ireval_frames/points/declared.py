"""How measures of points are declared, and the parameters that several of them have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames import catalog
from ireval_frames.measure import Measure, Parameter
from ireval_frames.points.distances import METRICS


def point_measure(
    name: str,
    *,
    low: float = 0.0,
    high: float = math.inf,
    higher_is_better: bool | None,
    formula: str,
    source: str,
    parameters: Mapping[str, Parameter] | None = None,
    aliases: tuple[str, ...] = (),
    sequential: str = "",
    aggregation: str = "mean",
) -> Callable[[Callable[..., nw.Expr]], Measure]:
    """Declare a measure of points; its function gets a `PointContext` and the parameters."""
    return catalog.measure(
        "points",
        name,
        parameters=parameters,
        aliases=aliases,
        range=(low, high),
        higher_is_better=higher_is_better,
        undefined=None,
        formula=formula,
        source=source,
        sequential=sequential,
        aggregation=aggregation,
    )


def own_metric() -> Parameter:
    """The parameter `metric` of measures that look at distances of points."""

    def convert(value: Any) -> Any:
        if value is not None and value not in METRICS:
            raise ValueError(" or ".join(repr(m) for m in METRICS))
        return value

    return Parameter(None, "the distance, instead of that of the points", convert)
