"""Where rows must not be there, the line that an error advises finds them."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue

NAN, INF = float("nan"), float("inf")
QRELS, RUN = ir.examples.ranking()
LABELS, POINTS = ir.examples.labels(), ir.examples.points()
TWO = {"x": [[1.0, 2.0], [1.0, NAN], [3.0, 4.0]], "cluster_id": ["a", "a", "b"]}


def spoilt(frame: pl.DataFrame, column: str, value: float | None) -> pl.DataFrame:
    """The frame with another value in its second row."""
    values = frame[column].cast(pl.Float64).to_list()
    return frame.with_columns(pl.Series(column, [values[0], value, *values[2:]]))


CASES: dict[str, tuple[pl.DataFrame, Callable[[pl.DataFrame], object]]] = {
    f"score {value}": (spoilt(RUN, "score", value), lambda f: ir.evaluate(QRELS, f, "AP").summary())
    for value in (None, NAN)
} | {
    "null id": (
        RUN.with_columns(doc_id=pl.when(pl.col("doc_id") != "d2").then("doc_id")),
        lambda f: ir.evaluate(QRELS, f, "AP").summary(),
    ),
    "grade": (
        spoilt(QRELS, "relevance", NAN),
        lambda f: ir.evaluate(f, RUN, "AP").summary(),
    ),
    "weight": (
        LABELS.with_columns(weight=pl.Series([1.0, -1.0, NAN, 1, 1, 1, 1, 1])),
        lambda f: ir.Labels(f).evaluate("Accuracy").summary(),
    ),
    "weight of points": (
        POINTS.with_columns(mass=pl.when(pl.int_range(pl.len()) != 1).then(1.0).otherwise(-1.0)),
        lambda f: ir.Points(f, ["x", "y"], cluster="k3", weight="mass").evaluate("SSE").summary(),
    ),
    "scores of labels": (
        pl.DataFrame({"label": [1, 0, 1], "score": [0.5, INF, 0.2]}),
        lambda f: ir.Labels(f).evaluate("ROCAUC").summary(),
    ),
    "coordinate": (
        spoilt(POINTS, "y", INF),
        lambda f: ir.Points(f, ["x", "y"], cluster="k3").evaluate("SSE").summary(),
    ),
    "vector": (pl.DataFrame(TWO), lambda f: ir.Points(f, "x").evaluate("SSE").summary()),
    "lengths of vectors": (
        pl.DataFrame(TWO | {"x": [[1.0, 2.0], [1.0], [3.0, 4.0]]}),
        lambda f: ir.Points(f, "x").evaluate("SSE").summary(),
    ),
    "comparison": (
        pl.concat([spoilt(RUN, "score", NAN).with_columns(run_id=pl.lit(r)) for r in "ab"]),
        lambda f: ir.Similarity(f).evaluate("Tau").summary(),
    ),
    "split": (
        pl.DataFrame({"item_id": [1, None, 3]}),
        lambda f: ir.splits.kfold(f, 2, exact=True),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_line_finds_the_rows(case: str) -> None:
    frame, evaluate = CASES[case]
    with pytest.raises(InvalidValue) as caught:
        evaluate(frame)
    line = caught.value.hint.partition("Fix these rows, or leave them out: ")[2]
    name = line.partition(".")[0]
    actual = eval(line, {"pl": pl, name: frame})
    assert 0 < actual.height < frame.height
