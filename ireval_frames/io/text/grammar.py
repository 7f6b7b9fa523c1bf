"""What the fields of a text file may hold, exactly."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

import polars as pl

from ireval_frames.columns.exact_numbers import EXACT

# id: text that is not empty; any: text that may be missing where the format can say so;
# decimal: a finite decimal number; score: one that orders lines, so that floats must tell it from others;
# integer: 64 bits.
Kind = Literal["id", "any", "decimal", "score", "integer"]
Value = str | float | int | None

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Field:
    """A field of a line: its name, what it holds, and the advice when it holds something else."""

    name: str
    kind: Kind
    hint: str = ""

    @property
    def dtype(self) -> type[pl.String | pl.Float64 | pl.Int64]:
        """The column type."""
        if self.kind in ("decimal", "score"):
            return pl.Float64
        return pl.Int64 if self.kind == "integer" else pl.String


class Wrong(Exception):
    """A field does not hold what it must; the message says why."""


def value(field: Field, text: str) -> Value:
    """The value of a field's text.

    Raises:
        Wrong: the text is not what the field must hold.
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
    number = decimal(field.name, text)
    if field.kind == "score" and abs(number) >= EXACT and _INTEGER.fullmatch(text):
        told_apart(field.name, integer(field.name, text))
    return number


def decimal(name: str, text: str) -> float:
    """A finite decimal number: no nan, no inf, no hexadecimal, no underscores."""
    if not _DECIMAL.fullmatch(text):
        known = text.lower().lstrip("+-") in ("nan", "inf", "infinity")
        comma = ": decimals stand behind a point" if _DECIMAL.fullmatch(text.replace(",", ".", 1)) else ""
        raise Wrong(f"{name} {text[:40]!r} is not a {'finite ' if known else ''}number{comma}")
    number = float(text)
    if math.isinf(number):
        raise Wrong(f"{name} {text[:40]!r} is too large for a 64-bit float")
    return number


def told_apart(name: str, number: float) -> None:
    """Refuse whole numbers that are no floats of their own.

    Raises:
        Wrong: it is one.
    """
    if isinstance(number, int) and abs(number) > EXACT:
        raise Wrong(
            f"{name} {number} is a whole number beyond 2^53, which floats do not tell from others: "
            "put ranks in the place of such scores"
        )


def integer(name: str, text: str) -> int:
    """A 64-bit integer in decimal digits."""
    if not _INTEGER.fullmatch(text):
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


def sound(frame: pl.DataFrame, fields: tuple[Field, ...], *, missing: bool) -> bool:
    """Whether a frame of the fast reader has no inf, nan or null (but in `any` fields if `missing` is allowed)."""
    for field in fields:
        series = frame[field.name]
        if series.null_count() and not (missing and field.kind == "any"):
            return False
        if field.kind in ("decimal", "score") and not series.is_finite().all():
            return False
        # Line by line it is seen whether it was written as a whole number.
        if field.kind == "score" and (series.abs() >= EXACT).any():
            return False
    return True
