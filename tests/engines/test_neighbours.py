"""The values of the rows before and after each in its sequence, the same on each engine, whatever the order of rows."""

from __future__ import annotations

import polars as pl
import pytest

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


@pytest.mark.parametrize("engine", EVERY)
def test_no_rows(engine: str) -> None:
    opened = Opened(engine)
    near = opened.engine.neighbours(opened.frame(ROWS.clear()), ["doc"], "position", {}, {"after": "tag"})
    assert opened.collect(near).rows() == []
