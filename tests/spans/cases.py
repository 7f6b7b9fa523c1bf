"""Small documents with spans, made at random from a seed: one of every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.spans import Document
from tests.oracles.spans_matching import Span

SHAPES = (
    "same", "ends", "types", "nested", "crossed", "chain", "split", "merged", "one_place", "missed", "spurious",
    "no_gold", "no_predicted", "mixed", "far", "touching",
)  # fmt: skip
TYPES = ("PER", "LOC", "007", "Äpfel")


@dataclass
class Case:
    """Documents by run; the gold spans of a document are those of all runs."""

    runs: dict[Any, dict[str, Document]] = field(default_factory=dict)
    fragments: bool = False
    typed: bool = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables of gold and predicted spans, and of documents, with their rows in some order."""
        first = next(iter(self.runs.values()))
        gold = [row for d, document in first.items() for row in self._rows(d, document.gold)]
        predicted = [
            (r, *row) for r, documents in self.runs.items() for d, document in documents.items()
            for row in self._rows(d, document.predicted)
        ]  # fmt: skip
        columns = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "type": pl.String, "part": pl.String}
        random.Random(7).shuffle(gold)
        random.Random(8).shuffle(predicted)
        frames = {
            "gold": pl.DataFrame(gold, columns, orient="row"),
            "predicted": pl.DataFrame(predicted, {"run_id": pl.String, **columns}, orient="row"),
        }
        dropped = [*([] if self.fragments else ["part"]), *([] if self.typed else ["type"])]
        frames = {name: frame.drop(dropped) for name, frame in frames.items()}
        weights = [float(document.weight) for document in first.values()]
        documents = pl.DataFrame({"doc_id": list(first), "weight": weights})
        return {**frames, "documents": documents}

    @staticmethod
    def _rows(doc: str, spans: list[Span]) -> list[tuple[Any, ...]]:
        return [(doc, s, e, of.type, f"s{i}") for i, of in enumerate(spans) for s, e in of.fragments]


def make_case(
    seed: int, *, runs: int = 1, rounds: int = 1, weighted: bool = False, fragments: bool = False, typed: bool = True
) -> Case:
    """Documents of all shapes in turn."""
    rng = random.Random(seed)
    case = Case({f"run{i}": {} for i in range(runs)}, fragments, typed)
    for number in range(rounds * len(SHAPES)):
        shape = SHAPES[number % len(SHAPES)]
        name, gold = f"{number:02d} {shape}", _gold(rng, shape)
        weight = rng.choice((1, 1, 2, 3)) if weighted else 1
        for documents in case.runs.values():
            sides = [_finished(rng, case, spans) for spans in (gold, _predicted(rng, shape, gold))]
            documents[name] = Document(*sides, weight)
            gold = sides[0]
    return case


def _finished(rng: random.Random, case: Case, spans: list[Span]) -> list[Span]:
    """The distinct spans, some of them in fragments."""
    out = []
    for of in spans:
        fragments = of.fragments
        start, end = fragments[0][0], fragments[-1][1]
        if case.fragments and len(fragments) == 1 and end - start > 2 and rng.random() < 0.5:
            cut = rng.randint(start + 1, end - 2)
            fragments = ((start, cut), (cut + 1, end))
        out.append(Span(fragments, of.type if case.typed else None))
    return list(dict.fromkeys(out))


def _span(start: int, end: int, type: str) -> Span:
    return Span(((start, end),), type)


def _gold(rng: random.Random, shape: str) -> list[Span]:
    n = 0 if shape in ("no_gold", "spurious") else rng.randint(2, 4)
    if shape in ("nested", "crossed", "mixed", "chain"):
        n = rng.randint(3, 5)
        return [_span(s := rng.randint(0, 8), s + rng.randint(1, 7), rng.choice(TYPES[:3])) for _ in range(n)]
    if shape == "one_place":
        return [_span(3, 6, t) for t in rng.sample(TYPES, rng.randint(1, 3))]
    starts = [i * (1000 if shape == "far" else 9) for i in range(n)]
    return [_span(s, s + rng.randint(2, 9 if shape == "touching" else 7), rng.choice(TYPES)) for s in starts]


def _predicted(rng: random.Random, shape: str, gold: list[Span]) -> list[Span]:
    ends = [(s.start, s.end, s.type) for s in gold]
    match shape:
        case "same":
            return gold
        case "ends" | "touching":
            moved = [(max(0, s + rng.randint(-2, 2)), e + rng.randint(-2, 2), t) for s, e, t in ends]
            return [_span(s, max(s + 1, e), t) for s, e, t in moved]
        case "types" | "far":
            return [_span(s, e, rng.choice(TYPES)) for s, e, _ in ends]
        case "split":
            return [_span(a, b, t) for s, e, t in ends for a, b in ((s, s + 1), (s + 1, e))]
        case "merged":
            return [_span(ends[0][0], ends[-1][1], ends[0][2])]
        case "one_place":
            return [_span(3, rng.choice((6, 6, 7)), t) for t in rng.sample(TYPES, rng.randint(1, 4))]
        case "missed":
            return gold[1:]
        case "no_predicted":
            return []
        case "chain":
            return [_span(s + 1, e + 2, rng.choice(TYPES[:2])) for s, e, _ in ends]
    extra = [_span(s := rng.randint(0, 9), s + rng.randint(1, 6), rng.choice(TYPES[:3])) for _ in range(4)]
    return extra if shape != "no_gold" else extra[:1]
