"""Declaring measures that count what is in documents; they are summed over documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ireval_frames.catalog import Function, measure
from ireval_frames.declaration import Measure
from ireval_frames.parameters import UPWARDS, Parameter


def count_measure(
    family: str, name: str, formula: str, source: str = "counted", *, parameters: Mapping[str, Parameter] | None = None
) -> Callable[[Function], Measure]:
    """Declare a count of a family by a function that gets the family's context and the parameters.

    Args:
        family: the family's name.
        name: the canonical name.
        formula: the formula as text.
        source: the paper or tool that defines it.
        parameters: by name.
    """
    return measure(
        family,
        name,
        at="",
        parameters=parameters,
        range=UPWARDS,
        higher_is_better=None,
        undefined=None,
        aggregation="sum",
        formula=formula,
        source=source,
    )
