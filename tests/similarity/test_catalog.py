"""Declarations, spellings, the list of measures, and names in several families."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.errors import InvalidParameter, UnknownName
from tests.similarity.suite import DEFINITIONS

definitions = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)


@definitions
def test_declarations(definition: Definition) -> None:
    assert definition.sentence.endswith(".")
    assert "Range:" in definition.page
    assert "Undefined" in definition.page
    assert definition.formula
    assert definition.source
    assert definition.range[0] < definition.range[1]
    assert definition.undefined is None
    assert list(inspect.signature(definition.function).parameters)[1:] == list(definition.parameters)
    assert all(p.what for p in definition.parameters.values())


def test_spellings() -> None:
    assert str(catalog.parse("kendall(variant='a')@10")) == "Tau(variant='a')@10"
    assert catalog.parse("RBO( p = 0.9 ) @ 100") == ir.similarity.RBO @ 100
    with pytest.raises(InvalidParameter, match=r"p of RBO is 1; it must be a number in \(0, 1\)"):
        catalog.parse("RBO(p=1)")
    with pytest.raises(InvalidParameter, match="variant of Tau is 'c'; it must be 'b' or 'a'"):
        catalog.parse("Tau(variant='c')", "similarity")
    with pytest.raises(UnknownName, match="no measure 'Tao'"):
        ir.Similarity(ir.similarity.ranking("a b")).evaluate("Tao")


def test_list_of_measures() -> None:
    listed = ir.measures("similarity")
    assert listed["name"].to_list() == [d.name for d in DEFINITIONS]
    assert set(listed["family"]) == {"similarity"}


def test_a_name_in_two_families() -> None:
    """A bare name is ambiguous; a comparison uses the measure of its family."""
    with catalog.restored():
        catalog.register(dataclasses.replace(ir.similarity.Spearman.definition, family="elsewhere"))
        with pytest.raises(
            UnknownName,
            match=r"Several families(.|\n)*ir\.similarity\.Spearman or ir\.elsewhere\.Spearman",
        ):
            catalog.parse("Spearman")
        evaluation = ir.Similarity(ir.similarity.ranking("a b"), against=ir.similarity.ranking("b a")).evaluate(
            "Spearman"
        )
        assert evaluation.measures[0].definition.family == "similarity"
        assert evaluation.per_unit()["value"].to_list() == [-1.0]
