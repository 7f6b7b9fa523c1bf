"""The values of the rows before and after each in its sequence, the same on each engine, whatever the order of rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from ireval_frames.engines.polars import sequences
from ireval_frames.expr import col
from tests.planner.engines import EVERY, Opened

ROWS = pl.DataFrame(
    {
        "doc": ["b", "b", "b", "a", "a", None, None],
        "part": [1, 1, 2, 1, 1, 1, 1],
        "position": [3, 7, 1, 0, 1, 5, 6],
        "tag": ["x", None, "y", "z", "w", "v", "u"],
    }
)
# doc, part, position → the tags before and after.
NEAR = {
    ("b", 1, 3): (None, None),
    ("b", 1, 7): ("x", None),
    ("b", 2, 1): (None, None),
    ("a", 1, 0): (None, "w"),
    ("a", 1, 1): ("z", None),
    (None, 1, 5): (None, "u"),
    (None, 1, 6): ("v", None),
}


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("order", ["together", "shuffled", "apart"])
def test_neighbours(engine: str, order: str) -> None:
    rows = {
        "together": ROWS,
        "shuffled": ROWS.sample(fraction=1.0, shuffle=True, seed=5),
        # In order within documents, which are not together.
        "apart": ROWS.sort("position"),
    }[order]
    opened = Opened(engine)
    near = opened.engine.neighbours(
        opened.frame(rows), ["doc", "part"], "position", {"before": "tag"}, {"after": "tag"}, "place"
    )
    assert near.columns == (*ROWS.columns, "before", "after", "place")
    out = opened.collect(near)
    assert {(d, p, at): (before, after) for d, p, at, _, before, after, _ in out.rows()} == NEAR
    places = {(d, at): place for d, _, at, *_, place in out.rows()}
    assert places["b", 7] - places["b", 3] == places["a", 1] - places["a", 0] == places[None, 6] - places[None, 5] == 1
    assert opened.collect(near.filter(col("before") == "x")).height == 1


@pytest.mark.parametrize("doc", [["a", "b"], [-(2**40), 7], [2**62 - 1, -(2**62)], [True, False], [1.5, 0.5]])
def test_sorting_by_all_kinds_of_keys(doc: list[Any]) -> None:
    """In one number, where the columns fit into it, or column by column."""
    tokens = [(d, part, at) for d in doc for part in (-3, 2**31) for at in (-1, 5, 2**20)]
    rows = pl.DataFrame(tokens, schema=["doc", "part", "position"], orient="row", strict=False)
    shuffled = rows.sample(fraction=1.0, shuffle=True, seed=2)
    near = sequences.neighbours(shuffled, ["doc", "part"], "position", {"before": "position"}, {}, None).collect()
    assert sorted(near.rows()) == sorted((d, part, at, {-1: None, 5: -1, 2**20: 5}[at]) for d, part, at in rows.rows())


@pytest.mark.parametrize("engine", EVERY)
def test_no_rows(engine: str) -> None:
    opened = Opened(engine)
    near = opened.engine.neighbours(opened.frame(ROWS.clear()), ["doc"], "position", {}, {"after": "tag"})
    assert opened.collect(near).rows() == []
