"""Partitions into single items: no pair is together, and what is a share of such pairs is undefined."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit.suite import ENGINES

SINGLE, PAIRED = [1, 2, 3], [1, 1, 2]
SHARES = "FowlkesMallows Jaccard PairF"


@pytest.mark.parametrize("engine", ENGINES)
def test_relatives_are_undefined_together(engine: str) -> None:
    for label, cluster, expected in ((SINGLE, SINGLE, None), (SINGLE, PAIRED, 0.0), (PAIRED, SINGLE, 0.0)):
        frame = pl.DataFrame({"label": label, "cluster_id": cluster})
        for undefined in (None, 0, 1):
            actual = ir.Clusters(frame, policy={"undefined": undefined}, engine=engine).evaluate(SHARES).summary()
            assert actual["value"].to_list() == [undefined if expected is None else expected] * 3
