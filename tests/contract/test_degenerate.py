"""Tables without rows."""

from __future__ import annotations

from tests.contract.kit import Frames, Kind, each


def cleared(frames: Frames) -> Frames:
    return {name: frame.clear() for name, frame in frames.items()}


@each("where", lambda kind: list(kind.worlds)[:3])
def test_no_rows_are_no_units(kind: Kind, where: str, engine: str) -> None:
    for batch in kind.batches(kind.first(where)):
        empty, full = kind.evaluation(where, batch, engine, cleared), kind.evaluation(where, batch[:1], engine)
        assert empty.per_unit().height == 0
        assert empty.per_unit().columns == full.per_unit().columns
        summary = empty.summary()
        assert summary.columns == full.summary().columns
        assert summary["n_units"].to_list() == [0] * summary.height
        assert {str(m) for m in batch} == set(summary["measure"]) or summary.height == 0
        assert all(v in (None, 0.0) for v in summary["value"])
        assert empty.wide().columns == [*full.wide().columns[:-1], *map(str, batch)]
