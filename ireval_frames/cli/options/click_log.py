"""The options by which commands read a click log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ireval_frames import errors
from ireval_frames.cli.options.command import Argument, Option
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.errors import Hint, InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.clicks import Impressions

LogFile = Annotated[
    str, Argument(metavar="LOG", help="A click log: CSV, TSV, JSON lines, Parquet, Arrow, or by --layout.")
]
Layout = Annotated[str, Option("--layout", metavar="NAME", help="table, ubi, yandex-2012, yandex-2013 or baidu-ultr.")]
Pages = Annotated[
    str | None,
    Option("--pages", metavar="FILE", help="A table of all result pages, including empty ones."),
]
Events = Annotated[str | None, Option("--events", metavar="FILE", help="The events, for the layout ubi.")]


@dataclass(frozen=True)
class ClickLog(TableOptions):
    """How a click log is read."""

    layout: Layout = "table"
    pages: Pages = None
    events: Events = None

    def open(
        self,
        file: str,
        *,
        unit: list[str] | None = None,
        by: list[str] | None = None,
        columns: dict[str, str] | None = None,
    ) -> Impressions:
        """The log.

        Args:
            file: its name.
            unit: columns of units.
            by: columns of groups.
            columns: its names of columns, if `--column` also names those of other tables.

        Raises:
            InvalidParameter: the layout ubi has no events.
        """
        from ireval_frames.clicks import Impressions, from_ubi, read_clicks

        if self.layout == "ubi":
            if self.events is None:
                raise InvalidParameter(
                    "The layout ubi has two tables.",
                    Hint("Name that of events: ", errors.Argument("events", "events.jsonl")),
                )
            return from_ubi(file, self.events, unit=unit or (), by=by or (), policy=self.policy, engine=self.engine)
        return Impressions(
            file if self.layout == "table" else read_clicks(file, self.layout),
            self.pages,
            unit=unit or (),
            by=by or (),
            **(self.arguments() | ({} if columns is None else {"columns": columns})),
        )
