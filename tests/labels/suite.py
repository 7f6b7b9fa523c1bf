"""Every measure of labels with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.labels.decisions.by_class import CLASS_VALUES
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time, values
from tests.labels.cases import Case, make_case
from tests.oracles import labels as oracle

AVERAGES = ("micro", "macro", "weighted", "item")

# What to try for a parameter of that name; a measure's own come first.
VALUES: dict[str, tuple[Any, ...]] = {
    "adjusted": (True,),
    "alpha": (0.2, 0.0, 1.0),
    "base": (2.718281828459045, 10),
    "beta": (2, 0.5, 0),
    "correction": (0.001,),
    "false_alarm": (3, 0),
    "floor": (-2, 0),
    "half": ("label",),
    "hit": (1, 0.5),
    "smoothed": (False,),
    "weight": (9, 0.5, 0),
    "weights": ("linear", "quadratic"),
}


def averages(case: Case) -> tuple[str | None, ...]:
    """Two classes need no average, sets of labels have no positive class."""
    return AVERAGES if case.multi else ("binary", *AVERAGES) if case.class_type == pl.String else (None,)


def fits(case: Case, name: str) -> bool:
    """Whether the case's items can be asked for the measure."""
    return not (case.multi and name in oracle.SINGLE) and not (case.class_type == pl.String and name in oracle.NUMBERS)


def variants(definition: Definition, case: Case) -> list[Measure]:
    """Averages of the defaults, one average of every other value, and some classes, of which one does not occur."""
    own = one_at_a_time(definition, VALUES, "VALUES of tests/labels/suite.py", without=("average", "classes"))
    if not fits(case, definition.name):
        return []
    if definition.name not in CLASS_VALUES:
        return own
    turn, tried = list(oracle.ORACLES).index(definition.name), averages(case)
    out = [own[0](average=a) for a in tried]
    out += [m(average=tried[(turn + i) % len(tried)]) for i, m in enumerate(own[1:])]
    if tried == (None,):
        return out
    out += [own[0](average=a, classes=some_classes(case)) for a in sorted({"macro", AVERAGES[turn % len(AVERAGES)]})]
    return [*out, own[0](average=AVERAGES[turn % 3], classes="labels")]


def some_classes(case: Case) -> list[Any]:
    """Two classes of a case, and one that does not occur."""
    run, units = next(iter(case.units.items()))
    known = sorted({c for i in case.items(run, next(iter(units))) for c in i.gold})
    return [*known[:2], {int: 999, float: 99.5, str: "no such class"}[type(case.positive)]]


def tables(case: Case, _: Any = None) -> Frames:
    return {"labels": case.frame()}


def scale_of(case: Case) -> list[Any] | None:
    """Of text the order is said: here it is that of its letters."""
    if case.multi or case.class_type != pl.String:
        return None
    classes = sorted(
        {c for u in case.units.values() for rows in u.values() for r in rows for c in r[:2] if c is not None}
    )
    return classes if len(classes) > 1 else None


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    arguments: dict[str, Any] = {"unit": "part", "positive": case.positive, "engine": engine}
    if (classes := scale_of(case)) and isinstance(frame := frames["labels"], pl.DataFrame):
        there = {c for side in ("label", "prediction") if side in frame.columns for c in frame[side].drop_nulls()}
        arguments["categories"] = classes if there <= {*classes} else sorted(there)
    return ir.Labels(frames["labels"], **(arguments | options)).evaluate(measures)


def expected(case: Case, measure: Measure, undefined: float | str | None = None) -> Values:
    """What the oracle says of every run and unit."""
    options = {"positive": case.positive, "undefined": undefined, "multi": case.multi, **dict(measure.values)}
    if measure.name in oracle.ORDERED:
        options["scale"] = scale_of(case)
    return {
        (str(measure), run, unit): oracle.value(measure.name, case.items(run, unit), **options)
        for run, units in case.units.items()
        for unit in units
    }


# Text with weights; integers of two classes, where no average needs to be named, without weights; sets of labels with
# weights; several classifiers.
CASES = {
    "text": make_case(1),
    "two": make_case(2, (1, 0), two=True, weighted=False),
    "sets": make_case(3, multi=True),
    "runs": make_case(5, runs=3),
}
SMALL: dict[str, list[tuple[str | None, str | None]]] = {
    "one right": [("a", "a")],
    "one wrong": [("a", "b")],
    "one class": [("a", "a")] * 5,
    "the other class": [("b", "b")] * 5,
    "no labels": [(None, "a"), (None, "b")],
    "no predictions": [("a", None), ("b", None)],
    "neither": [(None, None)] * 3,
    "never seen": [("a", "x"), ("b", "y"), ("a", "z")],
    "empty text": [("", ""), ("", " "), (" ", "a")],
}
LABELS = Suite(
    name="labels",
    family="labels",
    oracles=oracle.ORACLES.keys(),
    oracle_place="OF_A_CLASS of tests/oracles/labels_of_a_class.py, or OF_ALL of tests/oracles/labels_of_all.py",
    cases=CASES,
    small={
        "all": Case(
            {"run0": {f"{i:02d} {name}": [(*r, 1.0) for r in rows] for i, (name, rows) in enumerate(SMALL.items())}},
            "a",
            weighted=False,
        )
    },
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "classes in another order": Renaming(
            ("label", "prediction"),
            lambda old: dict(zip(old, reversed(old), strict=True)),
            None,
            lambda m: "classes" not in dict(m.values),
            lambda made, names: {"positive": names[made.positive]},
        )
    },
    grouped="labels",
    weight="weight",
    item="item_id",
)
SUITES = (LABELS,)
FIRST = LABELS.first_variants("text")


def evaluated(case: Case, measures: Any, engine: str, frame: Any = None, **options: Any) -> Values:
    """The measures' values, unit by unit; of another table than the case's, if one is given."""
    return values(evaluate(case, tables(case) if frame is None else {"labels": frame}, measures, engine, **options))
