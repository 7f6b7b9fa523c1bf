"""The allowed values of the fields of a text file."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

import polars as pl

from ireval_frames.columns.exact_numbers import EXACT

# id: text that is not empty; any: text that may be missing where the format allows it;
# decimal: a finite decimal number; score: one that orders lines, so it must be exact as a float;
# integer: 64 bits; count: one from 0; level: an integer behind the letter L; zero: 0, also written as 0.000;
# probability: a decimal number from 0 to 1.
Kind = Literal["id", "any", "decimal", "score", "integer", "count", "level", "zero", "probability"]
Value = str | float | int | None

DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"[+-]?[0-9]+")
_INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Field:
    """A field of a line: its name, the kind of its values, and a hint for others."""

    name: str
    kind: Kind
    hint: str = ""

    @property
    def dtype(self) -> type[pl.String | pl.Float64 | pl.Int64]:
        """The column type."""
        if self.kind in ("decimal", "score", "zero", "probability"):
            return pl.Float64
        return pl.Int64 if self.kind in ("integer", "count", "level") else pl.String


class Wrong(Exception):
    """A field has an invalid value; the message says why."""


def value(field: Field, text: str) -> Value:
    """The value of a field's text.

    Raises:
        Wrong: the field does not allow it.
    """
    if field.kind == "any":
        return text
    if field.kind == "id":
        if not text:
            raise Wrong(f"{field.name} is empty")
        return text
    text = text.strip(" \t")
    if field.kind == "integer":
        return integer(field.name, text)
    if field.kind == "count":
        if (n := integer(field.name, text)) < 0:
            raise Wrong(f"{field.name} {n} is negative")
        return n
    if field.kind == "level":
        if text[:1] not in ("L", "l"):
            raise Wrong(f"{field.name} {text[:40]!r} is not a level such as L2")
        return integer(field.name, text[1:])
    number = decimal(field.name, text)
    if field.kind == "zero" and number:
        raise Wrong(f"the {field.name} field is {text[:40]!r}, and is 0 on the lines before")
    if field.kind == "probability" and not 0 <= number <= 1:
        raise Wrong(f"{field.name} {text[:40]!r} is no probability from 0 to 1")
    if field.kind == "score" and abs(number) >= EXACT and INTEGER.fullmatch(text):
        check_exact(field.name, integer(field.name, text))
    return number


def decimal(name: str, text: str) -> float:
    """A finite decimal number: no nan, no inf, no hexadecimal, no underscores."""
    if not DECIMAL.fullmatch(text):
        infinite = text.lower().lstrip("+-") in ("nan", "inf", "infinity")
        comma = ": the decimal separator is a point" if DECIMAL.fullmatch(text.replace(",", ".", 1)) else ""
        raise Wrong(f"{name} {text[:40]!r} is not a {'finite ' if infinite else ''}number{comma}")
    number = float(text)
    if math.isinf(number):
        raise Wrong(f"{name} {text[:40]!r} is too large for a 64-bit float")
    return number


def check_exact(name: str, number: float) -> None:
    """Refuse whole numbers that floats do not represent exactly.

    Raises:
        Wrong: it is one.
    """
    if isinstance(number, int) and abs(number) > EXACT:
        raise Wrong(
            f"{name} {number} is a whole number beyond 2^53, which floats cannot distinguish from others: "
            "use ranks in place of such scores"
        )


def integer(name: str, text: str) -> int:
    """A 64-bit integer in decimal digits."""
    if not INTEGER.fullmatch(text):
        raise Wrong(f"{name} {text[:40]!r} is not an integer")
    # Python refuses to convert thousands of digits; leading zeros do not count.
    digits = text.lstrip("+-").lstrip("0")
    number = int(digits or "0") if len(digits) <= 19 else 2**64
    number = -number if text.startswith("-") else number
    if number not in _INT64:
        raise Wrong(f"{name} {text[:40]!r} is too large for a 64-bit integer")
    return number


def frame(fields: tuple[Field, ...], columns: list[list[Value]]) -> pl.DataFrame:
    """The frame of values parsed one by one."""
    return pl.DataFrame([pl.Series(f.name, values, dtype=f.dtype) for f, values in zip(fields, columns, strict=True)])


def is_valid(frame: pl.DataFrame, fields: tuple[Field, ...], *, missing: bool) -> bool:
    """Whether a frame of Polars' reader has no inf, nan or null (except in `any` fields if `missing` is allowed)."""
    for field in fields:
        series = frame[field.name]
        if series.null_count() and not (missing and field.kind == "any"):
            return False
        if field.kind == "zero" and (series != 0).any():
            return False
        if field.kind == "count" and (series < 0).any():
            return False
        if field.kind == "probability" and not series.is_between(0, 1).all():
            return False
        if field.kind in ("decimal", "score") and not series.is_finite().all():
            return False
        # Only the line-by-line parser sees whether it was written as a whole number.
        if field.kind == "score" and (series.abs() >= EXACT).any():
            return False
    return True
