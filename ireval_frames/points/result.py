"""The result of an evaluation of points."""

from __future__ import annotations

from ireval_frames.evaluation.evaluation import Evaluation


class PointEvaluation(Evaluation):
    """Asked measures over groups of points; it prints as its summary.

    With several clusterings the column `run_id` tells them apart.
    """
