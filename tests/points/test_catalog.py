"""Measures of points have oracles of the same name, and every variant survives being written down."""

from __future__ import annotations

import pickle

from ireval_frames import catalog
from tests.oracles.points import ORACLES
from tests.points.asked import DEFINITIONS, VARIANTS


def test_oracles_and_measures_are_the_same() -> None:
    assert {d.name for d in DEFINITIONS} == set(ORACLES)


def test_round_trip() -> None:
    for measure in VARIANTS:
        again = catalog.parse(str(measure), "points")
        assert again == measure
        assert again.arguments() == measure.arguments()
        assert pickle.loads(pickle.dumps(measure)) == measure
