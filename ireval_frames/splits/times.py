"""The column of times of a split: what is later than what, and the moments at which it is cut.

Times are numbers, dates and times, or text.  Text that holds numbers, or what ISO 8601 writes, is read as such, since
files of text have no other times.  Other text is ordered as text, and warned of.
"""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from functools import cached_property
from numbers import Real
from typing import Any

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import (
    Argument,
    Code,
    Hint,
    InvalidParameter,
    InvalidValue,
    SplitWarning,
    WrongType,
    rows_to_fix,
    warn,
)
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.iso_times import is_iso, seconds
from ireval_frames.splits.frames import EPOCH, Split

WHOLE = r"^-?[0-9]{1,18}$"
NUMBER = r"^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,2})?$"
DURATION = re.compile(r"(?:[0-9]+[wdhms])+")
UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}


def is_number(value: Any) -> bool:
    """Whether it is a number."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_duration(value: Any) -> bool:
    """Whether it is a length of time: `dt.timedelta(days=7)` or text such as `7d` or `1d12h`."""
    return isinstance(value, dt.timedelta) or (isinstance(value, str) and DURATION.fullmatch(value) is not None)


class Times:
    """The times of the rows of a split, as numbers wherever they can be: of moments microseconds since 1970.

    Args:
        split: the frame; its key of the column becomes such a number.
        column: the column of times.
    """

    def __init__(self, split: Split, column: str) -> None:
        self._split, self.column, self.key = split, column, split.key(column)
        self._type = split.types[column]
        self._zone = zoneinfo.ZoneInfo(getattr(self._type, "time_zone", None) or "UTC")
        self._is_moment = self._type == pl.Date or isinstance(self._type, pl.Datetime)
        key = col(self.key)
        if split.frame.dtype(self.key) == pl.String:
            self._read_text(key)
        elif self._is_moment and getattr(self._type, "time_zone", None) is None:
            since = key.cast(pl.Datetime("us")) - lit(EPOCH.replace(tzinfo=None))
            self._replace(since.dt.total_microseconds())

    def _replace(self, key: Expr) -> None:
        self._split.frame = self._split.frame.with_columns(**{self.key: key})

    def _read_text(self, text: Expr) -> None:
        """Make numbers of text that holds numbers or times."""
        kinds = {
            "whole": text.str.contains(WHOLE),
            "number": text.str.contains(NUMBER),
            "iso": is_iso(text, dates=True),
        }
        n = self._numbers(Aggregate("present", "present", text), **kinds)
        if not n["present"]:
            return
        if n["iso"] == n["present"]:
            self._is_moment = True
            self._replace((seconds(text, dates=True) * 1e6 + 0.5).floor().cast(pl.Int64))
        elif n["number"] == n["present"]:
            kind, dtype = ("whole", pl.Int64) if n["whole"] == n["present"] else ("number", pl.Float64)
            # Text that is no number must not be cast, on engines that evaluate both branches.
            number = when(kinds[kind]).then(text).otherwise(lit("0")).cast(dtype)
            self._replace(when(kinds[kind]).then(number).otherwise(None))
        else:
            others = self._split.frame.filter(~kinds["number"] & ~kinds["iso"]).select(self.key).head(1)
            other = self._split.collect(others)[self.key].to_list()
            warn(
                f"Column {self.column!r} holds text, {f'such as {other[0]!r}' if other else 'numbers beside dates'}, "
                "and is ordered as text: only numbers, and dates and times in ISO 8601, are read as such.",
                SplitWarning,
            )

    def _numbers(self, *aggregates: Aggregate, **flags: Expr) -> dict[str, Any]:
        """Aggregates over all rows, and the number of rows for which each flag is true."""
        counted = [Aggregate(name, "sum", when(flag).then(1.0).otherwise(0.0)) for name, flag in flags.items()]
        frame = self._split.engine.group(self._split.frame, [], [*aggregates, *counted])
        return self._split.collect(frame).row(0, named=True)

    @cached_property
    def ends(self) -> tuple[Any, Any]:
        """The first and the last time.

        Raises:
            InvalidValue: a time is null or NaN, or there is no row.
        """
        time = col(self.key)
        flags = {
            "null": time.is_null(),
            **({"nan": time.is_nan()} if self._split.frame.dtype(self.key).is_float() else {}),
        }
        ends = (Aggregate("first", "min", time), Aggregate("last", "max", time))
        rows = self._numbers(Aggregate("n", "count", lit(1.0)), *ends, **flags)
        for flag in flags:
            if rows[flag]:
                raise InvalidValue(
                    f"Column {self.column!r} is {flag} in {int(rows[flag]):,} of {int(rows['n']):,} rows; every row "
                    "needs a time.",
                    rows_to_fix("frame", self.column, f".is_{flag}()"),
                )
        if not rows["n"]:
            raise InvalidValue("The frame has no rows, so it has no times to split at.", "Look at how it was read.")
        return rows["first"], rows["last"]

    def before(self, moment: Any, length: Any, name: str) -> Any:
        """The moment that lies a length of time before another one.

        Args:
            moment: a time as the key has it.
            length: `dt.timedelta(days=7)`, `7d`, or a number where times are numbers.
            name: the argument, for errors.

        Raises:
            InvalidParameter: it is no such length.
            WrongType: the column has no lengths of time.
        """
        if self._is_moment and is_duration(length) and (delta := as_timedelta(length)) > dt.timedelta(0):
            return moment - delta // dt.timedelta(microseconds=1)
        if self._is_number and is_number(length) and length > 0:
            return moment - length
        if self._is_moment:
            raise InvalidParameter(
                f"{name} is {length!r}; it must be a length of time above 0, of weeks, days, hours, minutes and "
                "seconds (w d h m s).",
                Hint("Write ", Argument(name, "7d"), "."),
            )
        if self._is_number and is_number(length):
            raise InvalidParameter(
                f"{name} is {length!r}; it must be a number above 0, of the unit of column {self.column!r}.",
                Hint("Write ", Argument(name, 1), "."),
            )
        if self._is_number:
            raise InvalidParameter(
                f"{name} is {length!r}, but column {self.column!r} holds numbers; their unit is not known.",
                Hint(
                    "Where they are seconds since 1970, make times of them: ",
                    Code(
                        f'frame.with_columns(pl.from_epoch("{self.column}", time_unit="s"))', "2026-03-01T12:00:00Z …"
                    ),
                ),
            )
        raise WrongType(
            f"{name} is {length!r}, but column {self.column!r} holds {self._type}, which has no lengths of time.",
            f'Make times of it: frame.with_columns(pl.col("{self.column}").str.to_datetime())',
        )

    @property
    def _is_number(self) -> bool:
        """Whether times are numbers of a unit of their own."""
        return not self._is_moment and bool(self._split.frame.dtype(self.key).is_numeric())

    def moment(self, value: Any, name: str) -> Any:
        """A moment of the user's, as the key has it; one without a zone is in that of the column.

        Raises:
            InvalidParameter: the column has no such moments.
        """
        try:
            if self._is_moment:
                if isinstance(value, str):
                    value = dt.datetime.fromisoformat(value)
                elif not isinstance(value, dt.datetime):
                    value = dt.datetime.combine(value, dt.time())
                aware = value if value.tzinfo else value.replace(tzinfo=self._zone)
                return (aware - EPOCH) // dt.timedelta(microseconds=1)
            fits = is_number(value) if self._is_number else isinstance(value, str)
            if fits:
                return value
            why: Exception | None = None
        except (ValueError, TypeError) as error:
            why = error
        last = self.written(self.ends[1])
        raise InvalidParameter(
            f"{name} is {value!r}, which is no time as column {self.column!r} has them.",
            Hint("A share of the rows, or from when on: ", Argument(name, last)),
        ) from why

    def written(self, moment: Any) -> Any:
        """A time of the key, as a user writes it."""
        if not self._is_moment:
            return moment
        time = (EPOCH + dt.timedelta(microseconds=moment)).astimezone(self._zone)
        if self._type == pl.Date:
            return time.date().isoformat()
        return (time if getattr(self._type, "time_zone", None) else time.replace(tzinfo=None)).isoformat(" ")

    def at_share(self, share: float) -> Any:
        """The time of the row before which this share of the rows lies, in the order of time."""
        self.ends  # noqa: B018 - refuses rows without a time
        times = self._split.frame.count_by(self.key).with_columns(n=col("n").cast(pl.Float64))
        before = col("n").cum_sum().over(order_by=self.key) - col("n")
        placed = times.with_columns(before=before, total=col("n").sum())
        # Sums such as 0.1 + 0.2 are not exact.
        at = placed.filter(col("before") <= col("total") * share + 1e-9)
        return self._split.collect(self._split.engine.group(at, [], [Aggregate("at", "max", col(self.key))]))["at"][0]


def as_timedelta(length: Any) -> dt.timedelta:
    """A length of time, which text may be, too."""
    if isinstance(length, dt.timedelta):
        return length
    parts = re.findall(r"([0-9]+)([wdhms])", length)
    return dt.timedelta(seconds=sum(int(n) * UNITS[unit] for n, unit in parts))
