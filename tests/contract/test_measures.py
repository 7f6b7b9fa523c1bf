"""Every declared measure has an oracle and values to try; each variant survives being written down and pickled."""

from __future__ import annotations

import json
import pickle

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS, Definition, Measure
from tests.contract.kit import Kind, chosen, each, every_kind

every = pytest.mark.parametrize(
    "definition", chosen(catalog.definitions()), ids=lambda definition: f"{definition.family}-{definition.name}"
)


@every
def test_is_tried_against_an_oracle(definition: Definition) -> None:
    """What is missing is told with its place."""
    having = [k for k in every_kind() if k.family == definition.family and definition.name in k.oracles]
    family = [k for k in every_kind() if k.family == definition.family]
    places = "\n  ".join(f"{k}: {k.oracle_place}" for k in family)
    assert having, (
        f"{definition.name} of {definition.family} has no oracle: write it as a plain loop, and enter it in one of\n"
        f"  {places}"
    )
    for kind in having:
        tried = [m for world in kind.worlds.values() for m in kind.variants(definition, world)]
        assert tried, f"{definition.name} is tried in no world of {kind}: see its `variants`"


@each(engines=False)
def test_every_oracle_has_a_measure(kind: Kind) -> None:
    declared = {d.name for d in catalog.definitions(kind.family)}
    assert set(kind.oracles) <= declared, f"no measure of that name: {set(kind.oracles) - declared}"


@each(engines=False)
def test_round_trip(kind: Kind) -> None:
    """Text, pickle, JSON, hash, and the arguments: two spellings of one measure are one measure."""
    for measure in dict.fromkeys(m for where in kind.worlds for m in kind.asked(where)):
        assert measure.definition(**measure.arguments()) == measure
        assert str(measure.definition(**measure.arguments())) == str(measure)
        for made in (measure, *(measure(aggregation=a) for a in AGGREGATIONS)):
            again = catalog.parse(str(made), kind.family)
            assert again == made
            assert hash(again) == hash(made)
            assert again.arguments() == made.arguments()
            assert again.aggregation == made.aggregation
            assert pickle.loads(pickle.dumps(made)) == made
            assert Measure.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@each(engines=False)
def test_all_are_different(kind: Kind) -> None:
    every = {m for where in kind.worlds for m in kind.asked(where)}
    assert len({str(m) for m in every}) == len(every)
