"""Every declaration is complete: names, a sentence, formula, source, range, an example that runs, and an oracle of the same name."""

from __future__ import annotations

import doctest
import pickle

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.measure import AGGREGATIONS, Definition
from tests.oracles.points import ORACLES
from tests.points.asked import DEFINITIONS, VARIANTS

every = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)


def test_oracles_and_measures_are_the_same() -> None:
    assert {d.name for d in DEFINITIONS} == set(ORACLES)


@every
def test_says_what_it_is(definition: Definition) -> None:
    assert definition.sentence.endswith(".")
    assert len(definition.sentence) > 15
    assert "Range:" in definition.page
    assert definition.formula
    assert definition.source
    low, high = definition.range
    assert low < high
    assert definition.undefined is None
    for name, parameter in definition.parameters.items():
        assert parameter.what, name
        assert parameter.convert(parameter.default) == parameter.default, name


@every
def test_the_example_runs(definition: Definition) -> None:
    example = doctest.DocTestParser().get_doctest(definition.page, {}, definition.name, definition.name, 0)
    assert example.examples
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert failed == 0, "".join(said)


@every
def test_names(definition: Definition) -> None:
    assert getattr(ir.points, definition.name).definition is definition
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        assert catalog.parse(name, "points").definition is definition


def test_no_name_stands_for_two_measures() -> None:
    names = [n for d in DEFINITIONS for n in {n.lower() for n in (d.name, *d.aliases)}]
    assert len(names) == len(set(names))


def test_round_trip() -> None:
    for measure in VARIANTS:
        for made in (measure, *(measure(aggregation=a) for a in AGGREGATIONS)):
            again = catalog.parse(str(made), "points")
            assert again == made
            assert again.arguments() == made.arguments()
            assert pickle.loads(pickle.dumps(made)) == made
