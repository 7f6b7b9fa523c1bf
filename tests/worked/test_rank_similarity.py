"""Comparing rankings as lecture slides do."""

from __future__ import annotations

import pytest

import ireval_frames as ir


def test_formulas_of_a_course() -> None:
    """Spearman's formula and Kendall's τ as lecture slides give them.

    1 − 6 Σ d² / (N(N² − 1)), and (C − D) / (N(N−1)/2).
    """
    one, other = ir.similarity.ranking("d1 d2 d3 d4 d5"), ir.similarity.ranking("d2 d3 d1 d5 d4")
    # Distances 2, 1, 1, 1, 1; discordant are (d1, d2), (d1, d3), (d4, d5).
    got = (
        ir.Similarity(one, against=other)
        .evaluate("Spearman Spearman(ties='distances') Tau(variant='a')")
        .per_unit()["value"]
        .to_list()
    )
    assert got == pytest.approx([1 - 6 * 8 / (5 * 24)] * 2 + [(7 - 3) / 10])
