"""Values of evaluations by measure and unit, and how two of them differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Key = tuple[Any, ...]
Values = dict[Key, float | None]
"""The value by (measure, key …): the keys are the columns of the result that name a unit, in their order."""
Tolerance = float | Callable[[Key], float]


def values(evaluation: Any) -> Values:
    """The values of an evaluation per unit."""
    frame = evaluation.per_unit()
    keys = [c for c in frame.columns if c not in ("measure", "value")]
    return dict(zip(frame.select("measure", *keys).rows(), frame["value"].to_list(), strict=True))


def by_measure(all_values: Values) -> dict[str, Values]:
    """The values of each measure."""
    out: dict[str, Values] = {}
    for key, value in all_values.items():
        out.setdefault(key[0], {})[key] = value
    return out


def differences(actual: Values, expected: Values, tolerance: Tolerance = 1e-12) -> list[str]:
    """Keys that only one of them has, and values that differ by more than the tolerance.

    The tolerance is a share of the expected value, or of 1 where that is smaller.
    """
    out = [f"{_unit(key)} is missing" for key in expected.keys() - actual.keys()]
    out += [f"{_unit(key)} is not expected" for key in actual.keys() - expected.keys()]
    for key in expected.keys() & actual.keys():
        a, b = actual[key], expected[key]
        if a is None or b is None:
            if a is not b:
                out.append(f"{_unit(key)}: expected {b}, got {a}")
        elif a != b:
            allowed = tolerance(key) if callable(tolerance) else tolerance
            if not abs(a - b) <= allowed * max(1.0, abs(b)):
                out.append(f"{_unit(key)}: expected {b!r}, got {a!r}")
    return sorted(out)


def assert_same(actual: Values, expected: Values, tolerance: Tolerance = 1e-12, context: str = "") -> None:
    """Fail with the first ten differences."""
    lines = differences(actual, expected, tolerance)
    suffix = f" ({context})" if context else ""
    assert not lines, f"{len(lines)} of {len(expected)} differ{suffix}:\n" + "\n".join(lines[:10])


def _unit(key: Any) -> str:
    return " of ".join(map(str, (key[0], key[1:]))) if isinstance(key, tuple) and len(key) > 1 else str(key)
