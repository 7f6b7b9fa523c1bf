"""What commands find, for `ireval store keep`, which runs one and keeps that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

_FOUND: ContextVar[list[Any] | None] = ContextVar("found", default=None)
Found = TypeVar("Found")


def found(result: Found) -> Found:
    """Tell what a command found; it is kept if that was asked for."""
    if (told := _FOUND.get()) is not None:
        told.append(result)
    return result


@contextmanager
def listening() -> Iterator[list[Any]]:
    """What is found inside."""
    told: list[Any] = []
    token = _FOUND.set(told)
    try:
        yield told
    finally:
        _FOUND.reset(token)
