"""Every measure of labels with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.labels.by_class import CLASS_VALUES
from tests.labels.worlds import World, world
from tests.oracles import labels as oracle

ENGINES = ("polars", "duckdb")
DEFINITIONS = [d for d in catalog.definitions("labels") if d.name in oracle.ORACLES]
NAMES = [d.name for d in DEFINITIONS]
AVERAGES = ("micro", "macro", "weighted", "item")

# What to try for a parameter of that name; a measure's own come first.
TRIED: dict[str, tuple[Any, ...]] = {
    "adjusted": (True,),
    "alpha": (0.2, 0.0, 1.0),
    "base": (2.718281828459045, 10),
    "beta": (2, 0.5, 0),
    "correction": (0.001,),
    "false_alarm": (3, 0),
    "floor": (-2, 0),
    "hit": (1, 0.5),
    "smoothed": (False,),
    "weight": (9, 0.5, 0),
    "weights": ("linear", "quadratic"),
}


def parametrized(definition: Definition) -> list[Measure]:
    """The measure with its defaults, and with each of its own parameters changed alone."""
    own = [n for n in definition.parameters if n not in ("average", "classes")]
    return [definition(), *(definition(**{n: v}) for n in own for v in TRIED[n])]


def variants(
    definition: Definition, classes: Sequence[Any], averages: Iterable[str | None], turn: int
) -> list[Measure]:
    """Averages of the defaults, one average of every other value, and some classes, of which one does not occur."""
    made = parametrized(definition)
    if definition.name not in CLASS_VALUES:
        return made
    averages = tuple(averages)
    out = [made[0](average=a) for a in averages]
    out += [m(average=averages[(turn + i) % len(averages)]) for i, m in enumerate(made[1:])]
    if averages == (None,):
        return out
    out += [made[0](average=a, classes=classes) for a in sorted({"macro", AVERAGES[turn % len(AVERAGES)]})]
    return [*out, made[0](average=AVERAGES[turn % 3], classes="labels")]


def fits(made: World, name: str) -> bool:
    """Whether the world's items can be asked for the measure."""
    return not (made.multi and name in oracle.SINGLE) and not (made.class_type == pl.String and name in oracle.NUMBERS)


def asked(made: World, averages: Iterable[str | None]) -> list[Measure]:
    """Variants of all measures that the world's items have."""
    absent = {int: 999, float: 99.5, str: "no such class"}[type(made.positive)]
    some = [
        *sorted({c for i in made.items(next(iter(made.units)), next(iter(made.units["run0"]))) for c in i.has})[:2],
        absent,
    ]
    turns = itertools.count()
    measures = [m for d in DEFINITIONS if fits(made, d.name) for m in variants(d, some, averages, next(turns))]
    return list(dict.fromkeys(measures))


Values = dict[tuple[Any, ...], float | None]


def values(evaluation: ir.Evaluation) -> Values:
    """The value by (measure, run_id …, unit)."""
    frame = evaluation.per_unit()
    keys = [c for c in frame.columns if c not in ("measure", "value")]
    return {(row["measure"], *(row[k] for k in keys)): row["value"] for row in frame.iter_rows(named=True)}


def evaluated(made: World, measures: Any, engine: str, frame: Any = None, **options: Any) -> Values:
    """The measures' values, unit by unit."""
    table = made.frame() if frame is None else frame
    return values(ir.Labels(table, unit="part", positive=made.positive, engine=engine, **options).evaluate(measures))


def expected(made: World, measure: Measure, undefined: float | None = None) -> Values:
    """What the oracle says of every run and unit."""
    return {
        (str(measure), run, unit): looped(made, measure, run, unit, undefined)
        for run, units in made.units.items()
        for unit in units
    }


def looped(made: World, measure: Measure, run: Any, unit: Any, undefined: float | None) -> float | None:
    """What the oracle says of one unit, once for all tests."""
    key = measure, run, unit, undefined
    if key not in made.looped:
        made.looped[key] = oracle.value(
            measure.name,
            made.items(run, unit),
            positive=made.positive,
            undefined=undefined,
            multi=made.multi,
            **dict(measure.values),
        )
    return made.looped[key]


def by_measure(found: Values) -> dict[str, Values]:
    """The values of each measure."""
    out: dict[str, Values] = {}
    for key, value in found.items():
        out.setdefault(key[0], {})[key] = value
    return out


# Text with weights; integers of two classes, where no average needs to be named, without weights; sets of labels with
# weights.
WORLDS = {
    "text": world(1),
    "two": world(2, (1, 0), two=True, weighted=False),
    "sets": world(3, multi=True),
}
ASKED = {
    "text": asked(WORLDS["text"], ("binary", *AVERAGES)),
    "two": asked(WORLDS["two"], (None,)),
    "sets": asked(WORLDS["sets"], AVERAGES),
}


def alternate(measures: list[Measure]) -> list[Measure]:
    """Every third variant of each measure: DuckDB takes long to plan hundreds, and averages are made alike for all."""
    of_name = {m.name: [n for n in measures if n.name == m.name] for m in measures}
    return [m for turn, made in enumerate(of_name.values()) for m in (made[turn % 3 :: 3] or made)]


ON = {"polars": ASKED, "duckdb": {where: alternate(measures) for where, measures in ASKED.items()}}
# The defaults, each with an average that a world takes.
SOME = {where: list({m.name: m for m in reversed(measures)}.values())[::-1] for where, measures in ON["duckdb"].items()}


@functools.cache
def evaluated_world(name: str, engine: str) -> dict[str, Values]:
    """The variants that the engine is asked for on one of the worlds, in one call; by measure."""
    return by_measure(evaluated(WORLDS[name], ON[engine][name], engine))
