"""Parameters that several measures of click logs have."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import Any

from ireval_frames.parameters import Parameter, flag, number, whole

CUTOFF = whole(None, "only the first k positions count")
DWELL = number(30.0, "the seconds from which a click on a document satisfies", low=0.0)
UNKNOWN = flag(what="clicks whose dwell is not known satisfy, such as the last one of a session")
# The seconds that Fox et al. 2005 take.
FOX = "Fox, Karnawat, Mydland, Dumais and White, TOIS 2005"


def by_position(what: str) -> Parameter:
    """A number in (0, 1] for each position, from the first on; None where the log says it."""

    def convert(value: Any) -> Any:
        if value is None:
            return None
        allowed = "numbers in (0, 1], that of the first position first"
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(allowed)
        numbers = tuple(value)
        if not numbers or not all(
            isinstance(v, Real) and not isinstance(v, bool) and 0 < float(v) <= 1 for v in numbers
        ):
            raise ValueError(allowed)
        return tuple(float(v) for v in numbers)

    return Parameter(None, what, convert)
