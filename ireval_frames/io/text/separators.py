"""The separator of a line of CSV, and fields without the blanks around them."""

from __future__ import annotations

import csv
import re

# In the order in which they are tried.
SEPARATORS = (",", "\t", ";", "|")
BLANKS = " \t"
# The line that Excel may write above a header.
EXCEL = re.compile('"?sep=.?"?', re.IGNORECASE)


def header_of(line: str, usual: str) -> tuple[str, list[str]]:
    """The separator of a header and its names: the usual one, or the first other one that gives several names.

    Example:
        >>> header_of("label;prediction;score", ",")
        (';', ['label', 'prediction', 'score'])
        >>> header_of("label", ",")
        (',', ['label'])
    """
    for separator in (usual, *(s for s in SEPARATORS if s != usual)):
        names = names_of(line, separator)
        if len(names) > 1:
            return separator, names
    return usual, names_of(line, usual)


def names_of(line: str, separator: str) -> list[str]:
    """The names in a header."""
    if separator == " ":
        return line.split()
    try:
        names = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        names = line.split(separator)
    return trimmed(names, line)


def trimmed(fields: list[str], line: str) -> list[str]:
    """The fields of a line without trailing blanks, except quoted ones."""
    if '"' not in line:
        return [field.strip(BLANKS) for field in fields]
    return [
        field if field.rstrip(BLANKS) == field or _quoted(field, line) else field.rstrip(BLANKS) for field in fields
    ]


def _quoted(field: str, line: str) -> bool:
    return '"' + field.replace('"', '""') + '"' in line
