"""How public names and arguments are deprecated."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

from ireval_frames.errors import warn

P = ParamSpec("P")
R = TypeVar("R")
# A deprecated name goes with this many minor versions after that in which it was deprecated.
MINOR_VERSIONS = 2


def deprecated(
    since: str, instead: str, *, arguments: Mapping[str, str] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a public function or method, or some of its arguments, as deprecated: a call that uses them warns.

    Args:
        since: the version that deprecates it, such as "0.4".
        instead: what to write instead.
        arguments: old names of arguments and their new ones; the function itself is not deprecated then, and is called
            with the new names.

    Example:
        >>> import warnings
        >>> @deprecated("0.4", "ir.compare(…)")
        ... def contrast() -> int:
        ...     return 1
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     _ = contrast()
        >>> str(caught[0].message)
        'contrast is deprecated since 0.4 and goes with 0.6. Write ir.compare(…).'
    """
    goes = f"is deprecated since {since} and goes with {removed_in(since)}. Write {instead}."

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__qualname__

        @functools.wraps(function)
        def marked(*positional: P.args, **named: P.kwargs) -> R:
            if arguments is None:
                warn(f"{name} {goes}", DeprecationWarning)
            for old, new in (arguments or {}).items():
                if old in named:
                    if new in named:
                        raise TypeError(f"{name} takes {new!r}; {old!r} is its old name. Leave {old}= out.")
                    warn(f"{old}= of {name} {goes}", DeprecationWarning)
                    named[new] = named.pop(old)
            return function(*positional, **named)

        return marked

    return mark


def removed_in(since: str) -> str:
    """The version that no longer has what this one deprecates."""
    major, minor = (int(part) for part in since.split(".")[:2])
    return f"{major}.{minor + MINOR_VERSIONS}"
