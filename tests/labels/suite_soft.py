"""Every measure of soft labels with many values, and what the oracles say of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Measure
from tests.contract.kit import Frames, Suite, Values, one_at_a_time
from tests.labels.suite_scores import ONE_RUN, PETS, TREE
from tests.oracles import soft_labels
from tests.oracles.soft_labels import Item

VALUES: dict[str, tuple[Any, ...]] = {"bounded": (True,), "eps": (0.01, 0.2)}


@dataclass(frozen=True, eq=False)
class Soft:
    """Items of (shares of classes, predicted ones, weight) by unit, and the parents of the classes."""

    units: dict[str, list[Item]]
    parents: dict[str, str]

    def frame(self) -> pl.DataFrame:
        """All items, with two columns of every class."""
        rows = [
            {"part": unit, "item_id": f"{unit} {i}", "weight": weight}
            | {f"y {c}": share for c, share in labels.items()}
            | {f"p {c}": share for c, share in predicted.items()}
            for unit, items in self.units.items()
            for i, (labels, predicted, weight) in enumerate(items)
        ]
        return pl.DataFrame(rows)


def shares(rng: random.Random, classes: list[str], raters: int) -> dict[str, float]:
    """How many of some raters choose each class."""
    chosen = [rng.choice(classes) for _ in range(raters)]
    return {c: chosen.count(c) / raters for c in classes}


def soft(seed: int, classes: list[str], parents: dict[str, str]) -> Soft:
    rng, units = random.Random(seed), {}
    for n in (1, 3, 12, 30):
        items = []
        for _ in range(n):
            labels = shares(rng, classes, 6)
            predicted = labels if rng.random() < 0.2 else shares(rng, classes, rng.choice((1, 4, 50)))
            items.append((labels, predicted, rng.choice((0.1, 1.0, 2.5)) if n > 3 else 1.0))
        units[f"{n} items"] = items
    units["one class"] = [({c: float(c == classes[0]) for c in classes},) * 2 + (1.0,)] * 3
    return Soft(units, parents)


def tables(case: Soft, _: Any = None) -> Frames:
    return {"labels": case.frame()}


def evaluate(case: Soft, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    classes = [c for c in case.parents or "abc" if c != "animal"]
    arguments: dict[str, Any] = {
        "unit": "part",
        "soft_labels": {c: f"y {c}" for c in classes},
        "probabilities": {c: f"p {c}" for c in classes},
        "hierarchy": case.parents or None,
        "engine": engine,
    }
    return ir.Labels(frames["labels"], **(arguments | options)).evaluate(measures)


def expected(case: Soft, measure: Measure) -> Values:
    """What the loops say of every unit."""
    oracle, options = soft_labels.ORACLES[measure.name], dict(measure.values)
    return {(str(measure), unit): oracle(items, case.parents, **options) for unit, items in case.units.items()}


SOFT = Suite(
    name="soft labels",
    family="labels",
    oracles=soft_labels.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/soft_labels.py",
    cases={"tree": soft(2, [c for c in PETS if c != "animal"], TREE)},
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=lambda definition, _: one_at_a_time(definition, VALUES, "VALUES of tests/labels/suite_soft.py"),
    oracle=expected,
    # The loop adds logarithms of floats class by class, and differences of them.
    tolerance=lambda *_: 1e-9,
    grouped="labels",
    weight="weight",
    item="item_id",
    skip={"names": "classes are columns, whose names tests/contract/test_any_names.py changes", **ONE_RUN},
)
SUITES = (SOFT,)
