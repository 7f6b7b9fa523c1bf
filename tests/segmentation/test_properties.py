"""What holds for all segmentations, tried on random ones."""

from __future__ import annotations

import random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.segmentation.steps import nearest_pairs, num_matches
from tests.oracles import segmentation as oracle

Sides = tuple[set[int], set[int]]
boundaries = st.frozensets(st.integers(1, 24), max_size=12)
MEASURES = "Pk WindowDiff@3 BoundaryP BoundaryR BoundaryF BoundaryF(tolerance=2) BoundarySimilarity"


def random_sides(n: int = 120) -> list[Sides]:
    """The boundaries of both sides of many documents, of some none."""
    rng = random.Random(4)
    return [tuple({rng.randint(1, 24) for _ in range(rng.choice((0, 1, 3, 8)))} for _ in range(2)) for _ in range(n)]


def values(sides: list[Sides]) -> dict[str, list[float | None]]:
    """By measure: the values of the documents, and their summary."""
    schema = {"doc_id": pl.Int64, "position": pl.Int64}
    rows = ([(i, b) for i, of in enumerate(sides) for b in of[side]] for side in (0, 1))
    gold, predicted = (pl.DataFrame(r, schema, orient="row") for r in rows)
    length = pl.DataFrame({"doc_id": range(len(sides)), "length": 25})
    evaluation = ir.Segmentation(gold, predicted, documents=length).evaluate(MEASURES)
    out: dict[str, list[float | None]] = {}
    for frame in (evaluation.per_unit(), evaluation.summary()):
        for measure, value in frame.select("measure", "value").iter_rows():
            out.setdefault(measure, []).append(value)
    return out


def test_swapped_sides_exchange_precision_and_recall() -> None:
    sides = random_sides()
    one, other = values(sides), values([(b, a) for a, b in sides])
    assert one["BoundaryP"] == other["BoundaryR"] != other["BoundaryP"] == one["BoundaryR"]
    for name in ("WindowDiff@3", "BoundaryF", "BoundaryF(tolerance=2)", "BoundarySimilarity"):
        assert one[name] == [v if v is None else pytest.approx(v, rel=1e-12) for v in other[name]]
    # Its window is that of the gold.
    assert one["Pk"] != other["Pk"]


def test_identical_sides_are_right() -> None:
    for name, of_documents in values([(gold, gold) for gold, _ in random_sides()]).items():
        expected = 0.0 if name in ("Pk", "WindowDiff@3") else 1.0
        of_nothing = {None} if name.startswith("Boundary") and name != "BoundarySimilarity" else set()
        assert set(of_documents) == {expected} | of_nothing


@settings(max_examples=40)
@given(boundaries, boundaries, st.integers(0, 6))
def test_matches_are_as_many_as_can_be(gold: frozenset[int], predicted: frozenset[int], tolerance: int) -> None:
    both = sorted([(float(b), True) for b in gold] + [(float(b), False) for b in predicted])
    expected = oracle.matches(oracle.Document(25, gold, predicted), tolerance)
    assert num_matches(both, tolerance) == expected
    assert expected >= len(gold & predicted)


@settings(max_examples=40)
@given(boundaries, boundaries, st.integers(1, 6))
def test_near_misses_are_the_nearest(gold: frozenset[int], predicted: frozenset[int], transpositions: int) -> None:
    alone = sorted((float(b), b in gold) for b in gold ^ predicted)
    n, distance = nearest_pairs(alone, transpositions)
    above, below = oracle.boundary_similarity(oracle.Document(25, gold, predicted), transpositions=transpositions)
    matches = len(gold & predicted)
    assert below == matches + len(alone) - n
    assert float(above) == pytest.approx(matches + n - distance / transpositions)
