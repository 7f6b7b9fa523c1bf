"""Judgments and runs as the commands about rankings read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ireval_frames.cli.options.common import Queries, of_tables
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.options.reading import Reading
from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.errors import FileError, InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.ranking import Rankings


@dataclass(frozen=True)
class RankingOptions(Reading, TableOptions):
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
        of_qrels, of_run = of_tables(self.columns, QRELS, RUN)
        return Rankings(
            io.scan_qrels(qrels, columns=of_qrels, second=second, storage_options=stores, **self.of_qrels()),
            scanned(
                runs,
                columns=of_run,
                rank=conventions.ties == "rank",
                storage_options=stores,
                **self.of_runs(),
                exact=conventions.precision != 32,
            ),
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
