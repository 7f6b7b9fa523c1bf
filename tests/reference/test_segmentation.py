"""Measures of segmentations equal those of segeval and NLTK on random documents, with their default windows too.

segeval compares numbers by `is`, which small ones survive; it has no value for a document without boundaries.  NLTK's
segmentations are texts with a 1 for each gap that is a boundary.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Callable, Collection

import polars as pl
import pytest
from nltk.metrics import segmentation as nltk

import ireval_frames as ir
from tests.contract.kit import ENGINES

with warnings.catch_warnings():
    # `is` with a literal.
    warnings.simplefilter("ignore")
    import segeval

engines = pytest.mark.parametrize("engine", ENGINES)
Sides = tuple[int, set[int], set[int]]


def documents(seed: int) -> list[Sides]:
    """The number of positions, and the boundaries of both sides."""
    rng, out = random.Random(seed), []
    for _ in range(80):
        n = rng.randint(6, 40)
        shares = rng.choice((0.1, 0.3, 0.6)), rng.choice((0.1, 0.3, 0.6))
        gold, predicted = ({b for b in range(1, n) if rng.random() < share} for share in shares)
        out.append((n, gold, predicted or {1}))
    return out


def masses(n: int, boundaries: Collection[int]) -> tuple[int, ...]:
    edges = [0, *sorted(boundaries), n]
    return tuple(b - a for a, b in itertools.pairwise(edges))


def text(n: int, boundaries: Collection[int]) -> str:
    return "".join("01"[b in boundaries] for b in range(1, n))


SEGEVAL: dict[str, Callable[..., float]] = {
    "Pk": segeval.pk,
    "Pk@3": lambda p, g: segeval.pk(p, g, window_size=3),
    "WindowDiff": segeval.window_diff,
    "WindowDiff@4": lambda p, g: segeval.window_diff(p, g, window_size=4),
    "WindowDiff(padded=True)": lambda p, g: segeval.window_diff(p, g, lamprier_et_al_2007_fix=True),
    "BoundarySimilarity": segeval.boundary_similarity,
    **{
        f"BoundarySimilarity(transpositions={n})": lambda p, g, n=n: segeval.boundary_similarity(p, g, n_t=n)
        for n in (1, 3, 6)
    },
}
NLTK: dict[str, Callable[..., float]] = {
    "Pk": nltk.pk,
    "Pk@4": lambda g, p: nltk.pk(g, p, 4),
    "WindowDiff@4": lambda g, p: nltk.windowdiff(g, p, 4),
    "WindowDiff(weighted=True)@3": lambda g, p: nltk.windowdiff(g, p, 3, weighted=True),
}


def ours(sides: list[Sides], measures: list[str], policy: str, engine: str) -> dict[tuple[int, str], float | None]:
    schema = {"doc_id": pl.Int64, "position": pl.Int64}
    gold, predicted = (
        pl.DataFrame([(i, b) for i, of in enumerate(sides) for b in of[side]], schema, orient="row") for side in (1, 2)
    )
    lengths = pl.DataFrame({"doc_id": range(len(sides)), "length": [n for n, *_ in sides]})
    subject = ir.Segmentation(gold, predicted, documents=lengths, policy=policy, engine=engine)
    return {(doc, measure): value for doc, measure, value in subject.evaluate(measures).per_unit().iter_rows()}


@engines
def test_segeval(engine: str, agrees) -> None:
    sides = documents(1)
    actual = ours(sides, list(SEGEVAL), "segeval", engine)
    for i, (n, gold, predicted) in enumerate(sides):
        for name, theirs in SEGEVAL.items():
            expected = float(theirs(masses(n, predicted), masses(n, gold)))
            assert actual[i, name] == pytest.approx(expected, rel=1e-12), (name, sides[i])
    agrees("segeval", *SEGEVAL, family="segmentation")


@engines
def test_nltk(engine: str, agrees) -> None:
    sides = documents(2)
    actual = ours(sides, list(NLTK), "nltk", engine)
    for i, (n, gold, predicted) in enumerate(sides):
        for name, theirs in NLTK.items():
            expected = theirs(text(n, gold), text(n, predicted))
            assert actual[i, name] == pytest.approx(expected, rel=1e-12), (name, sides[i])
    agrees("nltk", *NLTK, family="segmentation")


def test_pairs_of_annotators(agrees) -> None:
    """The text of Hearst (1997), segmented by seven annotators."""
    data = segeval.HEARST_1997_STARGAZER
    (item,) = data
    rows = [
        (item, rater, position, segment)
        for rater, of_rater in data[item].items()
        for position, segment in enumerate(segeval.convert_masses_to_positions(of_rater))
    ]
    frame = pl.DataFrame(rows, schema=["doc_id", "coder", "position", "segment"], orient="row")
    values = ir.Segmentation(frame, rater="coder").evaluate("BoundarySimilarity").summary()
    pairs = segeval.boundary_similarity(data, permuted=False)
    assert values.height == len(pairs) == 21
    assert values["value"].mean() == pytest.approx(float(sum(pairs.values()) / len(pairs)), rel=1e-12)
    agrees("segeval", "BoundarySimilarity", family="segmentation")
