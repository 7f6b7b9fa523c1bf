"""The contract kit: what a family says of its tests, and what every property needs to be written once.

A family says, in its `asked.py`, what a `Kind` holds: small hard tables, the values that are tried of parameters, the
oracle, how its tables are evaluated.  The properties beside this folder are written over all kinds.
"""

from __future__ import annotations

from tests.contract.kit.cases import (
    chosen,
    chosen_only,
    each,
    every_kind,
    families_only,
    kinds,
    names,
    restricted,
    worlds,
)
from tests.contract.kit.comparing import Values, by_measure, differences, nothing_differs, values
from tests.contract.kit.kind import ENGINES, Frames, Kind, Renamed
from tests.contract.kit.trying import Untried, alone, to_try, whatever_meets

__all__ = [
    "ENGINES",
    "Frames",
    "Kind",
    "Renamed",
    "Untried",
    "Values",
    "alone",
    "by_measure",
    "chosen",
    "chosen_only",
    "differences",
    "each",
    "every_kind",
    "families_only",
    "kinds",
    "names",
    "nothing_differs",
    "restricted",
    "to_try",
    "values",
    "whatever_meets",
    "worlds",
]
