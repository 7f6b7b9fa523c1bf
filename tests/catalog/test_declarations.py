"""Every declaration of every family is complete: names, a sentence, formula, source, range, an example that runs."""

from __future__ import annotations

import doctest
import importlib
import pickle

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS, Definition
from ireval_frames.parameters import REQUIRED

DEFINITIONS = catalog.definitions()
FAMILIES = sorted({d.family for d in DEFINITIONS})
every = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: f"{d.family}-{d.name}")


def test_the_families() -> None:
    assert FAMILIES == ["clusters", "labels", "organization", "points", "ranking", "similarity"]


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
    # Only rankings have a convention for what is undefined: trec_eval's.
    assert definition.undefined is None or (definition.family == "ranking" and low <= definition.undefined <= high)


@every
def test_parameters_have_words_and_take_their_defaults(definition: Definition) -> None:
    for name, parameter in definition.parameters.items():
        assert parameter.what, name
        if parameter.default is not REQUIRED:
            assert parameter.convert(parameter.default) == parameter.default, name


@every
def test_the_example_runs(definition: Definition) -> None:
    example = doctest.DocTestParser().get_doctest(definition.page, {}, definition.name, definition.name, 0)
    assert example.examples
    said: list[str] = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, _ = doctest.DocTestRunner(verbose=False, optionflags=flags).run(example, out=said.append)
    assert failed == 0, "".join(said)


@every
def test_names(definition: Definition) -> None:
    module = importlib.import_module(
        "ireval_frames" if definition.family == "ranking" else f"ireval_frames.{definition.family}"
    )
    assert getattr(module, definition.name).definition is definition
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        assert catalog.parse(name, definition.family).definition is definition


@every
def test_survives_text_and_pickle(definition: Definition) -> None:
    made = definition()
    for value in (made, *(made(aggregation=a) for a in AGGREGATIONS)):
        again = catalog.parse(str(value), definition.family)
        assert again == value
        assert again.aggregation == value.aggregation
        assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("family", FAMILIES)
def test_no_name_stands_for_two_measures(family: str) -> None:
    names = [n for d in catalog.definitions(family) for n in {n.lower() for n in (d.name, *d.aliases)}]
    assert len(names) == len(set(names))
