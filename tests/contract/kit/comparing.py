"""Values of evaluations by measure and unit, and where two of them differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Key = tuple[Any, ...]
Values = dict[Key, float | None]
"""The value by (measure, key …): the keys are the columns of the result that name a unit, in their order."""
Tolerance = float | Callable[[Key], float]


def values(evaluation: Any) -> Values:
    """What an evaluation says of every unit."""
    frame = evaluation.per_unit()
    keys = [c for c in frame.columns if c not in ("measure", "value")]
    return dict(zip(frame.select("measure", *keys).rows(), frame["value"].to_list(), strict=True))


def by_measure(found: Values) -> dict[str, Values]:
    """The values of each measure."""
    out: dict[str, Values] = {}
    for key, value in found.items():
        out.setdefault(key[0], {})[key] = value
    return out


def differences(got: Values, wanted: Values, tolerance: Tolerance = 1e-12) -> list[str]:
    """Where they differ: keys that one of them lacks, and values further apart than the tolerance.

    The tolerance is a share of the wanted value, or of 1 where that is smaller.
    """
    out = [f"{_shown(key)} is not there" for key in wanted.keys() - got.keys()]
    out += [f"{_shown(key)} is too much" for key in got.keys() - wanted.keys()]
    for key in wanted.keys() & got.keys():
        a, b = got[key], wanted[key]
        if a is None or b is None:
            if a is not b:
                out.append(f"{_shown(key)}: expected {b}, got {a}")
        elif a != b:
            allowed = tolerance(key) if callable(tolerance) else tolerance
            if not abs(a - b) <= allowed * max(1.0, abs(b)):
                out.append(f"{_shown(key)}: expected {b!r}, got {a!r}")
    return sorted(out)


def nothing_differs(got: Values, wanted: Values, tolerance: Tolerance = 1e-12, where: str = "") -> None:
    """Fail with the first of the differences."""
    found = differences(got, wanted, tolerance)
    told = f" ({where})" if where else ""
    assert not found, f"{len(found)} of {len(wanted)} differ{told}:\n" + "\n".join(found[:10])


def _shown(key: Any) -> str:
    return " of ".join(map(str, (key[0], key[1:]))) if isinstance(key, tuple) and len(key) > 1 else str(key)
