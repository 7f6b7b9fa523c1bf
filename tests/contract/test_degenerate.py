"""Tables without rows."""

from __future__ import annotations

from tests.contract.kit import Frames, Suite, parametrize


def cleared(frames: Frames) -> Frames:
    return {name: frame.clear() for name, frame in frames.items()}


@parametrize("case", lambda suite: list(suite.cases)[:3])
def test_no_rows_are_no_units(suite: Suite, case: str, engine: str) -> None:
    for batch in suite.batches(suite.first_variants(case)):
        empty, full = suite.evaluation(case, batch, engine, cleared), suite.evaluation(case, batch[:1], engine)
        assert empty.per_unit().height == 0
        assert empty.per_unit().columns == full.per_unit().columns
        summary = empty.summary()
        assert summary.columns == full.summary().columns
        assert summary["n_units"].to_list() == [0] * summary.height
        assert {str(m) for m in batch} == set(summary["measure"]) or summary.height == 0
        assert all(v in (None, 0.0) for v in summary["value"])
        assert empty.wide().columns == [*full.wide().columns[:-1], *map(str, batch)]
