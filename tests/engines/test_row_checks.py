"""Checks of rows: counted in one query, reported in order, with at most ten rows fetched."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import IrevalError
from ireval_frames.expr import col, lit
from tests.planner.engines import EVERY, Opened

engines = pytest.mark.parametrize("engine", EVERY)
ROWS = pl.DataFrame({"id": [f"i{i % 20:02}" for i in range(30)], "x": [float(i) for i in range(30)]})
OTHER = pl.DataFrame({"y": [None, 1.0, 2.0], "text": ["1", "2", "three"]})


def error(what: str) -> Any:
    """Makes an error with the number of rows and those that are shown."""
    return lambda rows, count: ValueError(f"{what}: {count}, {rows.height} shown, {rows.row(0)[0]}")


@engines
def test_the_first_failing_check_is_reported(engine: str) -> None:
    opened = Opened(engine)
    rows, other = opened.frame(ROWS), opened.frame(OTHER)
    checks = [
        Check(rows, col("x") < 0, error("below")),
        Check(other, col("y").is_null(), error("null")),
        Check(rows, col("x") >= 5, error("above")),
        unique_key(rows, ["id"], error("twice"), ordered=True),
    ]
    with pytest.raises(ValueError, match=r"^null: 1, 1 shown"):
        run_checks(opened.engine, checks)
    with pytest.raises(ValueError, match=r"^above: 25, 10 shown"):
        run_checks(opened.engine, checks[2:])
    with pytest.raises(ValueError, match=r"^twice: 10, 10 shown, i00"):
        run_checks(opened.engine, checks[3:])
    run_checks(opened.engine, checks[:1])
    run_checks(opened.engine, [])
    # Null counts as no.
    run_checks(opened.engine, [Check(other, col("y") > 2, error("large"))])


@engines
def test_a_condition_of_all_rows_counts_them(engine: str) -> None:
    opened = Opened(engine)
    with pytest.raises(ValueError, match=r"^any: 30, 10 shown"):
        run_checks(opened.engine, [Check(opened.frame(ROWS), lit(value=True), error("any"))])
    run_checks(opened.engine, [Check(opened.frame(ROWS.clear()), lit(value=True), error("any"))])


@engines
def test_one_query_each(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One query counts, and one fetches rows if there are bad ones."""
    opened, calls = Opened(engine), []
    for name in ("collect", "numbers"):
        method = getattr(opened.engine, name)
        monkeypatch.setattr(opened.engine, name, lambda f, n=name, p=method: calls.append(n) or p(f))
    rows, other = opened.frame(ROWS), opened.frame(OTHER)
    good = [Check(t, col(c) > 99, error(c)) for t, c in ((rows, "x"), (other, "y"), (rows, "x"))]
    run_checks(opened.engine, good)
    assert calls.count("numbers") == 1
    assert calls.count("collect") <= 1  # some engines count by collecting
    calls.clear()
    with pytest.raises(ValueError, match=r"^x: 30"):
        run_checks(opened.engine, [*good, Check(rows, col("x") > -1, error("x"))])
    assert calls.count("numbers") == 1
    assert calls.count("collect") <= 2


@engines
def test_where_the_query_fails_earlier_checks_are_reported(engine: str) -> None:
    opened = Opened(engine)
    text = opened.frame(OTHER).select(number=col("text").cast(pl.Float64))
    cannot = Check(text, col("number") > 0, error("number"))
    with pytest.raises(ValueError, match=r"^above"):
        run_checks(opened.engine, [Check(opened.frame(ROWS), col("x") > 5, error("above")), cannot])
    with pytest.raises(IrevalError, match="three"):
        run_checks(opened.engine, [Check(opened.frame(ROWS), col("x") > 99, error("above")), cannot])
