"""Coarser units: queries become sessions, sessions users, and every level is aggregated as the measure says."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import UnknownName

# Users have different numbers of sessions, and those of pages; one page has no value.
ROWS = [
    ("ann", 1, 1, "x", "x"), ("ann", 1, 1, "y", "x"), ("ann", 1, 2, "x", "x"),
    ("ann", 2, 1, "x", "y"), ("ann", 2, 2, "x", "x"), ("ann", 2, 3, "y", "y"),
    ("bob", 1, 1, "x", "y"), ("bob", 1, 1, "x", "x"), ("bob", 1, 1, "y", "x"), ("bob", 1, 2, "x", "y"),
    ("cal", 1, 1, "y", "x"), ("cal", 1, 1, "x", "x"), ("cal", 3, 1, "y", "x"),
]  # fmt: skip
FRAME = pl.DataFrame(ROWS, schema=["user", "session", "page", "label", "prediction"], orient="row").with_columns(
    half=pl.Series([*"aaabbbaaabbab"])
)
HOW: dict[str, Callable[[list[float]], float | None]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "sum": math.fsum,
    "std": lambda values: statistics.stdev(values) if len(values) > 1 else None,
    "geometric": lambda values: math.exp(statistics.fmean(math.log(max(v, 1e-5)) for v in values)),
}


def folded(rows: list[dict[str, Any]], levels: Sequence[str], how: str) -> float | None:
    """The precision of rows; with levels, of the values of each group of the coarsest, and so on down."""
    if not levels:
        summaries = [row["label"] == "x" for row in rows if row["prediction"] == "x"]
        return sum(summaries) / len(summaries) if summaries else None
    coarsest, *finer = levels
    parts = [[row for row in rows if row[coarsest] == key] for key in dict.fromkeys(row[coarsest] for row in rows)]
    values = [value for part in parts if (value := folded(part, finer, how)) is not None]
    return HOW[how](values) if values else None


def rows_of(frame: pl.DataFrame) -> list[dict[str, Any]]:
    return [{**row, "unit": (row["user"], row["session"], row["page"])} for row in frame.iter_rows(named=True)]


def frame_of(engine: str) -> pl.DataFrame | duckdb.DuckDBPyRelation:
    return FRAME if engine == "polars" else duckdb.connect().from_arrow(FRAME.to_arrow())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_three_levels(engine: str) -> None:
    labels = ir.Labels(frame_of(engine), positive="x", unit=["user", "session", "page"])
    evaluation = labels.evaluate([ir.labels.Precision(aggregation=how) for how in HOW])
    for over in (["user", "session"], ["user"], ["session", "user"], ["user", "session", "page"], []):
        actual = evaluation.summary(over=over)["value"].to_list()
        for how, value in zip(HOW, actual, strict=True):
            expected = folded(rows_of(FRAME), [*over, "unit"], how)
            # Of no value at all the last sum is 0.
            expected = 0.0 if expected is None and how == "sum" else expected
            assert value == (None if expected is None else pytest.approx(expected, rel=1e-12)), (over, how)
        assert list(evaluation.summary(over=over, wide=True).row(0)) == actual


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_levels_within_groups(engine: str) -> None:
    """Columns of by= that are not averaged over stay groups; the text of the summary gives the same."""
    labels = ir.Labels(frame_of(engine), positive="x", by=["half", "user"], unit=["session", "page"])
    evaluation = labels.evaluate("Precision")
    actual = evaluation.summary(over="user")
    assert actual.columns == ["half", "measure", "value", "n_units", "n_undefined"]
    for half, value in actual.select("half", "value").iter_rows():
        part = rows_of(FRAME.filter(half=half))
        assert value == pytest.approx(folded(part, ["user", "unit"], "mean"), rel=1e-12)
    con = duckdb.connect()
    con.register("labels", FRAME.to_arrow())
    text = ir.Labels(FRAME, positive="x", by=["half", "user"], unit=["session", "page"]).evaluate("Precision")
    assert con.sql(text.summary.sql(over="user")).pl().equals(actual)
    assert evaluation.summary().height > actual.height


def test_users_of_queries() -> None:
    """Rankings: the mean over users of the means over their queries."""
    qrels = pl.DataFrame({"query_id": ["1", "2", "3"], "doc_id": ["a", "a", "a"], "relevance": [1, 1, 1]})
    run = pl.DataFrame({"query_id": ["1", "2", "3"], "doc_id": ["a", "b", "a"], "score": [1.0, 1.0, 1.0]})
    queries = pl.DataFrame({"query_id": ["1", "2", "3"], "user": ["u", "u", "v"]})
    evaluation = ir.evaluate(qrels, run, "P@1", queries=queries, by="user")
    assert evaluation.summary(over="user").row(0) == ("P@1", 0.75, 2, 0)
    evaluation.per_unit()
    assert evaluation.summary(over="user").row(0) == ("P@1", 0.75, 2, 0)


def test_a_column_that_is_not_there() -> None:
    evaluation = ir.Labels(FRAME, positive="x", unit=["user", "page"]).evaluate("Precision")
    with pytest.raises(UnknownName, match=r"over='session' is not a column of the units \(they have: user, page\)"):
        evaluation.summary(over="session")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("by", [[], ["half"]])
def test_undefined_units_are_counted_whatever_the_aggregation(engine: str, by: list[str]) -> None:
    """A user of whom no page has a value has none, and is counted as undefined, a sum, too."""
    table = FRAME.with_columns(prediction=pl.when(pl.col("user") == "bob").then(pl.lit("y")).otherwise("prediction"))
    labels = ir.Labels(table, positive="x", by=by, unit=["user", "session", "page"], engine=engine)
    evaluation = labels.evaluate([ir.labels.Precision(aggregation=how) for how in ("mean", "sum")])
    actual = evaluation.summary(over="user").select(*by, "n_units", "n_undefined").rows()
    # The measures stand below each other.
    assert actual[0::2] == actual[1::2]
    assert sum(row[-1] for row in actual) > 0
