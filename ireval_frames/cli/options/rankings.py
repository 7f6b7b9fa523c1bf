"""How commands read judgments and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ireval_frames import io
from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import Queries, table_names
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.errors import FileError, InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.ranking import Rankings


class ScoreFrom(StrEnum):
    """The order of the documents of a run, if not by score."""

    rank = "rank"
    order = "order"


@dataclass(frozen=True)
class RunOptions:
    """How runs are read."""

    run_format: Annotated[
        str | None,
        Option("--run-format", metavar="NAME", help="The format of the runs, such as ranklib; detected by default."),
    ] = None
    score_from: Annotated[
        ScoreFrom | None,
        Option("--score-from", help="Order runs by their ranks, or by their rows, not by scores."),
    ] = None

    @property
    def specified(self) -> bool:
        """Whether any of these options is set."""
        return bool(self.run_format or self.score_from)

    def run_arguments(self) -> dict[str, Any]:
        """The arguments of the reader of runs."""
        score_from = None if self.score_from is None else self.score_from.value
        return {"format": self.run_format or "auto", "score_from": score_from}

    def runs(
        self, paths: str | list[str], columns: Mapping[str, str] | None = None, stores: Mapping[str, str] | None = None
    ) -> Any:
        """Runs: paths as they are, unless an option says how they are read."""
        if not self.specified:
            return paths
        names = table_names(columns or {}, RUN).of("run")
        return io.scan_run(paths, columns=names, storage_options=stores, **self.run_arguments())


@dataclass(frozen=True)
class ReadingOptions(RunOptions):
    """How judgments and runs are read."""

    qrels_format: Annotated[
        str | None,
        Option(
            "--qrels-format", metavar="NAME", help="The format of the judgments, such as pairs; detected by default."
        ),
    ] = None
    float_grades: Annotated[bool, Option("--float-grades", help="Grades of text judgments are decimal numbers.")] = (
        False
    )

    @property
    def specified(self) -> bool:
        """Whether any of these options is set."""
        return super().specified or bool(self.qrels_format or self.float_grades)

    def qrels_arguments(self) -> dict[str, Any]:
        """The arguments of the reader of judgments."""
        return {"format": self.qrels_format or "auto", "relevance": float if self.float_grades else int}

    def tables(
        self, qrels: str, runs: list[str], *, columns: Mapping[str, str], stores: Mapping[str, str] | None
    ) -> tuple[Any, Any]:
        """Judgments and runs: paths as they are, unless an option says how they are read."""
        if not self.specified:
            return qrels, runs
        names = table_names(columns, QRELS, RUN)
        tables = (
            io.scan_qrels(
                qrels, columns=names.of("qrels"), second="iteration", storage_options=stores, **self.qrels_arguments()
            ),
            io.scan_run(runs, columns=names.of("run"), storage_options=stores, **self.run_arguments()),
        )
        names.check_used()
        return tables

    def options(self) -> dict[str, Any]:
        """The options by their names, and their values."""
        return {
            "--qrels-format": self.qrels_format,
            "--run-format": self.run_format,
            "--score-from": self.score_from,
            "--float-grades": self.float_grades,
        }


@dataclass(frozen=True)
class RankingOptions(ReadingOptions, TableOptions):
    """How judgments and runs are read and evaluated."""

    queries: Queries = None

    def rankings(
        self,
        qrels: str,
        runs: list[str],
        *,
        by: Sequence[str] | None = None,
        click_model: str | None = None,
        second: Literal["iteration", "subtopic_id", "assessor_id"] = "iteration",
    ) -> Rankings:
        """The judgments and runs, ready to be evaluated.

        Raises:
            InvalidParameter: standard input is named twice.
        """
        if [qrels, *runs].count("-") > 1:
            raise InvalidParameter(
                "Standard input (-) is read once, but it is named twice.", "Name a file for one of them."
            )
        from ireval_frames import io
        from ireval_frames.io.runs import scanned
        from ireval_frames.ranking import Rankings

        conventions, stores = RankingPolicy.of(self.policy), self.stores
        names = table_names(self.columns, QRELS, RUN)
        judgments = io.scan_qrels(
            qrels, columns=names.of("qrels"), second=second, storage_options=stores, **self.qrels_arguments()
        )
        rankings = scanned(
            runs,
            columns=names.of("run"),
            rank=conventions.ties == "rank",
            storage_options=stores,
            **self.run_arguments(),
            exact=conventions.precision != 32,
        )
        names.check_used()
        return Rankings(
            judgments,
            rankings,
            queries=None if self.queries is None else io.scan_queries(self.queries, storage_options=stores),
            click_model=None if click_model is None else _model(click_model),
            by=by or (),
            policy=conventions,
            engine=self.engine,
        )


def _model(path: str) -> Any:
    """A fitted click model, or the path of a table of parameters."""
    from ireval_frames.clicks import models

    try:
        return models.load(path)
    except FileError:
        return path
