"""The words around pictures: counts of units and items, directions of measures."""

from __future__ import annotations

from collections.abc import Iterable

from ireval_frames.comparison.values.sources import PerUnitValues


def counted(n: int, word: str) -> str:
    """A number and its word: "1 query", "3 queries".

    Example:
        >>> counted(1, "query"), counted(2_500, "query"), counted(2, "unit")
        ('1 query', '2,500 queries', '2 units')
    """
    if n == 1:
        return f"1 {word}"
    return f"{n:,} {word[:-1]}ies" if word.endswith("y") else f"{n:,} {word}s"


def unit_word(values: PerUnitValues) -> str:
    """What a unit is called: query_id is "query"."""
    return " and ".join(name.removesuffix("_id") for name in values.unit) or "unit"


def directed(measure: str, values: PerUnitValues) -> str:
    """A measure with the direction in which it is better."""
    return f"{measure} ({'▼ less' if measure in values.lower_is_better else '▲ more'} is better)"


def counted_units(n: Iterable[int], values: PerUnitValues) -> str:
    """How many units there are: of each system the same, or from – to."""
    return counted_range(n, unit_word(values))


def counted_range(n: Iterable[float], word: str) -> str:
    """A number and its word where all numbers are one, or from – to.

    Example:
        >>> counted_range([3, 3], "query"), counted_range([4, 2], "item"), counted_range([], "item")
        ('3 queries', '2 to 4 items', '0 items')
    """
    several = sorted({int(k) for k in n}) or [0]
    if len(several) == 1:
        return counted(several[0], word)
    return f"{several[0]:,} to {counted(several[-1], word)}"


def counted_items(n: Iterable[float], *, weighted: bool) -> str:
    """The number of items, or the sum of their weights.

    Example:
        >>> counted_items([3, 3], weighted=False), counted_items([0.5, 2.25], weighted=True)
        ('3 items', 'items with weights of 0.5 to 2.25 in all')
    """
    several = sorted(n)
    if not weighted:
        return counted_range(several, "item")
    ends = dict.fromkeys(f"{total:,.6g}" for total in (several[:1] + several[-1:]) or [0])
    return f"items with weights of {' to '.join(ends)} in all"
