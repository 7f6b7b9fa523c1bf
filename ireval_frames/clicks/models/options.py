"""How a click model is fitted: priors, where iterations begin and end, and which pages count; conventions by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest

PARAMETERS = ("attraction", "satisfaction", "continuation", "examination", "ctr")
NO_CLICKS = ("examined", "dropped")


@dataclass(frozen=True)
class Options:
    """How a click model is fitted.

    Attributes:
        iterations: how many there are at most.
        tolerance: the largest change of a parameter at which they end; 0 makes them all, and warns of none.
        prior: (a, b): every parameter is (hits + a) / (trials + a + b).
        initial: where every parameter begins, or a mapping from parameters; what it leaves out begins at 0.5.
        no_clicks: a page without clicks was "examined" to its end, or is "dropped".
        shortest: pages with fewer results are left out.
        fixed: parameters that keep a value.
    """

    iterations: int = 500
    tolerance: float = 1e-6
    prior: tuple[float, float] = (1.0, 1.0)
    initial: float | Mapping[str, float] = 0.5
    no_clicks: str = "examined"
    shortest: int = 1
    fixed: Mapping[str, float] = field(default_factory=dict)

    def begins(self, parameter: str) -> float:
        """Where a parameter begins."""
        if parameter in self.fixed:
            return self.fixed[parameter]
        return self.initial.get(parameter, 0.5) if isinstance(self.initial, Mapping) else self.initial

    @property
    def every_page(self) -> bool:
        """Whether all pages count."""
        return self.no_clicks == "examined" and self.shortest <= 1

    @property
    def unseen(self) -> float:
        """What a value is taken for of which the log tells nothing: the prior's mean; NaN without a prior."""
        a, b = self.prior
        return a / (a + b) if a + b > 0 else float("nan")

    def described(self) -> dict[str, Any]:
        """The options as plain values."""
        return dataclasses.asdict(self) | {"prior": list(self.prior)}


# What other tools do where nothing is said; their faults are not among it.
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


def options_of(convention: str | None, given: Mapping[str, Any]) -> Options:
    """The options of a convention, with those that are given in their place.

    Raises:
        UnknownName: there is no such convention.
        InvalidParameter: an option has a value that it must not have.
    """
    if convention is not None and convention not in tuple(CONVENTIONS):
        raise UnknownName(
            f"There is no convention {convention!r} of click models.", nearest(str(convention), CONVENTIONS)
        )
    base = CONVENTIONS[convention] if convention else Options()
    return checked(dataclasses.replace(base, **{name: value for name, value in given.items() if value is not None}))


def checked(options: Options) -> Options:
    """The options, if they can be meant.

    Raises:
        InvalidParameter: one has a value that it must not have.
    """
    o = options
    _within("iterations", o.iterations, _whole(o.iterations, 1), "a whole number of at least 1", 50)
    _within("shortest", o.shortest, _whole(o.shortest, 1), "a whole number of at least 1", 1)
    _within("tolerance", o.tolerance, _number(o.tolerance) and o.tolerance >= 0, "a number from 0 on", 1e-6)
    pair = isinstance(o.prior, tuple | list) and len(o.prior) == 2
    good = pair and all(_number(x) and x >= 0 for x in o.prior)
    _within("prior", o.prior, good, "two pseudo-counts (a, b) from 0 on", (1, 1))
    _within("no_clicks", o.no_clicks, o.no_clicks in NO_CLICKS, "'examined' or 'dropped'", "examined")
    starts = o.initial if isinstance(o.initial, Mapping) else {"attraction": o.initial}
    inside = all(k in PARAMETERS and _number(x) and 0 < x < 1 for k, x in starts.items())
    _within("initial", o.initial, inside, "a number between 0 and 1, or one for each parameter", 0.5)
    inside = isinstance(o.fixed, Mapping) and all(
        k in PARAMETERS and _number(x) and 0 < x <= 1 for k, x in o.fixed.items()
    )
    _within("fixed", o.fixed, inside, "a mapping from parameters to values above 0, up to 1", {"continuation": 0.9})
    return dataclasses.replace(o, prior=(float(o.prior[0]), float(o.prior[1])))


def several(samples: object) -> None:
    """Refuse what is no number of replicates.

    Raises:
        InvalidParameter: it is none.
    """
    _within("samples", samples, _whole(samples, 2), "a whole number of at least 2", 100)


def seeded(seed: object) -> None:
    """Refuse what is no seed.

    Raises:
        InvalidParameter: it is no whole number from 0.
    """
    _within("seed", seed, _whole(seed, 0), "a whole number from 0 on", 0)


def _whole(value: object, low: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= low


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _within(name: str, value: object, good: bool, allowed: str, example: object) -> None:  # noqa: FBT001
    if not good:
        raise InvalidParameter(
            f"{name} is {value!r}; allowed: {allowed}.", Hint("Write ", Argument(name, example), ".")
        )


def confidence_of(value: float) -> float:
    """A confidence, if it is one.

    Raises:
        InvalidParameter: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise InvalidParameter(
            f"confidence is {value!r}; allowed: a number between 0 and 1.",
            Hint("Write ", Argument("confidence", 0.95), "."),
        )
    return float(value)
