"""The suite of similarity measures."""

from __future__ import annotations

import itertools
import random
from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, values_of
from tests.oracles.similarity import ORACLES
from tests.similarity.cases import Lists, frame, make_case

VALUES: dict[str, tuple[Any, ...]] = {
    "cutoff": (None, 1, 3, 7, 100),
    "p": (0.9, 0.5),
    "variant": ("a", "b"),
    "ties": ("a", "b", "w", "midranks", "distances"),
    "estimate": ("extrapolated", "minimum", "maximum", "residual", "truncated", "normalized"),
    "rank": ("mean", "measured", "reference"),
    "weigher": ("hyperbolic", "quadratic", "logarithmic"),
    "additive": (True, False),
}


def variants(definition: Definition, _: Any = None) -> list[Measure]:
    """All combinations of the values that a measure's parameters take, the defaults first."""
    values = values_of(definition, definition.parameters, VALUES, "VALUES of tests/similarity/suite.py")
    combined = (dict(zip(values, combination, strict=True)) for combination in itertools.product(*values.values()))
    return [definition(), *(definition(**parameters) for parameters in combined)]


def tables(lists: Lists, _: Any = None) -> Frames:
    return {"runs": frame(lists)}


def evaluate(_: Lists, frames: Frames, measures: Any, engine: str, **options: Any) -> Any:
    policy = allow_no_overlap(options.pop("policy", None), ir.similarity.SimilarityPolicy)
    return ir.Similarity(frames["runs"], **({"engine": engine, "policy": policy} | options)).evaluate(measures)


def expected(lists: Lists, measure: Measure) -> Values:
    """The oracle's value for every two runs and every query of either."""
    runs, out, parameters = sorted({run for run, _ in lists}), {}, measure.arguments()
    for first, second in itertools.permutations(runs, 2):
        for query in sorted({q for run, q in lists if run in (first, second)}):
            both_exist = (first, query) in lists and (second, query) in lists
            value = (
                ORACLES[measure.name](lists[first, query], lists[second, query], **parameters) if both_exist else None
            )
            out[str(measure), first, second, query] = value
    return out


def reversed_names(old: list[str]) -> dict[str, str]:
    """New ids in another order: they do not break ties."""
    return {name: name[::-1] + "é" for name in old}


SIMILARITY = Suite(
    name="similarity",
    family="similarity",
    oracles=ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/similarity.py",
    cases={"three runs": make_case(1, queries=32)},
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={"items": Renaming(("doc_id",), reversed_names)},
    grouped="runs",
    skip={"weights": "items of a ranking have no weights", "runs": "every two runs are compared with each other"},
)
SUITES = (SIMILARITY,)
DEFINITIONS = SIMILARITY.definitions
ALL = SIMILARITY.measures("three runs")


def sample(seed: int, number: int) -> list[Measure]:
    """A few variants of every measure."""
    rng = random.Random(seed)
    variants_by_measure = [SIMILARITY.variants_of("three runs", d.name) for d in DEFINITIONS]
    return [m for of in variants_by_measure for m in rng.sample(of, min(number, len(of)))]
