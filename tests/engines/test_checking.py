"""What tables must not hold: counted in one query, told in order, ten rows at most fetched."""

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


def told(what: str) -> Any:
    """An error that says what it was handed."""
    return lambda rows, count: ValueError(f"{what}: {count}, {rows.height} shown, {rows.row(0)[0]}")


@engines
def test_the_first_that_fails_is_told(engine: str) -> None:
    opened = Opened(engine)
    rows, other = opened.frame(ROWS), opened.frame(OTHER)
    checks = [
        Check(rows, col("x") < 0, told("below")),
        Check(other, col("y").is_null(), told("null")),
        Check(rows, col("x") >= 5, told("above")),
        unique_key(rows, ["id"], told("twice"), ordered=True),
    ]
    with pytest.raises(ValueError, match=r"^null: 1, 1 shown"):
        run_checks(opened.engine, checks)
    with pytest.raises(ValueError, match=r"^above: 25, 10 shown"):
        run_checks(opened.engine, checks[2:])
    with pytest.raises(ValueError, match=r"^twice: 10, 10 shown, i00"):
        run_checks(opened.engine, checks[3:])
    run_checks(opened.engine, checks[:1])
    run_checks(opened.engine, [])
    # Null is no: neither that a row is bad nor that it is not is known.
    run_checks(opened.engine, [Check(other, col("y") > 2, told("large"))])


@engines
def test_a_condition_of_all_rows_counts_them(engine: str) -> None:
    opened = Opened(engine)
    with pytest.raises(ValueError, match=r"^any: 30, 10 shown"):
        run_checks(opened.engine, [Check(opened.frame(ROWS), lit(value=True), told("any"))])
    run_checks(opened.engine, [Check(opened.frame(ROWS.clear()), lit(value=True), told("any"))])


@engines
def test_one_query_each(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One counts, and one fetches where something is wrong."""
    opened, asked = Opened(engine), []
    for name in ("collect", "numbers"):
        plainly = getattr(opened.engine, name)
        monkeypatch.setattr(opened.engine, name, lambda f, n=name, p=plainly: asked.append(n) or p(f))
    rows, other = opened.frame(ROWS), opened.frame(OTHER)
    good = [Check(t, col(c) > 99, told(c)) for t, c in ((rows, "x"), (other, "y"), (rows, "x"))]
    run_checks(opened.engine, good)
    assert asked.count("numbers") == 1
    assert asked.count("collect") <= 1  # by way of which an engine may count
    asked.clear()
    with pytest.raises(ValueError, match=r"^x: 30"):
        run_checks(opened.engine, [*good, Check(rows, col("x") > -1, told("x"))])
    assert asked.count("numbers") == 1
    assert asked.count("collect") <= 2


@engines
def test_where_the_query_fails_what_stands_first_is_told(engine: str) -> None:
    opened = Opened(engine)
    text = opened.frame(OTHER).select(number=col("text").cast(pl.Float64))
    cannot = Check(text, col("number") > 0, told("number"))
    with pytest.raises(ValueError, match=r"^above"):
        run_checks(opened.engine, [Check(opened.frame(ROWS), col("x") > 5, told("above")), cannot])
    with pytest.raises(IrevalError, match="three"):
        run_checks(opened.engine, [Check(opened.frame(ROWS), col("x") > 99, told("above")), cannot])
