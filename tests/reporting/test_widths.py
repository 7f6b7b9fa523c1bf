"""Pictures fill the line of a page, and small ones are not blown up."""

from __future__ import annotations

import re

import pytest

import ireval_frames as ir
from ireval_frames.plots.saving import svg
from ireval_frames.reporting.widths import PAGE, filled
from tests.plots import cases

ACROSS = ("systems", "effects", "judged", "fused", "differences", "history", "silhouettes")


@pytest.mark.parametrize("case", [*ACROSS, "matrix", "roc"])
def test_a_picture_is_as_wide_as_the_line(case: str) -> None:
    drawn = svg(filled(cases.drawn(case, theme="page").to_dict()))
    width = float(re.search(r'width="([\d.]+)"', drawn)[1])
    low, high = (0.93, 1.05) if case in ACROSS else (0.3, 0.7)
    assert low * PAGE < width < high * PAGE


def test_pictures_side_by_side_share_the_line() -> None:
    ev = cases.evaluation()
    drawn = svg(filled(ir.plots.distribution(ev, "AP", theme="page").to_dict(), PAGE // 2))
    assert float(re.search(r'width="([\d.]+)"', drawn)[1]) <= PAGE / 2 + 10
