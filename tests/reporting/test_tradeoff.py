"""The report of quality against cost."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from tests.plots.cases import tradeoff
from tests.reporting.reading import Reader


def test_sentences_picture_and_table(tmp_path: Path) -> None:
    page = ir.report(tradeoff(), tmp_path / "trade.html").read_text("utf-8")
    again = ir.report(tradeoff(), tmp_path / "again.html").read_text("utf-8")
    assert page == again
    for text in (
        "No other of 3 systems is at least as good and as cheap as b, a, from the cheapest to the best.",
        "In at least 95 % of the replicates b is on the front.",
        "<svg",
    ):
        assert text in page
    assert "share_on_front" in Reader(page).table("Systems from the cheapest on").header


def test_costs_of_nothing(tmp_path: Path) -> None:
    systems = pl.DataFrame({"run_id": ["a", "b"], "quality": [0.1, 0.2], "cost": [0.0, 3.0]})
    assert "<svg" in ir.report(ir.tradeoff(systems), tmp_path / "trade.html").read_text("utf-8")
    with pytest.raises(InvalidParameter, match="names no systems to compare with 'a'"):
        ir.report(ir.tradeoff(systems), tmp_path / "trade.html", baseline="a")
