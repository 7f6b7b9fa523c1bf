"""One test over many small cases: all are tried, and those that fail are told together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each_of(
    cases: Iterable[Any], named: Callable[[Any], str] = str
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of a function that is called with every case, or with the parts of one that is a tuple."""
    every = list(cases)

    def decorated(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            assert every
            wrong = []
            for case in every:
                try:
                    check(*case) if isinstance(case, tuple) else check(case)
                # What `pytest.raises` says is no `Exception`.
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below
                    wrong.append(f"{named(case)}: {type(error).__name__}: {error}")
            assert not wrong, f"{len(wrong)} of {len(every)} fail:\n" + "\n".join(wrong)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated
