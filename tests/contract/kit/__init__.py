"""The contract kit: what a family declares of its tests, and what every property needs to be written once.

A family declares `Suite`s in its `suite.py`: test cases (small hard tables), the values of parameters to try, the
oracle, how its tables are evaluated.  The properties beside this folder are written over all suites.
"""

from __future__ import annotations

from tests.contract.kit.comparing import Values, assert_same, by_measure, differences, values
from tests.contract.kit.selection import (
    all_suites,
    is_one_measure,
    main_cases,
    measure_names,
    parametrize,
    select_families,
    select_measure,
    selected,
    suites,
)
from tests.contract.kit.suite import ENGINES, Frames, Renaming, Suite
from tests.contract.kit.variants import NoValues, allow_no_overlap, one_at_a_time, values_of

__all__ = [
    "ENGINES",
    "Frames",
    "NoValues",
    "Renaming",
    "Suite",
    "Values",
    "all_suites",
    "allow_no_overlap",
    "assert_same",
    "by_measure",
    "differences",
    "is_one_measure",
    "main_cases",
    "measure_names",
    "one_at_a_time",
    "parametrize",
    "select_families",
    "select_measure",
    "selected",
    "suites",
    "values",
    "values_of",
]
