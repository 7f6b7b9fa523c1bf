"""The options of commands that read timings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import split_names
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.parameters import as_written

if TYPE_CHECKING:
    from ireval_frames.timings import Timings

# Tools whose files have requests.
REQUESTS = ("k6", "ann-benchmarks")


@dataclass(frozen=True)
class TimingOptions:
    """How requests were measured, and what their columns are called."""

    run: Annotated[str | None, Option("--run", metavar="COLUMN", help="The column of systems.")] = None
    query: Annotated[str | None, Option("--query", metavar="COLUMN", help="The column of queries.")] = None
    seconds: Annotated[str | None, Option("--seconds", metavar="COLUMN", help="The column of times.")] = None
    repetition: Annotated[
        str | None, Option("--repetition", metavar="COLUMN", help="The column of the repetition of a query.")
    ] = None
    started: Annotated[str | None, Option("--started", metavar="COLUMN", help="When a request was sent.")] = None
    scheduled: Annotated[str | None, Option("--scheduled", metavar="COLUMN", help="When a request was to be sent.")] = (
        None
    )
    status: Annotated[str | None, Option("--status", metavar="COLUMN", help="Whether a request succeeded.")] = None
    cost: Annotated[str | None, Option("--cost", metavar="COLUMN", help="What a request costs.")] = None
    weight: Annotated[str | None, Option("--weight", metavar="COLUMN", help="How many requests a row is.")] = None
    time_unit: Annotated[
        str, Option("--time-unit", metavar="UNIT", help="The unit of times that are numbers: s, ms, us or ns.")
    ] = "s"
    succeeded: Annotated[
        list[str] | None,
        Option(
            "--succeeded", metavar="STATUSES", help="The statuses of success, comma-separated; others are failures."
        ),
    ] = None
    warm_up: Annotated[int, Option("--warm-up", metavar="N", help="Leave out the first N requests of a run.")] = 0
    warm_up_repetitions: Annotated[
        int, Option("--warm-up-repetitions", metavar="N", help="Leave out the first N repetitions.")
    ] = 0
    interval: Annotated[
        float | None,
        Option("--interval", metavar="SECONDS", help="Add the requests that a client did not send while it waited."),
    ] = None
    tool: Annotated[
        str | None, Option("--tool", metavar="NAME", help="The file is of k6, ann-benchmarks, prometheus, …")
    ] = None

    def subject(self, path: str, **arguments: Any) -> Timings:
        """The timings of a file.

        Raises:
            UnknownName: no tool of that name writes requests.
        """
        from ireval_frames import timings

        table: Any = path
        if self.tool is not None:
            if self.tool not in REQUESTS:
                raise UnknownName(f"There is no tool {self.tool!r} that writes requests.", nearest(self.tool, REQUESTS))
            read = timings.read_k6 if self.tool == "k6" else timings.read_ann_benchmarks
            table = read(path, storage_options=arguments.get("storage_options"))
        succeeded = [as_written(s) for s in split_names(self.succeeded)] or None
        return timings.Timings(
            table, run=self.run, query=self.query, seconds=self.seconds, repetition=self.repetition,
            started=self.started, scheduled=self.scheduled, status=self.status, cost=self.cost, weight=self.weight,
            time_unit=self.time_unit, succeeded=succeeded, warm_up=self.warm_up,
            warm_up_repetitions=self.warm_up_repetitions, interval=self.interval, **arguments,
        )  # fmt: skip
