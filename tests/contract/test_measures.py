"""Every declared measure has an oracle and values to try; each variant survives being written down and pickled."""

from __future__ import annotations

import json
import pickle

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS, Definition, Measure
from tests.contract.kit import Suite, all_suites, parametrize, selected

every = pytest.mark.parametrize(
    "definition", selected(catalog.definitions()), ids=lambda definition: f"{definition.family}-{definition.name}"
)


@every
def test_is_tried_against_an_oracle(definition: Definition) -> None:
    """What is missing is told with its place."""
    having = [k for k in all_suites() if k.family == definition.family and definition.name in k.oracles]
    family = [k for k in all_suites() if k.family == definition.family]
    places = "\n  ".join(f"{k}: {k.oracle_place}" for k in family)
    assert having, (
        f"{definition.name} of {definition.family} has no oracle: write it as a plain loop, and enter it in one of\n"
        f"  {places}"
    )
    for suite in having:
        tried = [m for case in suite.cases.values() for m in suite.variants(definition, case)]
        assert tried, f"{definition.name} is tried in no case of {suite}: see its `variants`"


@parametrize(engines=False)
def test_every_oracle_has_a_measure(suite: Suite) -> None:
    declared = {d.name for d in catalog.definitions(suite.family)}
    assert set(suite.oracles) <= declared, f"no measure of that name: {set(suite.oracles) - declared}"


@parametrize(engines=False)
def test_round_trip(suite: Suite) -> None:
    """Text, pickle, JSON, hash, and the arguments: two spellings of one measure are one measure."""
    for measure in dict.fromkeys(m for case in suite.cases for m in suite.measures(case)):
        assert measure.definition(**measure.arguments()) == measure
        assert str(measure.definition(**measure.arguments())) == str(measure)
        for made in (measure, *(measure(aggregation=a) for a in AGGREGATIONS)):
            again = catalog.parse(str(made), suite.family)
            assert again == made
            assert hash(again) == hash(made)
            assert again.arguments() == made.arguments()
            assert again.aggregation == made.aggregation
            assert pickle.loads(pickle.dumps(made)) == made
            assert Measure.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@parametrize(engines=False)
def test_all_are_different(suite: Suite) -> None:
    every = {m for case in suite.cases for m in suite.measures(case)}
    assert len({str(m) for m in every}) == len(every)
