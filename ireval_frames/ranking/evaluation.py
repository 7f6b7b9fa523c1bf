"""The results of an evaluation of rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ireval_frames.declaration import Measure
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.ranking.request import RankingRequest

if TYPE_CHECKING:
    from ireval_frames.ranking.diagnosis.result import RankingDiagnosis


class RankingEvaluation(Evaluation):
    """The results of an evaluation of rankings; it prints as its summary."""

    _request: RankingRequest

    def diagnose(self, system: Any, baseline: Any, measure: str | Measure | None = None) -> RankingDiagnosis:
        """Where and why a run differs from a baseline: by query, segment and document; lazy.

        Args:
            system: the run_id of the run.
            baseline: the run_id of the baseline.
            measure: one of the evaluated measures; optional if there is one.

        Raises:
            NotDefined: the evaluation is of one run.
            UnknownName, InvalidParameter: the measure was not evaluated, or several were and none is named.
        """
        from ireval_frames.comparison.diagnosis import find_measure
        from ireval_frames.ranking.diagnosis.result import RankingDiagnosis

        return RankingDiagnosis(self._valued(), self._request, system, baseline, find_measure(self.measures, measure))
