"""The report of a pool bias."""

from __future__ import annotations

from pathlib import Path

import ireval_frames as ir


def test_sentences_tables_and_picture(tmp_path: Path) -> None:
    bias = ir.pool_bias(*ir.examples.pooled(), "AP P@3", group="team", depth=3)
    page = ir.report(bias, tmp_path / "bias.html").read_text("utf-8")
    again = ir.report(bias, tmp_path / "again.html").read_text("utf-8")
    assert page == again
    for text in (
        "4 runs of 3 groups.  One group alone contributed 4 of 6 relevant documents (66.7 %).",
        "Contributions are documents down to rank 3.",
        "without x τ is 0.548",
        "<svg",
        "Without each group: the order of all runs",
        "n_unique_relevant",
    ):
        assert text in page
