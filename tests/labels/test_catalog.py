"""Oracles and measures are the same, and values survive text and pickle."""

from __future__ import annotations

import pickle

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS
from tests.labels.asked import ASKED
from tests.oracles.class_probabilities import SETS, SINGLE
from tests.oracles.labels import ORACLES
from tests.oracles.labels_calibration import ORACLES as OF_PROBABILITIES
from tests.oracles.labels_scores import ORACLES as OF_SCORES

DEFINITIONS = catalog.definitions("labels")


def test_oracles_and_measures_are_the_same() -> None:
    assert {d.name for d in DEFINITIONS} == {*ORACLES, *OF_SCORES, *OF_PROBABILITIES, *SETS, *SINGLE, "ICM", "ICMNorm"}


@pytest.mark.parametrize("where", ASKED)
def test_round_trip(where: str) -> None:
    for measure in ASKED[where]:
        for made in (measure, *(measure(aggregation=a) for a in AGGREGATIONS)):
            again = catalog.parse(str(made), "labels")
            assert again == made
            assert again.arguments() == made.arguments()
            assert again.aggregation == made.aggregation
            assert pickle.loads(pickle.dumps(made)) == made
