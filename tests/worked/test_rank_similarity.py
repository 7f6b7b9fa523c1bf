"""Worked examples of lecture slides: similarity of rankings."""

from __future__ import annotations

import pytest

import ireval_frames as ir


def test_formulas_of_a_course() -> None:
    """Spearman's formula and Kendall's τ of lecture slides.

    1 − 6 Σ d² / (N(N² − 1)), and (C − D) / (N(N−1)/2).
    """
    first, second = ir.similarity.ranking("d1 d2 d3 d4 d5"), ir.similarity.ranking("d2 d3 d1 d5 d4")
    # Distances 2, 1, 1, 1, 1; discordant are (d1, d2), (d1, d3), (d4, d5).
    actual = (
        ir.Similarity(first, against=second)
        .evaluate("Spearman Spearman(ties='distances') Tau(variant='a')")
        .per_unit()["value"]
        .to_list()
    )
    assert actual == pytest.approx([1 - 6 * 8 / (5 * 24)] * 2 + [(7 - 3) / 10])
