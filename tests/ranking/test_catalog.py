"""Signatures match parameters, and each trec_eval name belongs to one measure."""

from __future__ import annotations

import inspect

from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.parameters import REQUIRED
from tests.ranking.suite import DEFINITIONS
from tests.together import each_of

each_definition = each_of(DEFINITIONS, lambda d: d.name)


@each_definition
def test_parameters_match_the_function(definition: Definition) -> None:
    """The function takes the context and its own parameters.

    `judged_only` and shared parameters are applied outside the function.
    """
    _, *arguments = inspect.signature(definition.function).parameters
    outside = {"judged_only", *catalog.shared("ranking")}
    assert arguments == [name for name in definition.parameters if name not in outside]
    for name, parameter in definition.parameters.items():
        assert parameter.what, name
        if parameter.default is not REQUIRED:
            assert parameter.convert(parameter.default) == parameter.default, name


@each_definition
def test_trec_names_are_unique(definition: Definition) -> None:
    for trec in definition.trec:
        assert catalog.trec_names()[trec.name] == (definition, trec)
        if trec.parameter:
            assert trec.parameter in definition.parameters
