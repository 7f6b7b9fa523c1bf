"""The attention at each rank, on both engines, is that of its formula."""

from __future__ import annotations

import math
from collections.abc import Callable

import polars as pl
import pytest

from ireval_frames.expr import col
from ireval_frames.kernels.browsing import BROWSING, attention
from tests.planner.engines import ENGINES, Opened

ABOVE = [0, 1, 1, 2, 3]
ATTENTION: dict[str, Callable[[float, float], float]] = {
    "log": lambda r, _: 1 / math.log2(r + 1),
    "trecfair": lambda r, _: 1.0 if r == 1 else 1 / math.log2(r),
    "geometric": lambda r, _: 0.7 ** (r - 1),
    "cascade": lambda r, above: 0.7 ** (r - 1) * 0.6**above,
    "reciprocal": lambda r, _: 1 / r,
    "none": lambda *_: 1.0,
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("browsing", BROWSING.choices)
def test_attention(browsing: str, engine: str) -> None:
    table = pl.DataFrame({"r": [1.0, 2.0, 3.0, 4.0, 1000.0], "above": ABOVE}, schema={"r": float, "above": float})
    opened = Opened(engine)
    value = attention(browsing, col("r"), p=0.7, stop=0.4, above=col("above"))
    rows = opened.collect(opened.frame(table).select("r", "above", value=value)).rows()
    assert len(rows) == 5
    for r, above, found in rows:
        assert found == pytest.approx(ATTENTION[browsing](r, above), rel=1e-14, abs=1e-300)


def test_a_cascade_counts_the_relevant_above() -> None:
    with pytest.raises(ValueError, match="relevant documents above"):
        attention("cascade", col("r"))
