"""Every similarity measure with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

import itertools
import random
from typing import Any

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from tests.oracles.similarity import ORACLES
from tests.similarity.worlds import Lists

DEFINITIONS = catalog.definitions("similarity")
TRIED: dict[str, tuple[Any, ...]] = {
    "cutoff": (None, 1, 3, 7, 100),
    "p": (0.9, 0.5),
    "variant": ("a", "b"),
    "ties": ("a", "b", "w", "midranks", "distances"),
    "estimate": ("extrapolated", "minimum", "maximum", "residual", "truncated", "normalized"),
    "rank": ("mean", "measured", "reference"),
    "weigher": ("hyperbolic", "quadratic", "logarithmic"),
    "additive": (True, False),
}


def taken(parameter: Any, values: tuple[Any, ...]) -> list[Any]:
    out = []
    for value in values:
        try:
            parameter.convert(value)
        except ValueError:
            continue
        out.append(value)
    return out


def variants(definition: Any) -> list[Measure]:
    """All combinations of the values that a measure's parameters take."""
    values = [taken(parameter, TRIED[name]) for name, parameter in definition.parameters.items()]
    return [
        definition(**dict(zip(definition.parameters, chosen, strict=True))) for chosen in itertools.product(*values)
    ]


ALL = [m for d in DEFINITIONS for m in variants(d)]


def some(seed: int, number: int) -> list[Measure]:
    """A few variants of every measure."""
    rng = random.Random(seed)
    return [m for d in DEFINITIONS for m in rng.sample(variants(d), min(number, len(variants(d))))]


Values = dict[tuple[str, str, str, str], float | None]


def values(comparison: ir.similarity.Comparison) -> Values:
    """The value by (run, other run, query, measure)."""
    return {(a, b, q, m): v for a, b, q, m, v in comparison.per_unit().iter_rows()}


def expected(lists: Lists, measures: list[Measure]) -> Values:
    """What the oracles say of every two runs and every query that one of them has."""
    runs, out = sorted({run for run, _ in lists}), {}
    for one, other in itertools.permutations(runs, 2):
        for query in sorted({q for run, q in lists if run in (one, other)}):
            there = (one, query) in lists and (other, query) in lists
            for measure in measures:
                value = (
                    ORACLES[measure.name](lists[one, query], lists[other, query], **measure.arguments())
                    if there
                    else None
                )
                out[one, other, query, str(measure)] = value
    return out


def differences(got: Values, wanted: Values, tolerance: float = 1e-12) -> list[str]:
    """Where they differ."""
    out = [f"{key} is not there" for key in wanted.keys() - got.keys()] + [
        f"{key} is too much" for key in got.keys() - wanted.keys()
    ]
    for key in wanted.keys() & got.keys():
        a, b = got[key], wanted[key]
        if (a is None) != (b is None) or (a is not None and b is not None and not abs(a - b) <= tolerance):
            out.append(f"{key}: {a!r} instead of {b!r}")
    return sorted(out)
