"""Compact letters: they are the maximal groups of systems that do not differ."""

from __future__ import annotations

import itertools

import numpy as np

from ireval_frames.stats.letters import compact_letters


def maximal_groups(systems, different):
    """Every set of systems without a pair that differs, that no system can be added to."""
    fine = [
        set(group)
        for size in range(1, systems + 1)
        for group in itertools.combinations(range(systems), size)
        if not any({i, j} <= set(group) for i, j in different)
    ]
    return {frozenset(g) for g in fine if not any(g < other for other in fine)}


def test_letters_are_maximal_groups() -> None:
    rng = np.random.default_rng(1)
    for systems in (1, 2, 4, 6, 7):
        for share in (0.0, 0.2, 0.5, 0.8, 1.0):
            pairs = [p for p in itertools.combinations(range(systems), 2) if rng.random() < share]
            means = rng.random(systems)
            letters = compact_letters(means, [p if rng.random() < 0.5 else p[::-1] for p in pairs])
            groups = {
                frozenset(np.flatnonzero([x in word for word in letters]).tolist()) for x in set("".join(letters))
            }
            assert groups == maximal_groups(systems, pairs)
            assert "a" in letters[int(means.argmax())]


def test_order_and_many_groups() -> None:
    assert compact_letters(np.array([0.1, 0.9, 0.5]), [(0, 1), (1, 2), (0, 2)]) == ["c", "a", "b"]
    assert compact_letters(np.zeros(0), []) == []
    means = -np.arange(30.0)
    apart = compact_letters(means, itertools.combinations(range(30), 2))
    assert apart[:2] + apart[25:28] == ["a", "b", "z", "aa", "ab"]
    # Each differs from all but its neighbours: two letters, which a space tells apart.
    chain = compact_letters(means, [(i, j) for i, j in itertools.combinations(range(30), 2) if j > i + 1])
    assert chain[0] == "a"
    assert chain[26:28] == ["z aa", "aa ab"]
