"""What a measure's parameters may be: the kinds of them, each with its default, what it allows, and a sentence.

Example:
    >>> from ireval_frames import parameters
    >>> depth = parameters.whole(10, "how far down is looked")
    >>> depth.convert(20)
    20
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

# What stands for the default of a parameter that must be given.
REQUIRED: Any = inspect.Parameter.empty
# Floats tell whole numbers apart up to here.
LARGEST_WHOLE = 2**53
SMALLEST_NUMBER = 1e-100
# The ranges of counts and sums, and of what may also be below 0.
UPWARDS = (0.0, math.inf)
ANY_NUMBER = (-math.inf, math.inf)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default, what it allows, and a sentence."""

    default: Any
    what: str
    convert: Callable[[Any], Any]
    """Returns the value in its one spelling, or raises ValueError with what is allowed."""
    ranges: Mapping[Any, tuple[float, float]] = field(default_factory=dict)
    """The measure's range where this parameter has such a value."""
    low: float = -math.inf
    """The smallest number it may be, where it is one; itself not allowed with `open_ends`."""
    high: float = math.inf
    """The largest."""
    open_ends: bool = False


def whole(default: Any = REQUIRED, what: str = "", low: int = 1, high: int = LARGEST_WHOLE) -> Parameter:
    """A whole number from `low` to `high`; None where the default is None."""

    def convert(value: Any) -> Any:
        if value is None and default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < low:
            raise ValueError(f"a whole number of at least {low}")
        if int(value) > high:
            raise ValueError(f"a whole number of at most {high}")
        return int(value)

    return Parameter(default, what, convert, low=low, high=high)


def number(
    default: Any = REQUIRED, what: str = "", low: float = -math.inf, high: float = math.inf, *, open_ends: bool = False
) -> Parameter:
    """A number between `low` and `high`; whole numbers are meant as floats; None where the default is None.

    Powers, products and quotients of it must be numbers too, so it is not as large or small as a float can be.
    """
    ends = "()" if open_ends else "[]"
    allowed = f"a number in {ends[0]}{low:g}, {high:g}{ends[1]}" if low > -math.inf or high < math.inf else "a number"

    def convert(value: Any) -> Any:
        if value is None and default is None:
            return None
        if not isinstance(value, Real) or isinstance(value, bool) or math.isnan(value):
            raise ValueError(allowed)
        given = float(value)
        if given != 0 and not SMALLEST_NUMBER <= abs(given) <= 1 / SMALLEST_NUMBER:
            raise ValueError(f"0, or of a size between {SMALLEST_NUMBER:g} and {1 / SMALLEST_NUMBER:g}")
        if not (low < given < high if open_ends else low <= given <= high):
            raise ValueError(allowed)
        return given

    return Parameter(default, what, convert, low=low, high=high, open_ends=open_ends)


def choice(default: str, *others: str, what: str = "") -> Parameter:
    """One of a few words."""

    def convert(value: Any) -> Any:
        if value not in (default, *others):
            raise ValueError(" or ".join(repr(c) for c in (default, *others)))
        return value

    return Parameter(default, what, convert)


def flag(*, default: bool = False, what: str = "") -> Parameter:
    """True or False."""

    def convert(value: Any) -> Any:
        if not isinstance(value, bool):
            raise ValueError("True or False")
        return value

    return Parameter(default, what, convert)
