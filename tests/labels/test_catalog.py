"""Every declaration is complete: names, a sentence, formula, source, range, an example that runs, and an oracle of the same name."""

from __future__ import annotations

import pickle

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.measure import AGGREGATIONS, Definition
from tests.declarations import example_runs, says_what_it_is
from tests.labels.asked import ASKED
from tests.oracles.class_probabilities import SETS, SINGLE
from tests.oracles.labels import ORACLES
from tests.oracles.labels_calibration import ORACLES as OF_PROBABILITIES
from tests.oracles.labels_scores import ORACLES as OF_SCORES

DEFINITIONS = catalog.definitions("labels")
every = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)


def test_oracles_and_measures_are_the_same() -> None:
    assert {d.name for d in DEFINITIONS} == {*ORACLES, *OF_SCORES, *OF_PROBABILITIES, *SETS, *SINGLE, "ICM", "ICMNorm"}


@every
def test_says_what_it_is(definition: Definition) -> None:
    says_what_it_is(definition)


@every
def test_the_example_runs(definition: Definition) -> None:
    example_runs(definition)


@every
def test_names(definition: Definition) -> None:
    assert getattr(ir.labels, definition.name).definition is definition
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        assert catalog.parse(name, "labels").definition is definition


def test_no_name_stands_for_two_measures() -> None:
    names = [n for d in DEFINITIONS for n in {n.lower() for n in (d.name, *d.aliases)}]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("where", ASKED)
def test_round_trip(where: str) -> None:
    for measure in ASKED[where]:
        for made in (measure, *(measure(aggregation=a) for a in AGGREGATIONS)):
            again = catalog.parse(str(made), "labels")
            assert again == made
            assert again.arguments() == made.arguments()
            assert again.aggregation == made.aggregation
            assert pickle.loads(pickle.dumps(made)) == made
