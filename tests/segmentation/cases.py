"""Small segmented documents, made at random from a seed: one for every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.segmentation import Document

# How often a segment begins in the gold, and in the predictions.
SHAPES: dict[str, tuple[float, float]] = {
    "mixed": (0.25, 0.25),
    "same": (0.3, 0.3),
    "near": (0.2, 0.2),
    "no gold": (0.0, 0.3),
    "no predicted": (0.3, 0.0),
    "neither": (0.0, 0.0),
    "each position": (1.0, 0.5),
    "few": (0.1, 0.6),
    "dense": (0.6, 0.6),
    "one position": (0.0, 0.0),
    "two positions": (1.0, 0.0),
    "long": (0.1, 0.1),
}
LENGTHS = {"one position": 1, "two positions": 2, "long": 45}
NAMES = ("intro", "NA", "007", "Äpfel", "")


@dataclass
class Case:
    """By document: the positions and segments of the gold, and by run those of the predictions."""

    gold: dict[str, list[Any]] = field(default_factory=dict)
    predicted: dict[Any, dict[str, list[Any]]] = field(default_factory=dict)
    boundaries: bool = False
    """Whether the tables have boundaries alone, and a table of documents their lengths."""

    @property
    def runs(self) -> list[Any]:
        return list(self.predicted)

    def documents(self, run: Any) -> dict[str, Document]:
        """The documents as the oracle has them."""
        return {d: Document.of_segments(gold, self.predicted[run][d]) for d, gold in self.gold.items()}

    def segments(self) -> pl.DataFrame:
        """A row per position, which are every third number."""
        rows = [
            (*([run] if run else []), d, 3 * i + 1, gold[i], self.predicted[run][d][i])
            for run in self.runs
            for d, gold in self.gold.items()
            for i in range(len(gold))
        ]
        columns = [*(["run_id"] if self.runs[0] else []), "doc_id", "position", "gold_segment", "predicted"]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def tables(self) -> dict[str, pl.DataFrame]:
        """The boundaries of both sides, the end of a document among them now and then; and the documents."""
        schema = {"doc_id": pl.String, "position": pl.Int64}
        gold, predicted = [], []
        for run in self.runs:
            for number, (d, document) in enumerate(self.documents(run).items()):
                ends = [0, document.units] if number % 2 else []
                predicted += [(run, d, b) for b in (*sorted(document.predicted), *ends)]
                gold += [(d, b) for b in (*sorted(document.gold), *ends)] if run == self.runs[0] else []
        named = {"run_id": pl.String} if self.runs[0] else {}
        return {
            "gold": pl.DataFrame(gold, schema=schema, orient="row"),
            "predicted": pl.DataFrame(
                [row if named else row[1:] for row in predicted], schema=named | schema, orient="row"
            ),
            "documents": pl.DataFrame({"doc_id": list(self.gold), "length": [len(s) for s in self.gold.values()]}),
        }


def make_case(seed: int, *, runs: tuple[str, ...] = (), numbers: bool = False, boundaries: bool = False) -> Case:
    """A document of every shape; segments are text, or numbers."""
    rng = random.Random(seed)
    case = Case(boundaries=boundaries)
    for number, (shape, (often, predicted)) in enumerate(SHAPES.items()):
        n, name = LENGTHS.get(shape, rng.randint(5, 14)), f"{number:02d} {shape}"
        gold = _segments(rng, n, often)
        case.gold[name] = [g if numbers else NAMES[g % len(NAMES)] for g in gold]
        for run in runs or (None,):
            other = (
                gold if shape == "same" else _shifted(rng, gold) if shape == "near" else _segments(rng, n, predicted)
            )
            case.predicted.setdefault(run, {})[name] = [g if numbers else NAMES[g % 3] for g in other]
    return case


def _segments(rng: random.Random, n: int, often: float) -> list[int]:
    """Numbers that grow where a segment begins."""
    out = [0]
    for _ in range(n - 1):
        out.append(out[-1] + (rng.random() < often))
    return out


def _shifted(rng: random.Random, segments: list[int]) -> list[int]:
    """The same boundaries, each moved by up to two positions."""
    n = len(segments)
    begins = {min(n - 1, max(1, i + rng.randint(-2, 2))) for i in range(1, n) if segments[i] != segments[i - 1]}
    return [sum(b <= i for b in begins) for i in range(n)]
