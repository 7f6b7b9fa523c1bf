"""ranx itself, where it is installed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, InvalidValue, NotDefined, WrongType
from tests.interop.worlds import rows, world


def test_there_and_back() -> None:
    pytest.importorskip("ranx")
    qrels, run = world(3)
    theirs = ir.interop.ranx.to_qrels(qrels, name="made"), ir.interop.ranx.to_run(run, run_id="bm25")
    assert (theirs[0].name, theirs[1].name) == ("made", "bm25")
    back = ir.interop.ranx.from_qrels(theirs[0]), ir.interop.ranx.from_run(theirs[1])
    assert rows(back[0]) == rows(qrels)
    assert rows(back[1]) == rows(run.select(pl.lit("bm25").alias("run_id"), pl.all()))


def test_values_left_by_evaluate() -> None:
    ranx = pytest.importorskip("ranx")
    runs = ranx.Run(name="bm25"), ranx.Run()
    # ranx.evaluate writes them so; it compiles for minutes.
    runs[0].scores["map"]["q1"] = np.float64(0.5)
    runs[1].scores["map"] = {"q1": np.float64(0.25), "q2": np.float64(1.0)}
    values = ir.interop.ranx.from_values(*runs)
    assert values.rows() == [("bm25", "q1", "map", 0.5), ("2", "q1", "map", 0.25), ("2", "q2", "map", 1.0)]


def test_empty_and_fractional() -> None:
    pytest.importorskip("ranx")
    qrels, run = world()
    assert len(ir.interop.ranx.to_run(run.clear())) == 0
    assert ir.interop.ranx.from_run(ir.interop.ranx.to_run(run.clear())).height == 0
    with pytest.raises(InvalidValue, match=r"the first is 0\.5"):
        ir.interop.ranx.to_qrels(qrels.with_columns(relevance=pl.lit(0.5)))
    with pytest.raises(NotDefined, match=r"ranx\.evaluate"):
        ir.interop.ranx.from_values(ir.interop.ranx.to_run(run))


def test_other_things() -> None:
    with pytest.raises(WrongType, match=r"of type dict; a ranx\.Run is needed"):
        ir.interop.ranx.from_run({})


def test_not_installed(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ranx", None)
    with pytest.raises(EngineError, match="pip install ranx"):
        ir.interop.ranx.to_run(world()[1])
