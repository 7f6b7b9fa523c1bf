"""Small tables of labels, made at random from a seed: a unit for every shape that could make a measure differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.labels_items import Item, item

SHAPES = (
    "mixed", "two_classes", "right", "wrong", "one_class", "one_label", "one_prediction", "one_right", "one_wrong",
    "no_labels",
    "no_predictions", "neither", "disjoint", "no_positive", "no_weight", "gaps", "many_classes", "nearly_right",
)  # fmt: skip
# Classes that a careless reader takes for numbers or missing values, and whose order depends on how text is compared.
WORDS = ("007", "7", "NA", "null", "Zebra", "apple", "Äpfel", "émile", "10", "9", "d 1", "'q'")
# Fractions whose sums differ in their last bits with the order of the terms.
WEIGHTS = (0.1, 0.2, 0.3, 0.7, 1.1, 1.0, 2.0, 1e3, 0.0)

Row = tuple[Any, Any, float]


@dataclass
class Case:
    """Rows of (label, prediction, weight) by run and unit.

    With sets of labels, rows of (labels, predictions, weight).
    """

    units: dict[Any, dict[Any, list[Row]]] = field(default_factory=dict)
    positive: Any = None
    multi: bool = False
    weighted: bool = True
    class_type: Any = pl.String
    _items: dict[tuple[Any, Any], tuple[Item, ...]] = field(default_factory=dict)
    looped: dict[Any, float | None] = field(default_factory=dict)
    """What oracles said of it."""

    def items(self, run: Any, unit: Any) -> tuple[Item, ...]:
        """A unit's rows as the oracle takes them, made once."""
        if (run, unit) not in self._items:
            rows = self.units[run][unit]
            case = (
                item(*((a or (), b or ()) if self.multi else ((a,), (b,))), w if self.weighted else 1)
                for a, b, w in rows
            )
            self._items[run, unit] = tuple(case)
        return self._items[run, unit]

    def frame(self, run: Any = None) -> pl.DataFrame:
        """All rows, with a run_id unless one run is asked for."""
        rows = [
            (r, u, i, a, b, w)
            for r, units in self.units.items()
            if run in (None, r)
            for u, rows in units.items()
            for i, (a, b, w) in enumerate(rows)
        ]
        of = pl.List(self.class_type) if self.multi else self.class_type
        types = {
            "run_id": pl.String,
            "part": pl.String,
            "item_id": pl.Int64,
            "label": of,
            "prediction": of,
            "weight": pl.Float64,
        }
        frame = pl.DataFrame(rows, schema=types, orient="row")
        # An item has one id in all of its unit's tables.
        frame = frame.with_columns(item_id=pl.col("item_id") + pl.col("part").str.slice(0, 2).cast(pl.Int64) * 1000)
        frame = frame if self.weighted else frame.drop("weight")
        return frame if run is None else frame.drop("run_id")

    def renamed(self, names: Callable[[Any], Any], class_type: Any = None) -> Case:
        """Other names for the classes."""

        def new(side: Any) -> Any:
            return None if side is None else [names(c) for c in side] if self.multi else names(side)

        units = {
            r: {u: [(new(a), new(b), w) for a, b, w in rows] for u, rows in parts.items()}
            for r, parts in self.units.items()
        }
        return Case(units, names(self.positive), self.multi, self.weighted, class_type or self.class_type)


def make_case(
    seed: int,
    classes: Iterable[Any] = WORDS,
    *,
    runs: int = 1,
    rounds: int = 1,
    multi: bool = False,
    weighted: bool = True,
    two: bool = False,
) -> Case:
    """Units of all shapes in turn.

    Args:
        seed: of the random numbers.
        classes: what labels may be; the first is the positive one.
        runs: how many classifiers.
        rounds: how many units of each shape.
        multi: items have sets of labels.
        weighted: items have weights.
        two: only two classes.
    """
    rng = random.Random(seed)
    known = list(classes)[: 2 if two else None]
    kind = pl.Int64 if isinstance(known[0], int) else pl.Float64 if isinstance(known[0], float) else pl.String
    case = Case({f"run{i}": {} for i in range(runs)}, known[0], multi, weighted, kind)
    for number in range(rounds * len(SHAPES)):
        shape = SHAPES[number % len(SHAPES)]
        truth = _labels(rng, shape, known, multi=multi)
        weights = [0.0 if shape == "no_weight" else rng.choice(WEIGHTS) for _ in truth]
        for units in case.units.values():
            guesses = [_guess(rng, shape, label, known, multi=multi) for label in truth]
            units[f"{number:02d} {shape}"] = list(zip(truth, guesses, weights, strict=True))
    return case


def _some(rng: random.Random, pool: list[Any], *, multi: bool) -> Any:
    return rng.sample(pool, rng.randint(0, min(3, len(pool)))) if multi else rng.choice(pool)


def _labels(rng: random.Random, shape: str, known: list[Any], *, multi: bool) -> list[Any]:
    size = 1 if shape in ("one_right", "one_wrong") else rng.randint(8, 25)
    pool = {
        "two_classes": known[:2],
        "many_classes": known,
        "no_positive": known[1:],
        "one_class": known[1:2],
        "one_label": known[:1],
    }.get(shape, known[:4])
    out = [None if shape in ("no_labels", "neither") else _some(rng, pool, multi=multi) for _ in range(size)]
    if shape == "gaps":
        out = [None if rng.random() < 0.3 else label for label in out]
    return out


def _guess(rng: random.Random, shape: str, label: Any, known: list[Any], *, multi: bool) -> Any:
    match shape:
        case "no_predictions" | "neither":
            return None
        case "right" | "one_right" | "one_class":
            return label
        case "wrong" | "one_wrong":
            others = [c for c in known[:4] if c not in ((label or ()) if multi else (label,))]
            return others[:1] if multi else rng.choice(others)
        case "disjoint":
            return _some(rng, known[-2:], multi=multi)
        case "one_prediction":
            return known[:1] if multi else known[0]
        case "gaps":
            return None if rng.random() < 0.3 else _some(rng, known[:4], multi=multi)
        case "nearly_right":
            return label if rng.random() < 0.8 else _some(rng, known[:4], multi=multi)
        case "two_classes":
            return _some(rng, known[:2], multi=multi)
        case "no_positive":
            return _some(rng, known[1:4], multi=multi)
        case "many_classes":
            return _some(rng, known, multi=multi)
    return _some(rng, known[:4], multi=multi)
