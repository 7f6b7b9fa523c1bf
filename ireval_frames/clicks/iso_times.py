"""Times that are text, as ISO 8601 writes them, in seconds since 1970: `2026-03-01T12:00:00.5+01:00`.

A date, hours, minutes and seconds, up to nine digits of them, and `Z` or a distance from UTC; text without one is in
UTC.  It is said in arithmetic over pieces of the text, which every engine has.
"""

from __future__ import annotations

import narwhals.stable.v2 as nw

DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
ZONE = r"([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)?"
ISO = rf"^{DATE}[T ]{TIME}(\.[0-9]{{1,9}})?{ZONE}$"
# Where the seconds end, and the most digits after them.
WHOLE, DIGITS = 19, 9


def is_iso(text: nw.Expr) -> nw.Expr:
    """Whether text is such a time."""
    return text.str.contains(ISO)


def seconds(text: nw.Expr) -> nw.Expr:
    """The seconds since 1970 in UTC; null for what is no such time."""
    good = is_iso(text)

    def piece(start: int, length: int, where: nw.Expr = good) -> nw.Expr:
        # What stands elsewhere must not be taken for a number, on engines that look at both sides.
        return nw.when(where).then(text.str.slice(start, length)).otherwise(nw.lit("0")).cast(nw.Float64)

    clock = piece(11, 2) * 3600.0 + piece(14, 2) * 60.0 + piece(17, 2)
    for digits in range(DIGITS + 1):
        end = WHOLE + (digits + 1 if digits else 0)
        here = good & text.str.contains(rf"^.{{{WHOLE}}}\.[0-9]{{{digits}}}([^0-9]|$)" if digits else r"^.{19}([^.]|$)")
        if digits:
            clock = clock + piece(WHOLE + 1, digits, here) / 10.0**digits
        away = here & text.str.contains(rf"^.{{{end}}}[+-]")
        hours = piece(end + 1, 2, away) * 3600.0
        for start, form in ((end + 4, ":[0-9]{2}"), (end + 3, "[0-9]{2}")):
            hours = hours + piece(start, 2, away & text.str.contains(rf"^.{{{end + 3}}}{form}$")) * 60.0
        clock = clock - nw.when(text.str.contains(rf"^.{{{end}}}-")).then(-1.0 * hours).otherwise(hours)
    days = _days(piece(0, 4), piece(5, 2), piece(8, 2))
    return nw.when(good).then(days * 86400.0 + clock).otherwise(None)


def _days(year: nw.Expr, month: nw.Expr, day: nw.Expr) -> nw.Expr:
    """The days since 1970; a year begins with March, so that leap days are its last."""
    early = nw.when(month <= 2.0).then(1.0).otherwise(0.0)
    y, m = year - early, month - 3.0 + 12.0 * early
    leaps = (y / 4.0).floor() - (y / 100.0).floor() + (y / 400.0).floor()
    return y * 365.0 + leaps + ((m * 153.0 + 2.0) / 5.0).floor() + day - 719469.0
