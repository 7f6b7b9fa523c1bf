"""Times that are text, as ISO 8601 writes them, in seconds since 1970: `2026-03-01T12:00:00.500+01:00`.

A date, hours, minutes and seconds, of which 1, 2, 3, 6 or 9 digits may follow, and `Z` or hours and minutes from UTC;
text without these is in UTC.  With `dates`, a date alone is its first second.  It is computed from pieces of the text,
which works on every engine.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.expr import Expr, lit, when

DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
DIGITS = (1, 2, 3, 6, 9)
FRACTION = r"(\.([0-9]{1,3}|[0-9]{6}|[0-9]{9}))?"
ONLY_DATE = rf"^{DATE}$"
ISO = rf"^{DATE}[T ]{TIME}{FRACTION}([Zz]|[+-][0-9]{{2}}:[0-9]{{2}})?$"
# Where the hours begin, and where the seconds begin and end.
HOURS, SECONDS, END = 11, 17, 19


def is_iso(text: Expr, *, dates: bool = False) -> Expr:
    """Whether text is such a time."""
    timed = text.str.contains(ISO)
    return timed | text.str.contains(ONLY_DATE) if dates else timed


def seconds(text: Expr, *, dates: bool = False) -> Expr:
    """The seconds since 1970 in UTC; null for what is no such time."""
    valid, timed = is_iso(text, dates=dates), is_iso(text)

    def piece(start: int, length: int, *, after: bool = False) -> Expr:
        """A piece as a number; `after` the digits of the seconds, as many as there are, or with them."""
        digits = text.str.slice(start, length)
        for n in DIGITS if after or start == SECONDS else ():
            here = text.str.contains(rf"\.[0-9]{{{n}}}([Zz+-]|$)")
            longer = text.str.slice(start + n + 1, length) if after else text.str.slice(start, length + n + 1)
            digits = when(here).then(longer).otherwise(digits)
        if after:
            digits = when(text.str.contains(r"[+-][0-9]{2}:[0-9]{2}$")).then(digits).otherwise(lit("0"))
        # Text that is no time must not be cast, on engines that evaluate both branches.
        return when(timed if start >= HOURS else valid).then(digits).otherwise(lit("0")).cast(pl.Float64)

    away = piece(END + 1, 2, after=True) * 3600.0 + piece(END + 4, 2, after=True) * 60.0
    west = when(text.str.contains(r"-[0-9]{2}:[0-9]{2}$")).then(1.0).otherwise(-1.0)
    clock = piece(HOURS, 2) * 3600.0 + piece(14, 2) * 60.0 + piece(SECONDS, 2)
    days = _days(piece(0, 4), piece(5, 2), piece(8, 2))
    return when(valid).then(days * 86400.0 + clock + west * away).otherwise(None)


def _days(year: Expr, month: Expr, day: Expr) -> Expr:
    """The days since 1970; a year begins with March, so that leap days are its last."""
    # Months since March of the year 0.
    months = year * 12.0 + month - 3.0
    y = (months / 12.0).floor()
    leaps = (y / 4.0).floor() - (y / 100.0).floor() + (y / 400.0).floor()
    return y * 365.0 + leaps + (((months - y * 12.0) * 153.0 + 2.0) / 5.0).floor() + day - 719469.0
