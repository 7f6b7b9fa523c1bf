"""The conventions of all families: typed in Python, words in text, each choice with its sentence and source."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.conventions import Conventions
from ireval_frames.errors import UnknownName
from ireval_frames.policy import POLICIES
from ireval_frames.subject import Subject


def test_every_subject_has_its_policy_there() -> None:
    for kind in (ir.Rankings, ir.Labels, ir.Clusters, ir.Points, ir.Organization, ir.Similarity):
        assert issubclass(kind, Subject)
        assert POLICIES[kind.family] is kind.conventions


def test_every_choice_has_its_own_sentence_and_a_source() -> None:
    frame = ir.policies()
    assert frame.select("family", "field", "sentence").is_unique().all()
    assert frame.filter(pl.col("source") == "").is_empty()
    assert frame.filter("default").select("family", "field").is_unique().all()
    assert set(POLICIES) == set(frame["family"])
    with pytest.raises(UnknownName, match="labels"):
        ir.policies("label")


@pytest.mark.parametrize("kind", POLICIES.values())
def test_what_text_writes_is_what_is_typed(kind: type[Conventions]) -> None:
    for field, choices in kind.choices().items():
        for choice in choices:
            typed, text = (3, "3") if choice.text == "N" else (choice.value, choice.text)
            assert kind.of(f"{field}={text}") == kind(**{field: typed}) == kind.of({field: typed})
            assert (field, typed) in [described[:2] for described in kind(**{field: typed}).described()]
