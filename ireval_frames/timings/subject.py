"""Timed requests of systems, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.timings import TimingPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import number, whole
from ireval_frames.subject import RESULT_COLUMNS, Subject
from ireval_frames.timings.inputs import TIME_UNIT, Measured
from ireval_frames.timings.request import TimingRequest
from ireval_frames.timings.result import TimingEvaluation

WARM_UP = whole(0, "how many requests of each run are left out, the first ones", low=0, example=100)
WARM_UP_REPETITIONS = whole(0, "how many repetitions of each run are left out, the first ones", low=0, example=1)
INTERVAL = number(
    None, "the seconds between two requests of a client that does not wait", low=0.0, open_ends=True, example=0.01
)


class Timings(Subject[TimingPolicy, TimingEvaluation]):
    """Requests to systems, how long each took, whether it was answered, and what it cost.

    Args:
        timings: a table with a row per request.
        run, query, seconds, repetition, started, scheduled, status, cost, weight: the names of the columns where they
            differ from run_id, query_id, seconds, repetition, started, scheduled, status, cost, weight (and the names
            other tools use).  A row of weight w is w requests.
        time_unit: the unit of numbers in `seconds`, `started` and `scheduled`: "s", "ms", "us" or "ns".  Durations and
            instants have their own.  Results are in seconds.
        succeeded: the statuses of requests that succeeded, such as `[0]`; all others failed.  By default true, codes of
            HTTP below 400, and words such as "ok".
        warm_up: how many requests of each run are left out, the first ones by `started`; of requests that start at once
            with the last of them, none counts.
        warm_up_repetitions: how many repetitions of each run are left out, the first ones.
        interval: the seconds between two requests of a client that was to send them at a fixed rate, but waited for
            answers.  For each latency v those of the requests that it did not send count, too: v − i, v − 2i …
            down to i, as in HdrHistogram.  Where the table has a scheduled start nothing must be guessed.
        unit: columns whose groups of requests are evaluated one by one and then averaged, such as "query_id" for tests
            on the same queries; by default all requests of a run are one unit.
        by: columns that group units.
        policy: the conventions (see `TimingPolicy`), such as `policy="failures=recorded"`.
        engine: "polars", "duckdb" or "spark"; by default where the table is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Latencies are counted from the scheduled start where the table has one: `started` + `seconds` − `scheduled`.  A
    client that waits for an answer before it sends the next request is late then, and what it waited for counts.

    A `run_id` column means many systems at once.  Values of one run have intervals by `ir.resampling.bootstrap`, which
    draws queries with all their repetitions, and compares systems on the same draws.

    Raises:
        MissingColumn, WrongType: the table lacks columns, or they have other types.
        InvalidValue: with the first result, times are negative or none, or a status is not clear.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> timings = ir.Timings(ir.examples.timings())
        >>> timings.evaluate("Latency(p=50) Latency(p=95) ErrorRate").wide().rows()
        [('a', 0.015, 0.9, 0.0), ('b', 0.022, inf, 0.1)]
        >>> medians = ir.resampling.bootstrap(timings, "Latency(p=50)", n_resamples=200)
        >>> medians.compare("a")["difference"].round(3).item()
        0.007
    """

    family = "timings"
    _conventions = TimingPolicy
    _requests = TimingRequest
    _evaluations = TimingEvaluation
    _result_columns = (*RESULT_COLUMNS, "n_requests", "n_failed", "n_warm_up")

    def __init__(
        self,
        timings: Any,
        *,
        run: str | None = None,
        query: str | None = None,
        seconds: str | None = None,
        repetition: str | None = None,
        started: str | None = None,
        scheduled: str | None = None,
        status: str | None = None,
        cost: str | None = None,
        weight: str | None = None,
        time_unit: str = "s",
        succeeded: Iterable[Any] | None = None,
        warm_up: int = 0,
        warm_up_repetitions: int = 0,
        interval: float | None = None,
        unit: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        policy: TimingPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"timings": timings},
            first="timings",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        self.unit = self._columns_of("unit", unit)
        self._columns = named_columns(
            columns,
            {
                "run_id": run,
                "query_id": query,
                "repetition": repetition,
                "seconds": seconds,
                "started": started,
                "scheduled": scheduled,
                "status": status,
                "cost": cost,
                "weight": weight,
            },
        )
        self._measured = Measured(
            TIME_UNIT.check("time_unit", time_unit),
            _statuses(succeeded),
            WARM_UP.check("warm_up", warm_up),
            WARM_UP_REPETITIONS.check("warm_up_repetitions", warm_up_repetitions),
            INTERVAL.check("interval", interval),
        )


def _statuses(succeeded: Iterable[Any] | None) -> tuple[Any, ...] | None:
    if succeeded is None:
        return None
    if isinstance(succeeded, str) or not isinstance(succeeded, Iterable):
        raise InvalidParameter(
            f"succeeded is {succeeded!r}, which is no list.", Hint("Write ", Argument("succeeded", [succeeded]), ".")
        )
    return tuple(succeeded)
