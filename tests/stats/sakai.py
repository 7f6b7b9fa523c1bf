"""Sakai's worked example: three systems, 20 topics (Laboratory Experiments in Information Retrieval, 2018)."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.sample import Array, Integers, Sample

X = [0.7, 0.3, 0.2, 0.6, 0.4, 0.4, 0, 0.7, 0.1, 0.3, 0.5, 0.4, 0, 0.6, 0.5, 0.3, 0.1, 0.5, 0.2, 0.1]
Y = [0.5, 0.1, 0, 0.2, 0.4, 0.3, 0, 0.5, 0.3, 0.3, 0.4, 0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.6, 0.3, 0.2]
Z = [0, 0, 0.2, 0.1, 0.3, 0.3, 0.1, 0.2, 0.4, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.5, 0.4, 0.3]
VALUES = np.array([X, Y, Z]).T
# X − Y: the baseline comes first.
XY = Sample(VALUES, np.array([[1, 0]]))


def every_pair(systems: int) -> Integers:
    return np.array([(i, j) for i in range(systems) for j in range(i + 1, systems)], dtype=np.int64)


def of(baseline: Array | list[float], system: Array | list[float]) -> Sample:
    """One pair."""
    return Sample(np.column_stack([baseline, system]).astype(float), np.array([[0, 1]]))
