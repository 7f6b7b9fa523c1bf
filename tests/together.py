"""One test over many small cases, which reports all failures together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each_of(
    cases: Iterable[Any], case_id: Callable[[Any], str] = str
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test that calls the function with every case; a tuple is several arguments."""
    all_cases = list(cases)

    def decorated(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            assert all_cases
            failures = []
            for case in all_cases:
                try:
                    check(*case) if isinstance(case, tuple) else check(case)
                # Failures of `pytest.raises` are no `Exception`.
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - reported below
                    failures.append(f"{case_id(case)}: {type(error).__name__}: {error}")
            assert not failures, f"{len(failures)} of {len(all_cases)} fail:\n" + "\n".join(failures)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated
