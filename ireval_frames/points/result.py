"""The result of an evaluation of points: of several clusterings, one is computed after another on Polars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.evaluation import Built, Evaluation


@dataclass(frozen=True)
class InParts(Built):
    """A plan that can also be made for one clustering at a time, which keeps one copy of the points in memory."""

    parts: Callable[[], Sequence[Built]] = list


class PointEvaluation(Evaluation):
    """Asked measures over groups of points; it prints as its summary.

    With several clusterings the column `run_id` tells them apart.
    """

    def _collected(self, built: Built) -> pl.DataFrame:
        parts = built.parts() if isinstance(built, InParts) else []
        if not parts:
            return super()._collected(built)
        frame = pl.concat([super(PointEvaluation, self)._collected(part) for part in parts])
        return frame.sort(self._keys(frame))
