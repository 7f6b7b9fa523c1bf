"""Compact letters: systems that share one differ by none of the tests."""

from __future__ import annotations

from collections.abc import Iterable

from ireval_frames.stats.sample import Array


def compact_letters(means: Array, different: Iterable[tuple[int, int]]) -> list[str]:
    """The letters of each system: two systems have one in common exactly where they do not differ.

    One group of all is split by each pair that differs, into two groups without one or the other; groups within others
    are dropped.  Letters go from the best mean down, and after z come aa, ab ….

    Args:
        means: of the systems, larger is better (negate them where it is not); it orders the letters alone.
        different: the pairs of systems, by number from 0, that differ significantly.

    Returns:
        A text per system, its letters in order; beyond 26 groups with a space between them.

    Source: Piepho, Journal of Computational and Graphical Statistics 2004.

    Example:
        >>> import numpy as np
        >>> compact_letters(np.array([0.1, 0.5, 0.3]), [(0, 1)])
        ['b', 'a', 'ab']
    """
    order = sorted(range(len(means)), key=lambda system: (-means[system], system))
    groups = [frozenset(order)] if order else []
    for pair in different:
        one, other = pair
        split = [group for group in groups if one in group and other in group]
        retained = [group for group in groups if not (one in group and other in group)]
        for part in (group - {system} for group in split for system in pair):
            # A subset of another group is redundant.
            if not any(part <= group for group in retained):
                retained = [group for group in retained if not group <= part] + [part]
        groups = retained
    place = {system: i for i, system in enumerate(order)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    names = [letter(i) for i in range(len(groups))]
    between = " " if len(groups) > 26 else ""
    return [
        between.join(name for name, group in zip(names, groups, strict=True) if system in group)
        for system in range(len(means))
    ]


def letter(number: int) -> str:
    """The letter of a place: of 0 a, of 25 z, of 26 aa."""
    text = ""
    number += 1
    while number:
        number, at = divmod(number - 1, 26)
        text = chr(ord("a") + at) + text
    return text
