"""How a click model is fitted: priors, initial values, the end of iterations, which pages count; and conventions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from ireval_frames.parameters import BaseOptions, Parameter, choice, number, numbers, option, whole

PARAMETERS = ("attraction", "satisfaction", "continuation", "examination", "ctr")
N_RESAMPLES = whole(100, "how many resamples of pages are fitted", 2)


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _prior(value: Any) -> tuple[float, float]:
    pair = isinstance(value, tuple | list) and len(value) == 2
    if not pair or not all(_number(x) and 0 <= x < 1e300 for x in value):
        raise ValueError("two pseudo-counts (a, b) from 0 on")
    return float(value[0]), float(value[1])


def _initial(value: float | Mapping[str, float]) -> float | Mapping[str, float]:
    starts = value if isinstance(value, Mapping) else {"attraction": value}
    if not all(k in PARAMETERS and _number(x) and 0 < x < 1 for k, x in starts.items()):
        raise ValueError("a number between 0 and 1, or one for each parameter")
    return value


def _fixed(value: Any) -> Mapping[str, float]:
    if not isinstance(value, Mapping) or not all(
        k in PARAMETERS and _number(x) and 0 < x <= 1 for k, x in value.items()
    ):
        raise ValueError("a mapping from parameters to values above 0, up to 1")
    return value


@dataclass(frozen=True)
class Options(BaseOptions):
    """How a click model is fitted.

    Attributes:
        iterations: the largest number.
        tolerance: the largest change of a parameter at which they end; 0 runs all of them, without a warning.
        prior: (a, b): every parameter is (hits + a) / (trials + a + b).
        initial: the initial value of every parameter, or a mapping from parameters, 0.5 for others.
        no_clicks: pages without clicks were "examined" to their end, or are "dropped".
        shortest: pages with fewer results are left out.
        fixed: parameters that keep a value.
    """

    iterations: int = option(whole(500, "the largest number of iterations"))
    tolerance: float = option(number(1e-6, "the largest change of a parameter at which they end", 0.0))
    prior: tuple[float, float] = option(
        Parameter((1.0, 1.0), "two pseudo-counts; 0,0 is maximum likelihood", _prior, kind=numbers)
    )
    initial: float | Mapping[str, float] = option(Parameter(0.5, "the initial value of every parameter", _initial))
    no_clicks: str = option(choice("examined", "dropped", what="a page without clicks was examined, or is dropped"))
    shortest: int = option(whole(1, "pages with fewer results are left out"))
    fixed: Mapping[str, float] = option(
        Parameter({}, "parameters that keep a value", _fixed, example={"continuation": 0.9})
    )

    def initial_value(self, parameter: str) -> float:
        """The initial value of a parameter."""
        if parameter in self.fixed:
            return self.fixed[parameter]
        return self.initial.get(parameter, 0.5) if isinstance(self.initial, Mapping) else self.initial

    @property
    def every_page(self) -> bool:
        """Whether all pages count."""
        return self.no_clicks == "examined" and self.shortest <= 1

    @property
    def unseen(self) -> float:
        """The value of what the log has no data on: the mean of the prior; NaN without a prior."""
        a, b = self.prior
        return a / (a + b) if a + b > 0 else float("nan")

    def described(self) -> dict[str, Any]:
        """The options as plain values."""
        return dataclasses.asdict(self) | {"prior": list(self.prior)}


# The defaults of other tools, without their faults.
CONVENTIONS: dict[str, Options] = {
    "pyclick": Options(iterations=50, tolerance=0.0),
    "clickmodels": Options(
        iterations=40,
        tolerance=0.0,
        initial={"attraction": 0.5, "satisfaction": 0.5, "examination": 0.5, "continuation": 0.9},
        no_clicks="dropped",
        shortest=10,
        fixed={"continuation": 0.9},
    ),
}


CONVENTION = choice(None, *CONVENTIONS, what="the defaults of this tool")


def options_of(convention: str | None, values: Mapping[str, Any]) -> Options:
    """The options of a convention, with some values replaced.

    Raises:
        UnknownName, InvalidParameter: there is no such convention, or an option has a value that is not allowed.
    """
    CONVENTION.check("convention", convention)
    base = CONVENTIONS[convention] if convention else Options()
    return dataclasses.replace(base, **{name: value for name, value in values.items() if value is not None})
