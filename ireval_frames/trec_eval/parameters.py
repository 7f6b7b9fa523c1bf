"""The parameters after the dot of `-m name.parameters`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from ireval_frames.errors import InvalidParameter, UsageError

Number = TypeVar("Number", int, float)

_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class NotCalculable(UsageError):
    """Parameters that trec_eval accepts, and fails on when it calculates."""


def cutoffs(name: str, text: str) -> list[int]:
    """Ranks, ascending; decimals are truncated."""
    return _ascending(name, text, _cutoff)


def levels(name: str, text: str) -> list[float]:
    """Numbers of 0 or more, ascending."""
    return _ascending(name, text, _level)


def recalls(name: str, text: str) -> tuple[float, ...]:
    """Recall levels, which must ascend; in another order trec_eval prints wrong values."""
    values = [_level(name, part) for part in text.split(",")]
    if values != sorted(values):
        raise InvalidParameter(
            f"-m {name}.{text}: recall levels must ascend.",
            f"Write -m {name}.{','.join(f'{v:g}' for v in sorted(values))}",
        )
    return tuple(values)


def first(name: str, text: str) -> float:
    """The first number; trec_eval ignores the others."""
    return number(name, text.partition(",")[0])


def square(name: str, text: str) -> float:
    """The weight of recall, which is β²."""
    value = first(name, text)
    if value < 0:
        raise InvalidParameter(f"-m {name}.{text}: the weight of recall is negative.", f"Write -m {name}.0.5")
    return value


def utilities(name: str, text: str) -> dict[str, float]:
    """The utilities of the four cells of a contingency table.

    Raises:
        NotCalculable: there are more or fewer than four.
    """
    values = [number(name, part) for part in text.split(",")]
    if len(values) != 4:
        raise NotCalculable(
            f"-m {name}.{text}: {len(values)} numbers where {name} takes four.", f"Write -m {name}.1,-1,0,0"
        )
    return dict(zip(("hit", "noise", "miss", "rest"), values, strict=True))


def gains(name: str, text: str) -> dict[str, object]:
    """Gains by grade: -1 is for documents without a judgment, -2 for every negative grade."""
    return _gains(name, pairs(name, text))


def persistence(name: str, text: str) -> dict[str, object]:
    """The persistence p, and gains by grade."""
    values = pairs(name, text)
    p = values.pop("p", 0.9)
    if not 0 < p < 1:
        raise InvalidParameter(f"-m {name}.{text}: p is {p:g}; it must lie between 0 and 1.", f"Write -m {name}.p=0.8")
    return {"p": p} | _gains(name, values)


def pairs(name: str, text: str) -> dict[str, float]:
    """Pairs of a name and a number."""
    out: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key in out:
            raise InvalidParameter(
                f"-m {name}.{text}: name=value pairs, each name once, must follow the dot.",
                f"Write -m {name}.1=3,2=9",
            )
        out[key] = number(name, value)
    return out


def number(name: str, text: str) -> float:
    """A decimal number."""
    if not _NUMBER.fullmatch(text):
        raise InvalidParameter(f"-m {name}: {text!r} is not a number.", f"Write -m {name}.0.5")
    return float(text)


def _gains(name: str, values: dict[str, float]) -> dict[str, object]:
    wrong = [key for key in values if not re.fullmatch(r"[+-]?[0-9]+", key)]
    if wrong:
        raise InvalidParameter(
            f"-m {name}: gains are named by grades, and {wrong[0]!r} is not a grade.", f"Write -m {name}.1=3,2=9"
        )
    table = {int(key): value for key, value in values.items()}
    unjudged = table.pop(-1, 0.0)
    # trec_eval reads every negative grade as -2.
    return {"gains": {grade: value for grade, value in table.items() if grade >= -2}} | (
        {"unjudged": unjudged} if unjudged else {}
    )


def _ascending(name: str, text: str, read: Callable[[str, str], Number]) -> list[Number]:
    values = sorted(read(name, part) for part in text.split(","))
    if len(set(values)) < len(values):
        raise InvalidParameter(f"-m {name}.{text}: a cutoff is repeated.", "Name each once.")
    return values


def _cutoff(name: str, text: str) -> int:
    match = re.fullmatch(r"\s*\+?([0-9]{1,18})(\.[0-9]*)?", text)
    if not match or not int(match[1]):
        raise InvalidParameter(f"-m {name}: {text!r} is not a cutoff of at least 1.", f"Write -m {name}.5,10")
    return int(match[1])


def _level(name: str, text: str) -> float:
    value = number(name, text)
    if value < 0:
        raise InvalidParameter(f"-m {name}: {text!r} is below 0.", f"Write -m {name}.0.5")
    return value
