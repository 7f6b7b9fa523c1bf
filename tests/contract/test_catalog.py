"""Every declaration is complete: names, a sentence, formula, source, range, and an oracle of the same name."""

from __future__ import annotations

import doctest
import inspect

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.measure import AGGREGATIONS, REQUIRED, Definition
from tests.contract.asked import DEFINITIONS
from tests.oracles.measures import ORACLES

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
    assert definition.higher_is_better in (True, False, None)
    assert definition.aggregation in AGGREGATIONS
    assert definition.undefined is None or low <= definition.undefined <= high


@every
def test_parameters_match_the_function(definition: Definition) -> None:
    """The function takes the context and its own parameters; `judged_only` and what all measures share is applied outside."""
    _, *taken = inspect.signature(definition.function).parameters
    outside = {"judged_only", *catalog.shared("ranking")}
    assert taken == [name for name in definition.parameters if name not in outside]
    for name, parameter in definition.parameters.items():
        assert parameter.what, name
        if parameter.default is not REQUIRED:
            assert parameter.convert(parameter.default) == parameter.default, name


@every
def test_the_package_offers_it(definition: Definition) -> None:
    assert getattr(ir, definition.name).definition is definition


@every
def test_aliases_parse_to_it(definition: Definition) -> None:
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        assert catalog.parse(name, definition.family).definition is definition


def test_no_name_stands_for_two_measures() -> None:
    names = [n.lower() for d in DEFINITIONS for n in {n.lower() for n in (d.name, *d.aliases)}]
    assert len(names) == len(set(names))


@every
def test_trec_names_are_of_one_measure(definition: Definition) -> None:
    for trec in definition.trec:
        assert catalog.trec_names()[trec.name] == (definition, trec)
        if trec.parameter:
            assert trec.parameter in definition.parameters


@every
def test_the_example_runs(definition: Definition) -> None:
    example = doctest.DocTestParser().get_doctest(definition.page, {}, definition.name, definition.name, 0)
    assert example.examples
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=said.append)
    assert failed == 0, "".join(said)
