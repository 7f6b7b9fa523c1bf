"""Names and parameters."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.errors import InvalidParameter, UnknownName
from tests.organization.suite import DEFINITIONS, NAMES

definitions = pytest.mark.parametrize("definition", DEFINITIONS, ids=NAMES)


def test_canonical_names() -> None:
    assert NAMES == ["Reliability", "Sensitivity", "RS", "NumItems"]
    assert ir.measures().filter(family="organization")["name"].to_list() == NAMES


@definitions
def test_names(definition: Definition) -> None:
    assert getattr(ir.organization, definition.name).definition is definition
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        assert catalog.parse(name, "organization").definition is definition
    with pytest.raises(UnknownName, match=r"ir\.organization\.Sensitivity"):
        # Classifiers have a sensitivity, too.
        catalog.parse("Sensitivity")


@pytest.mark.parametrize(
    "parameters",
    [{"W": 1.0}, {"W": 0}, {"n": 0}, {"weights": "linear"}, {"pair_weight": "both"}, {"types": 2}, {"alpha": 1.1}],
)
def test_invalid_values(parameters: dict[str, object]) -> None:
    with pytest.raises(InvalidParameter):
        ir.organization.RS(**parameters)
    with pytest.raises(UnknownName):
        ir.organization.Reliability(alpha=0.5)
