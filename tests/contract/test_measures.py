"""Every declared measure has an oracle and test values; each variant round-trips through text, JSON and pickle."""

from __future__ import annotations

import json
import pickle

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS, Definition, Measure
from tests.contract.kit import Suite, all_suites, parametrize, selected

definitions = pytest.mark.parametrize(
    "definition", selected(catalog.definitions()), ids=lambda definition: f"{definition.family}-{definition.name}"
)


@definitions
def test_has_an_oracle(definition: Definition) -> None:
    """The error says where to write a missing oracle."""
    with_oracle = [k for k in all_suites() if k.family == definition.family and definition.name in k.oracles]
    family = [k for k in all_suites() if k.family == definition.family]
    files = "\n  ".join(f"{k}: {k.oracle_place}" for k in family)
    assert with_oracle, (
        f"{definition.name} of {definition.family} has no oracle: write it as a plain loop, and enter it in one of\n"
        f"  {files}"
    )
    for suite in with_oracle:
        assert suite.cases_of(definition.name)
        to_write = suite.oracle_lists(definition)
        assert not to_write, to_write


@parametrize(engines=False)
def test_every_oracle_has_a_measure(suite: Suite) -> None:
    declared = {d.name for d in catalog.definitions(suite.family)}
    assert set(suite.oracles) <= declared, f"no measure of that name: {set(suite.oracles) - declared}"


@parametrize(engines=False)
def test_round_trip(suite: Suite) -> None:
    """Text, pickle, JSON, hash and arguments."""
    for measure in dict.fromkeys(m for case in suite.cases for m in suite.measures(case)):
        assert measure.definition(**measure.arguments()) == measure
        assert str(measure.definition(**measure.arguments())) == str(measure)
        for variant in (measure, *(measure(aggregation=a) for a in AGGREGATIONS)):
            parsed = catalog.parse(str(variant), suite.family)
            assert parsed == variant
            assert hash(parsed) == hash(variant)
            assert parsed.arguments() == variant.arguments()
            assert parsed.aggregation == variant.aggregation
            assert pickle.loads(pickle.dumps(variant)) == variant
            assert Measure.from_dict(json.loads(json.dumps(variant.to_dict()))) == variant


@parametrize(engines=False)
def test_all_are_different(suite: Suite) -> None:
    measures = {m for case in suite.cases for m in suite.measures(case)}
    assert len({str(m) for m in measures}) == len(measures)
