"""What every declaration of a measure must have."""

from __future__ import annotations

import doctest

from ireval_frames.measure import REQUIRED, Definition


def says_what_it_is(definition: Definition) -> None:
    """A sentence, a range, a formula, a source, words for every parameter."""
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
        if parameter.default is not REQUIRED:
            assert parameter.convert(parameter.default) == parameter.default, name


def example_runs(definition: Definition) -> None:
    """The example of the docstring gives what it says."""
    example = doctest.DocTestParser().get_doctest(definition.page, {}, definition.name, definition.name, 0)
    assert example.examples
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert failed == 0, "".join(said)
