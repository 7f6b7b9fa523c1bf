"""Every measure of ratings with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.ratings.distances import SCHEMES
from ireval_frames.ratings.measures.alpha import DISTANCES
from ireval_frames.ratings.measures.reliability import FORMS
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles import ratings as oracle
from tests.ratings.cases import Case, make_case

VALUES: dict[str, tuple[Any, ...]] = {
    "weights": SCHEMES,
    "level": ("nominal", "ordinal", "interval", "ratio"),
    "distance": DISTANCES,
    "form": FORMS,
    "z": (1.0, 0),
}
WORDS = ("NA", "Zebra", "apple", "Äpfel", "007")
SCALE = ("bad", "none", "fair", "good", "fine")
# How far the categories of the scale lie apart, each pair once.
FAR = {(a, b): (i + 1) * 0.5 + j * j / 4 for i, a in enumerate(SCALE[1:]) for j, b in enumerate(SCALE[1:]) if i < j}
CATEGORIES = {"text": make_case(1, WORDS), "plain": make_case(2, WORDS[:3], weighted=False)}
NUMBERS = {
    "numbers": make_case(3, (1.0, 2.0, 3.0, 5.0), level="ratio"),
    "ordinal": make_case(4, (10.0, 20.0, 25.0), level="ordinal", weighted=False),
    "scale": make_case(5, SCALE[1:], level="ordinal", scale=SCALE, distances=FAR),
}
PLACE = "VALUES of tests/ratings/suite.py"
# Whether a rating is a number, by level and by what is asked.
NUMERIC = ("interval", "ratio")


def variants(definition: Definition, case: Case | None = None) -> list[Measure]:
    """The measure with its defaults, and with each of its parameters changed alone."""
    out = one_at_a_time(definition, VALUES, PLACE)
    if case is None:
        return out
    lacking = [case.level == "nominal", case.scale is None, case.level == "nominal", case.distances is None]
    left_out = {name for name, lacks in zip(DISTANCES, lacking, strict=True) if lacks}
    out = [m for m in out if m.arguments().get("distance") not in left_out]
    if case.level == "nominal":
        return [m for m in out if m.arguments().get("weights", "identity") == "identity" and not _leveled(m, "nominal")]
    return out if not isinstance(case.pool[0], str) else [m for m in out if not _leveled(m, "nominal", "ordinal")]


def _leveled(measure: Measure, *allowed: str) -> bool:
    """Whether it asks for a level that the ratings do not have."""
    return measure.arguments().get("level") not in (None, *allowed)


def tables(case: Case, _: Any = None) -> Frames:
    return {"ratings": case.frame()}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    arguments: dict[str, Any] = {"unit": "part", "engine": engine, "level": case.level, "categories": case.scale}
    arguments |= {"distances": case.distances} | options
    return ir.Ratings(frames["ratings"], **arguments).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every group."""
    return {(str(measure), g): oracle.value(measure.name, case.group(g), **measure.arguments()) for g in case.rows}


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order, −1 among them."""
    return {name: 7 * i % len(old) - 1 if len(old) % 7 else -i for i, name in enumerate(old)}


NOT_COPIES = {"weights": "copies of units, not of rows, in tests/ratings/test_ratings.py"}
IDS = {
    "units": Renaming(("item_id",), turned),
    # The sign of a difference is that of the raters' order.
    "raters are numbers": Renaming(("rater_id",), numbered, pl.Int64, applies=lambda m: not m.name.startswith("Bland")),
}
RATINGS = Suite(
    name="ratings",
    family="ratings",
    oracles=oracle.OF_CATEGORIES.keys(),
    oracle_place="OF_CATEGORIES of tests/oracles/ratings.py",
    cases=CATEGORIES,
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        **IDS,
        "text": Renaming(("rating",), turned),
        "ratings are numbers": Renaming(("rating",), numbered, pl.Int64),
        "categories": Renaming(("rating",), turned, pl.Enum),
    },
    grouped="ratings",
    skip=NOT_COPIES | {"runs": "ratings are of no run"},
)
SCALED = Suite(
    name="ratings on a scale",
    family="ratings",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/ratings.py",
    cases=NUMBERS,
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings=IDS,
    grouped="ratings",
    skip=NOT_COPIES | {"runs": "ratings are of no run"},
)
SUITES = (RATINGS, SCALED)
