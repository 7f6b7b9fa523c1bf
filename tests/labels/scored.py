"""Small tables of scores and of probabilities, made at random from a seed: a unit for every shape."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from tests.oracles.class_probabilities import Scored
from tests.oracles.labels_scores import Item

Row = tuple[int | None, float, float]
SHAPES = (
    "distinct", "few", "all_tied", "one_positive", "one_negative", "only_positive", "only_negative", "one_item",
    "in_order", "reversed",
    "weights", "no_weight", "gaps", "signed",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Scores:
    """Rows of (label, score, weight) by unit; 1 is the positive class."""

    units: dict[str, list[Row]]
    weighted: bool = True

    def frame(self) -> pl.DataFrame:
        """All rows."""
        rows = [(unit, *row) for unit, rows in self.units.items() for row in rows]
        types = {"part": pl.String, "label": pl.Int64, "score": pl.Float64, "weight": pl.Float64}
        frame = pl.DataFrame(rows, schema=types, orient="row")
        return frame if self.weighted else frame.drop("weight")

    def items(self, unit: str) -> list[Item]:
        """A unit's rows as the oracle takes them."""
        return [Item(y == 1, s, Fraction(w) if self.weighted else Fraction(1)) for y, s, w in self.units[unit]]


def unit(rng: random.Random, shape: str) -> list[tuple[int | None, float, float]]:
    size = 1 if shape == "one_item" else rng.randint(5, 40)
    chosen = {"few": (0.0, 0.5, 1.5, -0.0), "all_tied": (2.0,)}.get(shape)
    rows = []
    for i in range(size):
        label = {"only_positive": 1, "only_negative": 0, "one_positive": int(i == 0), "one_negative": int(i > 0)}.get(
            shape, rng.randint(0, 1)
        )
        score = (
            rng.choice(chosen)
            if chosen
            else {"in_order": label + rng.random() / 2, "reversed": -label}.get(shape, rng.gauss(label, 1.0))
        )
        weight = (
            rng.choice((0.1, 0.2, 0.7, 3.0, 0.0))
            if shape in ("weights", "few")
            else 0.0
            if shape == "no_weight"
            else 1.0
        )
        rows.append(
            (
                None if shape == "gaps" and rng.random() < 0.3 else label,
                round(score, 1) if shape == "signed" else float(score),
                weight,
            )
        )
    return rows


def scores(seed: int = 1, *, weighted: bool = True) -> Scores:
    """A unit of every shape."""
    rng = random.Random(seed)
    return Scores({shape: unit(rng, shape) for shape in SHAPES}, weighted)


CHANCES = ("mixed", "edges", "sure", "equal", "only_positive", "only_negative", "one_item", "no_weight", "gaps")


def chances(*, weighted: bool = True) -> Scores:
    """Scores that are probabilities, a unit of every shape."""
    rng, out = random.Random(4), {}
    for shape in CHANCES:
        rows = []
        for _ in range(1 if shape == "one_item" else 40):
            label = {"only_positive": 1, "only_negative": 0}.get(shape, rng.randint(0, 1))
            # The edges of ten and of a hundred bins, as they are written.
            score = {
                "edges": rng.choice((rng.randint(0, 10) / 10, rng.randint(0, 100) / 100)),
                "sure": rng.choice((0.0, 1.0)),
                "equal": 0.3,
            }.get(shape)
            score = min(1.0, max(0.0, rng.gauss(0.3 + 0.4 * label, 0.25))) if score is None else score
            weight = 0.0 if shape == "no_weight" else rng.choice((0.1, 0.7, 1.0, 3.0))
            rows.append((None if shape == "gaps" and rng.random() < 0.3 else label, score, weight))
        out[shape] = rows
    return Scores(out, weighted)


CLASSES = ("a", "b", "c", "d")


@dataclass(frozen=True, eq=False)
class OfClasses:
    """Items with the probabilities of all classes, by unit."""

    units: dict[str, list[Scored]]
    sets: bool = False

    @property
    def classes(self) -> list[str]:
        """The columns of probabilities."""
        return list(next(iter(self.units.values()))[0][1])

    def frame(self) -> pl.DataFrame:
        """All items."""
        result = [frame(items, sets=self.sets).with_columns(part=pl.lit(part)) for part, items in self.units.items()]
        return pl.concat(result)


def scored(seed: int, n: int, *, sets: bool, ties: bool, classes: tuple[str, ...] = CLASSES) -> list[Scored]:
    """Items whose probabilities are close to their labels, now and then."""
    rng, out = random.Random(seed), []
    for _ in range(n):
        has = frozenset(rng.sample(classes, rng.randint(0, len(classes)) if sets else 1))
        raw = [rng.choice((1, 2, 3)) if ties else rng.random() + (c in has) * 0.3 for c in classes]
        out.append((has, {c: r / sum(raw) for c, r in zip(classes, raw, strict=True)}, rng.choice((0.5, 1.0, 2.0))))
    return out


def frame(items: list[Scored], *, sets: bool) -> pl.DataFrame:
    of = pl.List(pl.String) if sets else pl.String
    label = [sorted(has) if sets else next(iter(has), None) for has, _, _ in items]
    columns = {"item_id": range(len(items)), "label": pl.Series(label, dtype=of), "weight": [w for *_, w in items]}
    return pl.DataFrame(columns | {c: [chances[c] for _, chances, _ in items] for c in items[0][1]})


def of_classes(*sizes: int, sets: bool = False, classes: tuple[str, ...] = CLASSES) -> OfClasses:
    """Items of several sizes, of which every second has equal probabilities."""
    options = {
        f"{seed}: {n} items": scored(seed, n, sets=sets, ties=seed % 2 == 1, classes=classes)
        for seed, n in enumerate(sizes)
    }
    return OfClasses(options, sets)
