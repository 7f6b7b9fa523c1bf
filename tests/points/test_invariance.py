"""The order of rows, names of clusters and items, the origin, and copies instead of weights change no value."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.asked import differences, nothing_differs
from tests.points.asked import ENGINES, SOME, UNWEIGHTED, WORLDS, by_measure, evaluated, points, tolerance, values
from tests.points.worlds import FEATURES, SHAPES, WORDS

engines = pytest.mark.parametrize("engine", ENGINES)
MADE = WORLDS["text"]


def agrees(found: dict, wanted: dict) -> None:
    for measure in SOME["text"]:
        if str(measure) in found:
            got, right = found[str(measure)], wanted[str(measure)]
            assert got.keys() == right.keys()
            bad = [d for k in right for d in differences({k: got[k]}, {k: right[k]}, tolerance(measure, k[1]))]
            assert not bad, bad


@engines
def test_row_order(engine: str) -> None:
    frame = MADE.frame().sample(fraction=1, shuffle=True, seed=5)
    assert frame["item"].to_list() != MADE.frame()["item"].to_list()
    agrees(by_measure(values(points(MADE, engine, frame).evaluate(SOME["text"]))), evaluated("text", engine))


@engines
@pytest.mark.parametrize("kind", [pl.Int64, pl.String, pl.Enum, pl.Categorical, pl.Float64])
def test_names_of_clusters(kind: type[pl.DataType], engine: str) -> None:
    """Other names, in another order, of another type."""
    turned = {w: i * 7 % len(WORDS) for i, w in enumerate(WORDS)}
    dtype = pl.Enum([str(i) for i in range(len(WORDS))]) if kind is pl.Enum else kind
    frame = MADE.frame().with_columns(
        group=pl.col("group").replace_strict(turned, return_dtype=pl.Int64).cast(pl.String).cast(dtype)
    )
    agrees(by_measure(values(points(MADE, engine, frame).evaluate(SOME["text"][::3]))), evaluated("text", engine))


@engines
def test_origin(engine: str) -> None:
    """Distances are the same a million further on, to all digits that the coordinates have there."""
    frame = MADE.frame().filter(~pl.col("part").str.contains("far|outlier|tiny|apart"))
    # Sixteenths stay what they are.
    near = frame.with_columns((pl.col(f) * 16).round() / 16 for f in FEATURES)
    far = near.with_columns(pl.col(f) + 1e6 for f in FEATURES)
    measures = [m for m in SOME["text"] if not m.name.endswith("Similarity")]
    found, wanted = (by_measure(values(points(MADE, engine, f).evaluate(measures))) for f in (far, near))
    for name in wanted:
        nothing_differs(found[name], wanted[name], 1e-11)


@engines
def test_a_weight_is_a_number_of_points(engine: str) -> None:
    """Copies of points count as their weight does; DetRatio and the like, too."""
    whole = [m for m in SOME["text"] if m.name not in (*UNWEIGHTED, "SilhouetteError")]
    frame = MADE.frame().with_columns(weight=pl.col("weight").floor())
    frame = frame.filter(pl.col("weight") > 0)
    copies = frame.select(pl.exclude("weight").repeat_by("weight")).explode(pl.all())
    assert copies.height > frame.height
    found, wanted = (by_measure(values(points(MADE, engine, f).evaluate(whole))) for f in (copies, frame))
    for name in wanted:
        nothing_differs(
            found[name], wanted[name], 1e-9 if "Det" in name or name in ("ScottSymons", "TraceWiB") else 1e-12
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_scale(engine: str) -> None:
    """Measures without a unit stay when everything is a thousand times as large."""
    without_unit = (
        "Silhouette SimplifiedSilhouette DaviesBouldin CalinskiHarabasz Dunn XieBeni McClainRao "
        "PointBiserial DetRatio SDbw RSquared LogSS"
    )
    frame = MADE.frame()
    large = frame.with_columns(pl.col(f) * 1024 for f in FEATURES)
    found, wanted = (by_measure(values(points(MADE, engine, f).evaluate(without_unit))) for f in (large, frame))
    for name in wanted:
        nothing_differs(found[name], wanted[name], 1e-9 if name == "DetRatio" else 1e-12)


def test_every_shape_is_there() -> None:
    assert len(MADE.groups) == len(SHAPES)
    assert isinstance(points(MADE), ir.Points)
