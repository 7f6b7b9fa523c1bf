"""Values in standard deviations from a mean, both read from a file: `-Z` of trec_eval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ireval_frames.errors import DuplicateRows, FileError
from ireval_frames.io.text.bad_lines import BadLines

# Printed where a query and measure have no mean, or a deviation of 0 and another value than the mean.
MISSING = -1000000.0
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Zscores:
    """Means and standard deviations by query and printed name.

    Args:
        moments: mean and standard deviation of each.
    """

    def __init__(self, moments: dict[tuple[str, str], tuple[float, float]]) -> None:
        self._moments = moments

    def convert(self, name: str, queries: Sequence[str], column: Sequence[float | str]) -> Sequence[float | str]:
        """The values of a measure in standard deviations from the mean of each query; texts stay."""
        return [
            value if isinstance(value, str) else self._one(name, query, value)
            for query, value in zip(queries, column, strict=True)
        ]

    def _one(self, name: str, query: str, value: float) -> float:
        if (query, name) not in self._moments:
            return MISSING
        mean, deviation = self._moments[query, name]
        if deviation:
            return (value - mean) / deviation
        return 0.0 if value == mean else MISSING


def read(path: str) -> Zscores:
    """Read the lines `query measure mean deviation`.

    Raises:
        FileError: the file cannot be read, or is empty.
        MalformedFile: lines that do not have four fields, the last two of them numbers.
        DuplicateRows: a query and measure occur twice.
    """
    moments: dict[tuple[str, str], tuple[float, float]] = {}
    for query, name, mean, deviation in _rows(path):
        if (query, name) in moments:
            raise DuplicateRows(f"{path}: {name} of query {query!r} occurs twice.", "Keep one line for each.")
        moments[query, name] = float(mean), float(deviation)
    return Zscores(moments)


def _rows(path: str) -> Iterator[list[str]]:
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as error:
        raise FileError(
            f"{path} cannot be read: {error.strerror}.", "Name the file of means and deviations after -Z."
        ) from None
    if not lines:
        raise FileError(f"{path} is empty.", "Its lines are: query measure mean deviation")
    bad, rows = BadLines(path), []
    for number, line in enumerate(lines, 1):
        fields = line.decode(errors="replace").split()
        if len(fields) != 4 or not all(_NUMBER.fullmatch(f) for f in fields[2:]):
            bad.add(number, line, "it is not a query, a measure and two numbers", "Write: query measure mean deviation")
        else:
            rows.append(fields)
    if bad.count:
        raise bad.error()
    yield from rows
