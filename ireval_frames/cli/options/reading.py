"""How judgments and runs are read, by all commands about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from ireval_frames import io
from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import of_tables
from ireval_frames.columns.schema import QRELS, RUN


class ScoreFrom(StrEnum):
    """What orders the documents of a run, if not their scores."""

    rank = "rank"
    order = "order"


@dataclass(frozen=True)
class RunReading:
    """How runs are read, of all verbs about them."""

    run_format: Annotated[
        str | None,
        Option(
            "--run-format", metavar="NAME", help="What the runs are, such as ranklib; by default seen in the files."
        ),
    ] = None
    score_from: Annotated[
        ScoreFrom | None,
        Option("--score-from", help="Order runs by their ranks, or as they stand in the files, not by scores."),
    ] = None

    @property
    def given(self) -> bool:
        """Whether anything is said of it."""
        return bool(self.run_format or self.score_from)

    def of_runs(self) -> dict[str, Any]:
        """The arguments of the reader of runs."""
        score_from = None if self.score_from is None else self.score_from.value
        return {"format": self.run_format or "auto", "score_from": score_from}

    def runs(
        self, paths: str | list[str], columns: Mapping[str, str] | None = None, stores: Mapping[str, str] | None = None
    ) -> Any:
        """Runs: paths as they are, unless it is said how they are read."""
        if not self.given:
            return paths
        (of_run,) = of_tables(columns or {}, RUN)
        return io.scan_run(paths, columns=of_run, storage_options=stores, **self.of_runs())


@dataclass(frozen=True)
class Reading(RunReading):
    """How judgments and runs are read, of all verbs about them."""

    qrels_format: Annotated[
        str | None,
        Option(
            "--qrels-format", metavar="NAME", help="What the judgments are, such as pairs; by default seen in the file."
        ),
    ] = None
    float_grades: Annotated[bool, Option("--float-grades", help="Grades of text judgments are decimal numbers.")] = (
        False
    )

    @property
    def given(self) -> bool:
        """Whether anything is said of it."""
        return super().given or bool(self.qrels_format or self.float_grades)

    def of_qrels(self) -> dict[str, Any]:
        """The arguments of the reader of judgments."""
        return {"format": self.qrels_format or "auto", "relevance": float if self.float_grades else int}

    def tables(
        self, qrels: str, runs: list[str], *, columns: Mapping[str, str], stores: Mapping[str, str] | None
    ) -> tuple[Any, Any]:
        """Judgments and runs: paths as they are, unless it is said how they are read."""
        if not self.given:
            return qrels, runs
        of_qrels, of_run = of_tables(columns, QRELS, RUN)
        return (
            io.scan_qrels(qrels, columns=of_qrels, second="iteration", storage_options=stores, **self.of_qrels()),
            io.scan_run(runs, columns=of_run, storage_options=stores, **self.of_runs()),
        )

    def options(self) -> dict[str, Any]:
        """The options by their names, and what was given."""
        return {
            "--qrels-format": self.qrels_format,
            "--run-format": self.run_format,
            "--score-from": self.score_from,
            "--float-grades": self.float_grades,
        }
