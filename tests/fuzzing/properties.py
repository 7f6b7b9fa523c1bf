"""What holds whatever the input is: a result, or an error of ours that can be read."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ireval_frames.errors import IrevalError, IrevalWarning

T = TypeVar("T")
# What moves the cursor of a terminal, or hides text in it.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Fault(AssertionError):
    """A property does not hold."""


def attempted(work: Callable[[], Any]) -> tuple[Any, str]:
    """The result and "", or None and the text of an error of ours; any other error is a fault, and is raised.

    Raises:
        Fault: an error or a warning has no text, or characters that a terminal obeys.
    """
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        try:
            out, said = work(), ""
        except IrevalError as error:
            out, said = None, str(error)
            legible(said or "")
            if not said:
                raise Fault(f"{type(error).__name__} says nothing") from error
    for message in messages:
        if issubclass(message.category, IrevalWarning):
            legible(str(message.message))
        elif not issubclass(message.category, ResourceWarning | DeprecationWarning):
            raise Fault(f"a warning of another package: {message.category.__name__}: {message.message}")
    return out, said


def legible(text: str) -> None:
    """Hold that a text has no character that a terminal obeys."""
    if match := CONTROL.search(text):
        raise Fault(f"a message has {match.group()!r}: {text!r}")


def same(one: Any, other: Any, what: str) -> None:
    """Hold that two results are equal."""
    if one != other:
        raise Fault(f"{what}: {one!r:.600} and {other!r:.600}")


def chosen(name: str, choices: Mapping[str, T]) -> T:
    """What a name chooses; a name that chooses nothing stands for any of them."""
    if name in choices:
        return choices[name]
    return list(choices.values())[zlib.crc32(name.encode()) % len(choices)]


def lines(data: bytes) -> list[str]:
    r"""The lines of an input as text; `\n` in it is a line end, and other bytes than UTF-8 are left out."""
    return [line.replace("\\n", "\n") for line in data.decode("utf-8", "ignore").split("\n")]
