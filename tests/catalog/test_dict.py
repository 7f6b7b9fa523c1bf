"""A measure is made of what it tells of itself; what tells of none is refused."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, UnknownName


@pytest.mark.parametrize("stored", [{}, {"measure": "AP"}, {"measure": 3, "family": "ranking"}, ["AP"], None])
def test_what_tells_of_no_measure_is_refused(stored: object) -> None:
    with pytest.raises(InvalidParameter, match="has no text for"):
        ir.Measure.from_dict(stored)  # type: ignore[arg-type]


def test_other_measures_are_unknown() -> None:
    with pytest.raises(UnknownName):
        ir.Measure.from_dict({"measure": "AQ", "family": "ranking"})
    with pytest.raises(UnknownName):
        ir.Measure.from_dict({"measure": "AP", "family": "labels"})
