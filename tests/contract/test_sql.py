"""The SQL text that is shown computes, run by hand against the caller's tables, what the evaluation gives."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import polars as pl
import pytest

from ireval_frames.errors import NotDefined
from tests.contract.kit import Frames, Kind, each, names, nothing_differs, worlds


def by_hand(frames: Frames, text: str) -> pl.DataFrame:
    """What the text gives where the tables have the names that it says."""
    with duckdb.connect() as con:
        for name, frame in frames.items():
            con.from_arrow(frame.to_arrow()).create(name)
        return con.sql(text).pl()


@each("where", worlds, engines=False)
def test_values_per_unit(kind: Kind, where: str) -> None:
    # Steps in Python have no text.
    some = kind.some(where) if where == worlds(kind)[0] else kind.first(where)
    some = [m for m in some if m.runs == "relational"]
    for batch in kind.batches(some, 40):
        frames = kind.tables(kind.world(where), kind.way(batch[0]))
        evaluation = kind.evaluation(where, batch, "duckdb")
        rows = by_hand(frames, evaluation.per_unit.sql(wide=True))
        keys = [c for c in rows.columns if c not in {str(m) for m in batch}]
        for m in batch:
            got = {(str(m), *row[:-1]): row[-1] for row in rows.select(*keys, pl.col(str(m)).cast(pl.Float64)).rows()}
            nothing_differs(got, kind.found(where, "duckdb")[str(m)], 1e-12, "by hand")


@each("where", lambda kind: worlds(kind)[:1], engines=False)
def test_summary(kind: Kind, where: str) -> None:
    values = kind.found(where, "duckdb")
    some = [m for m in kind.first(where) if m.runs == "relational" and math.inf not in values[str(m)].values()]
    if not some:
        return
    batch = kind.batches(some[:: max(1, len(some) // 10)])[0]
    frames = kind.tables(kind.world(where), kind.way(batch[0]))
    evaluation = kind.evaluation(where, batch, "duckdb")
    rows = by_hand(frames, evaluation.summary.sql(wide=True))
    wide = evaluation.wide()
    assert rows.columns == wide.columns
    for got, wanted in zip(rows.rows(), wide.rows(), strict=True):
        assert got == tuple(_near(v) for v in wanted)


def _near(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value


def _in_python(kind: Kind, name: str) -> list:
    return [(where, m) for where in kind.worlds for m in kind.of(where, name) if m.runs == "python"]


@each("name", lambda kind: [n for n in names(kind) if _in_python(kind, n)], engines=False)
def test_steps_in_python_are_refused(kind: Kind, name: str) -> None:
    """The text is refused with the step's name, and the plan says it too."""
    where, measure = _in_python(kind, name)[0]
    evaluation = kind.evaluation(where, [measure], "polars")
    with pytest.raises(NotDefined, match=r"a step in Python \((.|\n)*explain\(\)"):
        evaluation.per_unit.sql(wide=True)
    assert "through Python" in evaluation.explain()
