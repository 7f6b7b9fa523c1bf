"""Every measure of scores, of probabilities and of hierarchies with many values, and what the oracles say of them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.labels.scored import OfClasses, Scores, chances, of_classes, scores
from tests.oracles import labels_calibration, labels_scores, labels_selective
from tests.oracles.class_probabilities import AVERAGED, SETS, SINGLE
from tests.oracles.hierarchy import information_contrast

PLACE = "VALUES of tests/labels/suite_scores.py"
# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "average": (),
    "max_fpr": (0.5, 0.1, 0.013),
    "sided": ("two",),
    "share": (0.1, 0.25, 0.9),
    "start": ("first",),
    "points": (2, 5, 21),
    "recall": (0.3, 0.05, 0.95),
    "precision": (0.5, 0.9, 0.2),
    "specificity": (0.5, 0.95, 0.0),
    "low": (0.01, 0.3),
    "high": (0.1, 0.5),
    "eps": (0.01, 1e-90),
    "bins": (2, 10, 100),
    "kind": ("mass", "width"),
    "closed": ("right",),
    "cutoff": (1, 3, 9),
    "ties": ("pessimistic", "optimistic"),
    "coverage": (0.8, 0.05, 0.5, 1.0),
    # The score says how sure a prediction is where there is one: the kind SURE.
    "score": (),
}
# The same for measures of the probabilities of all classes.
VALUES_OF_CLASSES = VALUES | {
    "HandTill.average": ("weighted",),
    "OneVsRestAUC.average": ("weighted",),
    **{f"{name}.average": ("macro", "weighted", "micro", "item") for name in AVERAGED},
    "TopK.cutoff": (2, 1, 3, 9),
    # The loop has no floor there.
    "D2LogLoss.eps": (),
}


def of_scores(definition: Definition, _: Any = None) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone; bins of other numbers and edges, too."""
    result = one_at_a_time(definition, VALUES, PLACE)
    if "bins" in definition.parameters:
        result += [definition(bins=7, kind=kind, closed="right") for kind in ("width", "mass")]
    return result


def tables(case: Any, _: Any = None) -> Frames:
    return {"labels": case.frame()}


def evaluate(_: Scores, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    return ir.Labels(frames["labels"], **({"unit": "part", "engine": engine} | options)).evaluate(measures)


def by_oracle(oracle: Any) -> Any:
    """What the oracle of a module says of every unit."""

    def expected(case: Scores, measure: Measure) -> Values:
        source = dict(measure.values)
        return {(str(measure), unit): oracle.value(measure.name, case.items(unit), **source) for unit in case.units}

    return expected


ONE_RUN = {"runs": "runs make units as with labels, whose cases have several"}
SCORES = Suite(
    name="labels of scores",
    family="labels",
    oracles=labels_scores.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/labels_scores.py",
    cases={"weights": scores(), "no weights": scores(2, weighted=False)},
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=of_scores,
    oracle=by_oracle(labels_scores),
    renamings={
        "classes": Renaming(
            ("label",),
            lambda old: {c: "ham" if c == 1 else "spam" for c in old},
            options=lambda *_: {"positive": "ham"},
        )
    },
    grouped="labels",
    weight="weight",
    skip=ONE_RUN,
)
CHANCES = Suite(
    name="labels of a probability",
    family="labels",
    oracles=labels_calibration.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/labels_calibration.py",
    cases={"weights": chances(), "no weights": chances(weighted=False)},
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=of_scores,
    oracle=by_oracle(labels_calibration),
    renamings=SCORES.renamings,
    grouped="labels",
    weight="weight",
    skip=ONE_RUN,
)


def of_all_classes(definition: Definition, case: OfClasses) -> list[Measure]:
    """Measures of scores with every average; others with each parameter changed alone."""
    name = definition.name
    if case.sets and not (name in SETS or name in AVERAGED):
        return []
    out = one_at_a_time(definition, VALUES_OF_CLASSES, PLACE)
    if name in AVERAGED:
        return [m for m in out if set(dict(m.values)) == {"average"}]
    if "bins" in definition.parameters:
        out += [definition(bins=7, kind=kind, closed="right") for kind in ("width", "mass")]
    return out


def expected_of_classes(case: OfClasses, measure: Measure) -> Values:
    """What the oracle says of every unit."""
    source, out = measure.arguments(), {}
    for unit, items in case.units.items():
        if measure.name in AVERAGED:
            value = AVERAGED[measure.name](items, source["average"])
        elif measure.name in labels_calibration.OF_CLASSES:
            value = labels_calibration.OF_CLASSES[measure.name](items, **dict(measure.values))
        else:
            value = (SINGLE | SETS)[measure.name](items, **dict(measure.values))
        out[str(measure), unit] = None if value is None else float(value)
    return out


def evaluate_of_classes(case: OfClasses, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    arguments: dict[str, Any] = {"unit": "part", "probabilities": case.classes, "engine": engine}
    return ir.Labels(frames["labels"], **(arguments | options)).evaluate(measures)


OF_CLASSES = Suite(
    name="labels of probabilities",
    family="labels",
    oracles={**SINGLE, **SETS, **AVERAGED, **labels_calibration.OF_CLASSES}.keys(),
    oracle_place="SINGLE or SETS of tests/oracles/class_probabilities.py",
    cases={
        "one label each": of_classes(1, 3, 25, 40, 60),
        "two classes": of_classes(1, 30, 60, classes=("a", "b")),
        "sets": of_classes(1, 3, 25, 40, 60, sets=True),
    },
    unit="part",
    tables=tables,
    evaluate=evaluate_of_classes,
    variants=of_all_classes,
    oracle=expected_of_classes,
    # Floats add up the terms of both.
    tolerance=lambda m, _: 1e-11 if m.name in labels_calibration.OF_CLASSES else 1e-12,
    grouped="labels",
    weight="weight",
    item="item_id",
    skip={"names": "classes are columns, whose names tests/contract/test_any_names.py changes", **ONE_RUN},
)


def sure_guesses() -> Pets:
    """Items of one label with predictions that are more or less sure."""
    rng, units = random.Random(8), {}
    for n in (1, 3, 20, 40):
        rows = [(rng.choice("abc"), rng.choice("abc"), rng.choice((0.1, 1.0, 2.5))) for _ in range(n)]
        units[f"{n} items"] = [([has], [has if rng.random() < 0.5 else actual], w) for has, actual, w in rows]
    units["all right"] = [(["a"], ["a"], 1.0)] * 4
    units["all wrong"] = [(["a"], ["b"], 1.0)] * 4
    return Pets(units, sets=False)


def how_sure(unit: str, i: int) -> float:
    """The confidence of an item: some are equal, and none is a probability."""
    return float((i * 7 + len(unit)) % 11 - 4)


def sure_tables(case: Pets, _: Any = None) -> Frames:
    frame = case.frame()
    place = [int(i.rpartition(" ")[2]) for i in frame["item_id"]]
    scores = [how_sure(unit, i) for unit, i in zip(frame["part"], place, strict=True)]
    return {"labels": frame.with_columns(score=pl.Series(scores))}


def expected_of_sure(case: Pets, measure: Measure) -> Values:
    """What the loops say of every unit."""
    options = {k: v for k, v in measure.values if k != "score"}
    out = {}
    for unit, items in case.units.items():
        guesses = [
            (how_sure(unit, i), Fraction(has == actual), Fraction(w)) for i, (has, actual, w) in enumerate(items)
        ]
        value = labels_selective.MEASURES[measure.name](guesses, **options)
        out[str(measure), unit] = None if value is None else float(value)
    return out


TREE = {"poodle": "dog", "collie": "dog", "dog": "pet", "cat": "pet", "pet": "animal", "cow": "animal"}
PETS = [*TREE, "animal"]


@dataclass(frozen=True, eq=False)
class Pets:
    """Items of (labels, predictions, weight) by unit."""

    units: dict[str, list[tuple[list[str], list[str], float]]]
    sets: bool

    def frame(self) -> pl.DataFrame:
        """All items."""
        of = pl.List(pl.String) if self.sets else pl.String
        rows = [
            (unit, f"{unit} {i}", *((has, actual) if self.sets else (has[0], actual[0])), weight)
            for unit, items in self.units.items()
            for i, (has, actual, weight) in enumerate(items)
        ]
        types = {"part": pl.String, "item_id": pl.String, "label": of, "prediction": of, "weight": pl.Float64}
        return pl.DataFrame(rows, schema=types, orient="row")


def pets(*, sets: bool) -> Pets:
    """Items of a tree of classes, in tables of several sizes."""
    rng, units = random.Random(3), {}
    for n in (1, 4, 12, 30):
        label = [rng.sample(PETS, rng.randint(0, 3) if sets else 1) for _ in range(n)]
        guess = [has if rng.random() < 0.3 else rng.sample(PETS, rng.randint(0, 3) if sets else 1) for has in label]
        label[0] = ["poodle"]
        weights = [rng.choice((0.1, 1.0, 2.5)) if n > 4 else 1.0 for _ in range(n)]
        units[f"{n} items"] = list(zip(label, guess, weights, strict=True))
    return Pets(units, sets)


def contrasts(case: Pets, measure: Measure) -> Values:
    """What the recursive definition says of every unit."""
    place, out = ("ICM", "ICMNorm").index(measure.name), {}
    for unit, items in case.units.items():
        value = information_contrast(items, TREE)[place]
        out[str(measure), unit] = None if math.isnan(value) else value
    return out


def evaluate_with_tree(_: Pets, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    arguments: dict[str, Any] = {"unit": "part", "hierarchy": TREE, "engine": engine}
    return ir.Labels(frames["labels"], **(arguments | options)).evaluate(measures)


HIERARCHY = Suite(
    name="labels with a hierarchy",
    family="labels",
    oracles=("ICM", "ICMNorm"),
    oracle_place="information_contrast of tests/oracles/hierarchy.py, and its name into HIERARCHY of suite_scores.py",
    cases={"one label each": pets(sets=False), "sets": pets(sets=True)},
    unit="part",
    tables=tables,
    evaluate=evaluate_with_tree,
    variants=lambda definition, _: one_at_a_time(definition, VALUES, PLACE),
    oracle=contrasts,
    # The loop adds logarithms of floats class by class, and differences of them.
    tolerance=lambda *_: 1e-9,
    renamings={
        "classes": Renaming(
            ("label", "prediction"),
            lambda old: {c: c[::-1] for c in (*PETS, *old)},
            options=lambda *_: {"hierarchy": {a[::-1]: b[::-1] for a, b in TREE.items()}},
        )
    },
    grouped="labels",
    weight="weight",
    item="item_id",
    skip=ONE_RUN,
)
SURE = Suite(
    name="labels of a confidence",
    family="labels",
    oracles=labels_selective.MEASURES.keys(),
    oracle_place="MEASURES of tests/oracles/labels_selective.py",
    cases={"predictions": sure_guesses()},
    unit="part",
    tables=sure_tables,
    evaluate=evaluate,
    variants=lambda definition, _: [m(score="confidence") for m in one_at_a_time(definition, VALUES, PLACE)],
    oracle=expected_of_sure,
    grouped="labels",
    weight="weight",
    item="item_id",
    skip={"names": "classes have no order here, so their names are those of other kinds", **ONE_RUN},
)
SUITES = (SCORES, CHANCES, OF_CLASSES, HIERARCHY, SURE)
