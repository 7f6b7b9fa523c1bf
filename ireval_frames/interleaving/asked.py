"""What may be asked of an interleaving test."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.interleaving.methods import METHODS
from ireval_frames.interleaving.outcome_tables import GRADED

CREDITS = ("clicks", "any", "first", "last")
UNITS = ("page", "query", "user")


def names_of(given: Any, argument: str) -> list[str]:
    """The names of rankings.

    Raises:
        InvalidParameter: it is one text, or no list.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidParameter(
            f"{argument} is {given!r}; it lists names of rankings.", Hint("Write ", Argument(argument, ["a", "b"]), ".")
        )
    return [str(name) for name in given]


def refuse(method: Any, credit: Any, unit: Any, cluster: Any, depth: Any, tau: Any, min_dwell: Any) -> None:
    """Refuse what there is not.

    Raises:
        UnknownName: there is no such method, credit, unit or cluster.
        NotDefined: clusters hold no whole units, or the credit does not go with the method.
        InvalidParameter: a number is too low, or none.
    """
    for name, value, known in (
        ("method", method, METHODS),
        ("credit", credit, CREDITS),
        ("unit", unit, UNITS),
        ("cluster", cluster, UNITS),
    ):
        if value not in known:
            raise UnknownName(f"{name} is {value!r}, which there is not.", nearest(str(value), known))
    if credit == "any" and method in GRADED:
        raise NotDefined(
            f"Every ranking has some credit of a click on {method} lists.", Hint("Write ", Argument("credit", "clicks"))
        )
    if cluster != unit and (cluster == "page" or unit != "page"):
        raise NotDefined(
            f"A {cluster} holds no whole {unit}s.", Hint("Write ", Argument("cluster", unit), ", or leave it out.")
        )
    for name, number, low in (("depth", depth, 1), ("tau", tau, 0), ("min_dwell", min_dwell or 0, 0)):
        good = isinstance(number, int | float) and not isinstance(number, bool) and low <= number < float("inf")
        if not good or (name == "depth" and not isinstance(number, int)) or (name == "tau" and not number):
            told = {"depth": "a whole number from 1 on", "tau": "a number above 0"}.get(name, "seconds, 0 or more")
            raise InvalidParameter(f"{name} is {number!r}; it is {told}.", Hint("Write ", Argument(name, 10), "."))
