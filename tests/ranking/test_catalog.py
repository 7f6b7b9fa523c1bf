"""Oracles and measures are the same, signatures match parameters, and trec_eval's names are of one measure."""

from __future__ import annotations

import inspect

from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.parameters import REQUIRED
from tests.ranking.suite import DEFINITIONS
from tests.together import each_of

every = each_of(DEFINITIONS, lambda d: d.name)


@every
def test_parameters_match_the_function(definition: Definition) -> None:
    """The function takes the context and its own parameters.

    `judged_only` and what all measures share is applied outside.
    """
    _, *taken = inspect.signature(definition.function).parameters
    outside = {"judged_only", *catalog.shared("ranking")}
    assert taken == [name for name in definition.parameters if name not in outside]
    for name, parameter in definition.parameters.items():
        assert parameter.what, name
        if parameter.default is not REQUIRED:
            assert parameter.convert(parameter.default) == parameter.default, name


@every
def test_trec_names_are_of_one_measure(definition: Definition) -> None:
    for trec in definition.trec:
        assert catalog.trec_names()[trec.name] == (definition, trec)
        if trec.parameter:
            assert trec.parameter in definition.parameters
