"""The user's table of timings under our names: a row per request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.schema import UNTYPED, wrong_type
from ireval_frames.columns.timings import TIMINGS
from ireval_frames.conventions.timings import TimingPolicy
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, MissingColumn, WrongType, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.inputs import ItemInputs, ItemNames
from ireval_frames.items.iso_times import is_iso, seconds
from ireval_frames.parameters import choice
from ireval_frames.ratios import indicator
from ireval_frames.timings.statuses import failures, unclear

# How many of a unit of time are a second.
PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
TIME_UNIT = choice(*PER_SECOND, what="the unit of numbers that are times")
ARGUMENTS = {"query_id": "query"}


@dataclass(frozen=True)
class Measured:
    """How requests were measured.

    Attributes:
        time_unit: the unit of numbers that are times.
        succeeded: the statuses of requests that succeeded; None are the usual ones.
        warm_up: how many requests of each run are left out, the first ones.
        warm_up_repetitions: how many repetitions of each run are left out.
        interval: the seconds between two requests of a client that does not wait, if its log lacks those that it
            would have sent.
    """

    time_unit: str = "s"
    succeeded: tuple[Any, ...] | None = None
    warm_up: int = 0
    warm_up_repetitions: int = 0
    interval: float | None = None


class TimingInputs(ItemInputs):
    """The requests of one evaluation.

    Attributes:
        items: a row per request: keys, `seconds`, `failed` and `warm_up` (1 or 0), and if there are any `item_id` (the
            query), `repetition`, `weight`, `started` and `ended`, `delay` (from the scheduled start to the real one),
            `cost`.
    """

    ids, item_word = "queries", "query"
    long = ()
    optional = ("started", "ended", "cost")

    def __init__(self, table: Any, names: ItemNames, engine: Engine, policy: TimingPolicy, measured: Measured) -> None:
        super().__init__(TIMINGS, table, names, engine, policy.units)
        self.policy, self.measured = policy, measured
        user_columns = self.user_columns
        if "query_id" in user_columns:
            user_columns["item_id"] = user_columns["query_id"]
            self.know_items(self.frame, user_columns["query_id"], "timings")
        self._has_schedule = "scheduled" in user_columns and policy.since == "scheduled"
        if self._has_schedule:
            self.needs("started", "The latency from a scheduled start")
            if measured.interval is not None:
                raise InvalidParameter(
                    f"interval is {measured.interval:g}, and column {user_columns['scheduled']!r} of the timings table "
                    "holds scheduled starts: what waited would count twice.",
                    Hint("Leave interval out, or the schedule: ", Argument("policy", "since=sent"), "."),
                )
        rows = self.frame.lazy()
        times: dict[str, Expr] = {}
        present = [c for c in ("started", "scheduled") if c in user_columns]
        if present:
            rows, times = self._times(rows, present)
        columns: dict[str, Expr] = dict(self.keyed)
        if "query_id" in user_columns:
            columns["item_id"] = self._id(user_columns["query_id"])
        if "repetition" in user_columns:
            columns["repetition"] = col(user_columns["repetition"])
        columns["seconds"] = self._seconds()
        columns["failed"] = self._failed()
        for ours in ("weight", "cost"):
            if ours in user_columns:
                columns[ours] = self.number(ours)
        if "started" in times:
            columns["started"] = times["started"]
        if self._has_schedule:
            columns["delay"] = times["started"] - times["scheduled"]
        rows = rows.select(**columns)
        if "started" in times:
            rows = rows.with_columns(ended=col("started") + col("seconds").fill_null(0.0))
        self.items = self._with_warm_up(rows)

    def needs(self, column: str, who: str) -> None:
        """Refuse a table that lacks a column.

        Raises:
            MissingColumn: it lacks it.
        """
        if column not in self.user_columns:
            raise MissingColumn(
                f"{who} needs the column {column!r}, and the timings table has none "
                f"(it has: {listed(self.frame.columns, 20)}).",
                Hint("Name it: ", Argument(ARGUMENTS.get(column, column), "their_name")),
            )

    # ---- columns

    def _id(self, name: str) -> Expr:
        dtype = self.frame.dtype(name)
        return col(name).cast(pl.String) if isinstance(dtype, pl.Categorical | pl.Enum) else col(name)

    @property
    def _unit(self) -> float:
        return PER_SECOND[self.measured.time_unit]

    def _seconds(self) -> Expr:
        """The seconds of a request, which a failed one may not have."""
        name = self.user_columns["seconds"]
        if isinstance(self.frame.dtype(name), pl.Duration):
            return col(name).dt.total_microseconds() / 1e6
        value = self.number("seconds")
        return value if self._unit == 1.0 else value / self._unit

    def _failed(self) -> Expr:
        """1 for a request that failed, else 0."""
        if "status" not in self.user_columns:
            return lit(0.0)
        name = self.user_columns["status"]
        failed, known = failures(name, self.frame.dtype(name), self.measured.succeeded, text=self.from_file)
        self.checks.append(Check(self.frame, ~known.fill_null(value=False), unclear(name)))
        return indicator(failed)

    def _times(self, rows: Frame, present: Sequence[str]) -> tuple[Frame, dict[str, Expr]]:
        """The rows, and the times of these columns in seconds: instants since the first of the table."""
        names = {ours: self.user_columns[ours] for ours in present}
        types = {ours: self.frame.dtype(name) for ours, name in names.items()}
        instants = [ours for ours in present if isinstance(types[ours], pl.Datetime)]
        if len(present) == 2 and ((len(instants) == 1) or (instants and types["started"] != types["scheduled"])):
            raise WrongType(
                f"Column {names['started']!r} of the timings table is {types['started']} and {names['scheduled']!r} is "
                f"{types['scheduled']}, so there is no time between them.",
                f'Give both one type: frame.with_columns(pl.col("{names["scheduled"]}").cast(pl.{types["started"]!r}))',
            )
        out = {ours: self._number_of_time(names[ours], types[ours]) for ours in present if ours not in instants}
        if instants:
            first = [Aggregate("ireval_origin", "min", col(names[instants[0]]))]
            rows = self.engine.join(rows, self.engine.group(self.frame.lazy(), (), first), (), "inner")
            for ours in instants:
                out[ours] = (col(names[ours]) - col("ireval_origin")).dt.total_microseconds() / 1e6
        return rows, out

    def _number_of_time(self, name: str, dtype: Any) -> Expr:
        """A time that is a number, or text, in seconds."""
        if isinstance(dtype, pl.Duration):
            return col(name).dt.total_microseconds() / 1e6
        if dtype != pl.String:
            if not dtype.is_numeric() and dtype not in UNTYPED:
                becomes = {pl.Date: "Datetime", pl.Time: "Duration"}.get(dtype.base_type(), "Float64")
                raise wrong_type("timings", name, dtype, "instants or numbers", becomes)
            return col(name).cast(pl.Float64) / self._unit
        text = col(name)
        iso = is_iso(text)
        if not self.from_file:
            self.checks.append(Check(self.frame, ~text.is_null() & ~iso, _no_time(name)))
            return seconds(text)
        plain = when(iso).then(lit("0")).otherwise(text).cast(pl.Float64) / self._unit
        return when(iso).then(seconds(text)).otherwise(plain)

    # ---- warm-up

    def _with_warm_up(self, rows: Frame) -> Frame:
        """The rows, with 1 for those that are left out since they warm the system up."""
        measured, run = self.measured, [k for k in self.keys if k == "run_id"]
        flags: list[Expr] = []
        for n, ours, argument in (
            (measured.warm_up, "started", "warm_up"),
            (measured.warm_up_repetitions, "repetition", "warm_up_repetitions"),
        ):
            if n:
                self.needs(ours, f"{argument}={n}")
                place = col(ours).rank("min" if ours == "started" else "dense")
                flags.append((place.over(*run) if run else place) <= n)
        if not flags:
            return rows
        named = {f"ireval_warm_{i}": flag for i, flag in enumerate(flags)}
        flagged = rows.with_columns(**named)
        either = [when(col(name).fill_null(value=False)).then(1.0).otherwise(0.0) for name in named]
        warm = either[0] if len(either) == 1 else when(either[0] > 0).then(1.0).otherwise(either[1])
        return flagged.with_columns(warm_up=warm).drop(*named)


def _no_time(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error that a text is no time."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"Column {column!r} of the timings table holds {rows[column][0]!r}"
            + (f" ({count} rows do)" if count > 1 else "")
            + "; a time as text is written as 2026-03-01T12:00:00Z.",
            f'Convert it: frame.with_columns(pl.col("{column}").str.to_datetime())',
        )

    return error
